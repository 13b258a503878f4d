"""Positions that our own searches visit, judged by another UCI engine: what a network learns from.

    python -m halbzug.tuning.visits FOLDER [--positions 1000000] [--engine stockfish] [--depth 0]

A search mostly evaluates positions after bad moves, which no game would reach. So games are played
by small searches, of 30 to 600 nodes, and of each search some positions are drawn from those where
it asks for a static evaluation. After it some plies of its line are made, because the trees of
positions next to each other have much in common. A game begins with 8 or 9 random plies, and ends
where it is over, where one side has long won, or where nothing is captured for long.

Their scores are static evaluations of the teacher, Stockfish, whose network is asked without it
(`halbzug.tuning.stockfish_network`). Such an evaluation is a function of the position, while the
score of a small search is a matter of luck as well. With a depth the teacher searches them instead,
as any UCI engine can. Kept are then those in which a static evaluation can be right: the teacher's
move is no capture and no promotion, and its score is no mate. A check is never drawn.

To learn from a stronger engine in this way is called distillation:
https://arxiv.org/abs/1503.02531.

`FOLDER`, outside the checkout, gets `recipe.json` and a file for every 100,000 positions, in the
format of `halbzug.tuning.positions_file`, without castling rights, which the evaluation does not
know. The result is always a draw, because most games are not finished. The same arguments, build
and engine give the same files on any number of cores. The same command goes on where the last run
was stopped, but for files that were not finished; with more `--positions` it adds to them.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Generic, TypeVar

import chess

from ..base.events import Event, Info
from ..base.limits import Limits
from ..base.scores import is_mate
from ..board.movegen import Board, new_board
from ..board.public_board import Board as PublicBoard
from ..eval.evaluation import Evaluator
from ..search import bench
from ..search.custom import CustomEvaluation
from ..search.position import Position
from ..search.search import Search
from ..search.transposition import TranspositionTable
from .judged import JudgedRecipe, PositionSource
from .packing import record_of
from .pairs import random_opening
from .positions_file import codes_of, pack, with_score
from .stockfish_network import StockfishNetwork
from .teacher import Judged, Teacher, is_noisy

#: Nodes of a search at least and at most; their logarithm is drawn for each game.
MIN_NODES, MAX_NODES = 30, 600

#: Plies that are made at most from one search to the next.
STEP = 6

#: A game ends after so many searches with a score beyond this, in centipawns.
DECIDED, DECIDED_SEARCHES = 700, 3

#: A game ends after so many plies without a capture or a pawn's move: it goes nowhere.
IDLE_PLIES = 24

#: Positions that the teacher searches while the next are looked for; its answers fit into the
#: buffer of the pipe.
_BATCH = 64

#: Depth of the bench whose signature identifies the build in the recipe, in plies.
_BENCH_DEPTH = 3


@dataclass(frozen=True)
class VisitsRecipe(JudgedRecipe):
    """What determines the positions, beside the build and the engine.

    :ivar depth: of its searches, in plies; 0: its static evaluation.
    :ivar drawn: positions drawn from a search, in the mean, if it evaluates at every node; it does
        so at three of five. Those of a search have much in common: more take less time, and teach
        less.
    """

    depth: int = 0
    drawn: int = 12


#: What is kept of a position that was drawn.
Drawn = TypeVar("Drawn")


class Visitor(Generic[Drawn]):
    """Plays games and draws positions from their searches.

    :param drawn: see `VisitsRecipe.drawn`.
    :param keep: what to keep of the board of a position that was drawn.
    """

    def __init__(self, chooser: random.Random, drawn: int, keep: Callable[[Board], Drawn]) -> None:
        self._chooser = chooser
        self._drawn = drawn
        self._keep = keep
        self._table = TranspositionTable(1)
        self._search = Search(self._table)
        self._evaluator = Evaluator()
        self._position = Position(new_board())
        self._share = 0.0
        self._found: list[Drawn] = []
        self._line: tuple[str, ...] = ()
        self._score = 0
        self._search.tree.set_custom(CustomEvaluation(self._evaluate, new_board()), None)

    def game(self) -> Iterator[list[Drawn]]:
        """Play a game: of each search what is kept."""
        chooser = self._chooser
        board = PublicBoard(random_opening(chooser).fen())
        nodes = round(MIN_NODES * (MAX_NODES / MIN_NODES) ** chooser.random())
        self._share = self._drawn / nodes
        self._table.clear()
        self._search.tree.new_game()
        decided = 0
        while decided < DECIDED_SEARCHES and not _is_over(board):
            self._found = []
            self._position = Position(new_board(board.fen(), []))
            best = self._search.run(self._position, Limits(nodes=nodes), report=self._note)
            yield self._found
            assert best.move is not None
            line = self._line if self._line[:1] == (best.move,) else (best.move,)
            for move in line[: chooser.randint(1, STEP)]:
                board.push_uci(move)
            decided = decided + 1 if abs(self._score) >= DECIDED or is_mate(self._score) else 0

    def searches(self, numbers: Iterable[int]) -> Iterator[tuple[list[Drawn], int]]:
        """Play games: of each search what is kept, and the number of its game."""
        for number in numbers:
            for found in self.game():
                yield found, number

    def _evaluate(self, board: Board) -> int:
        """The engine's evaluation of where the search is; the position may be drawn."""
        if self._chooser.random() < self._share and not board.is_check():
            self._found.append(self._keep(board))
        position = self._position
        return self._evaluator.evaluate(position.board, position.accumulator)

    def _note(self, event: Event) -> None:
        if isinstance(event, Info):
            self._line, self._score = event.pv, event.score


def _is_over(board: chess.Board) -> bool:
    return (
        board.halfmove_clock >= IDLE_PLIES
        or board.is_insufficient_material()
        or not any(board.generate_legal_moves())
    )


def positions(recipe: VisitsRecipe, index: int) -> Iterator[bytes]:
    """The records of the file with that number.

    :raises LabError: if the engine does not start, or ends.
    """
    chooser = random.Random(f"{recipe.seed} visits {index}")
    # No file has as many games as positions.
    numbers = range(index * recipe.file_positions, (index + 1) * recipe.file_positions)
    with Teacher(recipe.engine, recipe.depth) as teacher:
        if recipe.depth:
            visited = Visitor(chooser, recipe.drawn, lambda board: board.fen()).searches(numbers)
            yield from islice(_searched(visited, teacher), recipe.file_positions)
            return
        network = StockfishNetwork(teacher.network())
    visits = Visitor(chooser, recipe.drawn, record_of).searches(numbers)
    yield from islice(_evaluated(visits, network), recipe.file_positions)


def _evaluated(
    searches: Iterable[tuple[list[bytes], int]], network: StockfishNetwork
) -> Iterator[bytes]:
    """The records of positions that searches visit, with their static evaluations.

    :param searches: of each its records and the number of its game.
    """
    for records, number in searches:
        scores = network.scores(b"".join(records))
        for record, score in zip(records, scores, strict=True):
            yield with_score(record, score, number)


def _searched(searches: Iterable[tuple[list[str], int]], teacher: Teacher) -> Iterator[bytes]:
    """The records of those that are kept of positions that the teacher searches.

    :param searches: of each its positions as FEN and the number of its game.
    """
    asked: list[tuple[str, int]] = []
    drawn: list[tuple[str, int]] = []
    for fens, number in searches:
        drawn += [(fen, number) for fen in fens]
        if len(drawn) < _BATCH:
            continue
        answers = [(fen, _score_of(fen, teacher.answer()), game) for fen, game in asked]
        teacher.ask([fen for fen, _ in drawn])
        asked, drawn = drawn, []
        for fen, score, game in answers:
            if score is not None:
                placement, turn = fen.split(" ")[:2]
                yield pack(codes_of(placement), int(turn == "w"), score, 0.5, game)


def _score_of(fen: str, judged: Sequence[Judged]) -> int | None:
    """The score of a position in centipawns for White; None for what is not kept.

    :param judged: what the teacher answers to it.
    """
    if not judged or judged[0].score is None:
        return None
    placement, turn, _, en_passant, *_ = fen.split(" ")
    target = chess.parse_square(en_passant) if en_passant != "-" else -1
    if is_noisy(judged[0].line[0], codes_of(placement), target):
        return None
    return judged[0].score if turn == "w" else -judged[0].score


def _build() -> str:
    return f", bench {bench.run(_BENCH_DEPTH).nodes}"


SOURCE = PositionSource("halbzug.tuning.visits", VisitsRecipe, positions, _build, least_depth=0)


def main(arguments: Sequence[str] | None = None) -> int:
    """Visit."""
    return SOURCE.main(__doc__, arguments)


if __name__ == "__main__":
    raise SystemExit(main())

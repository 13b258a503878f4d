"""Positions that our own searches visit, judged by another UCI engine, as training data.

    python -m halbzug.tuning.visits FOLDER [--positions 1000000] [--engine stockfish] [--depth 0]

A search mostly evaluates positions after bad moves, which no game would reach. So small searches,
of 30 to 600 nodes, play games, and for each search some positions are drawn from those for which it
needs a static evaluation. The next search begins some plies further along its line, because the
trees of neighbouring positions have much in common. A game begins with 8 or 9 random plies. It ends
when it is over, when one side has been winning for long, or when nothing has been captured for
long.

The scores are static evaluations of the teacher, Stockfish, calculated from its network without
running Stockfish (`halbzug.tuning.stockfish_network`). Such an evaluation is a function of the
position, while the score of a small search is partly a matter of luck. `--engine terms` records the
engine's own evaluation by terms, six times as many positions a second. With a depth, the teacher
searches the positions instead, which any UCI engine can do. Then only those positions are kept in
which a static evaluation can be right: the teacher's move is neither a capture nor a promotion, and
its score is not a mate. Positions in check are never drawn.

Learning from a stronger engine in this way is called distillation:
https://arxiv.org/abs/1503.02531.

`FOLDER`, outside the checkout, gets `recipe.json` and a file for every 100,000 positions, in the
format of `halbzug.tuning.positions_file`, without castling rights, which the evaluation does not
use. The result is always a draw, because most games are not finished. The same arguments, build
and engine give the same files on any number of cores. The same command continues a run that was
stopped, repeating only unfinished files; with more `--positions` it adds files.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Generic, TypeVar

import chess

from ..base.limits import Limits
from ..base.scores import is_mate
from ..board.movegen import Board, new_board
from ..board.public_board import Board as PublicBoard
from ..eval.evaluation import Evaluator
from ..eval.network_file import TERMS
from ..eval.static import StaticEvaluator
from ..search import bench
from ..search.custom import CustomEvaluation
from ..search.position import Position
from ..search.search import Search
from ..search.transposition import TranspositionTable
from . import recording
from .command import command_parser
from .packing import record_of
from .pairs import random_opening
from .positions_file import codes_of, pack, with_score
from .searcher import LabError
from .selfplay import searched
from .stockfish_network import StockfishNetwork
from .teacher import Judged, Teacher, is_noisy

#: Nodes of a search at least and at most; their logarithm is drawn for each game.
MIN_NODES, MAX_NODES = 30, 600

#: The most plies from one search to the next.
STEP = 6

#: A game ends after this many searches with a score beyond this, in centipawns.
DECIDED, DECIDED_SEARCHES = 700, 3

#: A game ends after this many plies without a capture or a pawn move.
IDLE_PLIES = 24

#: Positions that the teacher searches while the next ones are collected; its answers fit into the
#: buffer of the pipe.
_BATCH = 64

#: Default number of positions per file.
FILE_POSITIONS = 100_000

#: The key in `recipe.json` for the teacher and the build that made the files.
MAKER = "made by"

#: Depth of the bench whose signature identifies the build in the recipe, in plies.
_BENCH_DEPTH = 3


@dataclass(frozen=True)
class VisitsRecipe:
    """What determines the positions, besides the build and the engine's version.

    :ivar engine: the teacher, `COMMAND ARGUMENTS; OPTION=VALUE; ...`, or `terms`.
    :ivar depth: of its searches, in plies; 0: its static evaluation.
    :ivar file_positions: positions per file.
    :ivar drawn: the mean number of positions drawn from a search that evaluates at every node; real
        searches do so at three nodes of five. Positions of one search have much in common, so with
        a larger number each takes less time and teaches less.
    """

    engine: str = "stockfish"
    depth: int = 0
    seed: int = 1
    file_positions: int = FILE_POSITIONS
    drawn: int = 12


#: What is kept for each drawn position.
Drawn = TypeVar("Drawn")


class Visitor(Generic[Drawn]):
    """Plays games and draws positions from their searches.

    :param drawn: see `VisitsRecipe.drawn`.
    :param keep: returns what is kept for the board of a drawn position.
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
        self._search.tree.set_custom(CustomEvaluation(self._evaluate, new_board()), None)

    def game(self) -> Iterator[list[Drawn]]:
        """Play a game; yield what is kept for each search."""
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
            best, line = searched(self._search, self._position, Limits(nodes=nodes))
            yield self._found
            moves = line.pv if line.pv[:1] == (best,) else (best,)
            for move in moves[: chooser.randint(1, STEP)]:
                board.push_uci(move)
            decided = decided + 1 if abs(line.score) >= DECIDED or is_mate(line.score) else 0

    def searches(self, numbers: Iterable[int]) -> Iterator[tuple[list[Drawn], int]]:
        """Play games; yield what is kept for each search, and the number of its game."""
        for number in numbers:
            for found in self.game():
                yield found, number

    def _evaluate(self, board: Board) -> int:
        """The engine's evaluation of the position in the search, which may be drawn."""
        if self._chooser.random() < self._share and not board.is_check():
            self._found.append(self._keep(board))
        position = self._position
        return self._evaluator.evaluate(position.board, position.accumulator)


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
    if recipe.engine == TERMS:
        judge = StaticEvaluator()
        own = Visitor(chooser, recipe.drawn, lambda board: _by_terms(board, judge)).searches(
            numbers
        )
        found = (with_score(*judged, number) for drawn, number in own for judged in drawn)
        yield from islice(found, recipe.file_positions)
        return
    with Teacher(recipe.engine, recipe.depth) as teacher:
        if recipe.depth:
            visited = Visitor(chooser, recipe.drawn, lambda board: board.fen()).searches(numbers)
            yield from islice(_searched(visited, teacher), recipe.file_positions)
            return
        network = StockfishNetwork(teacher.network())
    visits = Visitor(chooser, recipe.drawn, record_of).searches(numbers)
    yield from islice(_evaluated(visits, network), recipe.file_positions)


def _by_terms(board: Board, judge: StaticEvaluator) -> tuple[bytes, int]:
    """The record of a board, and its evaluation by terms for White."""
    score = judge.evaluate(board)
    return record_of(board), score if board.turn else -score


def _evaluated(
    searches: Iterable[tuple[list[bytes], int]], network: StockfishNetwork
) -> Iterator[bytes]:
    """The records of positions that searches visit, with their static evaluations.

    :param searches: the records of each, and the number of its game.
    """
    for records, number in searches:
        scores = network.scores(b"".join(records))
        for record, score in zip(records, scores, strict=True):
            yield with_score(record, score, number)


def _searched(searches: Iterable[tuple[list[str], int]], teacher: Teacher) -> Iterator[bytes]:
    """The records of the searched positions that are kept.

    :param searches: the positions of each as FEN, and the number of its game.
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


def _score_of(fen: str, judged: Judged | None) -> int | None:
    """The score of a position in centipawns for White; None if it is not kept.

    :param judged: the teacher's answer.
    """
    if judged is None or judged.score is None:
        return None
    placement, turn, _, en_passant, *_ = fen.split(" ")
    target = chess.parse_square(en_passant) if en_passant != "-" else -1
    if is_noisy(judged.move.uci(), codes_of(placement), target):
        return None
    return judged.score if turn == "w" else -judged.score


def provide(folder: Path, recipe: VisitsRecipe, files: int, cores: int) -> None:
    """Make all missing files, and report progress.

    If none is missing, neither the teacher nor the build need be those that made them.

    :raises LabError: if the folder has positions of another recipe, engine or build, the engine has
        no static evaluation, the terms are to search, or a process fails.
    """
    if recipe.engine == TERMS and recipe.depth:
        raise LabError("--depth needs another engine: the terms do not search")
    if recording.is_complete(folder, asdict(recipe), MAKER, files):
        return
    teacher_name = ""
    if recipe.engine != TERMS:
        with Teacher(recipe.engine, recipe.depth) as teacher:
            teacher_name = f"{teacher.name}, "
            if not recipe.depth:
                StockfishNetwork(teacher.network())  # else each process would fail
    maker = f"{teacher_name}bench {bench.run(_BENCH_DEPTH).nodes}"
    determined = {**asdict(recipe), MAKER: maker}
    recording.provide(folder, determined, files, cores, "halbzug.tuning.visits")


def main(arguments: Sequence[str] | None = None) -> int:
    """Record positions."""
    parser = command_parser("halbzug.tuning.visits", __doc__)
    return recording.record(parser, arguments, VisitsRecipe(), positions, provide)


if __name__ == "__main__":
    raise SystemExit(main())

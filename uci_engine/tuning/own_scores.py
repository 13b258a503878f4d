"""Positions with the scores of our own small searches, as training data without a teacher.

    python -m halbzug.tuning.own_scores FOLDER [--positions 1000000] [--nodes 500] [--games FILE]

The positions are those that small searches visit, as in `halbzug.tuning.visits`, or one in four
positions from the games of a PGN file. Each is then searched with the terms. A static evaluation
can be right only in a quiet position, so captures, promotions and answers to checks at the
beginning of the best line are played first. A position whose score is a mate is left out, and so is
one whose line ends too early. A position from a PGN file also has the result of its game.

`FOLDER` gets the same kind of files, and the same command continues a run that was stopped.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import count, islice
from pathlib import Path

import chess

from ..base.events import Event, Info
from ..base.limits import Limits
from ..base.scores import is_mate
from ..board.movegen import new_board
from ..board.pgn_files import read_games
from ..board.public_board import Board as PublicBoard
from ..search import bench
from ..search.position import Position
from ..search.search import Search
from ..search.transposition import TranspositionTable
from . import recording
from .command import command_parser
from .positions_file import codes_of, pack
from .visits import Visitor

#: One in this many positions of a PGN file is drawn; its games have about this many plies.
GAME_SHARE, GAME_PLIES = 4, 80

_POINTS = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}

#: The number of positions in a file, by default.
_FILE_POSITIONS = 50_000

#: Depth of the bench whose signature identifies the build in the recipe, in plies.
_BENCH_DEPTH = 3


@dataclass(frozen=True)
class OwnRecipe:
    """What determines the positions, beside the build.

    :ivar drawn: see `halbzug.tuning.visits.VisitsRecipe`.
    :ivar nodes: the nodes of the search that judges a position.
    :ivar games: a PGN file, compressed or not; empty: positions that searches visit.
    """

    seed: int = 1
    drawn: int = 12
    nodes: int = 500
    games: str = ""
    file_positions: int = _FILE_POSITIONS


class _Judge:
    """Judges positions by small searches."""

    def __init__(self, nodes: int) -> None:
        self._limits = Limits(nodes=nodes)
        self._search = Search(TranspositionTable(1))
        self._line: Info

    def record(self, fen: str, game: int, result: float = 0.5) -> bytes | None:
        """The record of a position, or of the first quiet one on its best line; None without one.

        :param result: the result of the game for White.
        """
        self._search.tree.new_game()
        self._search.run(Position(new_board(fen)), self._limits, report=self._note)
        if is_mate(self._line.score):
            return None
        board = PublicBoard(fen)
        score = self._line.score if board.turn else -self._line.score
        for uci in self._line.pv:  # empty without a legal move
            move = chess.Move.from_uci(uci)
            if not (board.is_check() or board.is_capture(move) or move.promotion):
                return pack(codes_of(board.board_fen()), int(board.turn), score, result, game)
            board.push(move)
        return None

    def _note(self, event: Event) -> None:
        if isinstance(event, Info):
            self._line = event


def own_positions(recipe: OwnRecipe, index: int) -> Iterator[bytes]:
    """The records of the file with that number, which is not full if the PGN file ends.

    :raises OSError: if the PGN file cannot be read.
    """
    chooser = random.Random(f"{recipe.seed} own {index}")
    judge = _Judge(recipe.nodes)
    if recipe.games:
        drawn = _of_games(recipe, index, chooser)
    else:
        visitor = Visitor(chooser, recipe.drawn, lambda board: board.fen())
        numbers = count(index * recipe.file_positions)
        drawn = ((fen, game, 0.5) for fens, game in visitor.searches(numbers) for fen in fens)
    found = (judge.record(*position) for position in drawn)
    yield from islice(filter(None, found), recipe.file_positions)


def games_of_file(recipe: OwnRecipe) -> int:
    """How many games of the PGN file the positions of one file are drawn from."""
    return max(1, recipe.file_positions * GAME_SHARE // GAME_PLIES)


def _of_games(
    recipe: OwnRecipe, index: int, chooser: random.Random
) -> Iterator[tuple[str, int, float]]:
    """Positions of some games of the PGN file, with the number and the result of the game."""
    size = games_of_file(recipe)
    for game in islice(read_games(recipe.games), index * size, (index + 1) * size):
        if game.result not in _POINTS:
            continue
        for board in game.boards():
            is_drawn = chooser.randrange(GAME_SHARE) == 0
            if not is_drawn or not isinstance(board, PublicBoard) or not board.is_valid():
                continue
            if not board.is_check() and any(board.generate_legal_moves()):
                yield board.fen(), game.number, _POINTS[game.result]


def provide(folder: Path, recipe: OwnRecipe, files: int, cores: int) -> None:
    """Record all missing files, and report progress.

    :raises LabError: if the folder has positions of another recipe or build, or a process fails.
    """
    determined = {**asdict(recipe), "bench": bench.run(_BENCH_DEPTH).nodes}
    recording.provide(folder, determined, files, cores, "halbzug.tuning.own_scores")


def main(arguments: Sequence[str] | None = None) -> int:
    """Record positions."""
    parser = command_parser("halbzug.tuning.own_scores", __doc__)
    return recording.record(parser, arguments, OwnRecipe(), own_positions, provide)


if __name__ == "__main__":
    raise SystemExit(main())

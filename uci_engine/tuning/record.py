"""Plays games of this build against itself, and records quiet positions.

    python -m halbzug.tuning.record FOLDER [--games 1000] [--nodes 5000] [--seed 1] [--cores 2]

A network learns most from few positions of many games. A game begins with 8 or 9 random plies that
a search finds balanced; then each move is searched until an iteration ends with at least `--nodes`
nodes. Some positions of each game are kept, drawn at random from those in which a static evaluation
can be right: the side to move is not in check, the move played is neither a capture nor a
promotion, and the score is not a mate. The same arguments give the same games on any number of
cores.

`FOLDER`, outside the checkout, gets `recipe.json` and a file for every thousand games, in the
format of `halbzug.tuning.positions_file`. The same command continues where the last run stopped,
however it ended; `--games` can be increased.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import chess

from ..base.events import Event, Info
from ..base.limits import Limits
from ..base.scores import EXACT_BOUND, is_mate
from ..base.whole_file import append_whole
from ..board.game_end import natural_end
from ..board.movegen import BUILD, new_board
from ..board.public_board import Board
from ..search import bench
from ..search.position import Position
from ..search.search import Search
from ..search.transposition import TranspositionTable
from . import recording
from .pairs import BALANCED, OPENING_NODES, random_opening
from .positions_file import SIZE, Recorded, unpack
from .selfplay import DECIDED, DECIDED_PLIES, DRAWN_PLIES, MAX_GAME_PLIES

#: Default number of games per file.
FILE_GAMES = 1000

#: Default maximum number of positions per game.
KEPT = 16

#: A search is ended within an iteration after this multiple of its nodes.
_PATIENCE = 8

#: Depth of the bench whose signature identifies the build in the recipe, in plies.
_BENCH_DEPTH = 3


@dataclass(frozen=True)
class RecordRecipe:
    """What determines the games.

    :ivar nodes: per move; the iteration in which they are reached is finished.
    :ivar kept: maximum number of positions per game.
    :ivar file_games: games per file.
    """

    nodes: int
    seed: int
    kept: int = KEPT
    file_games: int = FILE_GAMES

    def files(self, games: int) -> int:
        """The number of files with at least this many games."""
        return -(-games // self.file_games)


class GameRecorder:
    """Plays games and keeps some of their positions."""

    def __init__(self, recipe: RecordRecipe) -> None:
        self._recipe = recipe
        self._table = TranspositionTable(4)
        self._search = Search(self._table)
        self._soft_limit = 0
        self._score = 0

    def game(self, number: int) -> list[Recorded]:
        """Play a game, which depends only on the recipe and its number."""
        chooser = random.Random(f"{self._recipe.seed} game {number}")
        board = self._opening(chooser)
        quiet: list[tuple[chess.Board, int]] = []
        decided = drawn = 0
        self._forget()
        while True:
            end = natural_end(board)
            if end or len(board.move_stack) >= MAX_GAME_PLIES:
                result = {"1-0": 1.0, "0-1": 0.0}.get(end.result, 0.5) if end else 0.5
                break
            move = self._think(board, self._recipe.nodes)
            score = self._score if board.turn else -self._score
            if not (board.is_check() or board.is_capture(move) or move.promotion or is_mate(score)):
                quiet.append((board.copy(stack=False), score))
            decided = decided + 1 if abs(score) >= DECIDED else 0
            drawn = drawn + 1 if score == 0 else 0
            if decided >= DECIDED_PLIES or drawn >= DRAWN_PLIES:
                result = 0.5 if score == 0 else float(score > 0)
                break
            board.push(move)
        kept = sorted(chooser.sample(range(len(quiet)), min(self._recipe.kept, len(quiet))))
        return [Recorded(*quiet[index], result, number) for index in kept]

    def _opening(self, chooser: random.Random) -> Board:
        while True:
            opening = random_opening(chooser)
            if opening.is_game_over():
                continue
            self._forget()
            self._think(opening, OPENING_NODES)
            if abs(self._score) <= BALANCED:
                return Board(opening.fen())

    def _forget(self) -> None:
        self._table.clear()
        self._search.tree.new_game()

    def _think(self, board: chess.Board, nodes: int) -> chess.Move:
        """The engine's move; `_score` is set to its score for the side to move."""
        recent = board.copy(stack=board.halfmove_clock)  # earlier positions cannot be repeated
        moves = [move.uci() for move in recent.move_stack]
        position = Position(new_board(recent.root().fen(), moves))
        self._soft_limit = nodes
        best = self._search.run(position, Limits(nodes=_PATIENCE * nodes), report=self._note)
        assert best.move is not None
        return chess.Move.from_uci(best.move)

    def _note(self, event: Event) -> None:
        if isinstance(event, Info):
            self._score = event.score
            if event.bound == EXACT_BOUND and event.nodes >= self._soft_limit:
                self._search.tree.stopped = True  # after the iteration that has just ended


def record_file(path: Path, recipe: RecordRecipe, games: range) -> None:
    """Play games, and append each game's positions to a file; continue where it ends.

    The positions of a game are written together. Those of the last game may be incomplete, and are
    written again.

    :raises OSError: if there is no space.
    """
    recorder = GameRecorder(recipe)
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0)
    descriptor = os.open(path, flags, 0o666)
    try:
        first = _cut_last_game(descriptor, games.start)
        for number in range(first, games.stop):
            found = recorder.game(number)
            if found:
                append_whole(descriptor, b"".join(position.pack() for position in found))
    finally:
        os.close(descriptor)


def _cut_last_game(descriptor: int, first: int) -> int:
    """Remove the last game from a file; return the number of the game to continue with.

    :param first: the number of the file's first game.
    """
    with os.fdopen(os.dup(descriptor), "rb") as file:
        file.seek(0)
        data = file.read()
    ends = range(SIZE, len(data) + 1, SIZE)
    games = [unpack(data[end - SIZE : end]).game for end in ends]
    if not games:
        os.ftruncate(descriptor, 0)
        return first
    os.ftruncate(descriptor, SIZE * games.index(games[-1]))
    return games[-1]


def provide(folder: Path, recipe: RecordRecipe, files: int, cores: int) -> None:
    """Record all missing files, and report progress.

    If none is missing, the build need not be the one that recorded them.

    :raises LabError: if the folder has positions of another recipe, or files are missing and it has
        those of another build, or a process fails.
    """
    if recording.is_complete(folder, asdict(recipe), "signature", files):
        return
    found = {**asdict(recipe), "signature": bench.run(_BENCH_DEPTH).nodes}
    recording.provide(folder, found, files, cores, "halbzug.tuning.record")


def _record_one(folder: Path, index: int) -> None:
    """Record a file, in a child process."""
    known = recording.recipe(folder)
    recipe = RecordRecipe(**{field: known[field] for field in asdict(RecordRecipe(0, 0))})
    games = range(index * recipe.file_games, (index + 1) * recipe.file_games)
    with recording.finished(recording.file_of(folder, index)) as part:
        record_file(part, recipe, games)


def main(arguments: Sequence[str] | None = None) -> int:
    """Record."""
    parser = argparse.ArgumentParser(prog="python -m halbzug.tuning.record", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("folder", metavar="FOLDER", type=Path)
    parser.add_argument("--games", type=int, default=1000, help="thousands of them")
    parser.add_argument("--nodes", type=int, default=5000, help="a move: %(default)s")
    parser.add_argument("--kept", type=int, default=KEPT, help="of a game: %(default)s")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cores", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--file", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if min(options.games, options.nodes, options.kept, options.cores) < 1:
        parser.error("--games, --nodes, --kept and --cores are at least 1")

    def work() -> None:
        if options.file is not None:
            recording.end_with_parent()
            _record_one(options.folder, options.file)
            return
        if BUILD == "pure":
            print("This is the pure build: it records a hundredth as much", file=sys.stderr)
        recipe = RecordRecipe(options.nodes, options.seed, options.kept)
        provide(options.folder, recipe, recipe.files(options.games), options.cores)

    return recording.exit_code(parser.prog, work)


if __name__ == "__main__":
    raise SystemExit(main())

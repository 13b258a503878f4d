"""Plays games of this build against itself, and records quiet positions of them.

    python -m halbzug.tuning.record FOLDER [--games 1000] [--nodes 5000] [--seed 1] [--cores 2]

Few positions of many games teach a network most. A game begins with 8 or 9 random plies that a
search finds balanced; then a move is searched until an iteration has ended with at least `--nodes`
nodes. Of each game some positions are kept, drawn at random from those in which a static evaluation
can be right: the side to move is not in check, the move played is neither a capture nor a
promotion, and the score is no mate. The same arguments give the same games on any number of cores.

`FOLDER`, outside the checkout, gets `recipe.json` and a file for every thousand games, in the
format of `halbzug.tuning.positions_file`. The same command goes on where the last run was stopped,
however that ended; with more `--games` it adds to them.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

import chess

from halbzug.board.game_end import natural_end
from halbzug.board.movegen import BUILD, new_board
from halbzug.board.public_board import Board
from halbzug.events import Event, Info
from halbzug.launch import own_command
from halbzug.limits import Limits
from halbzug.scores import EXACT_BOUND, is_mate
from halbzug.search import bench
from halbzug.search.position import Position
from halbzug.search.search import Search
from halbzug.search.transposition import TranspositionTable
from halbzug.tuning.pairs import BALANCED, OPENING_NODES, random_opening
from halbzug.tuning.positions_file import SIZE, Recorded, unpack
from halbzug.tuning.searcher import LabError
from halbzug.tuning.seats import Seats
from halbzug.tuning.selfplay import DECIDED, DECIDED_PLIES, DRAWN_PLIES, MAX_GAME_PLIES
from halbzug.whole_file import append_whole, write_whole

#: Games of a file, by default.
FILE_GAMES = 1000

#: At most this many positions of a game, by default.
KEPT = 16

#: A search ends in the middle of an iteration after this many times its nodes.
_PATIENCE = 8

#: Depth of the bench whose signature identifies the build in the recipe, in plies.
_BENCH_DEPTH = 3

#: Seconds between two lines about how far it is.
_TELL_SECONDS = 60


@dataclass(frozen=True)
class Recipe:
    """What determines the games.

    :ivar nodes: of a move; the iteration in which they are reached is finished.
    :ivar kept: positions of a game at most.
    :ivar file_games: games of a file.
    """

    nodes: int
    seed: int
    kept: int = KEPT
    file_games: int = FILE_GAMES

    def files(self, games: int) -> int:
        """How many files have so many games, or a few more."""
        return -(-games // self.file_games)


class Recorder:
    """Plays games and keeps positions of them."""

    def __init__(self, recipe: Recipe) -> None:
        self._recipe = recipe
        self._table = TranspositionTable(4)
        self._search = Search(self._table)
        self._soft_limit = 0
        self._score = 0

    def game(self, number: int) -> list[Recorded]:
        """Play a game; what it is depends on the recipe and its number alone."""
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
        """The engine's move; `_score` is its score for the side to move."""
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


def record_file(path: Path, recipe: Recipe, games: range) -> None:
    """Play games, and append each game's positions to a file; go on where it ends.

    The positions of a game are written together. Those of the last game may be incomplete, and are
    written again.

    :raises OSError: if there is no room.
    """
    recorder = Recorder(recipe)
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
    """Remove the last game from a file; the number of the game to go on with.

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


def file_of(folder: Path, index: int) -> Path:
    """The finished file with that number, from 0."""
    return folder / f"games-{index:06}.bin"


class _Core:
    """Has one file after the other recorded by a process; see `halbzug.tuning.seats.Seat`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._process: subprocess.Popen[str] | None = None
        self._is_closed = False

    def do(self, index: int) -> int:
        """Record a file."""
        command = own_command("halbzug.tuning.record", "--file", str(index), str(self._folder))
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as self._process:
            if self._is_closed:
                self._process.kill()
            assert self._process.stderr
            errors = self._process.stderr.read()
        if self._process.returncode:
            lines = errors.strip().splitlines() or ["it was killed"]
            raise LabError(f"file {index} cannot be recorded: {lines[-1]}")
        return index

    def close(self) -> None:
        """End the process."""
        self._is_closed = True
        if self._process:
            self._process.kill()


def record(folder: Path, recipe: Recipe, files: int, cores: int) -> None:
    """Record all files that are missing, and tell how far it is.

    Where none is missing, the build need not be the one that has recorded them.

    :raises LabError: if the folder has positions of another recipe, or files are missing and it has
        those of another build, or a process fails.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "recipe.json"
    known = json.loads(path.read_text("utf-8")) if path.exists() else {}
    missing = [index for index in range(files) if not file_of(folder, index).exists()]
    if not missing and known == {**asdict(recipe), "signature": known.get("signature")}:
        return
    found = {**asdict(recipe), "signature": bench.run(_BENCH_DEPTH).nodes}
    if known not in ({}, found):
        raise LabError(f"{folder} has positions of another recipe or build, see {path}")
    write_whole(path, json.dumps(found) + "\n")
    began, size = time.monotonic(), _size(folder)
    results = Seats(cores, partial(_Core, folder), iter(missing)).results()
    stopped = threading.Event()

    def tell() -> None:
        while not stopped.wait(_TELL_SECONDS):
            _tell(folder, size, began)

    teller = threading.Thread(target=tell, daemon=True)
    teller.start()
    try:
        for _ in results:
            pass
    finally:
        stopped.set()
        results.close()  # type: ignore[attr-defined]
    _tell(folder, size, began)


def _tell(folder: Path, size: int, began: float) -> None:
    now = _size(folder)
    speed = (now - size) / SIZE / max(time.monotonic() - began, 0.001)
    print(f"{now // SIZE:,} positions, {speed:,.0f} a second", flush=True)


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.glob("games-*"))


def _record_one(folder: Path, index: int) -> None:
    """Record a file, as a child process: under another name until it is finished."""
    _end_with_parent()
    known = json.loads((folder / "recipe.json").read_text("utf-8"))
    recipe = Recipe(**{field: known[field] for field in asdict(Recipe(0, 0))})
    target = file_of(folder, index)
    part = target.with_suffix(".part")
    record_file(part, recipe, range(index * recipe.file_games, (index + 1) * recipe.file_games))
    part.replace(target)


def _end_with_parent() -> None:
    """End this process when the one that started it has ended."""

    def wait() -> None:
        sys.stdin.read()
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


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
            _record_one(options.folder, options.file)
            return
        if BUILD == "pure":
            print("This is the pure build: it records a hundredth as much", file=sys.stderr)
        recipe = Recipe(options.nodes, options.seed, options.kept)
        record(options.folder, recipe, recipe.files(options.games), options.cores)

    return exit_code(parser.prog, work)


def exit_code(program: str, work: Callable[[], None]) -> int:
    """Do the work of a command that goes on from its folder; what is wrong is told in a line.

    :param program: its name, for that line.
    """
    try:
        work()
    except (LabError, OSError, ValueError) as error:
        print(f"{program}: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("Interrupted; the same command goes on from the folder", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

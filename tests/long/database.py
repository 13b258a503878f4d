"""How fast a database of games is read, compared with python-chess's reader in the same process.

    python tests/long/database.py [--games 200000] [--compared 20000] [--file FILE]

It makes a `.pgn.zst` like those of lichess (`lichess_games.py`), which is kept if `--file` names
it. Then python-chess's reader, on the decompressed stream, and ours read the first games in turns,
so that other programs disturb both alike; the ratios are of processor time. Then ours reads the
whole file while the memory of the process is measured. `HALBZUG_PURE=1` measures the pure build. It
ends with code 1 if one of our ways of reading is slower than python-chess's reader, in the compiled
build less than twice as fast, or if memory grows.
"""

from __future__ import annotations

import argparse
import itertools
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import lichess_games

from halbzug.base.python_chess import use_copy

use_copy()  # as in the command, which uses the same readers and boards of python-chess

import chess.pgn  # noqa: E402

from halbzug.batch import filters, positions  # noqa: E402
from halbzug.batch.filters import Selection  # noqa: E402
from halbzug.batch.positions import Failure, GamePart  # noqa: E402
from halbzug.board.movegen import BUILD  # noqa: E402

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

#: How many games each reader reads in its turn.
TURN = 500

#: How much memory may grow while the last nine tenths are read, in MiB.
MAX_GROWTH = 20

#: The ways of reading.
WAYS: dict[str, tuple[GamePart, Selection]] = {
    "each position": ("all", Selection()),
    "each ninth, quiet": ("all", Selection((), (0, None), 9, True)),
    "of games above 2200": ("all", Selection((filters.rating_test("2200.."),))),
    "last positions": ("last", Selection()),
    "whole games": ("game", Selection()),
}


def by_python_chess(file: Path) -> Iterator[int]:
    """The numbers of the games, each after it has been read."""
    with zstd.open(file, "rt", encoding="utf-8") as lines:
        for number in itertools.count(1):
            if chess.pgn.read_game(lines) is None:
                return
            yield number


def by_us(file: Path, part: GamePart, selection: Selection) -> Iterator[int]:
    """The same with our reader; a game's number repeats for each selected position."""
    for item in positions.read(str(file), part=part, selection=selection):
        if isinstance(item, Failure):
            raise SystemExit(f"{item.place}: {item.message}")
        yield getattr(item, "number", None) or getattr(item, "game", 0) or 0


def turns(numbers: Iterator[int]) -> Callable[[int], float]:
    """A function that reads up to a game and returns the processor time it took, in seconds."""

    def read(game: int) -> float:
        start = time.process_time()
        for number in numbers:
            if number >= game:
                break
        return time.process_time() - start

    return read


def mebibytes() -> float:
    """The maximum memory of the process so far, in MiB."""
    maximum = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return maximum / (1 << 20 if sys.platform == "darwin" else 1 << 10)


def compare(file: Path, compared: int) -> dict[str, float]:
    """Print and return the speed of each way relative to python-chess."""
    theirs = turns(by_python_chess(file))
    ours = {way: turns(by_us(file, *how)) for way, how in WAYS.items()}
    their_seconds: list[float] = []
    seconds: dict[str, list[float]] = {way: [] for way in WAYS}
    for game in range(TURN, compared + 1, TURN):
        their_seconds.append(theirs(game))
        for way, read in ours.items():
            seconds[way].append(read(game))
    print(f"python-chess: {sum(their_seconds) / compared * 1e6:.0f} microseconds a game")
    for way, each in seconds.items():
        ratios = [one / other for one, other in zip(their_seconds, each, strict=True) if other]
        print(
            f"{way:20} {sum(their_seconds) / sum(each):6.2f} times as fast "
            f"(a turn: median {statistics.median(ratios):.2f}, least {min(ratios):.2f})"
        )
    return {way: sum(their_seconds) / sum(each) for way, each in seconds.items()}


def read_whole(file: Path, games: int) -> float:
    """Print the speed at which the whole file is read; return by how much memory grew, in MiB."""
    part, selection = WAYS["each position"]
    start = time.perf_counter()
    count, first = 0, 0.0
    tenth = max(games // 10, 1)
    for number in by_us(file, part, selection):
        count += 1
        if number >= tenth and not number % tenth:
            first = first or mebibytes()
    seconds = time.perf_counter() - start
    growth = mebibytes() - first
    print(
        f"{games:,} games, {count:,} positions in {seconds:.0f} s: {count / seconds:,.0f} a second"
    )
    print(f"memory: {first:.0f} MiB after a tenth, {first + growth:.0f} MiB at the end")
    return growth


def main() -> int:
    """Make the file, and read it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--games", type=int, default=200_000)
    parser.add_argument("--compared", type=int, default=20_000)
    parser.add_argument("--file", type=Path, help="created if it does not exist")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        file = options.file or Path(folder, "games.pgn.zst")
        if not file.exists():
            with zstd.open(file, "wt", encoding="utf-8") as target:
                target.writelines(lichess_games.games(options.games))
        print(f"{file.stat().st_size / 1e6:.0f} MB, {BUILD} build", flush=True)
        speedups = compare(file, min(options.compared, options.games))
        growth = read_whole(file, options.games)
    needed = 2 if BUILD == "compiled" else 1
    return int(min(speedups.values()) < needed or growth > MAX_GROWTH)


if __name__ == "__main__":
    raise SystemExit(main())

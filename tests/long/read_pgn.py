"""Reading PGN: compared with python-chess, and a million games beside other libraries.

    python tests/long/read_pgn.py same [GAMES]
    python tests/long/read_pgn.py speed [GAMES] [--python PYTHON] [--folder FOLDER]

`same` makes games with variations, comments, glyphs, null moves and Chess960, and compares what
`halbzug.read_games` reads from each with python-chess; then it damages them, and compares with the
line-by-line reader. `speed` makes a file of plain games (a million are 700 MB; it is deleted
afterwards) and has each library read all of its moves, in environments made as by `boards.py`. It
prints processor time, elapsed time and the peak memory of a process. python-chess reads a hundredth
of the games.
"""

from __future__ import annotations

import argparse
import importlib
import io
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

TESTS = Path(__file__).parents[1]
sys.path[:0] = map(str, (TESTS, TESTS / "board", TESTS / "long"))


def same(count: int) -> None:
    """Compare generated games, one by one.

    :raises AssertionError: at the first difference, with its number.
    """
    import logging

    import test_pgn_games as tests
    from made_pgn import made_pgn

    import halbzug

    logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)
    for seed in range(count):
        text = made_pgn(seed)
        (game,) = halbzug.read_games(io.StringIO(text))
        try:
            tests.assert_same_as_python_chess(game, text)
            if seed % 10 == 0:
                chance = random.Random(seed)
                text = text.replace("\r\n", "\n") * 2
                for _ in range(chance.randint(1, 3)):
                    at, length = chance.randrange(len(text)), chance.randrange(3)
                    text = text[:at] + chance.choice(tests.PARTS) + text[at + length :]
                assert tests.read(text) == tests.read_by_reader(text)
        except Exception:
            print(f"game {seed}:\n{text}")
            raise
        if seed % 1000 == 999:
            print(f"{seed + 1:,} games are the same", flush=True)


# -- readers: each returns the numbers of games and moves ----------------------------------------


def read_with_chess(path: Path) -> tuple[int, int]:
    """python-chess, on the first hundredth of the file."""
    read_game = importlib.import_module("chess.pgn").read_game
    games = moves = length = 0
    size = path.stat().st_size // 100
    with path.open(encoding="utf-8") as file:
        text = io.StringIO(file.read(size))
    while length < size and (game := read_game(text)) is not None:
        games += 1
        moves += sum(1 for _ in game.mainline_moves())
        length = text.tell()
    return games, moves


def read_with_halbzug(path: Path) -> tuple[int, int]:
    """Ours, with the moves as numbers."""
    games = moves = 0
    for game in importlib.import_module("halbzug").read_games(path):
        games += 1
        moves += len(game.codes)
    return games, moves


def read_with_processes(path: Path) -> tuple[int, int]:
    """Ours, with two processes."""
    games = moves = 0
    for game in importlib.import_module("halbzug").read_games(path, processes=2):
        games += 1
        moves += len(game.codes)
    return games, moves


def read_with_bulletchess(path: Path) -> tuple[int, int]:
    """bulletchess, game by game."""
    games = moves = 0
    with importlib.import_module("bulletchess.pgn").PGNFile.open(str(path)) as file:
        while game := file.next_game():
            games += 1
            moves += len(game.moves)
    return games, moves


def read_with_esca(path: Path) -> tuple[int, int]:
    """esca, game by game."""
    games = moves = 0
    for game in importlib.import_module("esca.pgn").read(str(path)):
        games += 1
        moves += len(list(game.mainline()))
    return games, moves


def read_with_rust(path: Path) -> tuple[int, int]:
    """Arrays of the moves and boards of many games at once; it takes one text per game."""
    parse = importlib.import_module("rust_pgn_reader_python_binding").parse_games_from_strings
    games = moves = 0
    rest = ""
    with path.open(encoding="utf-8") as file:
        while piece := file.read(1 << 24):
            *texts, rest = (rest + piece).replace("\n\n[Event", "\n\n\0[Event").split("\0")
            parsed = parse(texts, num_threads=1)
            games += parsed.num_games
            moves += parsed.num_moves
    parsed = parse([rest], num_threads=1)
    return games + parsed.num_games, moves + parsed.num_moves


#: By the names of `boards.py`.
READERS = {
    "chess": read_with_chess,
    "halbzug": read_with_halbzug,
    "halbzug, two processes": read_with_processes,
    "bulletchess": read_with_bulletchess,
    "esca": read_with_esca,
    "rust-pgn-reader": read_with_rust,
}


def measure(name: str, path: Path) -> dict[str, Any]:
    """Time and memory to read all moves of a file, in this process."""
    reader = READERS[name]
    start, started = time.perf_counter(), time.process_time()
    games, moves = reader(path)
    whose = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return {
        "games": games,
        "moves": moves,
        "cpu": time.process_time() - started,
        "seconds": time.perf_counter() - start,
        "megabytes": max(resource.getrusage(who).ru_maxrss for who in whose) / 1024,
    }


def speed(count: int, python: str, folder: Path) -> None:
    """Print a table of all readers on a generated file."""
    from boards import prepare
    from made_pgn import made_pgn

    path = folder / "made.pgn"
    kinds = [made_pgn(seed, is_plain=True) for seed in range(min(count, 10_000))]
    try:
        with path.open("w", encoding="utf-8") as file:
            for number in range(count):
                file.write(kinds[number % len(kinds)])
        print(f"{count:,} games, {path.stat().st_size / 1e6:.0f} MB")
        print("| reader | games | moves | ns of processor time a move | times | s | most MB |")
        print("| --- | --: | --: | --: | --: | --: | --: |")
        reference = 0.0
        for name in READERS:
            environment = prepare(name.partition(",")[0], folder, python)
            command = [str(environment), __file__, "--measure", name, str(path)]
            result = subprocess.run(command, capture_output=True, text=True, check=False)
            if result.returncode:
                print(f"| {name} | {result.stderr.strip().rpartition(chr(10))[2]} |")
                continue
            found = json.loads(result.stdout)
            each = found["cpu"] / found["moves"] * 1e9
            reference = reference or each
            print(
                f"| {name} | {found['games']:,} | {found['moves']:,} | {each:,.0f} |"
                f" {reference / each:.1f} | {found['seconds']:.1f} | {found['megabytes']:.0f} |"
            )
    finally:
        path.unlink(missing_ok=True)


def main() -> None:
    """Run the requested comparison."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("same", "speed"), nargs="?")
    parser.add_argument("games", type=int, nargs="?")
    parser.add_argument("--python", default=sys.executable, help="the Python for all libraries")
    parser.add_argument(
        "--folder", type=Path, help="the folder of the environments, which are kept"
    )
    parser.add_argument("--measure", nargs=2, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure:
        print(json.dumps(measure(arguments.measure[0], Path(arguments.measure[1]))))
    elif arguments.what == "same":
        same(arguments.games or 100_000)
    elif arguments.what == "speed":
        folder = arguments.folder or Path(tempfile.mkdtemp(prefix="read-pgn-"))
        folder.mkdir(exist_ok=True)
        speed(arguments.games or 1_000_000, arguments.python, folder)
    else:
        parser.error("same or speed?")


if __name__ == "__main__":
    main()

"""Badly behaved files play games against each other, and no game may be forfeited.

    python tests/long/hostile_games.py [--games 200] [--tc 2+0.05] [--margin 0] [--seed 1]
        [--concurrency 2]

Each game is between two files of `tests/hostile_engines.py`, as engines of `halbzug match`. A game
that ends on time, by an illegal move or by the loss of an engine is our fault: whatever a file
does, `halbzug run` answers with a legal move in time. It ends with code 1 if there was such a game.
Run it on an idle machine: beside other programs delays are not ours, and `--margin` (ms) forgives
them.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
import textwrap
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import chess.pgn

sys.path.insert(0, str(Path(__file__).parents[1]))

from hostile_engines import HOSTILE

from halbzug.base.time_control import TimeControl
from halbzug.match.adjudication import Rules
from halbzug.match.engines import read_specs
from halbzug.match.game import Conditions
from halbzug.match.game_runners import start_errors


def write_files(folder: Path) -> list[Path]:
    """Write a file for each kind."""
    files = []
    for name, (source, _) in HOSTILE.items():
        file = folder / f"{name.replace(' ', '_')}.py"
        file.write_text(textwrap.dedent(source), encoding="utf-8")
        files.append(file)
    return files


def playable(files: list[Path]) -> list[Path]:
    """The files that a match does not refuse before its first game."""
    specs = read_specs(tuple(map(str, files)), TimeControl(base_seconds=2.0))
    errors = start_errors(specs, Conditions(Rules(), None, 0.0, 60.0))
    for error in filter(None, errors):
        print(error)
    return [file for file, error in zip(files, errors, strict=True) if not error]


def play(number: int, pair: tuple[Path, Path], options: argparse.Namespace) -> list[list[str]]:
    """Play the games; return for each the two names, the result, its reason and the number of
    plies.
    """
    pgn = pair[0].parent / f"{number}.pgn"
    engines = [word for index, file in enumerate(pair) for word in ("-e", f"e{index}={file}")]
    command = [sys.executable, "-m", "halbzug", "match", *engines, "--pgn", str(pgn)]
    command += ["--games", "2", "--seed", str(options.seed + number), "--tc", options.tc]
    command += ["--max-moves", "60", "--time-margin", str(options.margin)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    games = []
    with pgn.open(encoding="utf-8") as file:
        while game := chess.pgn.read_game(file):
            headers = game.headers
            names = [pair[int(headers[side][1:])].stem for side in ("White", "Black")]
            reason = headers.get("Termination", "normal")
            games.append([*names, headers["Result"], reason, headers["PlyCount"]])
    return games


def main() -> int:
    """Play, and print every game that did not end by the rules of chess."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--tc", default="2+0.05")
    parser.add_argument("--margin", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--concurrency", type=int, default=2)
    options = parser.parse_args()
    generator = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as name:
        files = playable(write_files(Path(name)))
        order: list[Path] = []
        while len(order) < options.games:  # each kind as often as the others
            order += generator.sample(files, len(files))
        pairs = list(zip(order[0::2], order[1::2], strict=False))[: options.games // 2]
        with ThreadPoolExecutor(options.concurrency) as pool:
            jobs = [pool.submit(play, *each, options) for each in enumerate(pairs)]
            games = []
            for job in jobs:
                for game in job.result():
                    games.append(game)
                    if game[3] not in ("normal", "adjudication"):
                        print(*game, sep="  ", flush=True)
    endings = Counter(game[3] for game in games)
    print(f"{len(games)} games, {sum(int(game[4]) for game in games)} plies: {dict(endings)}")
    return 1 if set(endings) - {"normal", "adjudication"} else 0


if __name__ == "__main__":
    sys.exit(main())

"""Rates the engines of the lectures, and writes the table of `docs/explanation/ladder-of-ideas.md`.

    python tests/long/lecture_ratings.py lectures.pgn [--st 0.1] [--error 50] [--jobs 2]

It runs `halbzug rate` with all of them; after an interruption the same command continues. The
result goes into `docs/explanation/measured.json` and from there into the page; see `measured.py`.
"""

from __future__ import annotations

import argparse
import itertools
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import measured

from halbzug.teaching import engines

FOLDER = Path(engines.__file__).parent

#: What is kept of each engine.
KEYS = ("name", "elo", "error", "games")


def measurement(result: dict[str, Any], pace: str) -> dict[str, Any]:
    """The engines in the order of the lectures, with this commit and day."""
    found = {engine["name"]: engine for engine in result["engines"]}
    rows = [{key: found[name][key] for key in KEYS} for name in engines.LECTURES]
    differences = {frozenset(one["engines"]): one for one in result["differences"]}
    for before, row in itertools.pairwise(rows):
        one = differences[frozenset((before["name"], row["name"]))]
        is_better = one["engines"][0] == row["name"]
        gain = one["elo"] if is_better else 0 - one["elo"]  # no -0.0
        row |= {"gain": gain, "certain": one["certain"]}
    forfeits = sum(engine["forfeits"] for engine in found.values())
    return {**measured.today(), "pace": pace, "forfeits": forfeits, "rows": rows}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("pgn", type=Path, help="the file of the games")
    parser.add_argument("--st", default="0.1", help="seconds per move")
    parser.add_argument("--error", default="50")
    parser.add_argument("--games", default="1000", help="maximum per engine")
    parser.add_argument("--jobs", default="1")
    parser.add_argument("--docs", type=Path, default=measured.FOLDER, help="the folder of the page")
    options = parser.parse_args()
    files = [str(FOLDER / f"{name}.py") for name in engines.LECTURES]
    command = [sys.executable, "-m", "halbzug", "rate", *files, "--json", "--pgn", str(options.pgn)]
    command += ["--st", options.st, "--error", options.error, "--games", options.games]
    command += ["--jobs", options.jobs]
    process = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if not process.stdout:
        return process.returncode
    found = measurement(json.loads(process.stdout), f"{options.st} s a move")
    measured.record("lecture_ratings", found, options.docs)
    return process.returncode


if __name__ == "__main__":
    raise SystemExit(main())

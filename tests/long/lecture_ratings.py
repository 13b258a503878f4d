"""Rates the engines of the lectures, and writes the table of `docs/explanation/ladder-of-ideas.md`.

    python tests/long/lecture_ratings.py lectures.pgn [--st 0.1] [--error 50] [--jobs 2]

It runs `halbzug rate` with all of them; after an interruption the same command goes on. The table
is Markdown, with the gain of each engine over the one before it.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from halbzug.teaching import engines

FOLDER = Path(engines.__file__).parent


def markdown(result: dict[str, Any]) -> str:
    """The engines in the order of the lectures."""
    found = {engine["name"]: engine for engine in result["engines"]}
    lines = ["| engine | Elo | games | against the one before |", "| --- | --- | --- | --- |"]
    before: dict[str, Any] | None = None
    for name in engines.LECTURES:
        one = found[name]
        gain = f"{one['elo'] - before['elo']:+.0f}" if before else ""
        lines.append(
            f"| {name} | {one['elo']:.0f} +/- {one['error']:.0f} | {one['games']} | {gain} |"
        )
        before = one
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("pgn", type=Path, help="where the games are")
    parser.add_argument("--st", default="0.1", help="seconds a move")
    parser.add_argument("--error", default="50")
    parser.add_argument("--games", default="1000", help="at most, of each engine")
    parser.add_argument("--jobs", default="1")
    options = parser.parse_args()
    files = [str(FOLDER / f"{name}.py") for name in engines.LECTURES]
    command = [sys.executable, "-m", "halbzug", "rate", *files, "--json", "--pgn", str(options.pgn)]
    command += ["--st", options.st, "--error", options.error, "--games", options.games]
    command += ["--jobs", options.jobs]
    process = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if not process.stdout:
        return process.returncode
    print(markdown(json.loads(process.stdout)))
    return process.returncode


if __name__ == "__main__":
    raise SystemExit(main())

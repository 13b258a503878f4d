"""How many positions per second a batch analyses, compared with another build; run it by hand.

    python tests/long/many_positions.py [--old COMMAND] [--positions N] [--rounds N]

For 1, 1,000 and 10,000 nodes per position it measures one process, two processes, two Dask workers
of one thread, and the command of another build if given. All runs analyse the same positions and
take turns; the median of the rounds counts. The time of a run of two positions, which is the start,
is subtracted. Best move, score, depth and line must be the same in all runs.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import chess

sys.path.insert(0, str(Path(__file__).parents[1]))  # helpers of the tests

from cluster import Cluster
from command_line import Command

#: Nodes per position, and the fraction of the positions analysed with that many.
NODES = {1: 1, 1_000: 3, 10_000: 20}

SAME = ("number", "position", "bestmove", "score", "depth", "pv")


def some_positions(count: int) -> list[str]:
    """Positions of random games, from the opening to the ending."""
    source = random.Random(1)
    fens: dict[str, None] = {}
    while len(fens) < count:
        board = chess.Board()
        for _ in range(source.randrange(4, 120)):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(source.choice(moves))
        fens[board.fen()] = None
    return list(fens)


def run(
    halbzug: Command, program: list[str], arguments: list[str]
) -> tuple[float, list[dict[str, Any]]]:
    """The seconds that a batch takes, and its results."""
    started = time.perf_counter()
    process = subprocess.run(
        [*program, "analyse", *arguments, "--json"],
        cwd=halbzug.folder,
        env=halbzug.environment,
        stdout=subprocess.PIPE,
        check=True,
    )
    seconds = time.perf_counter() - started
    lines = [json.loads(line) for line in process.stdout.splitlines()]
    return seconds, [{key: line.get(key) for key in SAME} for line in lines]


def main() -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--old", default="", help="the command of another build")
    parser.add_argument("--positions", type=int, default=3000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        halbzug = Command(Path(folder))
        cluster = Cluster(halbzug)
        try:
            for _ in range(2):
                cluster.add_worker()
            time.sleep(5)  # the time to start is not the batch's
            ways = {
                "1 process": (halbzug.program, ["-p", "1"]),
                "2 processes": (halbzug.program, ["-p", "2"]),
                "2 workers": (halbzug.program, ["--dask", cluster.address]),
            }
            if options.old:
                ways["old, 1"] = ([options.old], ["-p", "1"])
                ways["old, 2"] = ([options.old], ["-p", "2"])
            fens = some_positions(options.positions)
            halbzug.write("two.fen", "\n".join(fens[:2]) + "\n")
            for nodes, part in NODES.items():
                some = fens[: len(fens) // part]
                halbzug.write("many.fen", "\n".join(some) + "\n")
                measure(halbzug, ways, nodes, len(some), options.rounds)
        finally:
            cluster.close()


def measure(
    halbzug: Command,
    ways: dict[str, tuple[list[str], list[str]]],
    nodes: int,
    positions: int,
    rounds: int,
) -> None:
    """Measure and print one row of the table."""
    rates: dict[str, list[float]] = {name: [] for name in ways}
    results: dict[str, list[dict[str, Any]]] = {}
    for _ in range(rounds):
        for name, (program, arguments) in ways.items():
            limited = [*arguments, "--nodes", str(nodes)]
            start, _ = run(halbzug, program, ["two.fen", *limited])
            seconds, results[name] = run(halbzug, program, ["many.fen", *limited])
            rates[name].append((positions - 2) / max(seconds - start, 0.001))
    print(f"{positions} positions, {nodes} nodes each")
    median = {name: statistics.median(values) for name, values in rates.items()}
    for name, rate in median.items():
        print(f"  {name:12} {rate:7.0f} a second")
    print(f"  2 workers / 2 processes: {median['2 workers'] / median['2 processes']:.2f}")
    if "old, 2" in median:
        print(f"  new / old, 1 process:    {median['1 process'] / median['old, 1']:.2f}")
        print(f"  new / old, 2 processes:  {median['2 processes'] / median['old, 2']:.2f}")
    first = results["1 process"]
    for name, lines in results.items():
        different = sum(ours != theirs for ours, theirs in zip(first, lines, strict=True))
        print(f"  {name:12} {different} results differ from those of one process", flush=True)


if __name__ == "__main__":
    main()

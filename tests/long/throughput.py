"""How much faster a batch is with two processes, and with two Dask workers: run it by hand.

    python tests/long/throughput.py [POSITIONS [NODES]]

Every run analyses the same positions to the same number of nodes; the ratio is that of the whole
commands, start included. Only an idle machine with two cores gives numbers worth quoting.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))  # what the tests share

from cluster import Cluster, some_positions
from command_line import Command


def seconds(halbzug: Command, *arguments: str) -> float:
    """How long one batch takes."""
    started = time.perf_counter()
    halbzug.output("analyse", "many.fen", "--json", *arguments)
    return time.perf_counter() - started


def main(positions: int = 300, nodes: int = 200_000) -> None:
    """Measure, and print the ratios."""
    with tempfile.TemporaryDirectory() as folder:
        halbzug = Command(Path(folder))
        halbzug.write("many.fen", "\n".join(some_positions(positions)) + "\n")
        limit = ("--nodes", str(nodes))
        one = seconds(halbzug, *limit)
        two = seconds(halbzug, *limit, "--processes", "2")
        cluster = Cluster(halbzug)
        try:
            for _ in range(2):
                cluster.add_worker()
            time.sleep(5)  # their start is not the batch's
            dask = seconds(halbzug, *limit, "--dask", cluster.address)
        finally:
            cluster.close()
    print(f"{positions} positions, {nodes} nodes each")
    print(f"1 process    {one:6.1f} s")
    print(f"2 processes  {two:6.1f} s  {one / two:.2f} times as fast")
    print(f"2 workers    {dask:6.1f} s  {one / dask:.2f} times as fast (Dask)")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))

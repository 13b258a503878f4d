"""A run over many positions that is killed and resumed; run it by hand.

    python tests/long/interrupted.py [--positions N] [--nodes N] [--kills N] [--unordered]
        [--workers N]

The run is ended by `kill -9` the given number of times, and continued with `--resume`. With
`--workers` it runs on a Dask cluster of that many workers on this machine, one of which is killed
at random every few seconds and replaced. At the end every position must appear once, with its own
FEN, and the memory of the client and of the searching processes must not have grown. Linux only.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import chess

sys.path.insert(0, str(Path(__file__).parents[1]))  # helpers of the tests

from cluster import Cluster
from command_line import Command

#: Seconds between two measurements of memory, and between two deaths of a cluster's workers.
LOOK_SECONDS = 1.0
KILL_SECONDS = 5.0

#: How much memory may grow between the first quarter of a part of the run and its end.
GROWTH = 1.25


def positions(count: int) -> Iterator[str]:
    """Positions of random games; each game differs from all others by its first moves."""
    source = random.Random(1)
    number = 0
    while number < count:
        board = chess.Board()
        for _ in range(80):
            moves = list(board.legal_moves)
            if not moves or number == count:
                break
            board.push(source.choice(moves))
            number += 1
            yield board.fen()


def memory_of(pid: int) -> dict[str, int]:
    """The resident memory of a process and its children in KiB: the client's, and the largest."""
    children = Path(f"/proc/{pid}/task/{pid}/children")
    pids = [pid]
    for task in children.parent.parent.glob("*/children"):
        pids += map(int, task.read_text().split())
    sizes = []
    for one in pids:
        for line in Path(f"/proc/{one}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                sizes.append(int(line.split()[1]))
    if not sizes:
        raise ProcessLookupError(pid)
    return {"client": sizes[0], "largest process": max(sizes[1:], default=0)}


class Run:
    """A run with its interruptions."""

    def __init__(self, halbzug: Command, arguments: list[str], cluster: Cluster | None) -> None:
        self.halbzug = halbzug
        self.arguments = arguments
        self.cluster = cluster
        self.output = halbzug.folder / "out.jsonl"
        self.random = random.Random(2)
        self.killed_workers = 0
        self.is_flat = True

    def part(self, until: int | None) -> None:
        """Run, and kill it when the output has this many lines; None: run to the end."""
        process = self.halbzug.start(*self.arguments, "--resume")
        looks: list[dict[str, int]] = []
        lines, place = 0, 0
        earlier: int | None = None
        died = time.monotonic()
        while process.poll() is None:
            time.sleep(LOOK_SECONDS)
            if self.output.exists():
                with self.output.open("rb") as file:
                    file.seek(place)
                    data = file.read()
                lines, place = lines + data.count(b"\n"), place + len(data)
                earlier = lines if earlier is None else earlier
            try:
                look = memory_of(process.pid)
            except OSError:
                continue  # a process has just ended
            if lines != earlier:  # otherwise it skips the existing results, and nobody searches
                looks.append(look)
            if until is not None and lines >= until:
                process.kill()
            if self.cluster and time.monotonic() - died > KILL_SECONDS:
                died = time.monotonic()
                self.replace_worker()
        _, errors = process.communicate()
        print(f"  {lines} lines, exit code {process.returncode} {errors.strip()[-200:]}")
        self.is_flat = report(looks) and self.is_flat

    def replace_worker(self) -> None:
        """Kill one of the workers, and start another."""
        assert self.cluster
        worker = self.random.choice(self.cluster.processes[1:])
        worker.kill()
        worker.wait()
        self.cluster.processes.remove(worker)
        self.cluster.add_worker()
        self.killed_workers += 1


def report(looks: list[dict[str, int]]) -> bool:
    """Print how memory has grown from the first quarter to the end; return whether it is flat."""
    if len(looks) < 20:
        return True
    all_flat = True
    for name in looks[0]:
        early = max(look[name] for look in looks[: len(looks) // 4])
        late = max(look[name] for look in looks)
        is_flat = late <= GROWTH * early
        print(f"  {name}: {early >> 10} MiB, then {late >> 10}{'' if is_flat else ' IT GROWS'}")
        all_flat = all_flat and is_flat
    return all_flat


def check(output: Path, source: Path, count: int) -> None:
    """Check that each position appears once, with its own FEN."""
    places: dict[int, str] = {}
    with output.open(encoding="utf-8") as file:
        for line in file:
            result = json.loads(line)
            assert result["number"] not in places, f"{result['number']} occurs twice"
            places[result["number"]] = result["position"]
    with source.open(encoding="utf-8") as file:
        for number, fen in enumerate(file, start=1):
            # python-chess omits the en passant square where no pawn can capture.
            assert places[number].split()[0] == fen.split()[0], f"{number} is another position"
    assert len(places) == count, f"{count - len(places)} positions are lost"
    print(f"{count} positions, none lost, none twice")


def main() -> int:
    """Run and check; return 1 if memory has grown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=100_000)
    parser.add_argument("--nodes", type=int, default=1)
    parser.add_argument("--kills", type=int, default=2)
    parser.add_argument("--unordered", action="store_true")
    parser.add_argument("--workers", type=int, default=0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        halbzug = Command(Path(folder))
        source = halbzug.folder / "many.fen"
        with source.open("w", encoding="utf-8") as file:
            file.writelines(f"{fen}\n" for fen in positions(options.positions))
        arguments = ["analyse", "many.fen", "--nodes", str(options.nodes), "-o", "out.jsonl"]
        arguments += ["--unordered"] * options.unordered
        cluster = Cluster(halbzug) if options.workers else None
        try:
            if cluster:
                for _ in range(options.workers):
                    cluster.add_worker()
                arguments += ["--dask", cluster.address]
            else:
                arguments += ["--processes", "2"]
            run = Run(halbzug, arguments, cluster)
            started = time.perf_counter()
            for number in range(1, options.kills + 1):
                run.part(options.positions * number // (options.kills + 1))
            run.part(None)
            seconds = time.perf_counter() - started
        finally:
            if cluster:
                cluster.close()
        print(f"{options.positions / seconds:.0f} a second, {run.killed_workers} workers killed")
        check(halbzug.folder / "out.jsonl", source, options.positions)
        return int(not run.is_flat)


if __name__ == "__main__":
    raise SystemExit(main())

"""Clusters larger than this machine, by simulation; run it by hand.

    python tests/long/simulated_cluster.py [--seconds N] [--threads N,N,...] [--json FILE]
        [--record]

The scheduler, its workers, the client, the positions and the result lines are real. Only the
analysts are not: they sleep as long as a search would take. So the time of everything else is
measured, with more threads than the machine has cores. Many workers share a process. In the last
row of each table a tenth of the workers is killed every five seconds, and replaced. Measurements
already in the file are not repeated. `--record` writes the tables and the picture of
`docs/explanation/large-clusters.md`; see `measured.py`.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import pickle
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from itertools import count
from pathlib import Path
from typing import Any

import measured
import psutil
from distributed import Worker

sys.path.insert(0, str(Path(__file__).parents[1]))  # helpers of the tests

from cluster import Cluster
from command_line import Command
from many_positions import some_positions

from halbzug.base.events import BestMove, Info
from halbzug.base.limits import Limits
from halbzug.base.scores import EXACT_BOUND
from halbzug.batch.analyst_process import AnalystProcess
from halbzug.batch.analysts import Setup
from halbzug.batch.batch import Batch
from halbzug.batch.cluster import DaskPool
from halbzug.batch.findings import Finding
from halbzug.batch.positions import Failure, Subject, read_record
from halbzug.batch.result_lines import JsonLinesReport
from halbzug.batch.tally import Tally

#: Seconds that one position takes.
TIMES = (0.01, 0.1, 1.0)

#: Threads of a worker, and the number of processes that share them.
WORKER_THREADS = 16
PROCESSES = 10

#: How often workers are killed, in seconds.
KILL_SECONDS = 5.0

_LINE = Info(9, 14, 1, 34, EXACT_BOUND, 1000, 3, 2, ("e2e4", "e7e5", "g1f3", "b8c6", "f1b5"))


class SleepingAnalyst(AnalystProcess):
    """Sleeps in place of a search; the limit of nodes gives the microseconds."""

    def start(self) -> None:
        """Do nothing: there is no process."""

    def work_packed(self, chunk: bytes) -> bytes:
        """Sleep, and return the same result for every position."""
        runs = pickle.loads(chunk)
        microseconds = self._setup.limits.nodes or 0
        time.sleep(microseconds / 1e6 * sum(map(len, runs)))
        return pickle.dumps(
            [[Finding(BestMove("e2e4", "e7e5"), (_LINE,)) for _ in run] for run in runs]
        )


@dataclass
class Measurement:
    """The performance of a cluster."""

    seconds_each: float
    threads: int
    has_failures: bool
    rate: float  # positions per second
    client: float  # fraction of a core
    scheduler: float


class Stopwatch:
    """The progress of a run that is measured after its start, and then ended."""

    def __init__(self, seconds: float, processes: Sequence[psutil.Process]) -> None:
        self.seconds = seconds
        self.processes = processes
        self.begun = time.perf_counter()
        self.counted = 0
        self.marks: list[tuple[float, int, list[float]]] = []

    def __enter__(self) -> Stopwatch:
        return self

    def __exit__(self, *exception: object) -> None:
        self._mark()

    def advance(self, number: int = 1, note: str = "") -> None:
        """Count positions; those after half of the time are measured."""
        self.counted += number
        if not self.marks and time.perf_counter() - self.begun >= self.seconds / 2:
            self._mark()

    def _mark(self) -> None:
        used = [sum(process.cpu_times()[:2]) for process in self.processes]
        self.marks.append((time.perf_counter() - self.begun, self.counted, used))

    @property
    def is_over(self) -> bool:
        """Whether the run should end."""
        return time.perf_counter() - self.begun > self.seconds

    def result(self) -> tuple[float, list[float]]:
        """Positions per second, and the fraction of a core that the processes used."""
        (begun, first, before), (ended, last, after) = self.marks
        seconds = ended - begun
        used = [(new - old) / seconds for old, new in zip(before, after, strict=True)]
        return (last - first) / seconds, used


class Workers:
    """The simulated workers of a cluster."""

    def __init__(self, address: str, threads: int) -> None:
        self.address = address
        workers = max(threads // WORKER_THREADS, 1)
        groups = min(PROCESSES, workers)
        self.counts = [workers // groups + (number < workers % groups) for number in range(groups)]
        self.threads = min(threads, WORKER_THREADS)
        self.processes = [self._start(number) for number in self.counts]

    def _start(self, workers: int) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, __file__, "--work", self.address, f"{workers}x{self.threads}"],
            stderr=subprocess.DEVNULL,
        )

    def replace(self, number: int) -> None:
        """Kill some of the workers, and start others."""
        number %= len(self.processes)
        self.processes[number].kill()
        self.processes[number].wait()
        self.processes[number] = self._start(self.counts[number])

    def close(self) -> None:
        """End them."""
        for process in self.processes:
            process.kill()
            process.wait()


async def work(address: str, workers: int, threads: int) -> None:
    """Run some workers until the end."""
    await asyncio.gather(
        *(
            Worker(address, nthreads=threads, memory_limit=0, dashboard=False)
            for _ in range(workers)
        )
    )
    await asyncio.Event().wait()


def endless(fens: Sequence[str], watch: Stopwatch) -> Iterator[Subject | Failure]:
    """Positions, read as from a file, until time is up."""
    for number in count():
        if watch.is_over:
            return
        yield read_record(fens[number % len(fens)], f"line {number + 1}")


def measure(
    cluster: Cluster, fens: Sequence[str], each: float, threads: int, seconds: float, fails: bool
) -> Measurement:
    """Run a simulated cluster for a while."""
    workers = Workers(cluster.address, threads)
    try:
        setup = Setup(Limits(nodes=round(each * 1e6)))
        pool = DaskPool(setup, cluster.address, SleepingAnalyst)
        while pool.size < threads:  # it measures them every two seconds
            time.sleep(0.2)
        processes = [psutil.Process(), psutil.Process(cluster.processes[0].pid)]
        watch = Stopwatch(seconds, processes)

        def with_failures() -> Iterator[Subject | Failure]:
            killed = 0
            for item in endless(fens, watch):
                if fails and time.perf_counter() - watch.begun > KILL_SECONDS * (killed + 1):
                    workers.replace(killed)
                    killed += 1
                yield item

        with Path("/dev/null").open("w", encoding="utf-8") as null:
            batch = Batch(pool, JsonLinesReport(null, Tally()), print, in_order=False)
            batch.run(with_failures(), watch, may_wait=False)
        rate, (client, scheduler) = watch.result()
        return Measurement(each, threads, fails, rate, client, scheduler)
    finally:
        workers.close()


def show(found: Sequence[Measurement], path: Path) -> None:
    """Plot positions per second against threads."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 4.5), layout="constrained")
    for number, each in enumerate(sorted({one.seconds_each for one in found})):
        colour = f"C{number}"
        curve = [one for one in found if one.seconds_each == each and not one.has_failures]
        threads = [one.threads for one in curve]
        axes.plot(
            threads, [one.rate for one in curve], "o-", color=colour, label=f"{each:g} s each"
        )
        axes.plot(threads, [one / each for one in threads], ":", color=colour)
        for one in found:
            if one.seconds_each == each and one.has_failures:
                axes.plot(one.threads, one.rate, "x", color=colour, markersize=9)
    axes.plot([], [], ":", color="grey", label="nothing but the search")
    axes.plot([], [], "x", color="grey", label="a tenth of the workers dies every 5 s")
    axes.set(xscale="log", yscale="log", xlabel="threads of the cluster")
    axes.set(ylabel="positions a second")
    axes.grid(visible=True, alpha=0.3)
    axes.set_xticks(sorted({one.threads for one in found}))
    axes.xaxis.set_major_formatter("{x:.0f}")
    axes.minorticks_off()
    figure.legend(loc="outside lower center", ncols=3)
    figure.savefig(path)


def main() -> None:
    """Measure, print the tables, and draw the picture."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=30.0, help="seconds for each measurement")
    parser.add_argument("--threads", default="16,64,128,256")
    parser.add_argument("--record", action="store_true", help="write tables and picture")
    parser.add_argument("--json", type=Path, help="the file that keeps the measurements")
    parser.add_argument("--work", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        workers, threads = map(int, options.work[1].split("x"))
        asyncio.run(work(options.work[0], workers, threads))
        return
    sizes = [int(text) for text in options.threads.split(",")]
    fens = some_positions(2000)
    kept: dict[tuple[float, int, bool], Measurement] = {}
    if options.json and options.json.exists():
        for fields in json.loads(options.json.read_text(encoding="utf-8")):
            one = Measurement(**fields)
            kept[one.seconds_each, one.threads, one.has_failures] = one
    found: list[Measurement] = []
    for each in TIMES:
        print(f"{each:g} s a position")
        print("threads  a second  of what is possible  client  scheduler  a billion takes")
        for threads, fails in [*((size, False) for size in sizes), (sizes[-1], True)]:
            if (each, threads, fails) not in kept:
                one = measure_alone(fens, each, threads, options.seconds, fails)
                kept[each, threads, fails] = one
                if options.json:
                    text = json.dumps([asdict(one) for one in kept.values()])
                    options.json.write_text(text, encoding="utf-8")
            found.append(kept[each, threads, fails])
            print(row(found[-1]), flush=True)
    if options.record:
        rows = [{**asdict(one), "rate": round(one.rate)} for one in found]
        measured.record("cluster", {**measured.today(), "rows": rows})
        show(found, measured.FOLDER / "images/cluster.svg")


def measure_alone(
    fens: Sequence[str], each: float, threads: int, seconds: float, fails: bool
) -> Measurement:
    """Run a simulated cluster with its own scheduler."""
    with tempfile.TemporaryDirectory() as folder:
        cluster = Cluster(Command(Path(folder)))
        try:
            return measure(cluster, fens, each, threads, seconds, fails)
        finally:
            cluster.close()


def row(one: Measurement) -> str:
    """A row of the table."""
    hours = 1e9 / one.rate / 3600
    possible: Any = one.rate * one.seconds_each / one.threads
    return (
        f"{one.threads:7} {one.rate:9.0f} {possible:18.0%} {one.client:9.0%} {one.scheduler:9.0%}"
        f"    {hours:,.0f} hours, {hours * one.threads:,.0f} core-hours"
        + (", with failures" if one.has_failures else "")
    )


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        main()

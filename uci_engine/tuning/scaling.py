"""Measures the gain from more threads: nodes per second and time to depth.

Both engines search each middlegame of the benchmark in turn, with an empty hash table, so that
changes in the machine's speed affect both. Times are wall-clock times. Source of the measure:
https://www.chessprogramming.org/Parallel_Search (speedup is time to depth).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from statistics import median
from typing import Any

from ..base.events import Event, Info
from ..base.limits import Limits
from ..board.movegen import new_board, popcount
from ..engine.engine import Engine
from ..search import bench as benchmark

#: The default depth in plies: about a second for each position.
DEPTH = 21

#: The hash size in MiB, large enough not to limit the speed.
HASH_MB = 64

#: Maximum number of positions, and the minimum number of pieces in each, including kings.
MAX_POSITIONS = 30
MIN_PIECES = 24


@dataclass(frozen=True)
class ScalingSample:
    """One search."""

    nodes: int
    seconds: float


@dataclass
class Scaling:
    """All searches, with one thread and with more."""

    threads: int
    depth: int
    alone: list[ScalingSample]
    together: list[ScalingSample]

    def speeds(self) -> tuple[float, float]:
        """Nodes per second, with one thread and with all."""
        first, second = (
            sum(sample.nodes for sample in samples) / sum(sample.seconds for sample in samples)
            for samples in (self.alone, self.together)
        )
        return first, second

    def time_ratios(self) -> list[float]:
        """The speedup to the depth with all threads, for each position."""
        pairs = zip(self.alone, self.together, strict=True)
        return sorted(one.seconds / more.seconds for one, more in pairs)

    @property
    def speed_ratio(self) -> float:
        """Nodes per second of all threads against one."""
        one, more = self.speeds()
        return more / one

    @property
    def time_ratio(self) -> float:
        """The median of `time_ratios`."""
        return median(self.time_ratios())

    def lines(self) -> list[str]:
        """The comparison for people."""
        one, more = self.speeds()
        ratios = self.time_ratios()
        low, high = ratios[0], ratios[-1]
        rows = (
            ("Positions", f"{len(ratios)} middlegames, to depth {self.depth}"),
            ("One thread", f"{one:,.0f} nodes/second"),
            (
                f"{self.threads} threads",
                f"{more:,.0f} nodes/second, {self.speed_ratio:.2f} times",
            ),
            (
                "Time to depth",
                f"{self.time_ratio:.2f} times faster (median; {low:.2f} to {high:.2f})",
            ),
        )
        return [f"{name:<13} {value}" for name, value in rows]

    def json(self) -> dict[str, Any]:
        """The result for programs."""
        one, more = self.speeds()
        return {
            "threads": self.threads,
            "depth": self.depth,
            "positions": len(self.alone),
            "nps_one": round(one),
            "nps_all": round(more),
            "nps_ratio": round(self.speed_ratio, 3),
            "time_ratio_median": round(self.time_ratio, 3),
            "time_ratios": [round(ratio, 3) for ratio in self.time_ratios()],
        }


def middlegames() -> list[str]:
    """The positions, as FEN."""
    crowded = [
        fen for fen in benchmark.POSITIONS if popcount(new_board(fen).occupied) >= MIN_PIECES
    ]
    return crowded[:MAX_POSITIONS]


def measure(threads: int, depth: int = DEPTH) -> Iterator[Scaling]:
    """Search all positions twice, and yield the results so far after each of them.

    :raises RuntimeError: if that many threads cannot be started.
    """
    scaling = Scaling(threads, depth, [], [])
    with _Player(1) as alone, _Player(threads) as together:
        for fen in middlegames():
            scaling.alone.append(alone.search(fen, depth))
            scaling.together.append(together.search(fen, depth))
            yield scaling


class _Player(AbstractContextManager["_Player"]):
    """An engine whose searches are measured."""

    def __init__(self, threads: int) -> None:
        self._nodes = 0
        self._milliseconds = 0
        self._threads = threads
        self._engine = Engine(self._hear)
        self._engine.configure(hash_mb=HASH_MB, threads=threads)

    def __exit__(self, *exception: object) -> None:
        self._engine.close()

    def search(self, fen: str, depth: int) -> ScalingSample:
        """Search one position to a depth, with an empty table."""
        engine = self._engine
        engine.new_game()
        while not engine.is_ready:
            engine.handle_next()
        if engine.worker_pid is None:
            raise RuntimeError("no search process can be started here")
        if len(engine.helper_pids) + 1 < self._threads:
            raise RuntimeError(f"{self._threads} threads cannot be started here")
        engine.set_position(fen)
        engine.play(Limits(depth=depth))
        return ScalingSample(self._nodes, max(self._milliseconds, 1) / 1000)

    def _hear(self, event: Event) -> None:
        if isinstance(event, Info):
            self._nodes, self._milliseconds = event.nodes, event.time_ms

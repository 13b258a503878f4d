"""Watches searches in another process: one that far exceeds its limit is killed.

A search with a time limit reports its start, and from time to time its node count. The watch counts
only seconds in which it was itself awake, so that a suspended machine does not kill a search.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import NamedTuple

from ..search.time_management import Clock, MoveTime

#: A search may take this multiple of its limit, plus this many seconds.
LATE_FACTOR, LATE_SECONDS = 3, 10

#: How often a search reports that it is alive, in seconds.
PULSE_SECONDS = 1.0


class Pulse(NamedTuple):
    """A process's report on its current search.

    :ivar limit_ms: the search's time limit; None if it has ended.
    :ivar nodes: the count so far; 0 at the start.
    :ivar cpu_seconds: processor time the process has used.
    """

    limit_ms: int | None
    nodes: int = 0
    cpu_seconds: float = 0.0


class PulseClock(Clock):
    """A clock that reports on its search from time to time.

    :param limit_ms: the search's time limit.
    :param nodes: returns the number of nodes counted.
    """

    def __init__(
        self,
        move_time: MoveTime | None,
        limit_ms: int,
        nodes: Callable[[], int],
        tell: Callable[[Pulse], object],
    ) -> None:
        super().__init__(move_time)
        self._limit_ms = limit_ms
        self._nodes = nodes
        self._tell = tell
        self._next = time.perf_counter() + PULSE_SECONDS

    def must_stop(self) -> bool:
        """Whether the search was stopped or has used its maximum time."""
        if time.perf_counter() >= self._next:
            self._next = time.perf_counter() + PULSE_SECONDS
            self._tell(Pulse(self._limit_ms, self._nodes(), time.process_time()))
        return super().must_stop()


class SearchWatch:
    """Decides when to kill a search. One thread hears its reports, another one counts.

    A search may take `LATE_FACTOR` times its limit plus `LATE_SECONDS`. On a busy machine it may
    continue while its node count grows, until it has used that much processor time: a search that
    looks at its clock needs far less, and one that does not is killed as well.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._first = self._last = Pulse(None)
        self._seconds = 0  # since the search began
        self._still = 0  # since its node count last changed

    def hear(self, pulse: Pulse) -> None:
        """Record a report of the search."""
        with self._lock:
            if pulse.nodes == 0:
                self._first = pulse
                self._seconds = 0
            if pulse.nodes == 0 or pulse.nodes > self._last.nodes:
                self._still = 0
            self._last = pulse

    def count_second(self) -> str:
        """Count a second; return why the search must be killed, empty if it may continue."""
        with self._lock:
            limit_ms = self._last.limit_ms
            if limit_ms is None:
                return ""
            self._seconds += 1
            self._still += 1
            allowed = LATE_FACTOR * limit_ms / 1000 + LATE_SECONDS
            if self._seconds <= allowed:
                return ""
            had = self._last.cpu_seconds - self._first.cpu_seconds
            if self._still <= LATE_SECONDS and had < allowed:
                return ""
            return f"a search of {limit_ms / 1000:g} s had not ended after {self._seconds} s"

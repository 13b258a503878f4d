"""Watches over searches in another process: one that goes on far beyond its limit is ended.

Each search with a limit of time announces it, and tells now and then how many nodes it has counted.
The watch counts seconds in which it was itself awake, so a machine that sleeps costs no search.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import NamedTuple

from ..search.time_management import Clock, MoveTime

#: A search may take so many times its limit, and so many seconds more.
LATE_FACTOR, LATE_SECONDS = 3, 10

#: How often a search tells that it is alive, in seconds.
PULSE_SECONDS = 1.0


class Pulse(NamedTuple):
    """What a process tells of the search that it is at.

    :ivar limit_ms: what the search may take; None if it has ended.
    :ivar nodes: counted so far; 0 where it begins.
    :ivar cpu_seconds: what the process has had of a processor.
    """

    limit_ms: int | None
    nodes: int = 0
    cpu_seconds: float = 0.0


class PulseClock(Clock):
    """A clock that tells of its search from time to time.

    :param limit_ms: what the search may take.
    :param nodes: how many have been counted.
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
        """Whether the search was stopped or the maximum time is over."""
        if time.perf_counter() >= self._next:
            self._next = time.perf_counter() + PULSE_SECONDS
            self._tell(Pulse(self._limit_ms, self._nodes(), time.process_time()))
        return super().must_stop()


class SearchWatch:
    """Decides when a search is ended. One thread hears it, another one counts.

    A search is given `LATE_FACTOR` times its limit and `LATE_SECONDS`. On a busy machine it may go
    on, as long as its counter of nodes moves, until it has had as much of a processor: a search
    that looks at its clock needs far less, and one that does not ends as well.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._first = self._last = Pulse(None)
        self._seconds = 0  # since it began
        self._still = 0  # since its counter moved

    def hear(self, pulse: Pulse) -> None:
        """Take note of what the search tells."""
        with self._lock:
            if pulse.nodes == 0:
                self._first = pulse
                self._seconds = 0
            if pulse.nodes == 0 or pulse.nodes > self._last.nodes:
                self._still = 0
            self._last = pulse

    def count_second(self) -> str:
        """Count a second; why the search is to be ended, empty if it may go on."""
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

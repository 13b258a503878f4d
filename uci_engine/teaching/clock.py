"""The clock of an engine in a Python file."""

from __future__ import annotations

import math
import time


class Clock:
    """The limits of a move; its time runs from the creation of the clock.

    :param seconds: time for this move; `math.inf` without a clock.
    :param depth: plies from `go depth`; None if there is no such limit.
    :param nodes: number from `go nodes`; None if there is no such limit.

    >>> clock = Clock(seconds=60)
    >>> clock.is_over()
    False
    >>> clock.left() <= 60
    True
    """

    def __init__(
        self, seconds: float = math.inf, depth: int | None = None, nodes: int | None = None
    ) -> None:
        self.seconds = seconds
        self.depth = depth
        self.nodes = nodes
        self._started = time.perf_counter()

    def elapsed(self) -> float:
        """Seconds since it became our move; 0 while the opponent is thinking."""
        return time.perf_counter() - self._started

    def left(self) -> float:
        """Seconds left for this move, never negative."""
        return max(self.seconds - self.elapsed(), 0.0)

    def is_over(self) -> bool:
        """Whether it is time to play: no time is left, or `stop` arrived."""
        return self.elapsed() >= self.seconds

"""Time management: computes an optimum and a maximum time for the move from the clock of `go`.

The search starts no new iteration after the optimum time, and stops at once at the maximum time. An
iteration that has begun is worth finishing, because it may change the move, but never worth losing
on time for.

Source: https://www.chessprogramming.org/Time_Management
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple

from ..base.limits import Limits
from .parameters import (
    EFFORT_BASE,
    EFFORT_SHARE,
    EXPECTED_MOVES,
    INCREMENT_SHARE,
    MAX_CLOCK_SHARE,
    MAX_INCREMENT_SHARE,
    MAX_WORRY,
    MAXIMUM_RATIO,
    MIN_ITERATIONS,
    MIN_WORRY,
    OVERRUN,
    SETTLED_BASE,
    SETTLED_PER_ITERATION,
    WORRYING_DROP,
)

#: What each move costs besides thinking, in milliseconds: reading, switching processes, writing. It
#: adds up with many moves to go in little time, so it is planned for; Move Overhead covers
#: surprises.
MOVE_COST_MS = 5.0

#: Minimum time to plan for a move, in milliseconds.
MIN_MS = 0.5

#: The largest share of a time to keep back as overhead: the rest must suffice for a search.
MAX_OVERHEAD_SHARE = 1 / 3

#: More iterations with the same best move do not make it more settled.
_MAX_STABLE = 9

#: With `Ponder` on, half of the predictions come true, and their time is free.
PONDER_BONUS = 1.25


class MoveTime(NamedTuple):
    """The optimum and maximum time for a move, in milliseconds from the start of the engine's turn.

    An exact time (`go movetime`) is used in full, however settled the search is.
    """

    optimum_ms: float
    maximum_ms: float
    is_exact: bool = False
    overhead_ms: float = 0.0  # kept back for delays outside the engine


def allot(
    limits: Limits, white: bool, overhead_ms: int, can_ponder: bool = False
) -> MoveTime | None:
    """Allot time to the side to move from its clock.

    :param overhead_ms: time lost outside the engine on each move; it is kept back, up to a third of
        the available time.
    :param can_ponder: whether the GUI lets the engine think on the opponent's time.
    :returns: None if the clock does not limit this search.
    """
    time_left, increment = limits.clock_of(white)
    move_time = None
    if time_left is not None:
        kept = _overhead(time_left, overhead_ms)
        available = max(time_left - kept, 1)
        moves = limits.moves_to_go
        if moves is None or moves < 1:  # 0 means that the time is for the whole game
            moves = EXPECTED_MOVES
        share = 1.0 if moves == 1 else MAX_CLOCK_SHARE
        optimum = available / (1 + OVERRUN * (moves - 1))
        optimum += min(INCREMENT_SHARE * max(increment, 0), MAX_INCREMENT_SHARE * available)
        optimum -= MOVE_COST_MS
        if can_ponder:
            optimum *= PONDER_BONUS
        optimum = max(optimum, MIN_MS)
        maximum = min(optimum * MAXIMUM_RATIO, available * share)
        move_time = MoveTime(min(optimum, maximum), maximum, overhead_ms=kept)
    if limits.move_time_ms is not None:
        kept = _overhead(limits.move_time_ms, overhead_ms)
        exact = max(limits.move_time_ms - kept, 1.0)
        if move_time is None:
            move_time = MoveTime(exact, exact, is_exact=True, overhead_ms=kept)
        elif exact < move_time.maximum_ms:
            move_time = MoveTime(min(exact, move_time.optimum_ms), exact, overhead_ms=kept)
    return move_time


def _overhead(time_ms: float, overhead_ms: float) -> float:
    """The part of a time to keep back; nothing if it is used up."""
    return min(overhead_ms, max(time_ms, 0) * MAX_OVERHEAD_SHARE)


class Clock:
    """The time of one search, and its interruption.

    `stop` and `ponder_hit` may be called from another thread. Only the monotonic clock is used.
    """

    def __init__(
        self, move_time: MoveTime | None = None, pondering: bool = False, elapsed_ms: float = 0.0
    ) -> None:
        self.move_time = move_time
        self.pondering = pondering
        self._scale = 1.0
        self.stopped = False
        self._started_ms = self._now_ms() - elapsed_ms
        self._ours_since_ms = self._started_ms

    def _now_ms(self) -> float:
        return time.perf_counter() * 1000

    def elapsed_ms(self) -> float:
        """Milliseconds since the search started."""
        return self._now_ms() - self._started_ms

    def own_ms(self) -> float:
        """Milliseconds of the engine's own time; 0 while the opponent is thinking."""
        return 0.0 if self.pondering else self._now_ms() - self._ours_since_ms

    def stop(self) -> None:
        """Stop the search at its next look at the clock."""
        self.stopped = True

    def ponder_hit(self) -> None:
        """The predicted move was played: from now on, the engine's own time runs.

        If it has already thought long enough on the opponent's time, it does not wait for the
        running iteration.
        """
        self._ours_since_ms = self._now_ms()
        self.pondering = False
        if self.is_optimum_over(self._scale):
            self.stopped = True

    def must_stop(self) -> bool:
        """Whether the search was stopped or has used its maximum time."""
        if self.stopped:
            return True
        if self.move_time is None or self.pondering:
            return False
        return self._now_ms() - self._ours_since_ms >= self.move_time.maximum_ms

    def is_optimum_over(self, scale: float = 1.0) -> bool:
        """Whether no further iteration should begin.

        Time spent pondering counts: what was thought on the opponent's time need not be thought
        again.

        :param scale: factor for the optimum time, 0 if there is no choice. The maximum time stays
            the same.
        """
        self._scale = scale
        if self.move_time is None or self.pondering:
            return False
        if self.move_time.is_exact and scale > 0:
            return self.elapsed_ms() >= self.move_time.maximum_ms
        return self.elapsed_ms() >= min(
            self.move_time.optimum_ms * scale, self.move_time.maximum_ms
        )


class NodeClock(Clock):
    """A clock that counts nodes instead of time, so that experiments are repeatable.

    :param nodes: gives the nodes of the search so far.
    :param nodes_per_ms: how many pass for a millisecond.

    Source: `nodestime`, https://official-stockfish.github.io/docs/stockfish-wiki/UCI-&-Commands.html
    """

    def __init__(
        self, move_time: MoveTime | None, nodes: Callable[[], int], nodes_per_ms: int
    ) -> None:
        self._nodes, self._nodes_per_ms = nodes, nodes_per_ms
        super().__init__(move_time)
        self._started_ms = self._ours_since_ms = 0.0  # the nodes are those of the last search now

    def _now_ms(self) -> float:
        return self._nodes() / self._nodes_per_ms


class TimeScale:
    """Computes a factor for the optimum time from how settled the search is.

    It is smaller if the best move stays the same, took most of the nodes and keeps its score;
    larger if it changed or its score fell.

    Source: https://www.chessprogramming.org/Time_Management#Extra_Time
    """

    def __init__(self) -> None:
        self._move = 0
        self._stable = 0  # number of iterations with the same best move
        self._score: float = 0  # recent average, in centipawns
        self._iterations = 0

    def update(self, move: int, score: int, share: float) -> float:
        """Record the result of an iteration; return the factor for the optimum time.

        :param score: of the best move, in centipawns.
        :param share: the share of all nodes so far that was spent on the best move (0 to 1).
        """
        self._stable = self._stable + 1 if move == self._move else 0
        self._move = move
        if not self._iterations:
            self._score = score
        drop = self._score - score
        self._score += (score - self._score) / 3
        self._iterations += 1
        if self._iterations < MIN_ITERATIONS:
            return 1.0
        settled = SETTLED_BASE - SETTLED_PER_ITERATION * min(self._stable, _MAX_STABLE)
        effort = EFFORT_BASE - EFFORT_SHARE * share
        worry = min(max(1 + drop / WORRYING_DROP, MIN_WORRY), MAX_WORRY)
        return settled * effort * worry

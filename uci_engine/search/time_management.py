"""Time management: the clock of `go` becomes an optimum and a maximum time for the move.

The search starts no new iteration after the optimum time, and stops at once at the maximum time. An
iteration that has begun is worth finishing, because it may change the move, but it is never worth
losing on time.
Source: https://www.chessprogramming.org/Time_Management
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from ..base.limits import Limits

#: Moves a sudden-death game is expected to last from any point on.
EXPECTED_MOVES = 35

#: What a move takes on average, in optimum times, because an iteration that has begun is finished
#: as a rule. The moves to come are planned with this factor.
OVERRUN = 1.4

#: Share of the increment to spend on each move, and the largest share of the clock for it, because
#: late in a long game little but increments is left, and some must be kept for a machine that
#: stalls and for a move that needs more.
INCREMENT_SHARE = 0.75
MAX_INCREMENT_SHARE = 0.15

#: What every move costs besides thinking: reading, switching processes, writing. With many moves
#: to go in little time it adds up, so it is planned for; Move Overhead is kept for surprises.
MOVE_COST_MS = 5.0

#: The least time to plan for a move.
MIN_MS = 0.5

#: The largest share of a time that is kept back as overhead: the rest must suffice for a search.
MAX_OVERHEAD_SHARE = 1 / 3

#: The maximum time, in optimum times.
MAXIMUM_RATIO = 4.0

#: The largest share of the clock to spend on a move that is not the last one of its period.
MAX_CLOCK_SHARE = 0.6

#: Fewer iterations than this say nothing about how settled the move is.
MIN_ITERATIONS = 6

#: With `Ponder` on, half of the predictions come true and their time is free.
PONDER_BONUS = 1.25


@dataclass(frozen=True)
class MoveTime:
    """Optimum and maximum time of a move, in milliseconds since the engine is to move.

    An exact time (`go movetime`) is used in full, however settled the search is.
    """

    optimum_ms: float
    maximum_ms: float
    is_exact: bool = False
    overhead_ms: float = 0.0  # kept back for what happens outside the engine


def allot(
    limits: Limits, white: bool, overhead_ms: int, can_ponder: bool = False
) -> MoveTime | None:
    """Divide the clock of the side to move.

    :param overhead_ms: time that is lost outside the engine each move and is kept back, as far as
        it is no more than a third of what there is.
    :param can_ponder: whether the GUI lets the engine think on the opponent's time.
    :returns: None if the clock does not limit this search.
    """
    time_left, increment = limits.clock_of(white)
    move_time = None
    if time_left is not None:
        kept = _overhead(time_left, overhead_ms)
        available = max(time_left - kept, 1)
        moves = limits.moves_to_go
        if moves is None or moves < 1:  # 0 where the time is for the whole game
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
    """How much of a time to keep back; nothing of one that is over."""
    return min(overhead_ms, max(time_ms, 0) * MAX_OVERHEAD_SHARE)


class Clock:
    """Time and interruption of one search.

    `stop` and `ponder_hit` may be called from another thread. Only the monotonic clock is read.
    """

    def __init__(
        self, move_time: MoveTime | None = None, pondering: bool = False, elapsed_ms: float = 0.0
    ) -> None:
        self.move_time = move_time
        self.pondering = pondering
        self._scale = 1.0
        self.stopped = False
        self._started = time.perf_counter() - elapsed_ms / 1000
        self._ours_since = self._started

    def elapsed_ms(self) -> float:
        """Milliseconds since the search started."""
        return (time.perf_counter() - self._started) * 1000

    def own_ms(self) -> float:
        """Milliseconds since the time is ours; 0 while the opponent is thinking."""
        return 0.0 if self.pondering else (time.perf_counter() - self._ours_since) * 1000

    def stop(self) -> None:
        """End the search as soon as it looks."""
        self.stopped = True

    def ponder_hit(self) -> None:
        """The predicted move was played: from now on the time is ours.

        If enough was thought on the opponent's time, the iteration that is running is not waited
        for.
        """
        self._ours_since = time.perf_counter()
        self.pondering = False
        if self.is_optimum_over(self._scale):
            self.stopped = True

    def must_stop(self) -> bool:
        """Whether the search was stopped or the maximum time is over."""
        if self.stopped:
            return True
        if self.move_time is None or self.pondering:
            return False
        return (time.perf_counter() - self._ours_since) * 1000 >= self.move_time.maximum_ms

    def is_optimum_over(self, scale: float = 1.0) -> bool:
        """Whether no further iteration should begin.

        Time spent pondering counts: what was thought on the opponent's time need not be
        thought again.

        :param scale: what to multiply the optimum time by, 0 if there is nothing to think about.
            The maximum time stays the same.
        """
        self._scale = scale
        if self.move_time is None or self.pondering:
            return False
        if self.move_time.is_exact and scale > 0:
            return self.elapsed_ms() >= self.move_time.maximum_ms
        return self.elapsed_ms() >= min(
            self.move_time.optimum_ms * scale, self.move_time.maximum_ms
        )


class TimeScale:
    """What to multiply the optimum time by, from how settled the search is.

    Less time where the best move stays the same, took most of the nodes and keeps its score; more
    where it changed or its score fell.
    Source: https://www.chessprogramming.org/Time_Management#Extra_Time
    """

    def __init__(self) -> None:
        self._move = 0
        self._stable = 0  # iterations in a row
        self._score: float = 0  # of late, in centipawns
        self._iterations = 0

    def update(self, move: int, score: int, share: float) -> float:
        """Note the result of an iteration; return what to multiply the optimum time by.

        :param score: of the best move, in centipawns.
        :param share: of all nodes so far, the part spent on the best move (0 to 1).
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
        settled = 1.4 - 0.07 * min(self._stable, 9)
        effort = 1.9 - 1.2 * share
        worry = min(max(1 + drop / 100, 0.85), 1.6)
        return settled * effort * worry

"""The clock: what `go` asked for becomes a soft and a hard deadline.

The search starts no new iteration after the soft deadline and drops everything at the hard one.
Two deadlines instead of one: an iteration that has begun is worth finishing (its result may
change the move), but never worth a forfeit.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from halbzug.limits import Limits

#: Moves a sudden-death game is expected to last from any point on.
EXPECTED_MOVES = 35

#: What a move takes on average, measured in soft deadlines: an iteration that has begun is finished
#: as a rule. The moves to come are planned to take so long, too.
OVERRUN = 1.4

#: Share of the increment to spend on the move that earned it, but no more than this share of the
#: clock: a long game lives on increments in the end, and must keep some of them in hand for a
#: machine that stalls and for a move that needs more.
INCREMENT_SHARE = 0.75
LARGEST_INCREMENT = 0.15

#: What every move costs besides thinking: reading, switching processes, writing. With many moves
#: to go on little time it adds up, so it is planned for; Move Overhead is kept back for surprises.
MOVE_COST_MS = 5.0

#: The least time to plan for a move.
LEAST_MS = 0.5

#: Never keep back more than this share of a time as overhead: what is left must be worth a search.
LARGEST_OVERHEAD = 1 / 3

#: How far an unfinished iteration may run over the soft deadline.
HARD_RATIO = 4.0

#: Never spend more than this share of the clock on one move, unless it is the last of a period.
LARGEST_SHARE = 0.6

#: The first iterations are too quick to say anything about the move.
FEWEST_ITERATIONS = 6

#: With `Ponder` on, half of the predictions come true and their time is free.
PONDER_BONUS = 1.25


@dataclass(frozen=True)
class Budget:
    """The two deadlines, in milliseconds from the moment the move is ours to make.

    An exact time is to be used in full, however settled the search is.
    """

    soft_ms: float
    hard_ms: float
    is_exact: bool = False
    overhead_ms: float = 0.0  # what is kept back for the way out


def allot(limits: Limits, white: bool, overhead_ms: int, can_ponder: bool = False) -> Budget | None:
    """Divide the clock of the side to move.

    :param overhead_ms: time that is lost outside the engine each move and is kept back, as far as
        it is no more than a third of what there is.
    :param can_ponder: whether the GUI lets the engine think on the opponent's time.
    :returns: None if the clock does not limit this search.
    """
    time_left, increment = limits.clock_of(white)
    budget = None
    if time_left is not None:
        kept = _overhead(time_left, overhead_ms)
        available = max(time_left - kept, 1)
        moves = limits.moves_to_go
        if moves is None or moves < 1:  # 0 where the time is for the whole game
            moves = EXPECTED_MOVES
        share = 1.0 if moves == 1 else LARGEST_SHARE
        soft = available / (1 + OVERRUN * (moves - 1))
        soft += min(INCREMENT_SHARE * max(increment, 0), LARGEST_INCREMENT * available)
        soft -= MOVE_COST_MS
        if can_ponder:
            soft *= PONDER_BONUS
        soft = max(soft, LEAST_MS)
        hard = min(soft * HARD_RATIO, available * share)
        budget = Budget(min(soft, hard), hard, overhead_ms=kept)
    if limits.move_time_ms is not None:
        kept = _overhead(limits.move_time_ms, overhead_ms)
        exact = max(limits.move_time_ms - kept, 1.0)
        if budget is None:
            budget = Budget(exact, exact, is_exact=True, overhead_ms=kept)
        elif exact < budget.hard_ms:
            budget = Budget(min(exact, budget.soft_ms), exact, overhead_ms=kept)
    return budget


def _overhead(time_ms: float, overhead_ms: float) -> float:
    """How much of a time to keep back; nothing of one that is over."""
    return min(overhead_ms, max(time_ms, 0) * LARGEST_OVERHEAD)


class Clock:
    """Time and interruption of one search.

    `stop` and `ponder_hit` may be called from another thread. Only the monotonic clock is read.
    """

    def __init__(
        self, budget: Budget | None = None, pondering: bool = False, elapsed_ms: float = 0.0
    ) -> None:
        self.budget = budget
        self.pondering = pondering
        self._stretch = 1.0
        self.stopped = False
        self._started = time.perf_counter() - elapsed_ms / 1000
        self._ours_since = self._started

    def elapsed_ms(self) -> float:
        """Milliseconds since the search started."""
        return (time.perf_counter() - self._started) * 1000

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
        if self.is_soft_deadline_over(self._stretch):
            self.stopped = True

    def must_stop(self) -> bool:
        """Whether the search was stopped or the hard deadline has passed."""
        if self.stopped:
            return True
        if self.budget is None or self.pondering:
            return False
        return (time.perf_counter() - self._ours_since) * 1000 >= self.budget.hard_ms

    def is_soft_deadline_over(self, stretch: float = 1.0) -> bool:
        """Whether no further iteration should begin.

        Time spent pondering counts: what was thought on the opponent's time need not be
        thought again.

        :param stretch: how much longer or shorter than usual this move deserves, 0 if there is
            nothing to think about; the hard deadline stays where it is.
        """
        self._stretch = stretch
        if self.budget is None or self.pondering:
            return False
        if self.budget.is_exact and stretch > 0:
            return self.elapsed_ms() >= self.budget.hard_ms
        return self.elapsed_ms() >= min(self.budget.soft_ms * stretch, self.budget.hard_ms)


class Pace:
    """How settled a search is, and so how much of its time the move deserves.

    A best move that stays the same, that most nodes were spent on and whose score holds can be
    played at once; one that changed or fell deserves more thought.
    Source: https://www.chessprogramming.org/Time_Management#Extra_Time
    """

    def __init__(self) -> None:
        self._move = 0
        self._stable = 0  # iterations in a row
        self._score: float = 0  # of late, in centipawns
        self._iterations = 0

    def stretch(self, move: int, score: int, share: float) -> float:
        """Note the result of an iteration; return what to multiply the soft deadline by.

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
        if self._iterations < FEWEST_ITERATIONS:
            return 1.0
        settled = 1.4 - 0.07 * min(self._stable, 9)
        effort = 1.9 - 1.2 * share
        worry = min(max(1 + drop / 100, 0.85), 1.6)
        return settled * effort * worry

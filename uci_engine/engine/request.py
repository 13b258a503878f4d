"""One `go`, from the command to the best move: its job, deadline and lines so far."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..base.events import BestMove, Info, Source
from ..board.movegen import Board, new_board
from ..workers.messages import Job

if TYPE_CHECKING:
    from ..books.opening_book import BookMove

#: If a worker has not answered this long after the hard deadline, in seconds, the engine answers
#: itself. If the worker has sent a line, the wait is at most half of the move overhead.
GRACE_SECONDS = 0.012

#: A move time starts when the worker is ready, at most this many seconds after the `go`.
LATEST_START_SECONDS = 2.0

#: If a worker has not answered this many seconds after a stop, the engine answers itself.
STOP_SECONDS = 0.08

#: The same if the worker is not ready yet, for instance if a script sends `quit` at once.
STOP_STARTING_SECONDS = 0.6


@dataclass(kw_only=True)
class Request:
    """A `go` and its state. Times are in seconds, by `time.perf_counter`."""

    job: Job
    started: float
    best_move: BestMove  # as far as known
    candidates: tuple[str, ...]  # the moves to choose from without a search
    is_check: bool
    is_open_ended: bool  # infinite or pondering: not answered before `stop` or `ponderhit`
    refusal: str = ""  # why there is no position to search
    book_move: BookMove | None = None
    pending_answer: BestMove | None = None  # the known answer while the request is still open-ended
    answer: BestMove | None = None  # the best move sent
    deadline: float | None = None
    start_by: float | None = None  # it waits for the worker, but not beyond this time
    is_stopped: bool = False
    was_retried: bool = False
    source: Source | None = None  # of a move that did not come from the search
    last_info: Info | None = None  # the last line sent
    best_line: Info | None = None  # the last line with a best move
    main_line: Info | None = None  # the main worker's last line
    lost_line: Info | None = None  # the last line of a main worker that has died

    @property
    def is_search(self) -> bool:
        """Whether it is answered by a best move; a perft or bench is not."""
        return self.job.kind == "search"

    @property
    def has_move_time(self) -> bool:
        """Whether it is a search with an exact time."""
        return self.job.move_time is not None and self.job.move_time.is_exact

    def timed_job(self) -> Job:
        """The job to send now, including the time since the `go`."""
        return self.job._replace(elapsed_ms=(time.perf_counter() - self.started) * 1000)

    def board(self) -> Board:
        """A board with its position."""
        return new_board(self.job.fen, self.job.moves, self.job.chess960)

    def set_deadline(self) -> None:
        """Set the time at which the engine answers in place of the worker.

        Without a line, the answer would be a guess, so the worker gets more time for its first
        line.
        """
        move_time = self.job.move_time
        if move_time is None:
            return
        grace = GRACE_SECONDS
        if self.best_line:
            grace = min(GRACE_SECONDS, move_time.overhead_ms / 2000)
        self.deadline = self.started + move_time.maximum_ms / 1000 + grace

    def wait_for_worker(self) -> None:
        """Start later, when the worker is ready.

        A clock, and its deadline, runs from the command on. A move time starts with the search, so
        it has no deadline yet.
        """
        self.start_by = self.started + LATEST_START_SECONDS
        self.deadline = None
        if not self.is_open_ended and not self.has_move_time:
            self.set_deadline()

    def stop_waiting(self) -> None:
        """Start now."""
        self.start_by = None
        if self.has_move_time:
            self.started = time.perf_counter()
        if not self.is_open_ended and not self.is_stopped:
            self.set_deadline()

    def ponder_hit(self) -> None:
        """Turn a pondering search into a timed one, also for a worker that takes it over."""
        self.started = time.perf_counter()
        self.job = self.job._replace(limits=self.job.limits._replace(ponder=False))
        self.is_open_ended = False

    def stop_soon(self, *, is_starting: bool) -> None:
        """A stop was sent: the answer is due soon, later if the worker is not ready yet."""
        due = time.perf_counter() + (STOP_STARTING_SECONDS if is_starting else STOP_SECONDS)
        self.deadline = due if self.deadline is None else min(due, self.deadline)

    def set_best_line(self, line: Info) -> None:
        """Store a line with a better move."""
        self.best_move = BestMove(line.pv[0], line.pv[1] if len(line.pv) > 1 else None)
        self.best_line = line
        if self.deadline is not None and not self.is_stopped:
            self.set_deadline()  # earlier, because there is now a move to play

    def add_counts(self, info: Info) -> Info:
        """A line whose counters are no lower than those of the last line."""
        info = info.counting_on(self.last_info)
        self.last_info = info
        return info

"""Carries out requests one after another, from the first report to the answer.

Some requests are answered without a search process: by a book move, or because there is no process,
no position or no legal move.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable

from ..base.events import BOOK_SOURCE, BestMove, Event, Info, Notice, Output, Source
from ..base.scores import EXACT_BOUND, MATE
from ..workers.messages import Ready
from .request import Request
from .shown_lines import ShownLines
from .supervisor import Supervisor

#: The approximate time a new worker needs to start, in seconds; with less time left, the best known
#: move is played.
RESTART_SECONDS = 0.5


class RequestQueue:
    """The current request, and those that wait for its end.

    :param emit: emits an event.
    :param notify: emits a notice at once or, if there is no search, with the next `go`.
    """

    def __init__(
        self,
        emit: Callable[[Event], None],
        notify: Callable[[Notice], None],
        supervisor: Supervisor,
        lines: ShownLines,
    ) -> None:
        self._emit = emit
        self._notify = notify
        self._supervisor = supervisor
        self._lines = lines
        #: The request being carried out; None if there is none.
        self.current: Request | None = None
        self._pending: deque[Request] = deque()

    @property
    def is_searching(self) -> bool:
        """Whether a `go` is still unanswered."""
        return self.current is not None

    @property
    def searches_waiting(self) -> int:
        """The number of requests waiting for the current one to end."""
        return len(self._pending)

    @property
    def is_idle(self) -> bool:
        """Whether all requests have been answered."""
        return self.current is None and not self._pending

    @property
    def is_counting(self) -> bool:
        """Whether a perft or bench is running, or waiting for its turn."""
        requests = (self.current, *self._pending)
        return any(request is not None and not request.is_search for request in requests)

    # -- commands -------------------------------------------------------------------------------

    def add(self, request: Request) -> None:
        """Carry out a request after those before it."""
        self._pending.append(request)
        self._begin_pending()

    def stop(self) -> None:
        """End the current search and those waiting, with the best move so far.

        A perft or bench also ends, without a result.
        """
        self._stop_requests({"search", "perft", "bench"})

    def stop_searches(self) -> None:
        """Like `stop`, but let perft and bench continue."""
        self._stop_requests({"search"})

    def stop_endless(self) -> None:
        """Stop a search that only a command would end, because no more commands will come."""
        request = self._pending[-1] if self._pending else self.current
        if request and request.is_search:
            limits = request.job.limits
            bounds = (request.job.move_time, limits.depth, limits.nodes, limits.mate)
            if request.is_open_ended or all(bound is None for bound in bounds):
                self.stop_searches()

    def ponder_hit(self) -> None:
        """The predicted move was played: turn the pondering search into a timed one."""
        request = self._pending[-1] if self._pending else self.current
        if request is None or not request.is_open_ended:
            return
        if not request.job.limits.ponder or request.job.limits.infinite:
            return
        request.ponder_hit()
        if request is not self.current:
            return
        self._lines.repeat_best_line(request)
        if request.start_by is not None:
            request.wait_for_worker()
            return
        self._supervisor.ponder_hit(request.job.number)
        if request.pending_answer:
            self._emit_best_move(request, request.pending_answer)
        else:
            request.set_deadline()

    # -- reports of the processes ---------------------------------------------------------------

    def end_without_worker(self) -> None:
        """Answer the current request, because there are no processes any more."""
        if self.current and not self.current.pending_answer:
            self._conclude(self.current, self._lines.best_known_move(self.current))
        self._begin_pending()

    @property
    def due(self) -> float | None:
        """When `enforce_deadlines` has something to do, by `time.perf_counter`."""
        moments = (self.current.deadline, self.current.start_by) if self.current else ()
        return min((moment for moment in moments if moment is not None), default=None)

    def enforce_deadlines(self) -> None:
        """Start a request that has waited long enough, and answer in place of a late worker."""
        now = time.perf_counter()
        request = self.current
        if request and request.start_by is not None and now >= request.start_by:
            self._start_after_wait(request)
        if request and request.deadline is not None and now >= request.deadline:
            self._supervisor.give_up_job(request.job.number)
            self._emit_best_move(request, self._lines.best_known_move(request))
            self._begin_pending()

    def handle_report(self, number: int, event: Event | Ready) -> None:
        """Handle the main worker's report on a job."""
        request = self.current
        if request is None or number != request.job.number:
            if isinstance(event, Notice):
                self._notify(event)  # the answer was sent without waiting for it
            return
        if request.pending_answer:
            return
        if isinstance(event, Ready):
            self._end_count()
        elif isinstance(event, BestMove):
            self._conclude(request, event)
        elif isinstance(event, Info):
            self._lines.show_main_line(request, event)
        elif isinstance(event, Source):
            self._lines.emit_source(request, event)
        else:
            self._emit(event)

    def show_helper_lines(self) -> None:
        """Pass on the lines of helpers that are ahead of the main worker."""
        if self.current and not self.current.pending_answer:
            self._lines.show_helper_lines(self.current)

    def retry_or_conclude(self) -> None:
        """The main worker has exited: start its search again, or play the best known move."""
        request = self.current
        has_worker = self._supervisor.has_worker
        if request is None or request.pending_answer:
            return
        if request.start_by is not None and has_worker:
            return
        deadline = request.deadline
        has_time = deadline is None or deadline - time.perf_counter() > RESTART_SECONDS
        can_retry = has_worker and not request.was_retried and not request.is_stopped
        if can_retry and has_time:
            self._retry(request)
        elif can_retry and request.has_move_time and request.best_line is None:
            request.was_retried = True
            request.wait_for_worker()  # as if it had not started
        else:
            self._conclude(request, self._lines.best_known_move(request))

    def _retry(self, request: Request) -> None:
        request.was_retried = True
        request.lost_line, request.main_line = request.best_line, None
        last = request.last_info
        if last:
            request.job = request.job._replace(
                earlier_nodes=last.nodes, earlier_hits=last.tablebase_hits
            )
        self._supervisor.restart_job(request.timed_job())

    # -- from the first request to the last -----------------------------------------------------

    def proceed(self) -> None:
        """Start a request that waits for the worker if that is ready, or begin the next one."""
        request = self.current
        if request and request.start_by is not None and self._supervisor.can_start_job:
            self._start_after_wait(request)
        self._begin_pending()

    def _begin_pending(self) -> None:
        """Begin the next request, if none is running."""
        while self._pending and self.current is None:
            self._begin(self._pending.popleft())

    def _begin(self, request: Request) -> None:
        self.current = request
        if not request.is_open_ended:  # first, so that there is an answer if anything below fails
            request.set_deadline()
        if request.refusal:
            self._answer_refused(request)
        elif request.best_move.move is None and request.is_search:
            self._answer_finished_game(request)
        elif request.book_move:
            self._answer_from_book(request)
        elif not self._supervisor.has_worker:
            self._answer_without_worker(request)
        elif request.job.move_time and not self._supervisor.can_start_job:
            request.wait_for_worker()
        else:
            self._supervisor.start_job(request.timed_job())
        if request.is_stopped and self.current is request:
            self._stop_request(request)

    def _start_after_wait(self, request: Request) -> None:
        """Start a request that has waited for the worker, which is now ready or too late."""
        request.stop_waiting()
        self._supervisor.start_job(request.timed_job())

    def _answer_refused(self, request: Request) -> None:
        if request.is_search:
            self._emit(Notice(f"no position to search: {request.refusal}"))
            self._conclude(request, request.best_move)
        else:
            self._emit(Notice(f"no position to count from: {request.refusal}"))
            if request.job.kind == "perft":
                self._emit(Output("\nNodes searched: 0\n"))
            self._end_count()

    def _answer_finished_game(self, request: Request) -> None:
        score = -MATE if request.is_check else 0
        self._lines.emit_info(request, Info(0, 0, 1, score, EXACT_BOUND, 0, 0, 0, ()))
        self._conclude(request, request.best_move)

    def _answer_from_book(self, request: Request) -> None:
        book = request.book_move
        assert book is not None
        best = BestMove(book.move.uci(), book.ponder.uci() if book.ponder else None)
        pv = tuple(filter(None, (best.move, best.ponder)))
        self._emit(Notice(f"book move, {book.share:.0%} of the book's games here"))
        self._lines.emit_source(request, BOOK_SOURCE)
        self._lines.emit_info(request, Info(1, 1, 1, 0, EXACT_BOUND, 0, 0, 0, pv))
        self._conclude(request, best)

    def _answer_without_worker(self, request: Request) -> None:
        if request.is_search:
            self._conclude(request, self._lines.best_known_move(request))
        else:
            self._emit(Notice(f"no search process for {request.job.kind}"))
            self._end_count()

    def _stop_requests(self, kinds: set[str]) -> None:
        for request in self._pending:
            request.is_stopped = request.is_stopped or request.job.kind in kinds
        if self.current and self.current.job.kind in kinds:
            self._stop_request(self.current)
        self._begin_pending()

    def _stop_request(self, request: Request) -> None:
        """Request the best move now."""
        request.is_stopped = True
        request.is_open_ended = False
        if request.start_by is not None:
            self._start_after_wait(request)
        if request.pending_answer:
            self._emit_best_move(request, request.pending_answer)
        else:
            self._supervisor.stop_job(request.job.number)
            request.stop_soon(is_starting=self._supervisor.is_starting)

    def _conclude(self, request: Request, best: BestMove) -> None:
        """End the search; send its best move, unless that must wait for a command."""
        if request.is_open_ended:
            request.pending_answer = best
            # A waiting client sees the line of the elected move.
            self._lines.show_move(request, self._lines.elect_best_move(request, best))
        else:
            self._emit_best_move(request, best)

    def _emit_best_move(self, request: Request, best: BestMove) -> None:
        """Answer the current request; the caller begins the next one."""
        if request is not self.current:  # an event's receiver has stopped it
            return
        if not request.is_search:
            self._end_count()
            return
        self.current = None
        self._supervisor.end_job(request.job.number)
        best = self._lines.final_move(request, best)
        request.answer = best
        self._emit(best)

    def _end_count(self) -> None:
        """End a perft or bench; the time of the requests waiting for it starts now."""
        self.current = None
        for request in self._pending:
            request.started = time.perf_counter()

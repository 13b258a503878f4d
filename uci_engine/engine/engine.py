"""The engine: one position, one search at a time, events out.

Python programs import `Engine`, and the UCI session and the commands drive it. It knows the
deadline of each search and the best move reported so far, so it can answer even if a search process
stalls or dies. `Supervisor` starts and replaces the processes.

All code runs in the caller's thread. Workers put reports into `Engine.inbox`. The caller takes
them from there and passes them to `handle`, or calls `play`, which does both.
"""

from __future__ import annotations

import math
import queue
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import chess

from ..base.events import (
    BOOK_SOURCE,
    BestMove,
    Event,
    Info,
    Introduction,
    Notice,
    Output,
    Source,
    shown,
)
from ..base.limits import Limits
from ..base.scores import EXACT_BOUND, MATE, UPPER_BOUND
from ..search.strength import Handicap
from ..workers.messages import Ready
from ..workers.worker import WorkerExit, WorkerProgram, WorkerReport
from .book import BookChooser
from .fallback import best_guess
from .game_position import GamePosition
from .notices import Notices
from .options import ENGINE_OPTIONS, OptionPart, Options
from .request import Request
from .request_maker import RequestMaker
from .shown_lines import ShownLines
from .supervisor import Supervisor

#: A new worker needs about this long to start, in seconds; with less time left, the best known
#: move is played.
RESTART_SECONDS = 0.5


class Engine:
    """A chess engine.

    :param emit: called with every event, in the thread that drives the engine.
    :param inbox: the caller's own queue, if it waits for other things as well.
    :param options: by default those of UCI, but without a book.
    :param program: what its processes run.

    >>> with Engine() as engine:
    ...     engine.play(Limits(depth=2)).move is not None
    True
    """

    def __init__(
        self,
        emit: Callable[[Event], None] | None = None,
        inbox: queue.SimpleQueue[Any] | None = None,
        options: Options | None = None,
        program: WorkerProgram | None = None,
    ) -> None:
        self.emit = emit or (lambda event: None)
        self.inbox: queue.SimpleQueue[Any] = inbox or queue.SimpleQueue()
        #: The present options; `configure` changes them.
        self.options = options or Options(uses_book=False)
        self._position = GamePosition()
        self._notices = Notices(self._emit)
        self._book = BookChooser(self._notices.complain)
        self._requests = RequestMaker(self._emit, self._position, self._book)
        self._last_handicap: Handicap | None = None
        self._last_search: Request | None = None
        self._current: Request | None = None
        self._pending: deque[Request] = deque()
        self._supervisor = Supervisor(
            self.inbox, self._notify_when_asked, self.options, program or WorkerProgram()
        )
        self._lines = ShownLines(self._emit, lambda: self.options, self._supervisor)

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """End the search processes."""
        self._book.close()
        self._supervisor.close()

    # -- settings -------------------------------------------------------------------------------

    def configure(self, **changes: int | str | None) -> None:
        """Set options, by the names of the fields of `Options`, and renew what depends on them.

        If the hash size or the number of threads changes, the transposition table is emptied. If
        processes cannot share memory, one searches alone. A book is opened when it is first needed.
        If an option cannot be fulfilled, a `Notice` says why, and the engine continues without it.

        :raises TypeError: if there is no such option.
        """
        before, self.options = self.options, replace(self.options, **changes)  # type: ignore[arg-type]
        for name in changes:
            if getattr(before, name) != getattr(self.options, name):
                self._notices.forget_complaints(ENGINE_OPTIONS[name].renews)
        parts = {ENGINE_OPTIONS[name].renews for name in changes}
        if OptionPart.HASH in parts:
            self.clear_hash()
        if OptionPart.BOOK in parts:
            self._book.renew()
        if OptionPart.TABLEBASES in parts:
            self._supervisor.open_tablebases(self.options)

    def set_file_option(self, name: str, value: int | str | bool) -> None:
        """Set an option that the file of the engine has declared."""
        self._supervisor.set_file_option(name, value)

    def clear_hash(self) -> None:
        """Empty the transposition table."""
        self._supervisor.renew_hash(self.options)

    def new_game(self) -> None:
        """Forget everything from the last game."""
        self._requests.new_game()
        if not self.is_searching and self._supervisor.renew_changed_file():
            self._notices.forget_all_complaints()
        else:
            self.clear_hash()
        self._supervisor.start_missing_worker()

    # -- the position ---------------------------------------------------------------------------

    @property
    def board(self) -> chess.Board:
        """The current position with its game, as python-chess's public board."""
        self._apply_chess960()
        return self._position.public_board()

    @property
    def refusal(self) -> str:
        """Why there is no position since `refuse_position`; empty if there is one."""
        return self._position.refusal

    def set_position(self, fen: str | None = None, moves: Sequence[str] = ()) -> None:
        """Set the position to search; `fen` None is the start position.

        An illegal move ends the list: the position before it is set, and a `Notice` says so.

        :raises ValueError: if the FEN cannot be read or searched; the old position stays, unless
            `refuse_position` is called.
        """
        illegal = self._position.read(fen, moves, self.options.chess960)
        self._emit_illegal_move(illegal)
        self._position.refusal = ""

    def refuse_position(self, reason: str) -> None:
        """Until a position is set, answer each `go` with a notice and without a move.

        This is for callers that cannot report a failed `set_position` to the one who sends the
        next `go`.

        :param reason: in one line.
        """
        self._position.refusal = reason

    def _apply_chess960(self) -> None:
        """Read the position again if the option has changed after it."""
        if self._position.board.chess960 != self.options.chess960:
            self._emit_illegal_move(self._position.read_again(self.options.chess960))

    def _emit_illegal_move(self, text: str) -> None:
        if text:
            self.emit(Notice(f"illegal move {shown(text)} ignored, with all moves after it"))

    # -- what goes on ---------------------------------------------------------------------------

    @property
    def is_searching(self) -> bool:
        """Whether a `go` has not been answered yet."""
        return self._current is not None

    @property
    def is_ready(self) -> bool:
        """Whether a `go` would be started at once."""
        return self.is_searching or self._supervisor.is_ready

    @property
    def searches_waiting(self) -> int:
        """How many requests wait for the current one to end."""
        return len(self._pending)

    @property
    def is_idle(self) -> bool:
        """Whether everything that was asked for has been answered."""
        return self._current is None and not self._pending

    @property
    def is_counting(self) -> bool:
        """Whether a perft or bench is going on, or waits for its turn."""
        requests = (self._current, *self._pending)
        return any(request is not None and not request.is_search for request in requests)

    @property
    def worker_pid(self) -> int | None:
        """The process id of the main worker; None if there is none."""
        return self._supervisor.worker_pid

    @property
    def helper_pids(self) -> list[int]:
        """The process ids of the helpers."""
        return self._supervisor.helper_pids

    # -- searching ------------------------------------------------------------------------------

    def go(self, limits: Limits, kind: str = "search", received: float | None = None) -> None:
        """Start searching the current position; the answer comes as a `BestMove` event.

        A search that is still running is stopped and answered first. A perft or bench is completed
        first; the time of a search that waits for it starts after that.

        :param kind: "search", or "perft" or "bench", which answer with `Output` events.
        :param received: when the command was received, by `time.perf_counter`.
        """
        started = time.perf_counter() if received is None else received
        self._supervisor.start_worker_after_penalty(started)
        self.emit_deferred_notices()
        self._apply_chess960()
        request = self._requests.make(limits, kind, started, self.options)
        self.stop_searches()
        if request.is_search:
            self._last_search = request
            self._apply_handicap(request.job.handicap)
        self._pending.append(request)
        self._begin_pending()

    def play(self, limits: Limits) -> BestMove:
        """Search the current position and wait for the best move.

        :returns: the best move, with the ponder move; `move` is None if there is not a legal move.
        """
        self.go(limits)
        # Searches that were requested before are handled first.
        while self._last_search is not None and self._last_search.answer is None:
            self.handle_next()
        assert self._last_search is not None and self._last_search.answer is not None
        return self._last_search.answer

    def guess(self) -> BestMove:
        """A move of the current position without a search, for when no process can search."""
        if self.refusal:
            return BestMove(None)
        board = self._position.board
        moves = [move.uci() for move in board.legal_moves]
        return BestMove(best_guess(board, moves)[0] if moves else None)

    def stop(self) -> None:
        """End the search, and those that wait behind it, with the best known move.

        A perft or bench also ends, without a result.
        """
        self._stop_requests({"search", "perft", "bench"})

    def stop_searches(self) -> None:
        """As `stop`, but perft and bench go on."""
        self._stop_requests({"search"})

    def stop_endless(self) -> None:
        """Stop a search that only a command would end, because no more commands will come."""
        request = self._pending[-1] if self._pending else self._current
        if request and request.is_search:
            limits = request.job.limits
            bounds = (request.job.move_time, limits.depth, limits.nodes, limits.mate)
            if request.is_open_ended or all(bound is None for bound in bounds):
                self.stop_searches()

    def ponder_hit(self) -> None:
        """The predicted move was played: the pondering search becomes a timed one."""
        request = self._pending[-1] if self._pending else self._current
        if request is None or not request.is_open_ended:
            return
        if not request.job.limits.ponder or request.job.limits.infinite:
            return
        request.ponder_hit()
        if request is not self._current:
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

    def do_without_workers(self, reason: str) -> None:
        """End all search processes, to free resources.

        Each `go` is answered with a legal move until a process may be started again.

        :param reason: what there are no resources for, in one line.
        """
        if self._supervisor.end_workers(reason):
            request = self._current
            if request and not request.pending_answer:
                self._conclude(request, self._lines.best_known_move(request))
            self._begin_pending()

    # -- driving --------------------------------------------------------------------------------

    def handle_next(self) -> None:
        """Wait for the next report or deadline, and handle it."""
        try:
            self.handle(self.inbox.get(timeout=self.seconds_to_deadline()))
        except queue.Empty:
            self.enforce_deadlines()

    def seconds_to_deadline(self) -> float | None:
        """How long `enforce_deadlines` can wait; None if nothing is due."""
        moments = [self._supervisor.due]
        if self._current:
            moments += [self._current.deadline, self._current.start_by]
        due = min((moment for moment in moments if moment is not None), default=None)
        return None if due is None else max(due - time.perf_counter(), 0.0)

    def enforce_deadlines(self) -> None:
        """Answer instead of a worker that is late, and replace one that does not report."""
        self._supervisor.enforce_deadlines()
        now = time.perf_counter()
        request = self._current
        if request and request.start_by is not None and now >= request.start_by:
            self._start_after_wait(request)
        if request and request.deadline is not None and now >= request.deadline:
            self._supervisor.give_up_job(request.job.number)
            self._emit_best_move(request, self._lines.best_known_move(request))
            self._begin_pending()

    def handle(self, item: object) -> None:
        """Handle an item from the inbox, and what is due; unknown items are ignored."""
        if isinstance(item, WorkerReport | WorkerExit):
            is_from_main = self._supervisor.is_main(item.worker)
            self._supervisor.handle(item)
            if not is_from_main:
                self._emit_helper_lines()
            elif isinstance(item, WorkerExit):
                self._retry_or_conclude()
            else:
                self._handle_report(item.number, item.event)
        request = self._current
        if request and request.start_by is not None and self._supervisor.can_start_job:
            self._start_after_wait(request)
        self._begin_pending()
        self.enforce_deadlines()

    def _handle_report(self, number: int, event: Event | Ready) -> None:
        """Handle what the main worker says about a job; number 0 belongs to none."""
        if isinstance(event, Notice) and number == 0:
            self._notices.complain(event)
        elif isinstance(event, Introduction):
            self.emit(event)
        request = self._current
        if isinstance(event, Notice) and number and (not request or number != request.job.number):
            self._notify_when_asked(event)  # the answer did not wait for it
        if request is None or number != request.job.number or request.pending_answer:
            return
        if isinstance(event, Ready):
            self._end_count()
        elif isinstance(event, BestMove):
            self._conclude(request, event)
        elif isinstance(event, Info):
            self._handle_main_line(request, event)
        elif isinstance(event, Source):
            self._lines.emit_source(request, event)
        else:
            self.emit(event)

    def _handle_main_line(self, request: Request, line: Info) -> None:
        has_best_move = line.multipv == 1 and line.pv and line.bound != UPPER_BOUND
        best = request.best_line
        is_helpers = best is not request.main_line
        if has_best_move:
            request.main_line = line
        if best and is_helpers and line.depth <= best.depth:  # a helper was faster
            if line.nodes >= (request.job.limits.nodes or math.inf):  # but this is the last line
                self._lines.emit_info(
                    request, replace(best, nodes=line.nodes, time_ms=line.time_ms)
                )
            return
        if has_best_move:
            request.set_best_line(line)
        self._lines.emit_info(request, line)

    def _emit_helper_lines(self) -> None:
        """Pass on a helper's line if it is the first of its depth."""
        request = self._current
        if request is None or request.pending_answer or request.job.multi_pv > 1:
            return
        for line in self._supervisor.helper_lines(request.job.number):
            if request.best_line is None or line.depth > request.best_line.depth:
                request.set_best_line(line)
                self._lines.emit_info(request, line)

    def _retry_or_conclude(self) -> None:
        """The main worker has exited: start its search again, or play the best known move."""
        request = self._current
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
            request.job = replace(
                request.job, earlier_nodes=last.nodes, earlier_hits=last.tablebase_hits
            )
        self._supervisor.restart_job(request.timed_job())

    def _apply_handicap(self, handicap: Handicap | None) -> None:
        """Empty the hash when the strength changes."""
        if handicap != self._last_handicap:
            self._last_handicap = handicap
            self.clear_hash()

    # -- from the first request to the last -----------------------------------------------------

    def _begin_pending(self) -> None:
        """Begin the next request, if none is running."""
        while self._pending and self._current is None:
            self._begin(self._pending.popleft())

    def _begin(self, request: Request) -> None:
        self._current = request
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
        if request.is_stopped and self._current is request:
            self._stop_request(request)

    def _start_after_wait(self, request: Request) -> None:
        """Start a request that has waited for the worker, which is ready now or too late."""
        request.stop_waiting()
        self._supervisor.start_job(request.timed_job())

    def _answer_refused(self, request: Request) -> None:
        if request.is_search:
            self.emit(Notice(f"no position to search: {request.refusal}"))
            self._conclude(request, request.best_move)
        else:
            self.emit(Notice(f"no position to count from: {request.refusal}"))
            if request.job.kind == "perft":
                self.emit(Output("\nNodes searched: 0\n"))
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
        self.emit(Notice(f"book move, {book.share:.0%} of the book's games here"))
        self._lines.emit_source(request, BOOK_SOURCE)
        self._lines.emit_info(request, Info(1, 1, 1, 0, EXACT_BOUND, 0, 0, 0, pv))
        self._conclude(request, best)

    def _answer_without_worker(self, request: Request) -> None:
        if request.is_search:
            self._conclude(request, self._lines.best_known_move(request))
        else:
            self.emit(Notice(f"no search process for {request.job.kind}"))
            self._end_count()

    def _stop_requests(self, kinds: set[str]) -> None:
        for request in self._pending:
            request.is_stopped = request.is_stopped or request.job.kind in kinds
        if self._current and self._current.job.kind in kinds:
            self._stop_request(self._current)
        self._begin_pending()

    def _stop_request(self, request: Request) -> None:
        """Ask for the best move now."""
        request.is_stopped = True
        request.is_open_ended = False
        if request.start_by is not None:
            self._start_after_wait(request)
        if request.pending_answer:
            self._emit_best_move(request, request.pending_answer)
        else:
            self._supervisor.stop_job(request.job.number)
            request.stop_soon()

    def _conclude(self, request: Request, best: BestMove) -> None:
        """The search has ended; send its best move, unless that must wait for a command."""
        if request.is_open_ended:
            request.pending_answer = best
            # A client that waits sees the line of the elected move.
            self._lines.show_move(request, self._lines.elect_best_move(request, best))
        else:
            self._emit_best_move(request, best)

    def _emit_best_move(self, request: Request, best: BestMove) -> None:
        """Answer the current request; the caller begins the next one."""
        if request is not self._current:  # the receiver of an earlier event has stopped it
            return
        if not request.is_search:
            self._end_count()
            return
        self._current = None
        self._supervisor.end_job(request.job.number)
        best = self._lines.elect_best_move(request, best)
        self._lines.show_move(request, best)
        for line in (request.best_line, request.last_info):  # the last one that was shown counts
            if line and line.multipv == 1 and line.pv[:1] == (best.move,) and len(line.pv) > 1:
                best = BestMove(best.move, line.pv[1])
        if not request.last_info and best.move:  # the worker was too slow to send a line
            elapsed_ms = int((time.perf_counter() - request.started) * 1000)
            score = best_guess(request.board(), [best.move])[1]
            self._lines.emit_info(
                request, Info(0, 0, 1, score, EXACT_BOUND, 0, elapsed_ms, 0, (best.move,))
            )
        request.answer = best
        self.emit(best)

    def _end_count(self) -> None:
        """A perft or bench has ended; the time of the requests that waited for it starts now."""
        self._current = None
        for request in self._pending:
            request.started = time.perf_counter()

    # -- notices --------------------------------------------------------------------------------

    def emit_deferred_notices(self) -> None:
        """Emit the notices that wait for the next `go`."""
        self._notices.emit_deferred()

    def _notify_when_asked(self, notice: Notice) -> None:
        """Emit a notice now if a search is running, otherwise with the next `go`."""
        if self._current:
            self.emit(notice)
        else:
            self._notices.defer(notice)

    def _emit(self, event: Event) -> None:
        """Emit an event to whoever listens now."""
        self.emit(event)

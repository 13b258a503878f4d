"""The engine: a position and options in, one search at a time, events out.

Python programs import `Engine`; the UCI session and the commands drive it. `RequestMaker` turns
each `go` into a request. `RequestQueue` carries it out: it knows the deadline and the best move so
far, so that it can answer even if a search process stalls or dies. `Supervisor` starts and replaces
the processes.

All code runs in the caller's thread. Workers put reports into `Engine.inbox`. The caller takes them
from there and passes them to `handle`, or calls `play`, which does both.
"""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any

import chess

from ..base.events import BestMove, Event, Introduction, Notice, shown
from ..base.limits import Limits
from ..search.strength import Handicap
from ..workers.worker import WorkerExit, WorkerProgram, WorkerReport
from .book import BookChooser
from .fallback import best_guess
from .game_position import GamePosition
from .notices import Notices
from .options import ENGINE_OPTIONS, OptionPart, Options
from .request import Request
from .request_maker import RequestMaker
from .request_queue import RequestQueue
from .shown_lines import ShownLines
from .supervisor import Supervisor


class Engine(AbstractContextManager["Engine"]):
    """A chess engine.

    :param emit: called with every event, in the thread that drives the engine.
    :param inbox: the caller's own queue, if it also waits for other things.
    :param options: by default UCI's defaults, but without a book.
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
        #: The current options; `configure` changes them.
        self.options = options or Options(uses_book=False)
        self._position = GamePosition()
        self._notices = Notices(self._emit)
        self._book = BookChooser(self._notices.complain)
        self._maker = RequestMaker(self._emit, self._position, self._book)
        self._last_handicap: Handicap | None = None
        self._last_search: Request | None = None
        self._supervisor = Supervisor(
            self.inbox, self._notify_when_asked, self.options, program or WorkerProgram()
        )
        lines = ShownLines(self._emit, lambda: self.options, self._supervisor)
        #: The requests not answered yet, which can be stopped here.
        self.requests = RequestQueue(self._emit, self._notify_when_asked, self._supervisor, lines)
        self._supervisor.start(self.options.threads)

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """End the search processes."""
        self._book.close()
        self._supervisor.close()

    # -- settings -------------------------------------------------------------------------------

    def configure(self, **changes: int | str | None) -> None:
        """Set options by the names of `Options` fields, and renew what depends on them.

        Changing the hash size or the number of threads empties the transposition table. If
        processes cannot share memory, one searches alone. A book is opened when first needed. If an
        option cannot be applied, a `Notice` says why, and the engine continues without it.

        :raises TypeError: if there is no such option.
        """
        before, self.options = self.options, replace(self.options, **changes)  # type: ignore[arg-type]
        changed = [name for name in changes if getattr(before, name) != getattr(self.options, name)]
        for name in changed:
            self._notices.forget_complaints(ENGINE_OPTIONS[name].renews)
        parts = {ENGINE_OPTIONS[name].renews for name in changes}
        if OptionPart.HASH in parts:
            self.clear_hash()
        if OptionPart.BOOK in parts:
            self._book.renew()
        has_folders = self.options.tablebase_paths and "tablebase_paths" in changes  # to read again
        parts = {ENGINE_OPTIONS[name].renews for name in changed}
        if OptionPart.TABLEBASES in parts or has_folders:
            self._supervisor.open_tablebases(self.options)

    def set_file_option(self, name: str, value: int | str | bool) -> None:
        """Set an option declared by the engine file."""
        self._supervisor.set_file_option(name, value)

    def clear_hash(self) -> None:
        """Empty the transposition table."""
        self._supervisor.renew_hash(self.options)

    def new_game(self) -> None:
        """Forget everything from the last game."""
        self._maker.new_game()
        if not self.requests.is_searching and self._supervisor.renew_changed_file():
            self._notices.forget_all_complaints()
        else:
            self.clear_hash()
        self._supervisor.start_missing_worker()

    # -- the position ---------------------------------------------------------------------------

    @property
    def board(self) -> chess.Board:
        """The current position with its move stack, as a public python-chess board."""
        self._apply_chess960()
        return self._position.public_board()

    @property
    def refusal(self) -> str:
        """The reason given to `refuse_position`; empty if there is a position."""
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

        For callers that cannot report a failed `set_position` to the sender of the next `go`.

        :param reason: one line.
        """
        self._position.refusal = reason

    def _apply_chess960(self) -> None:
        """Read the position again if the option has changed since."""
        if self._position.board.chess960 != self.options.chess960:
            self._emit_illegal_move(self._position.read_again(self.options.chess960))

    def _emit_illegal_move(self, text: str) -> None:
        if text:
            self.emit(Notice(f"illegal move {shown(text)} ignored, with all moves after it"))

    # -- state ----------------------------------------------------------------------------------

    @property
    def is_ready(self) -> bool:
        """Whether a `go` would start at once."""
        return self.requests.is_searching or self._supervisor.is_ready

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
        """Start searching the current position; the answer arrives as a `BestMove` event.

        A running search is stopped and answered first. A perft or bench is completed first; the
        time of a search that waits for it starts afterwards.

        :param kind: "search", or "perft" or "bench", which answer with `Output` events.
        :param received: when the command was received, by `time.perf_counter`.
        """
        started = time.perf_counter() if received is None else received
        self._supervisor.start_worker_after_penalty(started)
        self.emit_deferred_notices()
        self._apply_chess960()
        request = self._maker.make(limits, kind, started, self.options)
        self.requests.stop_searches()
        if request.is_search:
            self._last_search = request
            self._apply_handicap(request.job.handicap)
        self.requests.add(request)

    def _apply_handicap(self, handicap: Handicap | None) -> None:
        """Empty the hash table when the strength changes."""
        if handicap != self._last_handicap:
            self._last_handicap = handicap
            self.clear_hash()

    def play(self, limits: Limits) -> BestMove:
        """Search the current position and wait for the best move.

        :returns: the best move, with the ponder move; `move` is None if there is no legal move.
        """
        self.go(limits)
        # Earlier requests are handled first.
        while self._last_search is not None and self._last_search.answer is None:
            self.handle_next()
        assert self._last_search is not None and self._last_search.answer is not None
        return self._last_search.answer

    def guess(self) -> BestMove:
        """A move in the current position without a search, for when no process can search."""
        if self.refusal:
            return BestMove(None)
        board = self._position.board
        moves = [move.uci() for move in board.legal_moves]
        return BestMove(best_guess(board, moves)[0] if moves else None)

    def do_without_workers(self, reason: str) -> None:
        """End all search processes, to free resources.

        Each `go` is answered with a legal move until a process may be started again.

        :param reason: the missing resource, in one line.
        """
        if self._supervisor.end_workers(reason):
            self.requests.end_without_worker()

    # -- driving --------------------------------------------------------------------------------

    def handle_next(self) -> None:
        """Wait for the next report or deadline, and handle it."""
        try:
            self.handle(self.inbox.get(timeout=self.seconds_to_deadline()))
        except queue.Empty:
            self.enforce_deadlines()

    def seconds_to_deadline(self) -> float | None:
        """How long `enforce_deadlines` may wait; None if nothing is due."""
        moments = (self._supervisor.due, self.requests.due)
        due = min((moment for moment in moments if moment is not None), default=None)
        return None if due is None else max(due - time.perf_counter(), 0.0)

    def enforce_deadlines(self) -> None:
        """Answer in place of a late worker, and replace one that does not report."""
        self._supervisor.enforce_deadlines()
        self.requests.enforce_deadlines()

    def handle(self, item: object) -> None:
        """Handle an item from the inbox, and whatever is due; unknown items are ignored."""
        if isinstance(item, WorkerReport | WorkerExit):
            is_from_main = self._supervisor.is_main(item.worker)
            self._supervisor.handle(item)
            if not is_from_main:
                self.requests.show_helper_lines()
            elif isinstance(item, WorkerExit):
                self.requests.retry_or_conclude()
            elif item.number:
                self.requests.handle_report(item.number, item.event)
            elif isinstance(item.event, Notice):  # unrelated to a request
                self._notices.complain(item.event)
            elif isinstance(item.event, Introduction):
                self.emit(item.event)
        self.requests.proceed()
        self.enforce_deadlines()

    # -- notices --------------------------------------------------------------------------------

    def emit_deferred_notices(self) -> None:
        """Emit the notices deferred to the next `go`."""
        self._notices.emit_deferred()

    def _notify_when_asked(self, notice: Notice) -> None:
        """Emit a notice now if a search is running, otherwise with the next `go`."""
        if self.requests.is_searching:
            self.emit(notice)
        else:
            self._notices.defer(notice)

    def _emit(self, event: Event) -> None:
        """Emit an event to the current listener."""
        self.emit(event)

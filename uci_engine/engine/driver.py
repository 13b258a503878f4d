"""The engine: one position, one search at a time, events out.

`Engine` is what Python programs import and what the UCI door and the commands drive. It owns the
worker process and stands guard over it: it knows the deadline of each search and the best move
reported so far, so a worker that stalls or dies costs neither the game nor the session.

Everything happens in the caller's thread. Workers report into `Engine.inbox`; whoever drives the
engine takes items from there and hands them to `handle`, or simply calls `play`.
"""

from __future__ import annotations

import queue
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING, Any

import chess

from halbzug.board.fen import read_position
from halbzug.board.rules import Board, code_from_uci, new_board, push, uci
from halbzug.engine.fallback import best_guess
from halbzug.events import BestMove, Event, Info, Notice, shown
from halbzug.limits import Limits
from halbzug.reasons import reason_of
from halbzug.scores import EXACT, MATE, UPPER, win_draw_loss
from halbzug.search.strength import (
    HIGHEST_SKILL,
    STRONGEST_ELO,
    Handicap,
    elo_of_skill,
    handicap_of,
)
from halbzug.search.time_management import allot
from halbzug.workers.smp_pool import Helpers
from halbzug.workers.vote import elect
from halbzug.workers.worker import Death, Job, PonderHit, Ready, Report, SetTables, Stop, Worker

if TYPE_CHECKING:
    from halbzug.books.opening_book import BookMove, OpeningBook

#: A worker that has not answered this long after the hard deadline is answered for, or sooner,
#: by half of what was kept back, if it has told a line.
GRACE_SECONDS = 0.012

#: A move time begins when the worker can, but no longer than this after the `go`.
LATEST_START_SECONDS = 2.0

#: A worker that has not answered this long after a stop is answered for.
STOP_SECONDS = 0.08

#: A worker that was answered for must come round within this time, or is replaced.
PATIENCE_SECONDS = 1.5

#: A worker that has not said anything yet may just have been slow to start.
START_SECONDS = 10.0

#: `isready` does not wait longer than this for a worker to start; chess programs give up after 10.
READY_SECONDS = 8.0

#: A new worker needs about this long to start; with less time left, the best known is played.
RESTART_SECONDS = 0.5

#: After so many deaths without a word in between, no further worker is started ...
MOST_DEATHS = 5

#: ... before a new game, or a search so many seconds later.
PENALTY_SECONDS = 30.0

#: Messages that are kept until they may be said; what goes on for ever need not all be told.
MOST_HELD_BACK = 20


@dataclass
class _Go:
    """One `go` and what has become of it."""

    job: Job
    in_check: bool
    started: float  # seconds, time.perf_counter
    best: BestMove
    waits: bool  # infinite or pondering: the best move is held back until released
    answer: BestMove | None = None
    deadline: float | None = None
    held_until: float | None = None  # not sent yet, because the worker cannot begin
    is_stopped: bool = False
    was_retried: bool = False
    refusal: str = ""  # why there is no position for it
    candidates: tuple[str, ...] = ()  # the moves to choose from if nobody searches
    said: Info | None = None  # the last line that went out
    line: Info | None = None  # the last one with a best move
    own: Info | None = None  # the main worker's last one
    earlier: Info | None = None  # the last one of a main worker that has died
    book: BookMove | None = None


class Engine:
    """A chess engine.

    :param emit: called with every event, in the thread that drives the engine.
    :param inbox: a queue of the driver's own, if it waits for other things as well.

    >>> with Engine() as engine:
    ...     engine.play(Limits(depth=2)).move is not None
    True
    """

    def __init__(
        self,
        emit: Callable[[Event], None] | None = None,
        inbox: queue.SimpleQueue[Any] | None = None,
    ) -> None:
        self.emit = emit or (lambda event: None)
        self.inbox: queue.SimpleQueue[Any] = inbox or queue.SimpleQueue()
        self.multi_pv = 1
        self.chess960 = False
        self.can_ponder = False
        self.shows_wdl = False
        self.is_analysing = False
        self.is_debugging = False
        self.move_overhead_ms = 30
        self.limits_strength = False
        self.elo = STRONGEST_ELO
        self.skill_level = HIGHEST_SKILL
        self.hash_mb = 16
        self.threads = 1
        self.tables = SetTables()
        self.uses_book = False
        self.book_depth = 255  # full moves of the game
        self.book_variety = 50  # per cent, see OpeningBook.choose
        self._book_path: str | None = None  # None: the book that comes with Halbzug
        self._book: OpeningBook | None = None
        self._is_book_bad = False
        self._random = Random()
        self._seed = self._random.getrandbits(31)
        self._held_back_by: Handicap | None = None
        self._fen = chess.STARTING_FEN
        self._moves: list[str] = []
        self._given: tuple[str, ...] = ()  # with what was illegal behind them
        #: Why there is no position since `refuse_position`; empty if there is one.
        self.refusal = ""
        self._board = read_position(self._fen)
        self._number = 0
        self._current: _Go | None = None
        self._pending: deque[_Go] = deque()
        self._overdue: tuple[int, float] | None = None
        self._is_ready = False
        self._ready_until: float | None = None  # no longer is it waited for
        self._is_closed = False
        self._deaths = 0
        self._died = 0.0  # when the last worker did, by time.perf_counter
        self._held_back: list[Notice] = []
        self._complaints: set[Notice] = set()  # not to be repeated, by the next worker above all
        self._worker: Worker | None = None
        self._helpers = Helpers(self.inbox, self._tell, self.hash_mb)
        self._start_worker()

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """End the worker processes."""
        self._is_closed = True
        self._close_book()
        if self._worker:
            self._worker.dismiss()
        self._helpers.close()
        if self._worker:
            self._worker.close()
            self._worker = None

    # -- settings -------------------------------------------------------------------------------

    def set_hash(self, megabytes: int) -> None:
        """Replace the transposition table by an empty one of this size in MiB."""
        if megabytes != self.hash_mb:
            self._forget_complaints("Hash")
        self.hash_mb = megabytes
        self.clear_hash()

    def set_threads(self, number: int) -> None:
        """Search with so many processes over one table, which begins empty.

        Where they cannot share memory one searches alone, and a `Notice` says so.

        :param number: 1 to `smp_counters.MAX_THREADS`; more than there are cores make it weaker.
        """
        self.threads = number
        self.clear_hash()

    def clear_hash(self) -> None:
        """Empty the transposition table."""
        self._helpers.renew(self.threads - 1, self.hash_mb, self.tables)
        if self._worker:
            self._helpers.equip(self._worker)
            self._wait_for_worker()

    def new_game(self) -> None:
        """Forget what was learnt in the last game."""
        self._seed = self._random.getrandbits(31)
        self.clear_hash()
        self._try_again()

    def set_tables(self, tables: SetTables) -> None:
        """Open other tablebases; the ones that come with Halbzug are always there, too."""
        if tables != self.tables:
            self._forget_complaints("SyzygyPath")
        self.tables = tables
        self._send(tables)
        self._helpers.set_tables(tables)
        if self._worker:
            self._wait_for_worker()

    def set_book(self, path: str | None) -> None:
        """Play from this Polyglot file; None means the book that comes with Halbzug.

        The file is opened when it is first needed. If it cannot serve, a `Notice` says why and
        the engine plays on without.
        """
        self._close_book()
        if path != self._book_path:
            self._forget_complaints("BookFile")
        self._book_path = path
        self._is_book_bad = False

    # -- the position ---------------------------------------------------------------------------

    @property
    def board(self) -> chess.Board:
        """The current position with its game, as python-chess's public board."""
        self._heed_chess960()
        # As it was read: what the FEN said of castling and en passant may be impossible.
        root = self._board.root().fen(shredder=self._board.chess960, en_passant="fen")
        board = chess.Board(root, chess960=self._board.chess960)
        for move in self._board.move_stack:
            board.push(move)
        return board

    def set_position(self, fen: str | None = None, moves: Sequence[str] = ()) -> None:
        """Set the position to search; `fen` None is the start position.

        An illegal move ends the list: the position before it stands, and a `Notice` says so.

        :raises ValueError: if the FEN cannot be read or searched; the old position stays, unless
            `refuse_position` is called.
        """
        self._read_position(fen, moves)
        self.refusal = ""

    def refuse_position(self, reason: str) -> None:
        """Have no position to search: each `go` says so and answers without a move.

        This is for callers that cannot tell whoever asks for the next search that `set_position`
        has failed. It holds until a position is set.

        :param reason: in one line.
        """
        self.refusal = reason

    def _read_position(self, fen: str | None, moves: Sequence[str]) -> None:
        fen = chess.STARTING_FEN if fen is None else fen
        known = len(self._moves)
        # Within a game each list extends the last one; only what is new is played.
        extends = (
            fen == self._fen
            and self._board.chess960 == self.chess960
            and self._moves == list(moves[:known])
        )
        if not extends:
            self._board = read_position(fen, self.chess960)
            self._fen = fen
            self._moves = []
            known = 0
        self._given = tuple(moves)
        for text in moves[known:]:
            try:
                code = code_from_uci(self._board, text)
            except ValueError:
                self.emit(Notice(f"illegal move {shown(text)} ignored, with all that follow it"))
                break
            push(self._board, code)
            self._moves.append(text)

    def _heed_chess960(self) -> None:
        """Read the position again if the option has changed after it."""
        if self._board.chess960 != self.chess960:
            self._read_position(self._fen, self._given)

    # -- searching ------------------------------------------------------------------------------

    @property
    def is_searching(self) -> bool:
        """Whether a `go` has not been answered yet."""
        return self._current is not None

    @property
    def is_ready(self) -> bool:
        """Whether a `go` would be attended to at once."""
        if self.is_searching or self._worker is None:
            return True
        return self._ready_until is None and self._helpers.are_ready

    @property
    def searches_waiting(self) -> int:
        """How many were asked for while another was going on, and have not begun."""
        return len(self._pending)

    @property
    def is_idle(self) -> bool:
        """Whether everything that was asked for has been answered."""
        return self._current is None and not self._pending

    @property
    def is_counting(self) -> bool:
        """Whether a perft or bench is going on, or waits for its turn."""
        asked = (self._current, *self._pending)
        return any(go is not None and go.job.kind != "search" for go in asked)

    @property
    def worker_pid(self) -> int | None:
        """The process that searches, the main one of several."""
        return self._worker.pid if self._worker else None

    @property
    def helper_pids(self) -> list[int]:
        """The processes that help it."""
        return self._helpers.pids

    def go(self, limits: Limits, kind: str = "search", received: float | None = None) -> None:
        """Start searching the current position; the answer comes as a `BestMove` event.

        A search still running is stopped and answered first; a perft or bench is completed first,
        and what waits for it has the time it asked for from then on.

        :param kind: "search", or "perft" or "bench", which answer with `Output` events.
        :param received: when the command came in, by `time.perf_counter`.
        """
        started = time.perf_counter() if received is None else received
        if self._worker is None and started - self._died > PENALTY_SECONDS:
            self._try_again()
        for notice in self._held_back:
            self.emit(notice)
        self._held_back.clear()
        self._heed_chess960()
        refusal = "" if kind == "bench" else self.refusal
        wanted = () if refusal else self._legal_search_moves(limits.search_moves)
        nodes = None if limits.nodes is None else max(limits.nodes, 1)
        handicap = self._handicap(limits) if kind == "search" else None
        if handicap:
            nodes = handicap.nodes if nodes is None else min(nodes, handicap.nodes)
        asked, limits = limits, replace(limits, search_moves=wanted, nodes=nodes)
        board = self._board
        budget = None
        if not limits.infinite:
            budget = allot(limits, board.turn, self.move_overhead_ms, self.can_ponder)
        self._number += 1
        tail = board.copy()
        moves: list[str] = []
        while tail.move_stack and tail.halfmove_clock:
            moves.append(tail.pop().uci())
        job = Job(
            self._number,
            kind,
            tail.fen(shredder=tail.chess960, en_passant="fen"),
            tuple(reversed(moves)),
            board.chess960,
            limits,
            budget,
            0.0,
            self.multi_pv,
            self.is_analysing,
            handicap,
        )
        candidates = wanted or tuple(move.uci() for move in board.legal_moves)
        if refusal:
            candidates = ()
        first = BestMove(candidates[0] if candidates else None)
        waits = limits.infinite or limits.ponder
        go = _Go(job, board.is_check(), started, first, waits, candidates=candidates)
        go.refusal = refusal
        if kind == "search" and not refusal:
            go.book = self._look_up(asked, handicap)
        self.stop_searches()
        if kind == "search" and handicap != self._held_back_by:
            self._held_back_by = handicap
            self.clear_hash()
        self._pending.append(go)
        self._begin_pending()

    def stop(self) -> None:
        """End the search, and those waiting behind it, with the best known move.

        A perft or bench ends, too, without its result.
        """
        self._stop({"search", "perft", "bench"})

    def stop_searches(self) -> None:
        """As `stop`, but perft and bench go on."""
        self._stop({"search"})

    def stop_endless(self) -> None:
        """Stop a search that would wait for a command, for when there will be none."""
        go = self._pending[-1] if self._pending else self._current
        if go and go.job.kind == "search":
            limits = go.job.limits
            bounds = (go.job.budget, limits.depth, limits.nodes, limits.mate)
            if go.waits or all(bound is None for bound in bounds):
                self.stop_searches()

    def _stop(self, kinds: set[str]) -> None:
        for go in self._pending:
            go.is_stopped = go.is_stopped or go.job.kind in kinds
        if self._current and self._current.job.kind in kinds:
            self._release(self._current)
        self._begin_pending()

    def ponder_hit(self) -> None:
        """The predicted move was played: the pondering search becomes a timed one."""
        go = self._pending[-1] if self._pending else self._current
        if go and go.job.limits.ponder and go.waits and not go.job.limits.infinite:
            # From here on it is a search like any other, also for a worker that takes it over.
            go.started = time.perf_counter()
            go.job = replace(go.job, limits=replace(go.job.limits, ponder=False))
            go.waits = False
            if go is not self._current:
                return
            if go.held_until is not None:
                self._hold(go)
                return
            self._send(PonderHit(go.job.number))
            if go.answer:
                self._finish(go.answer)
            else:
                self._set_deadline(go)

    def play(self, limits: Limits) -> BestMove:
        """Search the current position and wait for the best move."""
        answers: list[BestMove] = []
        emit = self.emit

        def watch(event: Event) -> None:
            emit(event)
            if isinstance(event, BestMove):
                answers.append(event)

        self.emit = watch
        try:
            self.go(limits)
            while self.is_searching:  # also through the searches that were there before
                self.handle_next()
        finally:
            self.emit = emit
        return answers[-1]

    def guess(self) -> BestMove:
        """A move of the current position without any search, for when there cannot be one."""
        if self.refusal:
            return BestMove(None)
        moves = [move.uci() for move in self._board.legal_moves]
        return BestMove(best_guess(self._board, moves)[0] if moves else None)

    # -- driving --------------------------------------------------------------------------------

    def handle_next(self) -> None:
        """Wait for the next thing to happen, and handle it."""
        try:
            self.handle(self.inbox.get(timeout=self.seconds_to_deadline()))
        except queue.Empty:
            self.enforce_deadlines()

    def seconds_to_deadline(self) -> float | None:
        """How long `enforce_deadlines` can wait; None if nothing is due."""
        due = [] if self._overdue is None else [self._overdue[1]]
        if self._current:
            times = (self._current.deadline, self._current.held_until)
            due += [time for time in times if time is not None]
        for patience in (self._ready_until, self._helpers.due):
            if patience is not None:
                due.append(patience)
        return max(min(due) - time.perf_counter(), 0.0) if due else None

    def enforce_deadlines(self) -> None:
        """Answer for a worker that is late, and replace one that does not come round."""
        self._helpers.give_up_waiting()
        now = time.perf_counter()
        if self._ready_until is not None and now >= self._ready_until:
            self._ready_until = None
        go = self._current
        if go and go.held_until is not None and now >= go.held_until:
            self._let_go(go)
        if go and go.deadline is not None and now >= go.deadline:
            self._send(Stop(go.job.number))
            if self._overdue is None:
                patience = PATIENCE_SECONDS if self._is_ready else START_SECONDS
                self._overdue = (go.job.number, now + patience)
            self._finish(self._best_known(go))
            self._begin_pending()
        if self._overdue and now >= self._overdue[1]:
            self._overdue = None
            self._tell("the search process does not answer and is replaced")
            if self._worker:
                self._worker.kill()

    def handle(self, item: object) -> None:
        """Handle something from the inbox; strange things are ignored."""
        if isinstance(item, Report) and item.worker is self._worker:
            self._deaths = 0
            is_last = isinstance(item.event, BestMove | Ready)
            if self._overdue and is_last and item.number >= self._overdue[0]:
                self._overdue = None
            if not isinstance(item.event, Ready):
                self._handle_event(item.number, item.event)
            elif item.number == 0:
                self._is_ready = True
                if item.event.settings == item.worker.settings:
                    self._ready_until = None
            elif self._current and item.number == self._current.job.number:
                self._end_count()
        elif isinstance(item, Death) and item.worker is self._worker:
            self._replace_worker(item)
        elif isinstance(item, Report | Death):
            self._helpers.handle(item)
            self._merge()
        go = self._current
        if go and go.held_until is not None and self._can_begin:
            self._let_go(go)
        self._begin_pending()
        if self.seconds_to_deadline() == 0.0:
            self.enforce_deadlines()

    def _handle_event(self, number: int, event: Event) -> None:
        go = self._current
        if isinstance(event, Notice) and number == 0:
            self._complain(event)
        if go is None or number != go.job.number or go.answer:
            return
        if isinstance(event, BestMove):
            self._answer(go, event)
            return
        if isinstance(event, Info):
            is_best = event.multipv == 1 and event.pv and event.bound != UPPER
            is_helpers = go.line is not go.own
            if is_best:
                go.own = event
            if go.line and is_helpers and event.depth <= go.line.depth:
                return  # a helper was faster
            if is_best:
                self._note_line(go, event)
            self._say(go, event)
        else:
            self.emit(event)

    def _merge(self) -> None:
        """Pass on a helper's line if it is the first of its depth."""
        go = self._current
        if go is None or go.answer or go.job.multi_pv > 1:
            return
        for line in self._helpers.lines(go.job.number):
            if go.line is None or line.depth > go.line.depth:
                self._say_line(go, line)

    def _say_line(self, go: _Go, line: Info) -> None:
        self._note_line(go, line)
        self._say(go, line)

    def _note_line(self, go: _Go, line: Info) -> None:
        go.best = BestMove(line.pv[0], line.pv[1] if len(line.pv) > 1 else None)
        go.line = line
        if go.deadline is not None and not go.is_stopped:
            self._set_deadline(go)  # sooner, now that there is something to play

    def _say(self, go: _Go, info: Info) -> None:
        """Let a line out; its counters never go back, whichever worker has counted."""
        if go.said:
            info = replace(
                info,
                nodes=max(info.nodes, go.said.nodes),
                time_ms=max(info.time_ms, go.said.time_ms),
                tablebase_hits=max(info.tablebase_hits, go.said.tablebase_hits),
            )
        go.said = info
        self.emit(replace(info, wdl=win_draw_loss(info.score)) if self.shows_wdl else info)

    # -- one go after another -------------------------------------------------------------------

    def _legal_search_moves(self, wanted: tuple[str, ...]) -> tuple[str, ...]:
        """The legal ones of `searchmoves`, in the notation the search uses."""
        legal: dict[str, None] = {}
        illegal: dict[str, None] = {}
        for text in wanted:
            try:
                legal[uci(code_from_uci(self._board, text))] = None
            except ValueError:
                illegal[shown(text)] = None
        if illegal:
            some = ", ".join(list(illegal)[:5]) + (", ..." if len(illegal) > 5 else "")
            self.emit(Notice(f"searchmoves: not legal and ignored: {some}"))
        if wanted and not legal:
            self.emit(Notice("searchmoves: no legal move given, searching all"))
        return tuple(legal)

    def _begin(self, go: _Go) -> None:
        self._current = go
        if not go.waits:  # first of all, so that whatever fails below is answered for
            self._set_deadline(go)
        if go.refusal:
            self._refuse(go)
        elif go.best.move is None and go.job.kind == "search":
            score = -MATE if go.in_check else 0
            self._say(go, Info(0, 0, 1, score, EXACT, 0, 0, 0, ()))
            self._answer(go, go.best)
        elif go.book:
            self._play_book(go, go.book)
        elif self._worker is None:
            if go.job.kind != "search":
                self.emit(Notice(f"no search process for {go.job.kind}"))
            self._answer(go, self._best_known(go))
        elif go.job.budget and not self._can_begin:
            self._hold(go)
        else:
            self._dispatch(go)
            self._dispatch_to_helpers(go)
        if go.is_stopped and self._current is go:
            self._release(go)

    def _refuse(self, go: _Go) -> None:
        if go.job.kind == "search":
            self.emit(Notice(f"no position to search: {go.refusal}"))
            self._answer(go, go.best)
        else:
            self.emit(Notice(f"no position to count from: {go.refusal}"))
            self._end_count()

    def _handicap(self, limits: Limits) -> Handicap | None:
        """What holds this search back: something only if a weaker game is wanted."""
        if self.is_analysing or limits.infinite or limits.mate:
            return None
        elo = self.elo if self.limits_strength else elo_of_skill(self.skill_level)
        handicap = handicap_of(elo, self._seed)
        return handicap.facing(self._board) if handicap else None

    def _look_up(self, limits: Limits, handicap: Handicap | None) -> BookMove | None:
        """The book's move here, if this is a game and the book knows the position."""
        clock, _ = limits.clock_of(self._board.turn)
        is_timed = clock is not None or limits.move_time_ms is not None
        bounds = (limits.depth, limits.nodes, limits.mate)
        wants_search = limits.infinite or limits.search_moves or any(n is not None for n in bounds)
        is_analysis = self.is_analysing or self.multi_pv > 1
        is_game = is_timed and not wants_search and not is_analysis
        board = self._board
        depth = min(self.book_depth, handicap.book_moves) if handicap else self.book_depth
        is_early = board.fullmove_number <= depth
        if not (self.uses_book and is_game and is_early) or self._is_book_bad:
            return None
        from halbzug.books.opening_book import BookError, OpeningBook, default_book_path

        if self._book is None:
            try:
                self._book = OpeningBook(self._book_path or default_book_path())
            except BookError as error:
                self._is_book_bad = True
                self._complain(Notice(f"{error}; playing without a book", "BookFile"))
                return None
        public = chess.Board(board.fen(en_passant="fen"), chess960=board.chess960)
        return self._book.choose(public, self.book_variety, self._random)

    def _play_book(self, go: _Go, book: BookMove) -> None:
        best = BestMove(book.move.uci(), book.ponder.uci() if book.ponder else None)
        pv = tuple(filter(None, (best.move, best.ponder)))
        self.emit(Notice(f"book move, {book.share:.0%} of the book's games here"))
        self._say(go, Info(1, 1, 1, 0, EXACT, 0, 0, 0, pv))
        self._answer(go, best)

    def _close_book(self) -> None:
        if self._book:
            self._book.close()
            self._book = None

    def _dispatch(self, go: _Go) -> None:
        elapsed_ms = (time.perf_counter() - go.started) * 1000
        self._send(replace(go.job, elapsed_ms=elapsed_ms))

    def _dispatch_to_helpers(self, go: _Go) -> None:
        if go.job.kind == "search" and go.job.handicap is None:
            self._helpers.dispatch(go.job)

    @property
    def _can_begin(self) -> bool:
        """Whether the worker is there, has its settings, and is not at something older."""
        return self._worker is None or (self._ready_until is None and self._overdue is None)

    def _hold(self, go: _Go) -> None:
        """Wait for the worker, with a timed search that it could not begin.

        A clock runs from the line on, and so does its deadline. A move time begins with the
        search, so it has no deadline yet.
        """
        go.held_until = go.started + LATEST_START_SECONDS
        if go.waits:
            go.deadline = None
        else:
            self._set_deadline(go)
            if go.job.budget and go.job.budget.is_exact:
                go.deadline = None

    def _let_go(self, go: _Go) -> None:
        """Begin a search that was held, now that the worker can or is waited for no longer."""
        go.held_until = None
        if go.job.budget and go.job.budget.is_exact:
            go.started = time.perf_counter()
        if not go.waits and not go.is_stopped:
            self._set_deadline(go)
        self._dispatch(go)
        self._dispatch_to_helpers(go)

    def _set_deadline(self, go: _Go) -> None:
        """From now on the clock runs.

        Without any line there would only be a guess, so the worker gets more time for its first.
        """
        budget = go.job.budget
        if budget is None:
            return
        grace = GRACE_SECONDS
        if go.line:
            grace = min(grace, budget.overhead_ms / 2000)
        go.deadline = go.started + budget.maximum_ms / 1000 + grace

    def _release(self, go: _Go) -> None:
        """The best move is wanted now."""
        go.is_stopped = True
        go.waits = False
        if go.held_until is not None:
            self._let_go(go)
        if go.answer:
            self._finish(go.answer)
        else:
            self._send(Stop(go.job.number))
            self._helpers.end(go.job.number)
            due = time.perf_counter() + STOP_SECONDS
            go.deadline = due if go.deadline is None else min(due, go.deadline)

    def _answer(self, go: _Go, best: BestMove) -> None:
        """The search is over; whether the answer goes out depends on who waits for whom."""
        if go.waits:
            go.answer = best
        else:
            self._finish(best)

    def _finish(self, best: BestMove) -> None:
        """Give the answer; the caller begins what waits behind it."""
        go = self._current
        if go is None or go.job.kind != "search":
            self._end_count()
            return
        self._current = None
        self._helpers.end(go.job.number)
        best = self._elect(go, best)
        if go.line and go.line.pv[0] == best.move and len(go.line.pv) > 1:
            best = BestMove(best.move, go.line.pv[1])  # as the line that was shown has it
        if not go.said and best.move:  # a worker that was too slow for any line
            elapsed_ms = int((time.perf_counter() - go.started) * 1000)
            score = best_guess(_board_of(go.job), [best.move])[1]
            self._say(go, Info(0, 0, 1, score, EXACT, 0, elapsed_ms, 0, (best.move,)))
        self.emit(best)

    def _end_count(self) -> None:
        """A perft or bench is over; no clock could run before that."""
        self._current = None
        for go in self._pending:
            go.started = time.perf_counter()

    def _elect(self, go: _Go, best: BestMove) -> BestMove:
        """What the workers together think best; the last line is about the move that is played."""
        lines = self._helpers.lines(go.job.number)
        if go.earlier:
            lines = [*lines, go.earlier]
        if not lines or go.job.multi_pv > 1:
            return best
        if go.own and go.own.pv[0] == best.move:
            lines = [go.own, *lines]
        wanted = go.job.limits.depth
        if wanted is not None:  # whoever got there first has done what was asked
            done = [line for line in lines if line.depth >= wanted and line.bound == EXACT]
            lines = done or lines
        elected = elect(lines)
        told = go.line
        is_told = told and told.pv[0] == elected.pv[0]
        if told and told.bound != EXACT and elected.depth >= told.depth:
            is_told = told == elected
        if not is_told:
            said = go.said or elected  # the depth is that of the team, like the nodes
            depth = max(elected.depth, said.depth)
            selective_depth = max(elected.selective_depth, said.selective_depth)
            self._say_line(go, replace(elected, depth=depth, selective_depth=selective_depth))
        return best if elected is go.own else go.best

    def _begin_pending(self) -> None:
        while self._pending and self._current is None:
            self._begin(self._pending.popleft())

    # -- the worker -----------------------------------------------------------------------------

    def _send(self, message: object) -> None:
        if self._worker:
            self._worker.send(message)

    def _tell(self, text: str) -> None:
        """Say something now, or with the next `go`: nothing follows a best move unasked."""
        notice = Notice(text)
        if self._current:
            self.emit(notice)
        elif notice not in self._held_back and len(self._held_back) < MOST_HELD_BACK:
            self._held_back.append(notice)

    def _complain(self, notice: Notice) -> None:
        """Say what is wrong with a setting, once for each value of it."""
        if notice not in self._complaints:
            self._complaints.add(notice)
            self.emit(notice)

    def _forget_complaints(self, option: str) -> None:
        self._complaints = {notice for notice in self._complaints if notice.option != option}

    def _start_worker(self) -> None:
        self._is_ready = False
        self._ready_until = None
        self._worker = None
        try:
            self._worker = Worker(self.inbox)
        except OSError as error:
            self._have_no_worker(f"cannot start a search process ({reason_of(error)})")
            return
        self._wait_for_worker()
        self._helpers.equip(self._worker)
        self._send(self.tables)

    def _wait_for_worker(self) -> None:
        self._ready_until = time.perf_counter() + READY_SECONDS

    def _replace_worker(self, death: Death) -> None:
        self._deaths += 1
        self._died = time.perf_counter()
        self._overdue = None
        if death.is_for_want_of_threads:
            self._have_no_worker(f"cannot start a search process{death.remark}")
        elif self._deaths < MOST_DEATHS:
            self._tell(f"the search process died{death.remark} and is replaced")
            self._start_worker()
        else:
            self._have_no_worker(f"the search process keeps dying{death.remark}")
        go = self._current
        if go is None or go.answer or (go.held_until is not None and self._worker):
            return
        budget = go.job.budget
        has_time = go.deadline is None or go.deadline - time.perf_counter() > RESTART_SECONDS
        can_retry = self._worker and not go.was_retried and not go.is_stopped
        if can_retry and has_time:
            go.was_retried = True
            go.earlier, go.own = go.line, None
            if go.said:
                nodes, hits = go.said.nodes, go.said.tablebase_hits
                go.job = replace(go.job, earlier_nodes=nodes, earlier_hits=hits)
            self._dispatch(go)
        elif can_retry and budget and budget.is_exact and go.line is None:
            go.was_retried = True
            self._hold(go)  # as if it had not begun
        else:
            self._answer(go, self._best_known(go))

    def _have_no_worker(self, reason: str) -> None:
        self._worker = None
        self._ready_until = None
        self._died = time.perf_counter()
        self._tell(f"{reason}: only legal moves from here on")

    def do_without_workers(self, reason: str) -> None:
        """End all search processes, to have room for something more urgent.

        Each `go` is answered with a legal move until there may be another process.

        :param reason: what there is no room for, in one line.
        """
        self._helpers.renew(0, self.hash_mb, self.tables)
        worker = self._worker
        if worker is None:
            return
        self._have_no_worker(reason)
        worker.close()
        self._overdue = None
        if self._current and not self._current.answer:
            self._answer(self._current, self._best_known(self._current))
        self._begin_pending()

    def _try_again(self) -> None:
        """Start a worker where there is none; if it dies silently, too, that was all for now."""
        if self._worker is None and not self._is_closed:
            self._deaths = MOST_DEATHS - 1
            self._start_worker()

    def _best_known(self, go: _Go) -> BestMove:
        """The best move so far, be it a guess."""
        if go.line is None and len(go.candidates) > 1 and go.job.kind == "search":
            self.emit(Notice("no search in time: this move is a guess"))
            go.best = BestMove(best_guess(_board_of(go.job), go.candidates)[0])
        return go.best


def _board_of(job: Job) -> Board:
    return new_board(job.fen, job.moves, job.chess960)

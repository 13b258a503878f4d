"""Halbzug as an analyst that searches in its own process, without the engine's front.

The front guarantees an answer in time, whatever happens to the search process. That takes several
hand-overs a position, which cost more than a search of 1,000 nodes. A process that only works
through positions does not need it.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from ..base.events import BestMove, Event, Info
from ..base.fault_log import log_fault
from ..base.limits import Limits
from ..base.loading import describe
from ..base.scores import UPPER_BOUND
from ..board.movegen import new_board
from ..engine.game_position import GamePosition
from ..engine.options import Options
from ..search.position import Position
from ..search.search import Search
from ..search.smp_counters import SharedCounters
from ..search.time_management import Clock, allot
from ..search.transposition import TranspositionTable
from ..tablebase.probing import Tablebase
from ..workers.messages import SMALLER_HASH_MB
from .analysts import AnalystError, Setup
from .findings import Finding, Listener
from .questions import Question
from .search_watch import Pulse, PulseClock


class SearchAnalyst:
    """Halbzug's search with the options for analysis; its answers are those of the engine.

    :ivar setup: how it analyses.
    :param tell: called when a search with a time limit begins, while it runs, and when it ends.
    """

    def __init__(self, setup: Setup, tell: Callable[[Pulse], object] = lambda pulse: None) -> None:
        self.setup = setup
        self._tell = tell
        self._options = options = Options(uses_book=False, is_analysing=True)
        self._position = GamePosition()
        self._tt = _new_tt(setup.hash_mb)
        self._search = Search(self._tt)
        self._counters = SharedCounters()
        self._tablebase: Tablebase | None = None
        if options.tablebase_probe_limit:
            self._tablebase = Tablebase(
                options.tablebase_paths,
                fifty_move_rule=options.tablebase_fifty_move_rule,
                probe_limit=options.tablebase_probe_limit,
            )
        self._search.tree.set_tablebase(self._tablebase, options.tablebase_probe_depth)
        self._searches = 0
        self._is_fresh = True

    def forget(self) -> None:
        """See `Analyst`."""
        if not self._is_fresh:
            self._tt.clear()
            self._search.tree.new_game()
            self._is_fresh = True

    def answer(self, question: Question, limits: Limits | None = None) -> Finding:
        """Search a position.

        :param limits: replace the setup's.
        :raises AnalystError: if the search fails; the analyst can no longer be used.
        """
        self._is_fresh = False
        try:
            return self._answer(question, limits or self.setup.limits)
        except Exception as error:
            log_fault()
            raise AnalystError(f"the search failed: {describe(error)}") from error

    def close(self) -> None:
        """See `Analyst`."""
        if self._tablebase:
            self._tablebase.close()

    def _answer(self, question: Question, limits: Limits) -> Finding:
        setup = self.setup
        illegal = self._position.read(question.fen, question.moves, question.chess960)
        if illegal:
            raise ValueError(f"illegal move {illegal}")
        board = new_board(*self._position.repeatable_part(), question.chess960)
        clock = self._clock(limits, board.turn)
        subject = question.subject() if question.is_problem else None
        lines = _Lines(Listener(subject, setup.confirm), clock)
        self._searches += 1
        self._counters.begin(self._searches)
        self._tt.set_age(self._searches)
        best = self._search.run(
            Position(board),
            limits,
            clock,
            lines.hear,
            setup.multi_pv,
            is_analysis=True,
            counters=self._counters,
        )
        self._tell(Pulse(None))
        return lines.listener.conclude(lines.with_shown_reply(best))

    def _clock(self, limits: Limits, white: bool) -> Clock:
        """The clock of a search, which is also reported to the parent."""
        options, limit_ms = self._options, limits.move_time_ms
        move_time = allot(limits, white, options.move_overhead_ms, options.can_ponder)
        if limit_ms is None:
            return Clock(move_time)
        self._tell(Pulse(limit_ms, 0, time.process_time()))
        return PulseClock(move_time, limit_ms, lambda: self._search.nodes, self._tell)


class _Lines:
    """Collects a search's lines, and adjusts them as the engine would."""

    def __init__(self, listener: Listener, clock: Clock) -> None:
        self.listener = listener
        self._clock = clock
        self._last: Info | None = None
        self._last_best: Info | None = None

    def hear(self, event: Event) -> None:
        """Pass on a line; its counters never fall below those of the last one."""
        if not isinstance(event, Info):
            return
        line = event.counting_on(self._last)
        if line.multipv == 1 and line.pv and line.bound != UPPER_BOUND:
            self._last_best = line
        self._last = line
        if line.depth or not line.pv:
            self.listener.hear(line)
        if self.listener.is_confirmed:
            self._clock.stop()

    def with_shown_reply(self, best: BestMove) -> BestMove:
        """The best move, with the reply that the last line shows."""
        for line in (self._last_best, self._last):
            if line and line.multipv == 1 and line.pv[:1] == (best.move,) and len(line.pv) > 1:
                best = BestMove(best.move, line.pv[1])
        return best


def _new_tt(megabytes: int) -> TranspositionTable:
    """A table of this size, or a smaller one if memory is short.

    :raises MemoryError: if there is not enough even for the smallest.
    """
    for size in (megabytes, *SMALLER_HASH_MB):
        try:
            return TranspositionTable(size)
        except MemoryError as error:
            reason = error
    raise reason

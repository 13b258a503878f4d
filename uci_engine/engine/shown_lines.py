"""The lines shown during a search, and the move that the workers elect."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from ..base.events import GUESSED, TOO_LATE, BestMove, Event, Info, Notice, Source
from ..base.scores import EXACT_BOUND, NO_BOUND, UPPER_BOUND, win_draw_loss
from ..workers.vote import elect
from .fallback import best_guess
from .options import Options
from .request import Request
from .supervisor import Supervisor


class ShownLines:
    """Shows lines so that the last one always belongs to the move that would be played.

    :param emit: emits an event.
    :param options: returns the current options.
    """

    def __init__(
        self,
        emit: Callable[[Event], None],
        options: Callable[[], Options],
        supervisor: Supervisor,
    ) -> None:
        self._emit = emit
        self._options = options
        self._supervisor = supervisor

    def show_main_line(self, request: Request, line: Info) -> None:
        """Show a line of the main worker, unless a helper was faster."""
        has_best_move = line.multipv == 1 and line.pv and line.bound != UPPER_BOUND
        best = request.best_line
        is_helpers = best is not request.main_line
        if has_best_move:
            request.main_line = line
        if best and is_helpers and line.depth <= best.depth:  # a helper was faster
            if line.nodes >= (request.job.limits.nodes or math.inf):  # but this is the last line
                self.emit_info(request, best._replace(nodes=line.nodes, time_ms=line.time_ms))
            return
        if has_best_move:
            request.set_best_line(line)
        self.emit_info(request, line)

    def show_helper_lines(self, request: Request) -> None:
        """Show a helper's line if it is the first at its depth."""
        if request.job.multi_pv > 1:
            return
        for line in self._supervisor.helper_lines(request.job.number):
            if request.best_line is None or line.depth > request.best_line.depth:
                request.set_best_line(line)
                self.emit_info(request, line)

    def elect_best_move(self, request: Request, best: BestMove) -> BestMove:
        """Let the workers vote; the last line shown belongs to the elected move.

        :param best: the main worker's best move, or the best known one of its search.
        """
        lines = self._supervisor.helper_lines(request.job.number)
        if request.lost_line:
            lines = [*lines, request.lost_line]
        if not lines or request.job.multi_pv > 1:
            return best
        main = request.main_line
        if main and main.pv[0] == best.move:
            lines = [main, *lines]
        depth = request.job.limits.depth
        if depth is not None:  # the first worker at this depth has completed the request
            done = [line for line in lines if line.depth >= depth and line.bound == EXACT_BOUND]
            lines = done or lines
        elected = elect(lines)
        is_last = request.last_info is None or request.last_info.pv[:1] == elected.pv[:1]
        if not (is_last and _is_shown(elected, request.best_line)):
            self._show_last(request, elected)
        return best if elected is main else request.best_move

    def show_move(self, request: Request, best: BestMove) -> None:
        """Repeat the best line if a bound of another move was shown after it."""
        line, last = request.best_line, request.last_info
        if request.job.multi_pv > 1 or not line or not last:
            return
        if line.pv[0] == best.move and last.pv[:1] != (best.move,):
            self._show_last(request, line)

    def final_move(self, request: Request, best: BestMove) -> BestMove:
        """The elected move, with the ponder move of its line, which is shown last."""
        best = self.elect_best_move(request, best)
        self.show_move(request, best)
        for line in (request.best_line, request.last_info):  # the one shown last counts
            if line and line.multipv == 1 and line.pv[:1] == (best.move,) and len(line.pv) > 1:
                best = BestMove(best.move, line.pv[1])
        if not request.last_info and best.move:  # the worker was too slow to send a line
            elapsed_ms = int((time.perf_counter() - request.started) * 1000)
            score = best_guess(request.board(), [best.move])[1]
            info = Info(0, 0, 1, score, EXACT_BOUND, 0, elapsed_ms, 0, (best.move,))
            self.emit_info(request, info)
        return best

    def _show_last(self, request: Request, line: Info) -> None:
        """Show the last line, with the depth and nodes of all workers."""
        last = request.last_info or line
        line = line._replace(
            depth=max(line.depth, last.depth),
            selective_depth=max(line.selective_depth, last.selective_depth),
        )
        request.set_best_line(line)
        self.emit_info(request, line)

    def best_known_move(self, request: Request) -> BestMove:
        """The best move so far, or a guess if there is none."""
        if request.best_line is None and len(request.candidates) > 1 and request.is_search:
            self._emit(Notice(GUESSED, fault=TOO_LATE))
            move, _ = best_guess(request.board(), request.candidates)
            request.best_move = BestMove(move)
        return request.best_move

    def emit_info(self, request: Request, info: Info) -> None:
        """Emit a line whose counters are no lower than those of the last one."""
        info = request.add_counts(info)
        if self._options().shows_wdl and info.bound != NO_BOUND:
            info = info._replace(wdl=win_draw_loss(info.score))
        self._emit(info)

    def emit_source(self, request: Request, source: Source) -> None:
        """Emit the source of a move that did not come from a search."""
        request.source = source
        self._emit(source)

    def repeat_best_line(self, request: Request) -> None:
        """Repeat what a client may have ignored while it pondered: source and best line."""
        if request.source:
            self._emit(request.source)
        line = request.best_line or request.last_info
        if line:
            self.emit_info(request, line)


def _is_shown(elected: Info, last: Info | None) -> bool:
    """Whether the last line with a best move already shows the elected move."""
    if last is None:
        return False
    if last.bound != EXACT_BOUND and elected.depth >= last.depth:
        return last == elected
    return last.pv[0] == elected.pv[0]

"""Carries out search jobs with a file: its own move, or our search with its evaluation and order.

Whatever the file does, each job ends with a legal move: the best one so far or, if there is none,
the guess that the front would also play.
"""

from __future__ import annotations

import inspect
import math
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, BinaryIO

import chess

from ..base.events import (
    EXCEPTION,
    ILLEGAL_MOVE,
    TOO_LATE,
    BestMove,
    Event,
    Info,
    Introduction,
    Notice,
)
from ..base.language import say
from ..base.scores import NO_BOUND
from ..board.movegen import Board, code_from_uci, generate_all, new_board, uci
from ..board.public_board import Board as PublicBoard
from ..engine.fallback import best_guess
from ..eval import network_file
from ..search.custom import NO_RETURN, CustomEvaluation, CustomOrder, shown_value
from ..search.search import Search
from ..search.settings import CUSTOM_ORDER, Settings
from ..search.time_management import Clock as SearchClock
from ..search.time_management import MoveTime
from ..search.transposition import TranspositionTable
from ..workers.messages import Job, Ready, SetFileOptions, SetHash
from ..workers.search_process import JobClock, SearchProcess, open_channel, serve
from . import Clock
from .alarm import TimeIsUp
from .file import describe_error
from .file_output import NoticeStream
from .ideas import Ideas, takes_clock
from .memory import limit_memory
from .process import UserCode

__all__ = ["FileProcess", "serve"]

#: How long our search with the file's functions, or a stopped `choose`, may take to notice that
#: time is up, in seconds.
SEARCH_GRACE_SECONDS = 0.01
STOP_GRACE_SECONDS = 0.04

#: The time that a `choose` must leave for sending its move, in ms; at most a fifth of its time.
RESERVE_MS = 30.0

#: Better moves are reported at most once in this many seconds.
REPORT_SECONDS = 0.02


class FileClock(Clock):
    """The clock of a job, for the file."""

    def __init__(self, job: Job, clock: SearchClock) -> None:
        super().__init__(_seconds(job.move_time), job.limits.depth, job.limits.nodes)
        self.search_clock = self._clock = clock

    def elapsed(self) -> float:
        """Seconds since it became our move; 0 while the opponent is thinking."""
        return self._clock.own_ms() / 1000

    def is_over(self) -> bool:
        """Whether the time for the move has run out."""
        if self._clock.stopped:
            return True
        return not self._clock.pondering and self.elapsed() >= self.seconds


def _seconds(move_time: MoveTime | None) -> float:
    if move_time is None:
        return math.inf
    last = move_time.maximum_ms - min(RESERVE_MS, move_time.maximum_ms / 5)
    return min(move_time.optimum_ms, last) / 1000


class FileProcess(SearchProcess):
    """Carries out one job after another with a file.

    :param code: calls the file's functions.
    :param output: receives what the file prints.
    :param ideas: what the file defines; None if it cannot be used.
    :param megabytes: the memory that the file may use, in MiB.
    """

    def __init__(
        self,
        source: BinaryIO,
        sink: BinaryIO,
        channel_file: int | None,
        code: UserCode,
        output: NoticeStream,
        ideas: Ideas | None,
        megabytes: int,
    ) -> None:
        self._code = code
        self._output = output
        self._ideas = ideas
        self._megabytes = megabytes
        self._trouble = ""
        self._has_line = False
        self._job_of_lines = 0
        self._evaluation: CustomEvaluation | None = None
        self._order: CustomOrder | None = None
        self._settings = Settings()
        if ideas:
            network_file.choose(ideas.network)
            self._settings = replace(self._settings, **dict.fromkeys(ideas.without, False))
            if ideas.evaluate:
                self._evaluation = CustomEvaluation(ideas.evaluate, PublicBoard())
            if ideas.order:
                self._order = CustomOrder(ideas.order, PublicBoard())
                self._settings = replace(self._settings, order=CUSTOM_ORDER)
        code.searchers = tuple(filter(None, (self._evaluation, self._order)))
        super().__init__(source, sink, open_channel(channel_file))

    def begin(self, printed: list[str], trouble: list[str]) -> None:
        """Report the engine's name, and the messages from loading the file.

        :param trouble: why the file cannot be used, in lines.
        """
        self._output.redirect(self._tell)
        for line in printed:
            self._tell(line)
        if trouble:
            self._trouble = trouble[0]
            self._tell_lines(trouble, EXCEPTION)
        if self._ideas:
            ideas = self._ideas
            for remark in ideas.remarks:
                self._tell(remark)
            self._send_event(0, Introduction(ideas.name, ideas.author, ideas.options))
        else:
            self._send_event(0, Introduction("", ""))

    def _tell(self, line: str, fault: str = "") -> None:
        """Send a line about the file, or printed by it, from any thread."""
        self._send_event(self._job_of_lines, Notice(line, fault=fault))

    def _tell_lines(self, lines: list[str], fault: str) -> None:
        """Report what the file did wrong; the first line contains everything important."""
        for number, line in enumerate(lines):
            self._tell(line, "" if number else fault)

    def _tell_error(
        self, error: BaseException, function: object = None, fault: str = EXCEPTION
    ) -> None:
        assert self._ideas
        fault = TOO_LATE if isinstance(error, TimeIsUp) else fault
        self._tell_lines(describe_error(error, self._ideas.path, function), fault)

    # -- settings -------------------------------------------------------------------------------

    def _new_search(self, tt: TranspositionTable) -> Search:
        search = Search(tt, self._settings)
        search.tree.set_custom(self._evaluation, self._order)
        return search

    def _set_hash(self, wanted: SetHash) -> None:
        if self._megabytes:
            limit_memory(self._megabytes + wanted.megabytes)
        super()._set_hash(wanted)

    def _set_file_options(self, wanted: SetFileOptions) -> None:
        if self._ideas:
            known = {option.name for option in self._ideas.options}
            self._ideas.values.update({n: v for n, v in wanted.values if n in known})
        self._tt.clear()  # its contents were found with other values
        self._search = self._new_search(self._tt)
        self._search.tree.set_tablebase(self._tablebase, self._probe_depth)

    # -- jobs -----------------------------------------------------------------------------------

    def _find_move(self, job: Job, clock: JobClock) -> BestMove:
        clock.is_long = True  # a file may never look at the clock
        self._listen_while_busy()
        self._job_of_lines = job.number
        self._has_line = False
        self._output.renew()
        try:
            if self._ideas is None:
                self._tell(self._trouble + say("; this move is a guess"), EXCEPTION)
                return self._guess(job)
            if self._ideas.choose or self._ideas.search:
                return self._ask_for_move(job, clock)
            return self._search_with_functions(job, clock)
        finally:
            self._code.alarm.disarm()
            self._output.renew()
            self._job_of_lines = 0

    def _search_with_functions(self, job: Job, clock: JobClock) -> BestMove:
        """Our search with the functions that the file defines."""
        for one in (self._evaluation, self._order):
            if one:
                one.begin()
        is_late = _is_over_for(clock.must_stop, SEARCH_GRACE_SECONDS)
        # Without a line the front would not wait.
        self._code.alarm.arm(lambda: is_late() if self._has_line else clock.must_stop())
        best = super()._find_move(job, clock)
        self._code.alarm.disarm()
        assert self._ideas
        functions = (self._ideas.evaluate, self._ideas.order)
        for one, function in zip((self._evaluation, self._order), functions, strict=True):
            if one and one.error and not (isinstance(one.error, TimeIsUp) and self._has_line):
                self._tell_error(one.error, function)
                if not self._has_line:
                    return self._guess(job)
        return best

    def _ask_for_move(self, job: Job, clock: SearchClock) -> BestMove:
        """The move that the file chooses."""
        assert self._ideas
        board = new_board(job.fen, job.moves, job.chess960)
        function = self._ideas.choose or self._ideas.search
        is_stopped = _is_over_for(lambda: clock.stopped, STOP_GRACE_SECONDS)
        self._code.alarm.arm(lambda: is_stopped() if clock.stopped else clock.must_stop())
        choice = _Choice(board, job.limits.search_moves)
        job_clock = FileClock(job, clock)
        try:
            answer = self._code.call(self._question(job, board, job_clock))
            if isinstance(answer, Iterator):
                self._take_better_moves(answer, choice, job, job_clock)
            elif answer is None:
                choice.is_refused = True
                name = "choose" if self._ideas.choose else "search"
                raise ValueError(say(NO_RETURN, name=name))
            else:
                choice.take(answer)
        except BaseException as error:
            if not (isinstance(error, TimeIsUp) and choice.move):
                fault = ILLEGAL_MOVE if choice.is_refused else EXCEPTION
                self._tell_error(error, function, fault)
        if not choice.move:
            return self._guess(job)
        self._report_move(job, clock, choice)
        return BestMove(choice.move)

    def _question(self, job: Job, board: Board, clock: Clock) -> Callable[[], Any]:
        """The function to call for a move; it gets its own board."""
        assert self._ideas
        copied = PublicBoard.from_board(board)
        choose, search = self._ideas.choose, self._ideas.search
        if choose:
            return lambda: choose(copied, clock) if takes_clock(choose) else choose(copied)
        assert search
        arguments = _homemade_arguments(job, board, clock)
        return lambda: search(copied, *arguments)

    def _take_better_moves(
        self, moves: Iterator[Any], choice: _Choice, job: Job, clock: FileClock
    ) -> None:
        """Take moves from a generator until time is up.

        :raises BaseException: what the generator raises.
        """
        hard = self._code.alarm.due
        self._code.alarm.arm(lambda: hard() or (choice.move is not None and clock.is_over()))
        reported = 0.0
        try:
            while not (choice.move and clock.is_over()):
                try:
                    choice.take(self._code.call(next, moves))
                except StopIteration:
                    if choice.move is None:
                        choice.is_refused = True
                        raise ValueError(say("choose yielded no move")) from None
                    return
                if time.perf_counter() - reported >= REPORT_SECONDS:
                    reported = time.perf_counter()
                    self._report_move(job, clock.search_clock, choice)
        finally:
            close = getattr(moves, "close", None)
            if close and inspect.getgeneratorstate(moves) != inspect.GEN_CLOSED:  # type: ignore[arg-type]
                self._code.call(close)

    def _report_move(self, job: Job, clock: SearchClock, choice: _Choice) -> None:
        """Report the move so far, which has no score."""
        if choice.move is None or choice.move == choice.reported:
            return
        choice.reported = choice.move
        choice.reports = number = choice.reports + 1
        time_ms = int(clock.elapsed_ms())
        self._send_event(
            job.number, Info(number, number, 1, 0, NO_BOUND, 0, time_ms, 0, (choice.move,))
        )

    def _guess(self, job: Job) -> BestMove:
        """A move without a search."""
        board = new_board(job.fen, job.moves, job.chess960)
        moves = job.limits.search_moves or tuple(map(uci, generate_all(board)))
        return BestMove(best_guess(board, moves)[0])

    def _write_event(self, number: int, event: Event | Ready) -> None:
        if isinstance(event, Info) and number:
            # If there is no line yet, this one is about a search that did not happen. Otherwise it
            # is the last: the move found before the function failed.
            if not self._has_line and any(one.has_failed for one in self._code.searchers):
                return
            self._has_line = True
        super()._write_event(number, event)


class _Choice:
    """The moves that a file has chosen so far; the last one counts.

    :param wanted: the moves to choose from, UCI; empty: all legal ones.
    """

    def __init__(self, board: Board, wanted: tuple[str, ...]) -> None:
        self._board = board
        self._wanted = wanted
        self.move: str | None = None
        self.reported: str | None = None  # the last one
        self.reports = 0
        self.is_refused = False  # an answer was not a legal move

    def take(self, answer: object) -> None:
        """Take a move, or a result with one.

        :raises ValueError: if it is not a move, or not legal.
        """
        self.is_refused = True
        move = answer if isinstance(answer, chess.Move) else getattr(answer, "move", answer)
        if not isinstance(move, chess.Move):
            raise ValueError(say("{value} is not a chess.Move", value=shown_value(answer)))
        try:
            code = code_from_uci(self._board, move.uci())
        except ValueError:
            fen = self._board.fen()
            sentence = say("{move} is not a legal move in {fen}", move=move, fen=fen)
            raise ValueError(sentence) from None
        text = uci(code)
        if self._wanted and text not in self._wanted:
            raise ValueError(say("{move} is not one of the searchmoves", move=move))
        self.move = text
        self.is_refused = False


def _is_over_for(is_over: Callable[[], bool], seconds: float) -> Callable[[], bool]:
    """Whether something has been over for this long."""
    since: list[float] = []

    def is_due() -> bool:
        if not is_over():
            return False
        if not since:
            since.append(time.perf_counter())
        return time.perf_counter() - since[0] >= seconds

    return is_due


def _homemade_arguments(job: Job, board: Board, clock: Clock) -> tuple[object, ...]:
    """What lichess-bot passes to `search`: limit, ponder, draw offered, moves to choose from."""
    from chess.engine import Limit

    limits = job.limits
    limit = Limit(
        time=None if math.isinf(clock.seconds) else clock.seconds,
        depth=limits.depth,
        nodes=limits.nodes,
        white_clock=_in_seconds(limits.white_time_ms),
        black_clock=_in_seconds(limits.black_time_ms),
        white_inc=_in_seconds(limits.white_increment_ms),
        black_inc=_in_seconds(limits.black_increment_ms),
    )
    wanted = [chess.Move.from_uci(text) for text in limits.search_moves] or None
    return limit, limits.ponder, False, wanted


def _in_seconds(milliseconds: int | None) -> float | None:
    return None if milliseconds is None else milliseconds / 1000

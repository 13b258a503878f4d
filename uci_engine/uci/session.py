"""A UCI session: one loop that handles the next line or event, and answers.

A thread (see `reader`) reads standard input into the engine's inbox. Everything else happens in
this loop, including all writing, so that reading never waits for searching, and output lines never
mix. If the GUI does not read the output, the loop waits until it does.
"""

from __future__ import annotations

import contextlib
import os
import queue
import re
import sys
import time
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from typing import Any, BinaryIO

from ..base.events import TOO_LATE, BestMove, Event, Introduction, Notice
from ..base.limits import Limits
from ..base.loading import describe, why_pure
from ..board.movegen import BUILD
from ..engine.engine import Engine
from ..engine.options import Options
from ..version import __version__
from ..workers.messages import NO_THREADS
from .identity import FIELDS, Guest, Identity
from .line_writer import LineWriter
from .parser import (
    Bad,
    BadPosition,
    Bench,
    Debug,
    Go,
    Perft,
    Register,
    SetOption,
    SetPosition,
    Simple,
    parse,
)
from .printer import to_uci
from .reader import MAX_LINE_BYTES, POLL_SECONDS, InputLine, LineReader, has_no_reader
from .session_options import ABOUT, LOG_FILE, OPPONENT, defaults_in, find_option, read_value

GREETING = f"""\
Halbzug {__version__}, a UCI chess engine, waits for a chess program's commands; quit ends it.
halbzug --help lists the commands for people, such as halbzug play."""

HELP = """\
Halbzug speaks UCI, the language of chess programs: load it into a chess GUI.
By hand: uci, isready, position startpos moves e2e4, go movetime 1000, stop, quit.
Also: d (show the board), flip (swap the sides), eval (explain the evaluation), go perft N,
bench [DEPTH].
For people at a terminal there is: halbzug --help"""


#: After this many internal errors the session ends.
MAX_FAILURES = 20

#: What a message says about what happens next, which does not happen with a strict guest.
_IN_ITS_PLACE = re.compile("[:;] this move is a guess$| and is replaced$")

#: With this many unanswered searches no more lines are handled.
MAX_SEARCHES_WAITING = 1000


#: How long `uci` waits for the file of an engine to be loaded, in seconds, and for one of a strict
#: guest.
INTRODUCTION_SECONDS = 4.0
LOAD_SECONDS = 15.0


class Session:
    """Serves one GUI until it says quit or goes away.

    :param source: lines of UCI, in bytes.
    :param sink: where answers go, in bytes.
    :param guest: what plays instead of Halbzug.
    :ivar fault: what the file of a strict guest did wrong, in a line; empty if nothing.
    """

    def __init__(self, source: BinaryIO, sink: BinaryIO, guest: Guest | None = None) -> None:
        self._guest = guest
        self.fault = ""
        self._later_items: deque[object] = deque()  # that came while something was waited for
        self._deferred_events: list[Event] | None = []  # until the GUI reads; then None
        self._failures = 0
        self._sink = sink
        self._writer = LineWriter(sink)
        self._inbox: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._reader = LineReader(source, self._inbox, self._writer.stuck_seconds)
        self._unreleased = 0  # the cost of handled lines that is not yet released
        self._pending_readyoks = 0
        self._pending_best_moves = 0
        self._is_leaving = False  # no more commands count; pending answers are still written
        self._received = 0.0
        self._is_debugging = False
        defaults, complaints = defaults_in(os.environ)
        self._identity = Identity(guest, defaults)
        fields = {FIELDS[name]: value for name, value in defaults.items() if name in FIELDS}
        values = guest.values if guest else Options()
        options = replace(values, **fields)  # type: ignore[arg-type]
        self.engine: Engine = Engine(
            self._write_event, self._inbox, options, guest.program if guest else None
        )
        try:
            self._writer.log_to(str(defaults.get(LOG_FILE.name, "")))
        except ValueError as error:
            complaints.append(str(error))
        for complaint in complaints:
            self._write_notice(complaint)

    @property
    def write_error(self) -> OSError | None:
        """Why the session has ended, where its output takes no more."""
        return self._writer.error

    def greet(self) -> None:
        """Tell a person at a terminal what this is."""
        self._writer.write(GREETING)

    def run(self) -> None:
        """Serve until `quit` or the end of input, and until pending requests are answered.

        After the end of input these are all that end by themselves, after `quit` perft and bench.
        """
        try:
            while self._serve_next():
                pass
            self._writer.flush()
        except (BrokenPipeError, KeyboardInterrupt):
            pass  # the GUI has gone
        finally:
            self._reader.close()
            self.engine.close()

    def _serve_next(self) -> bool:
        """Handle the next line or event; False at the end.

        After an internal error the session goes on, up to a number of errors.
        """
        try:
            return self._handle_item(self._next_item())
        except BrokenPipeError:
            raise
        except Exception as error:
            self._report_error(error)
            self._answer_lost_searches()
            return self._failures < MAX_FAILURES and not self._is_over

    def _report_error(self, error: Exception) -> None:
        """Report an internal error: a line for the GUI, details for the log and standard error."""
        import traceback

        self._failures += 1
        details = traceback.format_exc()
        for line in details.splitlines():
            self._writer.log("!", line)
        self._write_notice(f"internal error: {describe(error)}")
        with contextlib.suppress(OSError, ValueError, AttributeError):
            sys.stderr.write(details)

    def _handle_item(self, item: object) -> bool:
        """Carry out a line or handle a report; None means that a deadline is due."""
        if isinstance(item, InputLine):
            self._writer.flush()  # what a command does may take a while
            if item.text is None:
                return self._stop_listening(self.engine.stop_endless)
            self._received = item.received
            is_introduction = item.text.split()[:1] == ["uci"]
            if not is_introduction:  # `uci` writes the notices itself, after its options
                self._write_deferred_events()
            self._unreleased += item.cost
            if item.is_too_long:
                self._ignore_long_line(item.text)
            elif not self._carry_out(item.text):
                return False
            self.engine.enforce_deadlines()
        else:
            self.engine.handle(item)
        if self.engine.is_ready and not self.fault:
            self._write_pending_readyoks()
        if self.engine.searches_waiting < MAX_SEARCHES_WAITING:
            self._reader.release(self._unreleased)
            self._unreleased = 0
        return not self._is_over

    def _next_item(self) -> object:
        """The next line or event; None if a deadline comes first.

        :raises BrokenPipeError: if the GUI has gone.
        """
        has_reader_thread = self._has_reader_thread()
        if self._later_items:
            return self._later_items.popleft()
        with contextlib.suppress(queue.Empty):
            return self._inbox.get_nowait()
        self._writer.flush()
        if not has_reader_thread:
            return self._reader.read_without_thread()
        due = self.engine.seconds_to_deadline()
        patience = POLL_SECONDS if due is None else min(due, POLL_SECONDS)
        try:
            return self._inbox.get(timeout=patience)
        except queue.Empty:
            if has_no_reader(self._sink):
                raise BrokenPipeError from None
            return None

    def _has_reader_thread(self) -> bool:
        """Whether a thread reads; it is more important than the search process."""
        if self._reader.start():
            return True
        self.engine.do_without_workers(f"no thread for reading ({NO_THREADS})")
        return self._reader.start()

    def _stop_listening(self, stop: Callable[[], None]) -> bool:
        """Ignore all further commands.

        :returns: whether there is something left to answer.
        """
        if not self._is_leaving:
            self._is_leaving = True
            stop()
        return not self._is_over

    @property
    def _is_over(self) -> bool:
        if self.fault:
            return True
        return self._is_leaving and self.engine.is_idle and not self._pending_readyoks

    def _write_pending_readyoks(self) -> None:
        while self._pending_readyoks:
            self._pending_readyoks -= 1
            self._writer.write("readyok")

    def _answer_lost_searches(self) -> None:
        """Answer a search that the engine does not know, because of an internal error."""
        while self._pending_best_moves and not self.engine.is_searching:
            self._write_event(self.engine.guess())

    # -- commands -------------------------------------------------------------------------------

    def _carry_out(self, line: str) -> bool:
        """Carry out one line; False to quit."""
        self._writer.log("<", line.rstrip("\r\n"))
        command = parse(line)
        if isinstance(command, Simple):
            return self._carry_out_simple(command.name)
        if isinstance(command, Go):
            for complaint in command.complaints:
                self._write_notice(complaint)
            self._go(command.limits)
        elif isinstance(command, SetPosition):
            try:
                self.engine.set_position(command.fen, command.moves)
            except ValueError as error:
                self._refuse_position(str(error))
        elif isinstance(command, BadPosition):
            self._refuse_position(command.complaint)
        elif isinstance(command, SetOption):
            try:
                self._set_option(command.name, command.value)
            except ValueError as error:
                self._write_notice(str(error))
        elif isinstance(command, Perft):
            self.engine.go(Limits(depth=command.depth), kind="perft")
        elif isinstance(command, Bench):
            self.engine.go(Limits(depth=command.depth), kind="bench")
        elif isinstance(command, Debug):
            self._is_debugging = command.on
        elif isinstance(command, Register):
            self._register(command)
        elif isinstance(command, Bad):
            self._write_notice(command.complaint)
        return True

    def _carry_out_simple(self, name: str) -> bool:
        if name == "quit":
            return self.engine.is_counting and self._stop_listening(self.engine.stop_searches)
        if name == "uci":
            self._introduce()
        elif name == "isready":
            self._pending_readyoks += 1
        elif name == "ucinewgame":
            self.engine.new_game()
        elif name == "stop":
            self.engine.stop()
        elif name == "ponderhit":
            self.engine.ponder_hit()
        elif name == "d":
            self._show_board()
        elif name == "eval":
            self._show_evaluation()
        elif name == "flip":
            self._flip()
        elif name == "help":
            self._writer.write(HELP)
        return True

    def _ignore_long_line(self, start: str) -> None:
        reason = f"a line of more than {MAX_LINE_BYTES} bytes"
        if start.split(None, 1)[:1] == ["position"]:
            self._refuse_position(reason)
        else:
            self._write_notice(f"{reason} ignored")

    def _refuse_position(self, reason: str) -> None:
        """Refuse to search until a position is set: the old position is not the one meant."""
        self._write_notice(f"position refused: {reason}")
        self.engine.refuse_position(reason)

    def _introduce(self) -> None:
        if self._guest:
            self._wait_for_introduction()
            if self.fault:
                return
        for line in self._identity.lines():
            self._writer.write(line)
        if BUILD == "compiled":
            self._write_notice("compiled build")
        else:
            self._write_notice(f"pure build, much slower than compiled: {why_pure()}")
        self._write_deferred_events()
        self._writer.write("uciok")

    def _wait_for_introduction(self) -> None:
        """Wait until the guest has said who it is, but not for long; later lines stay in order."""
        is_strict = self._guest is not None and self._guest.is_strict
        patience = LOAD_SECONDS if is_strict else INTRODUCTION_SECONDS
        until = time.perf_counter() + patience
        while self._identity.introduction is None and self.engine.worker_pid is not None:
            seconds = until - time.perf_counter()
            if seconds <= 0:
                break
            with contextlib.suppress(queue.Empty):
                item = self._inbox.get(timeout=seconds)
                if isinstance(item, InputLine):
                    self._later_items.append(item)
                else:
                    self.engine.handle(item)
        if is_strict:
            self.engine.emit_deferred_notices()  # what was wrong until now
            self._write_deferred_events()
            if self._identity.introduction is None and not self.fault:
                self.fault = f"{TOO_LATE}: the file is not loaded after {patience:g} s"

    def _go(self, limits: Limits) -> None:
        self._write_pending_readyoks()  # before any line of the search
        if self._is_debugging:
            self._write_notice(f"go with {ascii(limits)[:400]}")
        self._pending_best_moves += 1
        self.engine.go(limits, received=self._received)

    def _register(self, command: Register) -> None:
        """Every attempt to register succeeds."""
        if not command.is_later:
            self._writer.write("registration checking")
            self._writer.write("registration ok")

    def _show_board(self) -> None:
        from .diagram import diagram

        refusal = self.engine.refusal
        if refusal:
            self._write_notice(f"no position to show: {refusal}")
        self._writer.write(diagram(None if refusal else self.engine.board))

    def _show_evaluation(self) -> None:
        from .evaluation_text import NO_POSITION, table

        if self._guest:
            self._write_notice("eval explains Halbzug's own evaluation, not that of a file")
            return
        refusal = self.engine.refusal
        if refusal:
            self._write_notice(f"no position to evaluate: {refusal}")
        found = NO_POSITION if refusal else table(self.engine.board, self.engine.options.eval_file)
        self._writer.write(found)

    def _flip(self) -> None:
        """Let the sides change places, with the move."""
        if self.engine.refusal:
            self._write_notice(f"no position to flip: {self.engine.refusal}")
            return
        board = self.engine.board.mirror()
        self.engine.set_position(board.fen(shredder=board.chess960))

    # -- what options do ------------------------------------------------------------------------

    def _set_option(self, name: str, text: str | None) -> None:
        """Set an option; its effect is immediate.

        :raises ValueError: in one line, if the value is wrong; the old one stays.
        """
        option = find_option(name, self._identity.options)
        value = read_value(option, text)
        if option in self._identity.file_options:
            assert value is not None
            self.engine.set_file_option(option.name, value)
        elif option is OPPONENT:
            self._note_opponent(str(value))
        elif option is LOG_FILE:
            self._writer.log_to(str(value))
        elif option is ABOUT:
            if value != ABOUT.default:
                raise ValueError(f"{ABOUT.name} cannot be changed")
        else:
            self.engine.configure(**{FIELDS[option.name]: value})

    def _note_opponent(self, text: str) -> None:
        """Show the opponent's name, which also goes to the log."""
        if text:
            self._write_notice(f"playing against {ascii(opponent_text(text)[:80])[1:-1]}")

    # -- writing --------------------------------------------------------------------------------

    def _write_event(self, event: Event) -> None:
        if isinstance(event, Introduction):
            for complaint in self._identity.meet(event):
                self._write_notice(complaint)
            return
        if self._deferred_events is not None:
            self._deferred_events.append(event)
            return
        if self.fault:
            return  # nothing is played in its place
        if isinstance(event, Notice) and event.fault and self._guest:
            if self._guest.is_strict and event.fault != TOO_LATE:
                self.fault = f"{event.fault}: {_IN_ITS_PLACE.sub('', event.text)}"
            event = replace(event, text=f"{event.fault}: {event.text}")  # who runs games counts it
        line = to_uci(event)
        self._writer.write(line)
        if isinstance(event, Notice):
            self._writer.keep_for_log(line)
        if isinstance(event, BestMove):
            self._pending_best_moves -= 1

    def _write_deferred_events(self) -> None:
        """Write the events from before the first command; the GUI reads from now on."""
        events, self._deferred_events = self._deferred_events or (), None
        for event in events:
            self._write_event(event)

    def _write_notice(self, text: str) -> None:
        self._write_event(Notice(text))


def opponent_text(value: str) -> str:
    """A value of `UCI_Opponent` (title, rating, `human` or `computer`, name) as a phrase.

    >>> opponent_text("GM 2800 human Gary Kasparow")
    'GM Gary Kasparow (2800, human)'
    """
    form = r"(none|[A-Z]{2,3})\s+(none|[0-9]+)\s+(human|computer)\s+(.*)"
    parts = re.fullmatch(form, value, re.DOTALL)
    if not parts:
        return value
    title, rating, kind, name = parts.groups()
    who = " ".join(name.split()) if title == "none" else " ".join([title, *name.split()])
    return f"{who} ({kind})" if rating == "none" else f"{who} ({rating}, {kind})"

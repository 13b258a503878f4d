"""A UCI session: one loop that handles the next line or event, and answers.

A thread (see `reader`) reads standard input into the engine's inbox. Everything else, including all
writing, happens in this loop, so that reading never waits for searching, and output lines are never
interleaved. If the GUI does not read the output, the loop waits.
"""

from __future__ import annotations

import contextlib
import os
import queue
import sys
import time
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from typing import Any, BinaryIO

from ..base.events import TOO_LATE, Notice
from ..base.loading import describe, why_pure
from ..board.movegen import BUILD
from ..engine.engine import Engine
from ..engine.options import Options
from ..version import __version__
from ..workers.messages import NO_THREADS
from .identity import FIELDS, Guest, Identity
from .line_writer import LineWriter
from .parser import Simple, parse
from .reader import POLL_SECONDS, InputLine, LineReader, has_no_reader
from .session_commands import SessionCommands
from .session_options import LOG_FILE, defaults_in
from .session_output import SessionOutput

GREETING = f"""\
Halbzug {__version__}, a UCI chess engine, waits for a chess program's commands; quit ends it.
halbzug --help lists the commands for people, such as halbzug play."""

#: After this many internal errors, the session ends.
MAX_FAILURES = 20

#: With this many unanswered searches, no more lines are handled.
MAX_SEARCHES_WAITING = 1000

#: How long `uci` waits for an engine file to be loaded, in seconds, and if the guest is strict or
#: patient.
INTRODUCTION_SECONDS = 4.0
LOAD_SECONDS = 15.0


class Session:
    """Serves one GUI until it sends quit or disconnects.

    :param source: lines of UCI, in bytes.
    :param sink: the output, in bytes.
    :param guest: plays in place of Halbzug.
    """

    def __init__(self, source: BinaryIO, sink: BinaryIO, guest: Guest | None = None) -> None:
        self._later_items: deque[object] = deque()  # that came during another wait
        self._failures = 0
        self._unreleased = 0  # the cost of handled lines not yet released
        self._is_leaving = False  # further commands are ignored; pending answers are still written
        self._sink = sink
        self._inbox: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._writer = LineWriter(sink)
        self._reader = LineReader(source, self._inbox, self._writer.stuck_seconds)
        defaults, complaints = defaults_in(os.environ)
        self._identity = Identity(guest, defaults)
        self._output = SessionOutput(self._writer, self._identity)
        fields = {FIELDS[name]: value for name, value in defaults.items() if name in FIELDS}
        values = guest.values if guest else Options()
        options = replace(values, **fields)  # type: ignore[arg-type]
        self.engine: Engine = Engine(
            self._output.write_event, self._inbox, options, guest.program if guest else None
        )
        self._commands = SessionCommands(self.engine, self._identity, self._output, self._writer)
        try:
            self._writer.log_to(str(defaults.get(LOG_FILE.name, "")))
        except ValueError as error:
            complaints.append(str(error))
        for complaint in complaints:
            self._output.write_notice(complaint)

    @property
    def fault(self) -> str:
        """The mistake of a strict guest's file, in one line; empty if there is none."""
        return self._output.fault

    @property
    def write_error(self) -> OSError | None:
        """Why the session has ended, if its output accepts no more."""
        return self._writer.error

    def greet(self) -> None:
        """Introduce the program to a person at a terminal."""
        self._writer.write(GREETING)

    def run(self) -> None:
        """Serve until `quit` or the end of input, and until pending requests are answered.

        After the end of input, these are all that end by themselves. `quit` stops searches; perft
        and bench complete.
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
        """Handle the next line or event; return False at the end.

        The session survives a limited number of internal errors.
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
        self._output.write_notice(f"internal error: {describe(error)}")
        with contextlib.suppress(OSError, ValueError, AttributeError):
            sys.stderr.write(details)

    def _handle_item(self, item: object) -> bool:
        """Carry out a line or handle a report; None means that a deadline is due."""
        if isinstance(item, InputLine):
            self._writer.flush()  # a command may take a while
            if item.text is None:
                return self._stop_listening(self.engine.requests.stop_endless)
            is_introduction = item.text.split()[:1] == ["uci"]
            if not is_introduction:  # `uci` writes the notices itself, after its options
                self._output.write_deferred_events()
            self._unreleased += item.cost
            if item.is_too_long:
                self._commands.ignore_long_line(item.text)
            elif not self._carry_out(item, item.text):
                return False
            self.engine.enforce_deadlines()
        else:
            self.engine.handle(item)
        if self.engine.is_ready and not self.fault:
            self._answer_readiness()
        if self.engine.requests.searches_waiting < MAX_SEARCHES_WAITING:
            self._reader.release(self._unreleased)
            self._unreleased = 0
        return not self._is_over

    def _answer_readiness(self) -> None:
        """Answer each pending `isready`, after reporting known mistakes of a guest's file."""
        if self._identity.guest and self._output.pending_readyoks:
            self.engine.emit_deferred_notices()
            if self._is_loading:
                self._output.write_event(Notice("the file is still being loaded", fault=TOO_LATE))
        self._output.write_readyoks()

    @property
    def _is_loading(self) -> bool:
        """Whether the guest's file has neither been loaded nor failed."""
        is_unknown = self._identity.guest is not None and self._identity.introduction is None
        return is_unknown and self.engine.worker_pid is not None

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
        """Whether there is a reading thread, which is more important than the search process."""
        if self._reader.start():
            return True
        self.engine.do_without_workers(f"no thread for reading ({NO_THREADS})")
        return self._reader.start()

    def _stop_listening(self, stop: Callable[[], None]) -> bool:
        """Ignore all further commands.

        :returns: whether requests are still unanswered.
        """
        if not self._is_leaving:
            self._is_leaving = True
            stop()
        return not self._is_over

    @property
    def _is_over(self) -> bool:
        is_answered = self.engine.requests.is_idle and not self._output.pending_readyoks
        return bool(self.fault) or (self._is_leaving and is_answered)

    def _answer_lost_searches(self) -> None:
        """Answer searches that the engine has lost because of an internal error."""
        while self._output.pending_best_moves and not self.engine.requests.is_searching:
            self._output.write_event(self.engine.guess())

    # -- commands -------------------------------------------------------------------------------

    def _carry_out(self, line: InputLine, text: str) -> bool:
        """Carry out one line; return False to quit."""
        self._writer.log("<", text.rstrip("\r\n"))
        command = parse(text)
        if command == Simple("quit"):
            requests = self.engine.requests
            if not requests.is_counting and not self.fault:
                self._output.write_readyoks()  # a script may send all its lines at once
            return self._stop_listening(requests.stop_searches)
        if command == Simple("uci"):
            self._introduce()
        else:
            self._commands.carry_out(command, line.received)
        return True

    def _introduce(self) -> None:
        if self._identity.guest:
            self._wait_for_introduction(self._identity.guest)
            if self.fault:
                return
        for line in self._identity.lines():
            self._writer.write(line)
        if BUILD == "compiled":
            self._output.write_notice("compiled build")
        else:
            self._output.write_notice(f"pure build, much slower than compiled: {why_pure()}")
        self._output.write_deferred_events()
        self._writer.write("uciok")

    def _wait_for_introduction(self, guest: Guest) -> None:
        """Wait a limited time for the guest's introduction; later lines stay in order."""
        is_patient = guest.is_strict or guest.is_patient
        patience = LOAD_SECONDS if is_patient else INTRODUCTION_SECONDS
        until = time.perf_counter() + patience
        while self._is_loading:
            seconds = until - time.perf_counter()
            if seconds <= 0:
                break
            with contextlib.suppress(queue.Empty):
                item = self._inbox.get(timeout=seconds)
                if isinstance(item, InputLine):
                    self._later_items.append(item)
                else:
                    self.engine.handle(item)
        if guest.is_strict:
            self.engine.emit_deferred_notices()  # complaints so far
            self._output.write_deferred_events()
            if self._identity.introduction is None and not self.fault:
                self._output.fault = f"{TOO_LATE}: the file is not loaded after {patience:g} s"

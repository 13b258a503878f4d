"""python-chess's UCI protocol with additional checks.

An engine may crash, flood, close its pipe, answer unasked or play an illegal move. Then its process
is killed, together with all processes that it has started; `exited` is done, and `failure` says
why.
"""

from __future__ import annotations

import asyncio
import collections
import contextlib
import logging
import os
import re
import signal
import sys
import threading
import time
from typing import Any

import chess
import chess.engine

from .engine_errors import EngineMistake, Fault, mistakes_in
from .engine_processes import leave_exit_code_to_watcher, note_end, note_start

#: How long an engine may take to exit after `quit`, or after one of its pipes is closed, in
#: seconds.
LEAVE_SECONDS = 2.0

#: The longest line in bytes; a longer one is not UCI.
MAX_LINE_BYTES = 1 << 20

#: Bytes of standard error kept: its last line may say why an engine exited.
LAST_WORDS = 500

#: More lines of analysis than any position has moves.
MAX_LINES = 256

#: How many `info string` lines are kept.
MAX_NOTICES = 100

#: The answers to the lines we send, by first word.
_ANSWERS = {b"uci": b"uciok", b"isready": b"readyok", b"go": b"bestmove"}
_NOTICE = b"info string "
_HEARD = (b"info", b"bestmove", b"readyok", b"uciok", b"id", b"option")
_MULTIPV = re.compile(rb" multipv (\S+)")
_NO_MOVE = ("", "(none)", "0000", "null")


class CheckedProtocol(chess.engine.UciProtocol):
    """One process of an engine. Times are those of `time.perf_counter`."""

    def __init__(self) -> None:
        super().__init__()
        #: Done when the engine can no longer be used.
        self.exited: asyncio.Future[None] = self.loop.create_future()
        #: Whether to read every line of analysis, or only the last of those that arrive together.
        self.reads_every_line = False
        self.is_searching = False
        self.began_at = self.answered_at = self.heard_at = 0.0
        self.stopped_at: float | None = None
        #: When `uci` was sent, and when its answer arrived.
        self.asked_at = self.named_at = 0.0
        #: The engine's last `info string` lines, oldest first.
        self.notices: collections.deque[str] = collections.deque(maxlen=MAX_NOTICES)
        self._mistakes: list[EngineMistake] = []
        self._awaited: set[bytes] = set()
        self._fault: tuple[Fault, str] | None = None
        self._errors = b""  # the end of standard error
        self._unfinished = b""
        self._last_information = b""

    @property
    def failure(self) -> tuple[Fault, str]:
        """Why the engine can no longer be used, in words that follow its name."""
        fault, text = self._fault or (Fault.CRASH, self._end())
        lines = self._errors.decode("utf-8", "replace").strip().splitlines()
        if not lines or fault is not Fault.CRASH:
            return fault, text
        for mistake in mistakes_in(lines[-1:]):  # the mistake of a strictly run file
            fault = mistake.fault
        return fault, f"{text}: {lines[-1]}"

    def _end(self) -> str:
        code = self.returncode.result() if self.returncode.done() else None
        if code is None:
            return "crashed"
        if code >= 0:
            return f"ended with exit code {code}"
        with contextlib.suppress(ValueError):
            return f"was ended by signal {-code} ({signal.Signals(-code).name})"
        return f"was ended by signal {-code}"

    def take_mistakes(self) -> list[EngineMistake]:
        """The reported mistakes of the engine's file since the last call."""
        mistakes, self._mistakes = self._mistakes, []
        return mistakes

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The process has been started."""
        assert isinstance(transport, asyncio.SubprocessTransport)
        leave_exit_code_to_watcher(transport)
        note_start(transport.get_pid())
        super().connection_made(transport)

    # -- input of the engine --------------------------------------------------------------------

    def send_line(self, line: str) -> None:
        """Send a line, and remember which answer it requires."""
        word = line.split()[0].encode()
        if word == b"go":
            self.is_searching = True
            self.stopped_at = None
            self._last_information = b""
            self.began_at = self.heard_at = time.perf_counter()
        elif word == b"stop":
            self.stopped_at = time.perf_counter()
        elif word == b"uci":
            self.asked_at = time.perf_counter()
        if word in _ANSWERS:
            self._awaited.add(_ANSWERS[word])
        super().send_line(line)

    # -- output of the engine -------------------------------------------------------------------

    def pipe_data_received(self, fd: int, data: bytes | str) -> None:
        """Split received data into lines, and pass on those that were asked for."""
        now = time.perf_counter()
        assert isinstance(data, bytes)
        if fd != 1:
            self._errors = (self._errors + data)[-LAST_WORDS:]
            return
        *lines, self._unfinished = (self._unfinished + data).split(b"\n")
        if len(self._unfinished) > MAX_LINE_BYTES:
            self.end(Fault.CRASH, "wrote an endless line")
            return
        information = b""
        for line in map(bytes.strip, lines):
            if not line.startswith(_HEARD):
                continue
            word = line.split(None, 1)[0]
            if line.startswith(_NOTICE):
                notice = line[len(_NOTICE) :].decode("utf-8", "replace")
                self.notices.append(notice)
                self._mistakes = [*self._mistakes, *mistakes_in([notice])][-MAX_NOTICES:]
            elif word == b"info":
                if self.is_searching and self._is_information(line, now):
                    if self.reads_every_line:
                        self._hear(line)
                    else:
                        information = line
            elif word in self._awaited:
                self._awaited.discard(word)
                if word == b"uciok":
                    self.named_at = now
                if word == b"bestmove":
                    self._hear(information)
                    information = b""
                    self._answer(line, now)
                else:
                    self._hear(line)
            elif word in (b"id", b"option") and b"uciok" in self._awaited:
                self._hear(line)
        # An engine that writes many lines must not slow down the other engines in a match.
        self._hear(information)

    def _is_information(self, line: bytes, now: float) -> bool:
        """Whether a line has a score; any new line shows that the engine is alive."""
        if line != self._last_information:
            self._last_information = line
            self.heard_at = now
        number = _MULTIPV.search(line)
        if number and not (number[1].isdigit() and 1 <= int(number[1][:9]) <= MAX_LINES):
            return False  # python-chess would make a list of this length
        return b" score " in line

    def _answer(self, line: bytes, now: float) -> None:
        """Check a move; python-chess does not check a null move."""
        self.is_searching = False
        self.answered_at = now
        words = line.decode("utf-8", "replace").split()
        text = words[1].lower() if len(words) > 1 else ""
        if text in _NO_MOVE:
            is_legal = not any(self.board.legal_moves)
            line = b"bestmove (none)"
        else:
            try:
                is_legal = bool(self.board.parse_uci(text))
            except ValueError:
                is_legal = False
        if is_legal:
            self._hear(line)
        else:
            said = " ".join(words[:2])[:40]
            self.end(Fault.ILLEGAL, f"answers {said!r}, which is not a legal move")

    def _hear(self, line: bytes) -> None:
        if not line:
            return
        _hearing.is_active = True
        try:
            self._line_received(line.decode("utf-8", "replace"))
        except Exception as error:  # python-chess's assertions, or malformed numbers
            if not line.startswith(b"info"):
                self.end(Fault.CRASH, f"answered out of turn ({type(error).__name__})")
        finally:
            _hearing.is_active = False

    # -- end of the engine ----------------------------------------------------------------------

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        """End an engine soon after one of its pipes is closed."""
        if fd in (0, 1):
            what = "output" if fd else "input"
            self.loop.call_later(LEAVE_SECONDS, self.end, Fault.CRASH, f"closed its {what}")

    def process_exited(self) -> None:
        """Kill the child processes, and do not wait for pipes that other processes hold open."""
        assert isinstance(self.transport, asyncio.SubprocessTransport)
        note_end(self.transport.get_pid())
        super().process_exited()
        self._kill_group()
        self.loop.call_later(LEAVE_SECONDS / 4, self.close)

    def connection_lost(self, exc: Exception | None) -> None:
        """The process has ended, and all of its output has been read."""
        try:
            super().connection_lost(exc)
        finally:
            if not self.exited.done():
                self.exited.set_result(None)

    def end(self, fault: Fault, reason: str) -> None:
        """Kill the process at once; only the first reason counts."""
        if self.returncode.done():
            return
        self._fault = self._fault or (fault, reason)
        if not self.exited.done():
            self.exited.set_result(None)
        self.kill()

    def kill(self) -> None:
        """Kill the process with all that it has started."""
        assert self.transport is not None
        if self.transport.get_returncode() is not None:
            return
        if sys.platform == "win32":
            self.transport.kill()
        else:
            self._kill_group()

    def _kill_group(self) -> None:
        assert self.transport is not None
        if sys.platform != "win32":
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.transport.get_pid(), signal.SIGKILL)

    def close(self) -> None:
        """Close the pipes, which other processes may hold open."""
        assert self.transport is not None
        self.transport.close()


class _Hearing(threading.local):
    """Whether this thread is passing a line from an engine to python-chess."""

    is_active = False


_hearing = _Hearing()


def _is_worth_logging(record: logging.LogRecord) -> bool:
    return not _hearing.is_active or record.levelno < logging.WARNING


# Without a handler, python-chess logs unreadable lines to standard error.
logging.getLogger("chess.engine").addFilter(_is_worth_logging)


def ignore_engines(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """An exception handler for event loops that ignores errors of exiting engines."""
    is_engine = "protocol" in context or "transport" in context
    if not is_engine and not isinstance(context.get("exception"), chess.engine.EngineError):
        loop.default_exception_handler(context)

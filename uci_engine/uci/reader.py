"""Reads lines from standard input into a queue of bounded size.

A chess program that does not read our output blocks the session while it writes. Reading then
stops, too, once enough lines are waiting, so that memory does not grow. If the input ends
meanwhile, the chess program has gone, and the process exits.
"""

from __future__ import annotations

import codecs
import contextlib
import os
import queue
import select
import sys
import threading
import time
from collections.abc import Callable
from typing import Any, BinaryIO, NamedTuple

from ..base.text import decode

#: Maximum line length in bytes, enough for a game of 200,000 moves; longer lines are ignored with a
#: message.
MAX_LINE_BYTES = 1 << 20

#: Maximum size of the waiting lines in bytes, including an overhead for each.
MAX_WAITING_BYTES = 4 << 20
LINE_OVERHEAD_BYTES = 200

#: How long a single write may take after the end of input, in seconds.
LAST_WRITE_SECONDS = 3.0

#: How often to check whether the other end has hung up, in seconds.
POLL_SECONDS = 0.25


class InputLine(NamedTuple):
    """A line from the GUI, and its time of arrival (seconds, `time.perf_counter`).

    `text` is None at the end of input, and only the beginning of a line that is too long.
    """

    text: str | None
    received: float
    cost: int = 0  # bytes, to be returned with `LineReader.release`
    is_too_long: bool = False


class LineReader:
    """Reads lines in a separate thread.

    :param source: lines of UCI, in bytes.
    :param inbox: receives each `InputLine`.
    :param give_up: called when the input has ended and, according to `stuck_seconds`, nobody reads
        the output; by default it ends the process.
    """

    def __init__(
        self,
        source: BinaryIO,
        inbox: queue.SimpleQueue[Any],
        stuck_seconds: Callable[[], float],
        give_up: Callable[[], object] = lambda: os._exit(0),
    ) -> None:
        self._source = source
        self._inbox = inbox
        self._stuck_seconds = stuck_seconds
        self._give_up = give_up
        self._waiting_bytes = 0
        self._has_room = threading.Condition()
        self._is_closed = False
        self._thread: threading.Thread | None = None

    def start(self) -> bool:
        """Start the reading thread unless it is running.

        :returns: whether there is a thread.
        """
        if self._thread is None:
            thread = threading.Thread(target=self._run, name="halbzug-reader", daemon=True)
            try:
                thread.start()
            except RuntimeError:  # no more threads are allowed
                return False
            self._thread = thread
        return True

    def read_without_thread(self) -> InputLine:
        """Wait for the next line, if no thread can be started."""
        line = None
        with contextlib.suppress(OSError, ValueError):
            line = self._next_line()
        if line is None:
            return InputLine(None, time.perf_counter())
        return line._replace(cost=0)  # it did not wait in the queue

    def release(self, cost: int) -> None:
        """Allow more reading: lines with this total cost have been handled."""
        if cost:
            with self._has_room:
                self._waiting_bytes -= cost
                self._has_room.notify()

    def close(self) -> None:
        """Called when the session ends by itself."""
        with self._has_room:
            self._is_closed = True
            self._has_room.notify()

    def _run(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            self._read()
        self._inbox.put(InputLine(None, time.perf_counter()))
        while not self._is_closed:
            time.sleep(POLL_SECONDS)
            self._give_up_if_stuck()

    def _read(self) -> None:
        while line := self._next_line():
            self._wait_for_room(line.cost)
            self._inbox.put(line)
            if (line.text or "").split(None, 1)[:1] == ["quit"] and not line.is_too_long:
                return  # later lines are ignored

    def _next_line(self) -> InputLine | None:
        data = self._source.readline(MAX_LINE_BYTES)
        if not data:
            return None
        received = time.perf_counter()
        is_too_long = len(data) == MAX_LINE_BYTES and not data.endswith(b"\n")
        if is_too_long:
            self._skip_line()
            data = data[:80]
        # PowerShell, and files from Windows editors, start with a byte order mark.
        text = decode(data.removeprefix(codecs.BOM_UTF8))
        return InputLine(text, received, len(data) + LINE_OVERHEAD_BYTES, is_too_long)

    def _skip_line(self) -> None:
        while (data := self._source.readline(MAX_LINE_BYTES)) and not data.endswith(b"\n"):
            pass

    def _wait_for_room(self, cost: int) -> None:
        with self._has_room:
            while (
                self._waiting_bytes
                and self._waiting_bytes + cost > MAX_WAITING_BYTES
                and not self._is_closed
            ):
                if not self._has_room.wait(POLL_SECONDS) and _is_hung_up(self._source):
                    self._give_up_if_stuck()
            self._waiting_bytes += cost

    def _give_up_if_stuck(self) -> None:
        if self._stuck_seconds() > LAST_WRITE_SECONDS:
            self._give_up()


def has_no_reader(sink: BinaryIO) -> bool:
    """Whether the reader of a pipe, a socket or a terminal has gone.

    On Windows, only a write reveals that.
    """
    return _is_hung_up(sink)


def _is_hung_up(stream: BinaryIO) -> bool:
    """Whether the other end is closed, even if there is still something to read."""
    if sys.platform == "win32":
        return False
    with contextlib.suppress(OSError, ValueError, AttributeError):
        poll = select.poll()
        poll.register(stream.fileno(), 0)
        return any(event & (select.POLLHUP | select.POLLERR) for _, event in poll.poll(0))
    return False

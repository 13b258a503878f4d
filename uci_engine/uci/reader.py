"""Standard input becomes lines in a queue, with bounds, and without losing sight of the end.

Whoever does not read what we say stops the session in the middle of writing. Then reading stops,
too, when enough is waiting, so that nothing grows; and when the input ends meanwhile, there is
nobody to wait for any more.
"""

from __future__ import annotations

import contextlib
import os
import queue
import select
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, BinaryIO

from halbzug.text import decode

#: Bytes of a line, which is a game of 200,000 moves; what is longer is ignored with a message.
LONGEST_LINE = 1 << 20

#: Bytes that may wait to be attended to, each line counted with what it costs besides its text.
MOST_WAITING = 4 << 20
LINE_COSTS = 200

#: When the input is over, so long may a single write still take, in seconds.
FAREWELL_SECONDS = 3.0

#: How often is looked whether there is still somebody at the other end, in seconds.
LOOK_SECONDS = 0.25


@dataclass(frozen=True)
class Line:
    """A line from the GUI, and when it came (seconds, time.perf_counter).

    `text` is None at the end of input; of a line that is too long it is only the start.
    """

    text: str | None
    received: float
    cost: int = 0  # bytes, to be given back with `Intake.release`
    is_too_long: bool = False


class Intake:
    """Reads in a thread of its own.

    :param source: lines of UCI, in bytes.
    :param inbox: where each `Line` goes.
    :param give_up: called when the input is over and `stuck_seconds` says that the session waits
        for a reader that is not there; by default it ends the process.
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
        self._waiting = 0
        self._has_room = threading.Condition()
        self._is_closed = False
        self._thread: threading.Thread | None = None

    def start(self) -> bool:
        """Begin to read, or go on with it; whether there is a thread for that."""
        if self._thread is None:
            thread = threading.Thread(target=self._run, name="halbzug-reader", daemon=True)
            try:
                thread.start()
            except RuntimeError:  # so many threads are not allowed
                return False
            self._thread = thread
        return True

    def read_here(self) -> Line:
        """Wait for the next line, where there is no thread for that."""
        line = None
        with contextlib.suppress(OSError, ValueError):
            line = self._next_line()
        if line is None:
            return Line(None, time.perf_counter())
        return replace(line, cost=0)  # it has not waited

    def release(self, cost: int) -> None:
        """Lines that cost so much in all are attended to, and make room for others."""
        if cost:
            with self._has_room:
                self._waiting -= cost
                self._has_room.notify()

    def close(self) -> None:
        """The session is over by itself."""
        with self._has_room:
            self._is_closed = True
            self._has_room.notify()

    def _run(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            self._read()
        self._inbox.put(Line(None, time.perf_counter()))
        while not self._is_closed:
            time.sleep(LOOK_SECONDS)
            self._leave_if_stuck()

    def _read(self) -> None:
        while line := self._next_line():
            self._wait_for_room(line.cost)
            self._inbox.put(line)
            if (line.text or "").split(None, 1)[:1] == ["quit"] and not line.is_too_long:
                return  # nothing counts after that

    def _next_line(self) -> Line | None:
        data = self._source.readline(LONGEST_LINE)
        if not data:
            return None
        received = time.perf_counter()
        is_too_long = len(data) == LONGEST_LINE and not data.endswith(b"\n")
        if is_too_long:
            self._skip_line()
            data = data[:80]
        return Line(decode(data), received, len(data) + LINE_COSTS, is_too_long)

    def _skip_line(self) -> None:
        while (data := self._source.readline(LONGEST_LINE)) and not data.endswith(b"\n"):
            pass

    def _wait_for_room(self, cost: int) -> None:
        with self._has_room:
            while self._waiting and self._waiting + cost > MOST_WAITING and not self._is_closed:
                if not self._has_room.wait(LOOK_SECONDS) and _is_hung_up(self._source):
                    self._leave_if_stuck()
            self._waiting += cost

    def _leave_if_stuck(self) -> None:
        if self._stuck_seconds() > FAREWELL_SECONDS:
            self._give_up()


def has_no_reader(sink: BinaryIO) -> bool:
    """Whether what is written to a pipe, a socket or a terminal reaches nobody any more.

    Windows shows that only to those who write.
    """
    return _is_hung_up(sink)


def _is_hung_up(stream: BinaryIO) -> bool:
    """Whether the other end is closed, though there may be something left to read."""
    if sys.platform == "win32":
        return False
    with contextlib.suppress(OSError, ValueError, AttributeError):
        poll = select.poll()
        poll.register(stream.fileno(), 0)
        return any(event & (select.POLLHUP | select.POLLERR) for _, event in poll.poll(0))
    return False

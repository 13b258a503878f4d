"""Interrupts the user's code in the main thread when its time has run out.

A thread watches the time and sends a signal. The signal handler, which Python runs in the main
thread, raises `TimeIsUp` there, but only while the user's code is running. Code that catches the
exception is interrupted again and again. If even that does not help, for example during an endless
call into C, the front replaces the process.
"""

from __future__ import annotations

import _thread
import signal
import threading
import time
from collections.abc import Callable
from types import FrameType

from ..base.language import say

#: How often the thread looks, in seconds, and how long it waits before it interrupts again.
LOOK_SECONDS = 0.005
AGAIN_SECONDS = 0.05

#: Windows has no alarm signal; any signal that Python itself raises will do there.
_SIGNAL = getattr(signal, "SIGALRM", signal.SIGABRT)


class TimeIsUp(BaseException):
    """Raised in the user's code; not an `Exception`, because the code may catch those."""

    def __str__(self) -> str:
        return say("it took too long")


class Alarm:
    """The alarm of a process; create it in the main thread.

    :param is_running: whether the user's code is running now.
    """

    def __init__(self, is_running: Callable[[], bool]) -> None:
        self._is_running = is_running
        self.due: Callable[[], bool] = lambda: False
        self._armed = threading.Event()
        signal.signal(_SIGNAL, self._handle)
        threading.Thread(target=self._watch, daemon=True).start()

    def arm(self, is_due: Callable[[], bool]) -> None:
        """Interrupt as soon as `is_due` returns True, until `disarm`."""
        self.due = is_due
        self._armed.set()

    def disarm(self) -> None:
        """Stop interrupting."""
        self._armed.clear()

    def _handle(self, number: int, frame: FrameType | None) -> None:
        if self._armed.is_set() and self._is_running():
            raise TimeIsUp

    def _watch(self) -> None:
        main = threading.main_thread().ident
        while True:
            self._armed.wait()
            if not (self._is_running() and self.due()):
                time.sleep(LOOK_SECONDS)
                continue
            if hasattr(signal, "pthread_kill") and main is not None:
                signal.pthread_kill(main, _SIGNAL)  # interrupts a sleep, too
            else:
                _thread.interrupt_main(_SIGNAL)
            time.sleep(AGAIN_SECONDS)

"""How a command ends that is told to: SIGTERM, and SIGHUP of a terminal that is closed.

Both are what Ctrl-C is: the work stops, what is known is saved or shown, and everything that was
started ends. Only the exit code differs.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

#: As far as the system has them.
_ENDINGS = [
    signal.Signals[name] for name in ("SIGTERM", "SIGHUP") if name in signal.Signals.__members__
]


_came: list[int] = []


def signal_that_came() -> int | None:
    """The signal that ends the command; None if it goes on, or Ctrl-C ends it."""
    return _came[0] if _came else None


def listen() -> None:
    """Let the signals interrupt like Ctrl-C, except those that are ignored, as under nohup."""
    for number in _ENDINGS:
        if signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, _end)


def _end(number: int, frame: FrameType | None) -> None:
    # One is enough: closing a session sends both, and the second would disturb the saving.
    for other in _ENDINGS:
        signal.signal(other, signal.SIG_IGN)
    _came.append(number)
    interrupt = signal.getsignal(signal.SIGINT)
    if callable(interrupt):
        interrupt(signal.SIGINT, frame)  # asyncio has its own while it runs
    else:
        raise KeyboardInterrupt


@contextmanager
def undisturbed() -> Iterator[None]:
    """Let no signal interrupt this; one that comes meanwhile is heeded afterwards."""
    came: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        came.append(number)

    before = {}
    for number in (signal.SIGINT, *_ENDINGS):
        handler = signal.getsignal(number)
        if handler not in (None, signal.SIG_IGN, signal.SIG_DFL):
            before[number] = signal.signal(number, note)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        if came:
            signal.raise_signal(came[0])

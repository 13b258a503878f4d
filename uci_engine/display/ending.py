"""Ends a command after SIGTERM, or after SIGHUP when the terminal is closed.

Both act like Ctrl-C: the work stops, results so far are saved or shown, and all child processes
end. Only the exit code differs.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

#: Those of the signals that the system has.
_ENDINGS = [
    signal.Signals[name] for name in ("SIGTERM", "SIGHUP") if name in signal.Signals.__members__
]


_came: list[int] = []


def signal_that_came() -> int | None:
    """The signal that ended the command; None if there was none, or only Ctrl-C."""
    return _came[0] if _came else None


def listen() -> None:
    """Make the signals interrupt like Ctrl-C, except ignored ones, as under nohup."""
    for number in _ENDINGS:
        if signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, _end)


def _end(number: int, frame: FrameType | None) -> None:
    # Only the first counts: closing a session sends both, and the second would interrupt saving.
    for other in _ENDINGS:
        signal.signal(other, signal.SIG_IGN)
    _came.append(number)
    interrupt = signal.getsignal(signal.SIGINT)
    if callable(interrupt):
        interrupt(signal.SIGINT, frame)  # asyncio has its own handler while it runs
    else:
        raise KeyboardInterrupt


@contextmanager
def undisturbed() -> Iterator[None]:
    """A context that no signal interrupts; a signal during it takes effect afterwards."""
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

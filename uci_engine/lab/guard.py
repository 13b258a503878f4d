"""Ends everything that the code of a file has started, together with the process that runs it.

On Linux a guard stands between the front and that process. It is the parent of the process, runs
none of the file's code, and becomes the parent of every descendant that has lost its own (a "child
subreaper", see prctl(2)). It ends with the front, with the process, or by SIGTERM, and first ends
all descendants, whatever process group or session they are in.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

#: Whether this system has a guard, which is ended by SIGTERM.
HAS_GUARD = sys.platform == "linux"

#: How long the guard kills children that keep starting others, in seconds.
KILL_SECONDS = 5.0

_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36


def stand_guard() -> None:
    """Continue in a child process and make this one its guard; there must be no other thread."""
    if sys.platform != "linux":
        return
    import ctypes

    prctl = ctypes.CDLL(None).prctl
    prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    signals = (signal.SIGCHLD, signal.SIGTERM)
    told: list[int] = []
    earlier = [signal.signal(each, lambda number, _: told.append(number)) for each in signals]
    signal.set_wakeup_fd(wake)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    child = os.fork()
    if child:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        _guard(child, woken, told)
    signal.set_wakeup_fd(-1)
    for each, handler in zip(signals, earlier, strict=True):
        signal.signal(each, handler)
    os.close(woken)
    os.close(wake)
    prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def _guard(child: int, woken: int, told: list[int]) -> None:
    """Wait until something ends, then end everything.

    :param told: the received signals, which `woken` announces.
    """
    poll = select.poll()
    poll.register(0, 0)  # only to notice that the front has gone
    poll.register(woken, select.POLLIN)
    is_over = False
    while not is_over:
        for file, _ in poll.poll():
            if file == woken:
                os.read(woken, 1000)
            else:
                is_over = True
        with contextlib.suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG)[0]) and not is_over:
                is_over = ended == child
        is_over = is_over or signal.SIGTERM in told
    _end_descendants()
    os._exit(0)


def _end_descendants() -> None:
    """Kill children until there are none left; children of a killed process become ours."""
    until = time.perf_counter() + KILL_SECONDS
    while time.perf_counter() < until:
        for child in _children():
            with contextlib.suppress(OSError):
                os.kill(child, signal.SIGKILL)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        time.sleep(0.001)


def _children() -> Iterator[int]:
    """The processes whose parent is this one."""
    own = str(os.getpid()).encode()
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            if path.read_bytes().rpartition(b")")[2].split()[1] == own:
                yield int(path.parent.name)

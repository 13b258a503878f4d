"""How long to wait for a late process: time it spends waiting for a processor does not count.

On a busy machine a process may wait for seconds. It has not failed, and a new one would also have
to wait, and to start.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import NamedTuple

#: How often to look at a late process, in seconds. A look counts at most twice this time, because
#: whoever looks may have waited for a processor, too.
LOOK_SECONDS = 0.25

_CPU_FIELDS = slice(11, 13)  # of /proc/PID/stat, after the name: in user mode and in the kernel


class Patience:
    """The time that a process still has for its answer.

    On Linux, the time in which it waits for a processor or the disk does not count. Other systems
    do not tell it apart.

    :param pid: the process.
    :param seconds: how long it may take.
    """

    def __init__(self, pid: int, seconds: float) -> None:
        self._pid = pid
        self._left = seconds
        self._looked = time.perf_counter()
        self._before = _activity(pid)

    @property
    def due(self) -> float:
        """When `is_over` should be asked next, by `time.perf_counter`."""
        return self._looked + min(self._left, LOOK_SECONDS)

    def is_over(self) -> bool:
        """Whether the process has had its time."""
        now, before = time.perf_counter(), self._before
        self._before = activity = _activity(self._pid)
        seconds = min(now - self._looked, 2 * LOOK_SECONDS)
        if activity and before and activity.is_runnable:
            seconds = min(seconds, activity.cpu_seconds - before.cpu_seconds)
        self._looked = now
        self._left -= seconds
        return self._left <= 0


class _Activity(NamedTuple):
    """What a process does.

    :ivar is_runnable: whether a thread runs, or waits for a processor or the disk.
    """

    cpu_seconds: float
    is_runnable: bool


def _activity(pid: int) -> _Activity | None:
    """What a process does now; None if the system does not say."""
    process = Path(f"/proc/{pid}")
    try:
        cpu = sum(map(int, _fields(process)[_CPU_FIELDS])) / os.sysconf("SC_CLK_TCK")
        states = {_fields(thread)[0] for thread in (process / "task").iterdir()}
    except (OSError, IndexError, ValueError):
        return None
    return _Activity(cpu, not states.isdisjoint("RD"))


def _fields(process: Path) -> list[str]:
    """The fields of its `stat` that follow the name: its state, and so on."""
    return (process / "stat").read_text().rpartition(")")[2].split()

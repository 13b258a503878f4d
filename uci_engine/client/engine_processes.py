"""The processes of running engines, so that a process that must exit at once can end them first."""

from __future__ import annotations

import contextlib
import os
import signal
import sys

_running: set[int] = set()


def note_start(pid: int) -> None:
    """Remember an engine that leads its process group."""
    _running.add(pid)


def note_end(pid: int) -> None:
    """Forget an engine that has ended."""
    _running.discard(pid)


def kill_engines() -> None:
    """Kill all running engines with what they have started. Any thread may call it."""
    for pid in tuple(_running):
        with contextlib.suppress(OSError):
            if sys.platform == "win32":
                os.kill(pid, signal.SIGTERM)  # on Windows, this kills at once
            else:
                os.killpg(pid, signal.SIGKILL)

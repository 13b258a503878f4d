"""The processes of running engines: their exit codes, and how to end them at once."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from asyncio import SubprocessTransport

_running: set[int] = set()


def leave_exit_code_to_watcher(transport: SubprocessTransport) -> None:
    """Let only asyncio's child watcher read the exit code of a process.

    `close` and `kill` of the transport poll the process. If it has just died, they take the exit
    code, and the watcher warns of an unknown child process.
    """
    if sys.platform != "win32":  # exit codes can be read many times there
        process = transport.get_extra_info("subprocess")
        process.poll = lambda: process.returncode  # which asyncio sets


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

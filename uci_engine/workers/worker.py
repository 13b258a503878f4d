"""Search processes as seen by the front: start, feed, stop, kill.

The search runs in a child process, because compiled code holds the interpreter lock, so that no
other thread could run beside it. Front and child exchange pickled messages (see `messages`) over
the child's standard input and output. The child exits when the pipe closes, so it never outlives
the front, however the front dies.
"""

from __future__ import annotations

import contextlib
import errno
import os
import pickle
import queue
import select
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from typing import IO, Any, NamedTuple

from ..base.events import Event
from ..base.launch import last_line, own_command
from .messages import NO_THREADS, Ready, SetFileOptions, SetHash, SetTablebases
from .shared_memory import SharedMemory, duplicate_files, hand_over, open_channel

#: How long a child may take to exit by itself, in seconds.
EXIT_SECONDS = 0.2

#: The `nice` value of a helper without a core of its own.
LEAST_PRIORITY = 19

#: A child with this many unread messages has hung, and is killed.
MAX_UNSENT = 5000


class WorkerProgram(NamedTuple):
    """What a worker runs.

    :param module: its full name; its `main()` reads `sys.argv`, whose last word is the descriptor
        of the socket for shared memory, if there is one.
    :param arguments: the words before that.
    :param file: a file that it reads; when it has changed, a new game starts with a new worker.
    """

    module: str = "halbzug.workers.start"
    arguments: tuple[str, ...] = ()
    file: str = ""
    #: Whether SIGTERM also ends everything it has started, which takes a moment.
    has_guard: bool = False


class WorkerReport(NamedTuple):
    """A worker's report; number 0 belongs to no job."""

    worker: Worker
    number: int
    event: Event | Ready


class WorkerExit(NamedTuple):
    """A worker has exited."""

    worker: Worker
    reason: str = ""  # its last line on standard error

    @property
    def remark(self) -> str:
        """The reason in brackets, to follow a word; empty if there is none."""
        return f" ({self.reason})" if self.reason else ""

    @property
    def is_thread_limit(self) -> bool:
        """Whether the next worker would die for the same reason."""
        return self.reason == NO_THREADS


class Worker:
    """A search process; it needs a `SetHash` before its first job.

    :param inbox: receives its `WorkerReport`s and finally its `WorkerExit`.
    :param program: what it runs.
    :raises OSError: if no process can be started, or no threads for its pipes.
    """

    def __init__(self, inbox: queue.SimpleQueue[Any], program: WorkerProgram) -> None:
        self._inbox = inbox
        self._has_guard = program.has_guard
        self._channel: socket.socket | None
        self._channel, theirs = open_channel()
        inherited = [theirs.fileno()] if theirs else []
        self._errors = _scratch_file()
        try:
            self._process = subprocess.Popen(
                own_command(program.module, *program.arguments, *map(str, inherited)),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors or subprocess.DEVNULL,
                pass_fds=inherited,
                bufsize=0,
            )
        except OSError:
            self._close_channel()
            self._last_error()
            raise
        finally:
            if theirs:
                theirs.close()
        # A child that hangs reads nothing, and its pipe is soon full: the front must not block.
        # What does not fit goes to the outbox; on Windows, everything does.
        self._outbox: queue.SimpleQueue[tuple[bytes, list[int]] | None] = queue.SimpleQueue()
        self._unsent = 0  # messages in the outbox, or being written from it
        self._is_sending = threading.Lock()
        self._is_over = False
        if sys.platform != "win32":
            assert self._process.stdin is not None
            os.set_blocking(self._process.stdin.fileno(), False)
        #: The number of settings messages (`SetHash` and so on) sent; see `Ready.settings_done`.
        self.settings_sent = 0
        self._threads: list[threading.Thread] = []
        try:
            for target in (self._write_messages, self._read_reports):
                thread = threading.Thread(target=target, name="halbzug-worker", daemon=True)
                thread.start()
                self._threads.append(thread)
        except RuntimeError:
            self._abandon()
            raise OSError(errno.EAGAIN, "no more threads are allowed") from None

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    def send(self, message: object, memory: Sequence[SharedMemory] = ()) -> None:
        """Send a message without blocking; if the worker is gone, its `WorkerExit` reports that.

        :param memory: the blocks that the message refers to.
        """
        self.settings_sent += isinstance(message, SetHash | SetTablebases | SetFileOptions)
        with self._is_sending:
            if self._is_over:
                return
            if self._unsent >= MAX_UNSENT:
                self.kill()
                return
            data = pickle.dumps(message)
            if sys.platform != "win32" and not memory and not self._unsent:
                with contextlib.suppress(OSError):  # the worker is gone
                    data = data[self._try_to_write(data) :]
                if not data:
                    return
            try:
                self._outbox.put((data, duplicate_files(memory)))
                self._unsent += 1
            except OSError:  # without the descriptors, it would continue without this message
                self.kill()

    def lower_priority(self) -> None:
        """Let it run only when nothing else needs the processor, if the system can do that."""
        if sys.platform != "win32":
            with contextlib.suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, self.pid, LEAST_PRIORITY)

    def kill(self) -> None:
        """Kill the process at once."""
        if self._has_guard:
            self._process.terminate()
        else:
            self._process.kill()

    def dismiss(self) -> None:
        """Ask the process to exit, without waiting."""
        with self._is_sending:
            self._is_over = True
            self._outbox.put(None)

    def close(self) -> None:
        """End the process, first by asking it."""
        self.dismiss()
        try:
            self._process.wait(EXIT_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()
            self._process.wait()
        self._close_channel()
        for thread in self._threads:  # threads count towards the limit of what may be started next
            thread.join(EXIT_SECONDS)

    def _abandon(self) -> None:
        """Clean up a process that nobody can listen to."""
        self.kill()
        self._process.wait()
        self.dismiss()
        for thread in self._threads:
            thread.join()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            with contextlib.suppress(OSError):
                pipe.close()
        self._close_channel()
        self._last_error()

    def _write_messages(self) -> None:
        """Write messages until there are no more, even if the worker is gone."""
        assert self._process.stdin is not None
        while task := self._outbox.get():
            data, files = task
            with contextlib.suppress(OSError):
                hand_over(self._channel, files)
                while data := data[self._try_to_write(data) :]:
                    _wait_for_room(self._process.stdin)
            for file in files:
                os.close(file)
            with self._is_sending:
                self._unsent -= 1
        with contextlib.suppress(OSError):
            self._process.stdin.close()

    def _try_to_write(self, data: bytes) -> int:
        """Write as much as fits, on Windows everything; return the number of bytes written.

        :raises OSError: if the worker is gone.
        """
        assert self._process.stdin is not None
        return self._process.stdin.write(data) or 0  # None: the pipe is full

    def _read_reports(self) -> None:
        assert self._process.stdout is not None
        reports = open(self._process.stdout.fileno(), "rb", closefd=False)  # noqa: SIM115
        try:
            while True:
                number, event = pickle.load(reports)
                self._inbox.put(WorkerReport(self, number, event))
        except Exception:  # the end of the pipe, or half a message: the worker is of no more use
            self.kill()
            self._process.wait()
            with contextlib.suppress(OSError):
                self._process.stdout.close()
            self._close_channel()
            self.dismiss()
            self._inbox.put(WorkerExit(self, self._last_error()))

    def _close_channel(self) -> None:
        if self._channel:
            self._channel.close()

    def _last_error(self) -> str:
        """The last line on standard error; closes the file."""
        with contextlib.suppress(OSError, ValueError):
            return last_line(self._errors) if self._errors else ""
        return ""


def _wait_for_room(pipe: IO[bytes]) -> None:
    """Wait until the pipe can be written to, or its reader is gone."""
    if sys.platform != "win32":
        poll = select.poll()
        poll.register(pipe, select.POLLOUT)
        poll.poll()


def _scratch_file() -> IO[bytes] | None:
    """A nameless file for a worker's standard error; None if there is no space."""
    try:
        return tempfile.TemporaryFile()
    except OSError:
        return None

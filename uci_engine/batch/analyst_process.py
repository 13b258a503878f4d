"""An analyst in a process of its own, which takes many positions at a time.

Parent and child exchange pickled messages over the child's standard input and output. The child
exits when its input is closed, so it never outlives the parent, however the parent dies.
"""

from __future__ import annotations

import contextlib
import pickle
import subprocess
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import IO, Any

from ..base.launch import last_line, own_command
from ..base.os_errors import reason_of
from .analysts import ATTEMPTS, AnalystError, Setup, StartError
from .findings import Finding
from .questions import Answer, Later, Run
from .search_watch import Pulse, SearchWatch

#: How long a child may take to exit by itself, in seconds.
EXIT_SECONDS = 1.0

#: How often to check on a search with a time limit, in seconds.
_TICK_SECONDS = 1.0

#: Called with the index of a run in its chunk, and its next answer.
Hear = Callable[[int, Answer], None]


class _ChildDiedError(Exception):
    """The process died, or was killed because it took too long."""


class AnalystProcess:
    """A process that is started when first needed, and replaced when it dies.

    One thread asks it; any thread may cancel it.
    """

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._child: subprocess.Popen[bytes] | None = None
        self._errors: IO[bytes] | None = None
        self._watch = SearchWatch()
        self._overdue = ""  # why the search was ended
        self._is_cancelled = False
        self._lock = threading.Lock()

    def start(self) -> None:
        """Start the process unless it is running.

        :raises StartError: if it or its engine does not start.
        """
        with self._lock:
            if self._child or self._is_cancelled:
                return
            try:
                self._errors = tempfile.TemporaryFile()  # noqa: SIM115
                self._watch, self._overdue = SearchWatch(), ""
                self._child = subprocess.Popen(
                    own_command("halbzug.batch.analyst_start"),
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=self._errors,
                )
            except OSError as error:
                reason = reason_of(error)
                raise StartError(f"Halbzug cannot start its search process: {reason}") from None
        try:
            self._send(self._setup)
            self._receive()
        except _ChildDiedError as error:
            if not self._is_cancelled:
                message = f"Halbzug cannot start its search process ({error})"
                raise StartError(message) from None

    def work_packed(self, chunk: bytes) -> bytes:
        """Like `work`, with the runs and the answers pickled.

        Unless the process dies, nothing is unpickled here, which spares the calling process the
        work.
        """
        self.start()
        try:
            with self._watched():
                self._send(chunk)
                packed = self._receive()
        except _ChildDiedError:
            if self._is_cancelled:
                raise AnalystError("stopped") from None
            answers = self.work(pickle.loads(chunk), has_exited=True)
            return pickle.dumps(answers, pickle.HIGHEST_PROTOCOL)
        assert isinstance(packed, bytes)
        return packed

    def work(
        self, runs: Sequence[Run], hear: Hear | None = None, *, has_exited: bool = False
    ) -> list[list[Answer]]:
        """Search runs of positions, each run starting with an empty hash table.

        If the process dies, a new one continues at the same place. A position at which it dies
        repeatedly is given up, and the others are searched.

        :param has_exited: whether the process has already died on these runs.
        :returns: the answers to each run, an error where there is no other.
        :raises StartError: if no process or engine starts.
        :raises AnalystError: if it was cancelled.
        """
        found: list[list[Answer]] = [[] for _ in runs]
        exits: Counter[tuple[int, int]] = Counter()
        # If each answer is sent at once, the position at which a process dies is known.
        sends_each = has_exited or self._setup.limits.move_time_ms is not None
        while left := [number for number, run in enumerate(runs) if len(found[number]) < len(run)]:
            self.start()
            parts = [_rest(runs[number], found[number]) for number in left]
            try:
                with self._watched():
                    self._send((parts, sends_each))
                    is_done = False
                    while not is_done:
                        answers, is_done = self._receive()
                        for place, answer in answers:
                            found[left[place]].append(answer)
                            if hear:
                                hear(left[place], answer)
            except _ChildDiedError as error:
                if self._is_cancelled:
                    raise AnalystError("stopped") from None
                open_runs = (number for number in left if len(found[number]) < len(runs[number]))
                number = next(open_runs, None)
                if sends_each and number is not None:
                    exits[number, len(found[number])] += 1
                    if exits[number, len(found[number])] >= ATTEMPTS:
                        text = f"the search process died {ATTEMPTS} times here ({error})"
                        found[number].append(AnalystError(text))
                        if hear:
                            hear(number, found[number][-1])
                sends_each = True
        return found

    def cancel(self) -> None:
        """Stop all work at once."""
        with self._lock:
            self._is_cancelled = True
            child = self._child
        if child and self._setup.command:
            _end(child)  # the engine ends with it
        elif child:
            child.kill()

    def close(self) -> None:
        """End the process for good."""
        self.cancel()
        self._reap()

    @contextlib.contextmanager
    def _watched(self) -> Iterator[None]:
        """A context that kills the process if a search takes far too long."""
        child = self._child
        if self._setup.limits.move_time_ms is None or self._setup.command or child is None:
            yield
            return
        is_over = threading.Event()

        def look() -> None:
            while not is_over.wait(_TICK_SECONDS):
                if overdue := self._watch.count_second():
                    self._overdue = overdue
                    child.kill()
                    return

        threading.Thread(target=look, daemon=True).start()
        try:
            yield
        finally:
            is_over.set()

    def _send(self, message: object) -> None:
        child = self._child
        try:
            assert child and child.stdin
            pickle.dump(message, child.stdin, pickle.HIGHEST_PROTOCOL)
            child.stdin.flush()
        except (OSError, ValueError, AssertionError):
            raise _ChildDiedError(self._reap()) from None

    def _receive(self) -> Any:
        child = self._child
        try:
            assert child and child.stdout
            while isinstance(message := pickle.load(child.stdout), Pulse):
                self._watch.hear(message)
        except Exception:  # the end of the pipe, or half a message
            raise _ChildDiedError(self._reap()) from None
        if isinstance(message, StartError):
            self._reap()
            raise message
        return message

    def _reap(self) -> str:
        """Clean up after the dead process; return why it ended."""
        with self._lock:
            child, self._child = self._child, None
            errors, self._errors = self._errors, None
        if child is None:
            return "stopped"
        _end(child)
        try:
            child.wait(EXIT_SECONDS)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
        assert child.stdout
        child.stdout.close()
        line = last_line(errors) if errors else ""
        return line or self._overdue or _exit_text(child.returncode)


def _rest(run: Run, found: Sequence[Answer]) -> tuple[Run, Later]:
    """The rest of a run, and the last answered question with its answer."""
    last = found[-1] if found else None
    later = (run[len(found) - 1], last) if isinstance(last, Finding) else None
    return run[len(found) :], later


def _end(child: subprocess.Popen[bytes]) -> None:
    """Close a child's input, at which it exits together with its engine."""
    assert child.stdin
    with contextlib.suppress(OSError, ValueError):
        child.stdin.close()


def _exit_text(code: int) -> str:
    return f"killed by signal {-code}" if code < 0 else f"ended with exit code {code}"

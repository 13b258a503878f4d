"""An analyst in a process of its own, which takes many positions at a time.

Parent and child exchange pickled messages over the child's standard input and output. The child
ends when its input is closed, so it never outlives the parent, however the parent dies.
"""

from __future__ import annotations

import contextlib
import pickle
import subprocess
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from typing import IO, Any

from halbzug.analysis.analysts import ATTEMPTS, AnalystError, Setup, StartError
from halbzug.analysis.questions import Answer, Run
from halbzug.launch import own_command
from halbzug.reasons import reason_of

#: How long a child may take to leave by itself, in seconds.
EXIT_SECONDS = 1.0

#: How much longer than its move times a child may take for its positions, in seconds.
LATE_SECONDS = 10.0

#: Called with the number of a run in its chunk, and how many more of its answers there are.
Hear = Callable[[int, int], None]


class _ChildDiedError(Exception):
    """The process ended, or was ended because it took too long."""


class AnalystProcess:
    """One process, started when it is first needed, and replaced when it dies.

    One thread asks it. Any thread may cancel it.
    """

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._child: subprocess.Popen[bytes] | None = None
        self._errors: IO[bytes] | None = None
        self._is_cancelled = False
        self._lock = threading.Lock()

    def start(self) -> None:
        """Start the process, if there is none.

        :raises StartError: if it or its engine does not start.
        """
        with self._lock:
            if self._child or self._is_cancelled:
                return
            try:
                self._errors = _scratch_file()
                self._child = subprocess.Popen(
                    own_command("halbzug.analysis.analyst_start"),
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

    def work_packed(self, chunk: bytes, positions: int) -> bytes:
        """As `work`, but the runs are pickled, and so are the answers.

        Unless the process dies, nothing is unpickled on the way: the process that calls this has
        other things to do.

        :param positions: how many there are in the runs.
        """
        self.start()
        try:
            with self._watched(positions):
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
        """Have runs of positions searched, each with an empty hash.

        If the process dies, a new one goes on. A position at which it dies again and again costs
        only the rest of its run.

        :param has_exited: whether the process has already died over these runs.
        :returns: the answers to each run; behind an error there are none.
        :raises StartError: if no process or engine starts.
        :raises AnalystError: if this was cancelled.
        """
        found: list[list[Answer]] = [[] for _ in runs]
        told = [0] * len(runs)  # how many answers `hear` knows of
        is_over = [not run for run in runs]
        exits: Counter[tuple[int, int]] = Counter()
        while not all(is_over):
            self.start()
            left = [number for number, over in enumerate(is_over) if not over]
            for number in left:
                found[number] = []  # the hash of a run that was interrupted is lost
            try:
                with self._watched(sum(len(runs[number]) for number in left)):
                    self._send(([runs[number] for number in left], has_exited))
                    is_done = False
                    while not is_done:
                        answers, is_done = self._receive()
                        for place, answer in answers:
                            number = left[place]
                            _add(found, is_over, runs, number, answer)
                            if hear and len(found[number]) > told[number]:
                                told[number] += 1
                                hear(number, 1)
            except _ChildDiedError as error:
                if self._is_cancelled:
                    raise AnalystError("stopped") from None
                if all(is_over):
                    break
                number = is_over.index(False)
                if has_exited:  # every answer was sent, and so this is the position
                    place = (number, len(found[number]))
                    exits[place] += 1
                    if exits[place] >= ATTEMPTS:
                        text = f"the search process died {ATTEMPTS} times here ({error})"
                        _add(found, is_over, runs, number, AnalystError(text))
                has_exited = True
        return found

    def cancel(self) -> None:
        """End all work at once."""
        with self._lock:
            self._is_cancelled = True
            child = self._child
        if child and self._setup.command:
            _end(child)  # it takes its engine along
        elif child:
            child.kill()

    def close(self) -> None:
        """End the process; nobody may ask any more."""
        self.cancel()
        self._bury()

    def _watched(self, positions: int) -> contextlib.AbstractContextManager[object]:
        """A context that ends the process where it takes far longer than its move times."""
        milliseconds = self._setup.limits.move_time_ms
        child = self._child
        if milliseconds is None or self._setup.command or child is None:
            return contextlib.nullcontext()
        timer = threading.Timer(positions * milliseconds / 1000 * 1.5 + LATE_SECONDS, child.kill)
        timer.daemon = True
        timer.start()
        return contextlib.closing(_Timer(timer))

    def _send(self, message: object) -> None:
        child = self._child
        try:
            assert child and child.stdin
            pickle.dump(message, child.stdin, pickle.HIGHEST_PROTOCOL)
            child.stdin.flush()
        except (OSError, ValueError, AssertionError):
            raise _ChildDiedError(self._bury()) from None

    def _receive(self) -> Any:
        child = self._child
        try:
            assert child and child.stdout
            message = pickle.load(child.stdout)
        except Exception:  # its end, or half a message
            raise _ChildDiedError(self._bury()) from None
        if isinstance(message, StartError):
            self._bury()
            raise message
        return message

    def _bury(self) -> str:
        """Leave nothing of the process; why it ended."""
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
        return _last_line(errors) or _exit_text(child.returncode)


class _Timer:
    """A timer that is cancelled when it is closed."""

    def __init__(self, timer: threading.Timer) -> None:
        self.close = timer.cancel


def _add(
    found: list[list[Answer]],
    is_over: list[bool],
    runs: Sequence[Run],
    number: int,
    answer: Answer,
) -> None:
    found[number].append(answer)
    is_error = isinstance(answer, AnalystError)
    is_over[number] = is_error or len(found[number]) == len(runs[number])


def _end(child: subprocess.Popen[bytes]) -> None:
    """Close a child's input, at which it ends and takes its engine along."""
    assert child.stdin
    with contextlib.suppress(OSError, ValueError):
        child.stdin.close()


def _exit_text(code: int) -> str:
    return f"killed by signal {-code}" if code < 0 else f"ended with exit code {code}"


def _scratch_file() -> IO[bytes]:
    """A file without a name, for a child's standard error."""
    return tempfile.TemporaryFile()


def _last_line(errors: IO[bytes] | None) -> str:
    """The last line at standard error, which is given back."""
    if errors is None:
        return ""
    with errors:
        errors.seek(0)
        lines = errors.read().decode("utf-8", "replace").strip().splitlines()
    return lines[-1].strip()[:200] if lines else ""

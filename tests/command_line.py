"""The command `halbzug` in a separate process, as its users run it."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO
from unittest.mock import patch

import click

OPERA_GAME = """[Event "Paris"]
[White "Morphy, Paul"]
[Black "Allies"]
[Result "*"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7
8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7
14. Rd1 Qe6 15. Bxd7+ Nxd7 *
"""

#: Byrne - Fischer, New York 1956.
FISCHER_GAME = """[Event "Third Rosenwald Trophy"]
[Site "New York"]
[Date "1956.10.17"]
[Round "8"]
[White "Byrne, Donald"]
[Black "Fischer, Robert James"]
[Result "0-1"]

1. Nf3 Nf6 2. c4 g6 3. Nc3 Bg7 4. d4 O-O 5. Bf4 d5 6. Qb3 dxc4 7. Qxc4 c6 8. e4 Nbd7
9. Rd1 Nb6 10. Qc5 Bg4 11. Bg5 Na4 12. Qa3 Nxc3 13. bxc3 Nxe4 14. Bxe7 Qb6 15. Bc4 Nxc3
16. Bc5 Rfe8+ 17. Kf1 Be6 18. Bxb6 Bxc4+ 19. Kg1 Ne2+ 20. Kf1 Nxd4+ 21. Kg1 Ne2+
22. Kf1 Nc3+ 23. Kg1 axb6 24. Qb4 Ra4 25. Qxb6 Nxd1 26. h3 Rxa2 27. Kh2 Nxf2 28. Re1 Rxe1
29. Qd8+ Bf8 30. Nxe1 Bd5 31. Nf3 Ne4 32. Qb8 b5 33. h4 h5 34. Ne5 Kg7 35. Kg1 Bc5+
36. Kf1 Ng3+ 37. Ke1 Bb4+ 38. Kd1 Bb3+ 39. Kc1 Ne2+ 40. Kb1 Nc3+ 41. Kc1 Rc2# 0-1
"""


def environment_of_users() -> dict[str, str]:
    """An environment in which `halbzug` is found everywhere and writes plain text."""
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    for name in ("COLUMNS", "FORCE_COLOR", "PYTEST_CURRENT_TEST"):
        environment.pop(name, None)
    return environment


#: The signals that a command handles.
_HANDLED = [
    signal.Signals[name]
    for name in ("SIGINT", "SIGTERM", "SIGHUP")
    if name in signal.Signals.__members__
]


def _text_file(stack: contextlib.ExitStack) -> TextIO:
    """A file that replaces a standard stream."""
    return stack.enter_context(tempfile.TemporaryFile("w+", encoding="utf-8"))


def _whole(stream: TextIO) -> str:
    stream.flush()
    stream.seek(0)
    return stream.read()


_USUAL_PROGRAM = [sys.executable, "-m", "halbzug"]

#: Variables that Python reads at its start, so this process has read them already.
_AT_START = ("PYTHON", "HALBZUG_PURE")

_PATIENCE_SECONDS = 300.0


def leaves(command: click.Command, *words: str) -> Iterator[tuple[str, click.Command]]:
    """Every command that does something, by name."""
    if not isinstance(command, click.Group):
        yield " ".join(words), command
        return
    context = click.Context(command)
    for word in command.list_commands(context):
        part = command.get_command(context, word)
        assert part
        yield from leaves(part, *words, word)


class Command:
    """Runs `halbzug` in a folder of its own, from a checkout or from an installation.

    :param is_fresh: whether every run is a separate process. Otherwise most commands run in this
        process, with streams, a folder and an environment of their own, because starting Python
        would take most of their time.
    """

    def __init__(self, folder: Path, is_fresh: bool = False) -> None:
        self.folder = folder
        self.is_fresh = is_fresh
        self.environment = environment_of_users()
        self.program = _USUAL_PROGRAM
        self.started: list[subprocess.Popen[str]] = []

    def run(
        self, *arguments: str, stdin: str = "", **environment: str
    ) -> subprocess.CompletedProcess[str]:
        is_script = len(self.program) == 2 and self.program[0] == sys.executable
        is_engine = arguments[:1] in ((), ("run",))  # ends its process
        is_usual = is_script or self.program == _USUAL_PROGRAM
        if is_usual and not self.is_fresh and not is_engine:
            changed = {**self.environment, **environment}.items() ^ environment_of_users().items()
            if not any(name.startswith(_AT_START) for name, _ in changed):
                return self._run_here(list(arguments), stdin, environment)
        return subprocess.run(
            [*self.program, *arguments],
            input=stdin,
            capture_output=True,
            encoding="utf-8",
            cwd=self.folder,
            env={**self.environment, **environment},
            timeout=_PATIENCE_SECONDS,
            check=False,
        )

    def run_at_terminal(self, *arguments: str) -> tuple[int, str]:
        """Run in this process, at a terminal of 200 columns; return exit code and output."""
        import pty

        front, back = pty.openpty()
        seen: list[bytes] = []
        reader = threading.Thread(target=lambda: seen.append(read_to_end(front)))
        reader.start()
        with contextlib.ExitStack() as stack:
            stack.callback(os.close, front)
            stack.callback(reader.join)  # once the other end is closed
            terminal = stack.enter_context(os.fdopen(back, "w", encoding="utf-8"))
            environment = {"TERM": "xterm-256color", "COLUMNS": "200"}
            code = self._run_with(
                list(arguments), [_text_file(stack), terminal, terminal], environment
            )
        return code, seen[0].decode("utf-8")

    def run_with_streams(
        self, stdin: TextIO, stdout: TextIO, *arguments: str
    ) -> subprocess.CompletedProcess[str]:
        """Run in this process, with files or pipes as standard input and output."""
        with contextlib.ExitStack() as stack:
            errors = _text_file(stack)
            code = self._run_with(list(arguments), [stdin, stdout, errors], {})
            return subprocess.CompletedProcess(arguments, code, "", _whole(errors))

    def _run_here(
        self, arguments: list[str], stdin: str, environment: dict[str, str]
    ) -> subprocess.CompletedProcess[str]:
        """Run a command in this process."""
        with contextlib.ExitStack() as stack:
            streams = [_text_file(stack) for _ in range(3)]
            streams[0].write(stdin)
            streams[0].seek(0)
            code = self._run_with(arguments, streams, environment)
            texts = [_whole(stream) for stream in streams[1:]]
        return subprocess.CompletedProcess(arguments, code, *texts)

    def _run_with(
        self, arguments: list[str], streams: list[TextIO], environment: dict[str, str]
    ) -> int:
        """Run a command in this process with other standard streams; return its exit code."""
        from halbzug.commands import app

        name = "halbzug" if self.program == _USUAL_PROGRAM else self.program[1]
        handlers = {number: signal.getsignal(number) for number in _HANDLED}
        with contextlib.ExitStack() as stack:
            for stream, attribute in zip(streams, ("stdin", "stdout", "stderr"), strict=True):
                stack.enter_context(patch.object(sys, attribute, stream))
            stack.enter_context(patch.object(sys, "argv", [name, *arguments]))
            everything = {**self.environment, **environment}
            stack.enter_context(patch.dict(os.environ, everything, clear=True))
            stack.callback(os.chdir, Path.cwd())
            os.chdir(self.folder)
            try:
                code = app.main(arguments)
            except SystemExit as end:
                code = int(end.code or 0)
            finally:
                for number, handler in handlers.items():
                    signal.signal(number, handler)
            for stream in (sys.stdout, sys.stderr):
                stream.flush()
        return code

    def run_with_full_disk(
        self, room: int, *arguments: str, stdin: str = ""
    ) -> subprocess.CompletedProcess[str]:
        """Run with files limited to `room` bytes, as on a full disk but without root rights."""
        script = """
import os, resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), resource.RLIM_INFINITY))
os.execv(sys.argv[2], sys.argv[2:])
"""
        return subprocess.run(
            [sys.executable, "-c", script, str(room), *self.program, *arguments],
            input=stdin,
            capture_output=True,
            encoding="utf-8",
            cwd=self.folder,
            env={**self.environment, "PYTHONDONTWRITEBYTECODE": "1"},
            timeout=_PATIENCE_SECONDS,
            check=False,
        )

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [*self.program, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            cwd=self.folder,
            env=self.environment,
        )
        self.started.append(process)
        return process

    def close(self) -> None:
        """End everything that is still running, and its pipes."""
        for process in self.started:
            if process.poll() is None:
                process.kill()
                process.communicate()

    def output(self, *arguments: str, stdin: str = "", **environment: str) -> str:
        """The standard output of a run, which must succeed without messages."""
        process = self.run(*arguments, stdin=stdin, **environment)
        assert (process.returncode, process.stderr) == (0, "")
        return process.stdout

    def json(self, *arguments: str, stdin: str = "") -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.output(*arguments, stdin=stdin).splitlines()]

    def write(self, name: str, text: str) -> str:
        (self.folder / name).write_text(text, encoding="utf-8")
        return name


def read_to_end(terminal: int) -> bytes:
    """Everything written to a pseudo terminal until its other end is closed."""
    seen = b""
    while True:
        try:
            chunk = os.read(terminal, 65536)
        except OSError:  # the other end is closed
            return seen
        if not chunk:
            return seen
        seen += chunk

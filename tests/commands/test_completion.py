"""Completion in real shells, at a terminal."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from command_line import Command, environment_of_users

pytestmark = pytest.mark.any_build

#: How each shell starts without the user's settings.
SHELLS = {
    "bash": ["bash", "--norc", "--noprofile", "-i"],
    "zsh": ["zsh", "-f", "-i"],
    "fish": ["fish", "--no-config", "-i"],
}
INSTALL = {
    "bash": 'eval "$(halbzug completion bash)"',
    "zsh": 'autoload -U compinit; compinit -u -D; eval "$(halbzug completion zsh)"',
    "fish": "halbzug completion fish | source",
}
PATIENCE_SECONDS = 60.0

#: Makes standard input the controlling terminal, which fish requires.
CONTROL = """
import fcntl, os, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execvp(sys.argv[1], sys.argv[1:])
"""


class Terminal:
    """A shell at a pseudo terminal, as if a user typed into it."""

    def __init__(self, master: int) -> None:
        self._master = master
        self.seen = ""

    def type(self, text: str) -> None:
        os.write(self._master, text.encode())

    def wait_for(self, text: str) -> None:
        """Wait until this text appears after everything that was waited for before."""
        import select

        deadline = time.monotonic() + PATIENCE_SECONDS
        while text not in self.seen:
            left = deadline - time.monotonic()
            assert left > 0 and select.select([self._master], [], [], left)[0], self.seen
            self.seen += os.read(self._master, 65536).decode("utf-8", "replace")
        self.seen = self.seen.partition(text)[2]


@contextmanager
def shell_at_terminal(folder: Path, shell: str) -> Iterator[Terminal]:
    """A shell in a folder, with `halbzug` on its path."""
    import pty

    programs = folder / "programs"
    programs.mkdir()
    (programs / "halbzug").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m halbzug "$@"\n')
    (programs / "halbzug").chmod(0o755)
    environment = environment_of_users()
    environment.update(
        PATH=f"{programs}{os.pathsep}{environment['PATH']}",
        HOME=str(folder),
        TERM="dumb" if shell == "zsh" else "vt100",  # otherwise it redraws its line
        PS1="$ ",
    )
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", CONTROL, *SHELLS[shell]],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        cwd=folder,
        env=environment,
        start_new_session=True,
    )
    os.close(slave)
    try:
        yield Terminal(master)
    finally:
        process.kill()
        process.wait()
        os.close(master)


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="needs a pseudo terminal")
@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_completes_commands_options_and_files(tmp_path: Path, shell: str) -> None:
    if not shutil.which(shell):
        pytest.skip(f"{shell} is not installed")
    (tmp_path / "opera-game.pgn").write_text("*\n")
    with shell_at_terminal(tmp_path, shell) as terminal:
        terminal.type(f"{INSTALL[shell]}; echo in'stalled'\n")
        terminal.wait_for("installed")
        terminal.type("halbzug tableb\t")
        terminal.wait_for("tablebases")
        terminal.type("pro\t")
        terminal.wait_for("probe")
        terminal.type("--js\t")
        terminal.wait_for("--json")
        terminal.type("\x15halbzug analyse oper\t")
        terminal.wait_for("opera-game.pgn")


@pytest.mark.parametrize(
    "question",
    [
        *("bash_complete", "nonsense"),
        *(pytest.param(other, marks=pytest.mark.slow) for other in ("fish_complete", "bash_")),
    ],
)
def test_a_completion_request_never_starts_the_engine(halbzug: Command, question: str) -> None:
    # Its input stays open, so an engine would wait for it.
    environment = {"_HALBZUG_COMPLETE": question, "COMP_WORDS": "halbzug reg", "COMP_CWORD": "1"}
    process = subprocess.Popen(
        halbzug.program,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=halbzug.folder,
        env={**halbzug.environment, **environment},
    )
    assert process.wait(PATIENCE_SECONDS) == (0 if "_complete" in question else 1)
    output, errors = process.communicate()
    assert errors == b""
    assert (b"register" in output) == (question == "bash_complete")
    assert b"UCI" not in output


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_says_how_to_install_it(halbzug: Command, shell: str) -> None:
    text = halbzug.output("completion", shell)
    assert text.startswith("# To install this, add to ~/.")
    assert f"halbzug completion {shell}" in text.splitlines()[1]

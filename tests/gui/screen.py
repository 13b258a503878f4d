"""A screen without a monitor: Xvfb, with keys pressed and pictures taken from outside."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

#: Longer than anything takes on a loaded machine, in seconds.
PATIENCE_SECONDS = 120.0


def find(program: str) -> str | None:
    """The path of a program, also where Debian installs games."""
    return shutil.which(program, path=f"{os.environ.get('PATH', '')}:/usr/games")


def missing(*programs: str) -> str:
    """Which of these programs are not installed, as a reason to skip; empty if none is missing."""
    lacking = [program for program in programs if find(program) is None]
    return f"not installed: {', '.join(lacking)}" if lacking else ""


def wait_for(condition: Callable[[], bool], what: str) -> None:
    """Wait until a condition holds.

    :raises TimeoutError: if it never does.
    """
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError(f"waited for {what}")
        time.sleep(0.1)


def write_command(folder: Path) -> Path:
    """Write an executable `halbzug` for this checkout, as pip would install it."""
    command = folder / "halbzug"
    root = Path(__file__).parents[2]
    command.write_text(
        f"#!{sys.executable}\nimport sys\nsys.path.insert(0, {str(root)!r})\n"
        "from halbzug.__main__ import main\nsys.exit(main())\n",
        encoding="utf-8",
    )
    command.chmod(0o755)
    return command


def home_environment(home: Path) -> dict[str, str]:
    """The environment of a user who has never started anything."""
    environment = {
        **os.environ,
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / ".config"),
        "XDG_DATA_HOME": str(home / ".local/share"),
        "XDG_CACHE_HOME": str(home / ".cache"),
        "LC_ALL": "C.UTF-8",
        "NO_AT_BRIDGE": "1",
    }
    environment.pop("PYTHONPATH", None)
    return environment


class Screen:
    """An X server and its windows."""

    def __init__(self, display: str) -> None:
        self.display = display

    def environment(self, environment: dict[str, str]) -> dict[str, str]:
        """An environment in which programs appear on this screen."""
        return {**environment, "DISPLAY": self.display}

    def do(self, *arguments: str) -> str:
        """Run xdotool and return its output."""
        result = subprocess.run(
            ["xdotool", *arguments],
            env=self.environment(dict(os.environ)),
            capture_output=True,
            text=True,
            check=False,
        )
        return result.stdout.strip()

    def press(self, *keys: str) -> None:
        """Press keys, by their X names."""
        self.do("key", "--delay", "30", *keys)

    def type(self, text: str) -> None:
        """Type letters and digits."""
        self.do("type", "--delay", "30", text)

    def windows(self, name: str) -> list[str]:
        """The visible windows whose titles contain this text."""
        return self.do("search", "--onlyvisible", "--name", name).split()

    def picture(self, path: Path, window: str = "root") -> None:
        """Save the contents of the screen as a small PNG."""
        subprocess.run(
            ["import", "-window", window, "-strip", "+dither", "-colors", "128", f"PNG8:{path}"],
            env=self.environment(dict(os.environ)),
            check=True,
        )


@contextlib.contextmanager
def open_screen(size: str = "1100x760") -> Iterator[Screen]:
    """An X server on a free display number, for the duration of a `with` block."""
    reading, writing = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-screen", "0", f"{size}x24", "-nolisten", "tcp"],
        pass_fds=[writing],
        stderr=subprocess.DEVNULL,
    )
    os.close(writing)
    try:
        with os.fdopen(reading) as numbers:
            yield Screen(f":{numbers.readline().strip()}")
    finally:
        server.terminate()
        server.wait()


@contextlib.contextmanager
def running(
    command: list[str], environment: dict[str, str], folder: Path
) -> Iterator[subprocess.Popen[bytes]]:
    """A program that is ended at the end of the `with` block, together with all its children."""
    with (folder / "output.txt").open("wb") as output:
        process = subprocess.Popen(
            command,
            env=environment,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
        try:
            yield process
        finally:
            for number in (15, 9):
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, number)
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(5)

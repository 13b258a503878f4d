"""Starts child processes that run modules of this package.

A child imports this package from the same files as its parent, and python-chess from the copy in
the package, if there is one (`uci_engine/base/python_chess.py`). Otherwise its import path is the
usual one, without the working directory and the folder of the user's script, so that no file there
replaces one of our modules or of the standard library.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from .loading import own_python_chess

_PACKAGE = Path(__file__).parents[1]

# `python -c` puts the working directory first, as an empty string.
_START = """
import sys
if sys.path[:1] == [""]:
    del sys.path[0]
import importlib.util, os
from importlib.machinery import PathFinder
places = {"halbzug": sys.argv[1], "chess": sys.argv[2]}
class Finder:
    def find_spec(self, name, path=None, target=None):
        if not places.get(name):
            return None
        folder, own_name = os.path.split(os.path.dirname(places[name]))
        if own_name == name:  # also in a zip file
            return PathFinder.find_spec(name, [folder])
        return importlib.util.spec_from_file_location(name, places[name])
sys.meta_path.insert(0, Finder())
importlib.import_module("halbzug.base.loading").use_own_python_chess()
module = sys.argv[3]
del sys.argv[1:4]
sys.exit(importlib.import_module(module).main())
"""


def own_command(module: str, *arguments: str) -> list[str]:
    """The command line that runs `main()` of a module of this package in a new process.

    :param module: its full name; its `main` reads `sys.argv`.
    """
    if getattr(sys, "frozen", False):  # the stand-alone executable has no separate Python
        return [sys.executable, "-m", module, *arguments]
    places = [str(_PACKAGE / "__init__.py"), own_python_chess()]
    return [sys.executable, *_flags(), "-c", _START, *places, module, *arguments]


#: Stands for the package in commands sent to another machine.
_HERE = "{halbzug}"


def portable_command(command: Sequence[str]) -> tuple[str, ...]:
    """A form of a command for another machine with Halbzug; see `local_command`.

    Paths of other files are not changed.
    """
    words = tuple(command)
    head = own_command("")[:-1]
    if list(words[: len(head)]) == head:
        words = (_HERE, *words[len(head) :])
    package = str(_PACKAGE) + os.sep
    return tuple(
        f"{_HERE}/{Path(word.removeprefix(package)).as_posix()}"
        if word.startswith(package)
        else word
        for word in words
    )


def local_command(portable: Sequence[str]) -> tuple[str, ...]:
    """The command on this machine, from what `portable_command` made on another."""
    words = [
        str(_PACKAGE / word.removeprefix(f"{_HERE}/")) if word.startswith(f"{_HERE}/") else word
        for word in portable
    ]
    if words[:1] == [_HERE]:
        return tuple(own_command(*words[1:]))
    return tuple(words)


def last_line(errors: IO[bytes]) -> str:
    """The last line of a child's standard error, shortened; closes its file."""
    with errors:
        errors.seek(max(errors.seek(0, os.SEEK_END) - 2000, 0))
        lines = errors.read().decode("utf-8", "replace").strip().splitlines()
    return lines[-1].strip()[:200] if lines else ""


def _flags() -> list[str]:
    """The flags that make the child ignore the same parts of the environment as this process."""
    flags = {
        "-I": sys.flags.isolated,
        "-E": sys.flags.ignore_environment,
        "-s": sys.flags.no_user_site,
    }
    return [flag for flag, is_set in flags.items() if is_set]


def is_engine_file(word: str) -> bool:
    """Whether the first word of an engine's command is a Python file for `halbzug run`.

    An executable script with a `#!` line is treated as any other program.
    """
    if not word.lower().endswith(".py"):
        return False
    try:
        with Path(word).open("rb") as file:
            return file.read(2) != b"#!" or not os.access(word, os.X_OK)
    except OSError:
        return True


def run_command(file: str, *arguments: str) -> list[str]:
    """The command line of the engine in a Python file.

    :raises ValueError: if there is no such file; the message is one line.
    """
    if not Path(file).is_file():
        raise ValueError(f"there is no file {file}")
    return own_command("halbzug.__main__", "run", str(Path(file).absolute()), *arguments)

"""What the commands of this room have in common: their parsers, and one line for an error."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from subprocess import CalledProcessError
from typing import Literal

from .installs import InstallError
from .lines_file import LinesFileError
from .searcher import LabError

_ERRORS = (InstallError, LabError, LinesFileError, OSError, ValueError, CalledProcessError)


def command_parser(module: str, description: str | None) -> argparse.ArgumentParser:
    """The parser for a module that is run with `python -m`, whose docstring is its help."""
    return argparse.ArgumentParser(
        prog=f"python -m {module}",
        description=description,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def exit_code(program: str, work: Callable[[], None], kept: Literal["file", "folder"]) -> int:
    """Do the work of a command that can be continued; errors are printed on one line.

    :param program: its name for that line.
    :param kept: where what it has found is kept.
    """
    try:
        work()
    except _ERRORS as error:
        print(f"{program}: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(f"Interrupted; the same command continues from the {kept}", file=sys.stderr)
        return 130
    return 0

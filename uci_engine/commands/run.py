"""`halbzug run`: a UCI engine from a Python file."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from pathlib import Path

import click

from halbzug.console.paths import PathName

EXAMPLES = """\b
Examples:
  halbzug run my_engine.py
  halbzug play --engine my_engine.py
  halbzug register pychess my_engine.py
"""


@click.command(epilog=EXAMPLES)
@click.argument("file", metavar="FILE.py", type=PathName())
@click.option(
    "--memory",
    "memory_mb",
    type=click.IntRange(0),
    default=2048,
    show_default=True,
    metavar="MIB",
    help="Memory that the file's code may take; 0: any.",
)
def run(file: Path, memory_mb: int) -> None:
    """Be a UCI engine whose ideas come from a Python file.

    Chess programs start this command; halbzug register enters it into them. The file is executed:
    run only files that you trust.
    """
    if not file.is_file():
        what = "is a folder" if file.is_dir() else "is no file"
        raise click.BadParameter(f"{file} {what}", param_hint="FILE.py")
    from halbzug.lab.front import session

    if not sys.stdin.isatty():
        # As for `halbzug`: the chess program decides whether the game ends.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    session(file, sys.stdin.buffer, sys.stdout.buffer, memory_mb).run()
    # The reader thread may still be in a blocking read, which cannot be interrupted.
    with contextlib.suppress(OSError, ValueError):
        sys.stdout.flush()
    os._exit(0)

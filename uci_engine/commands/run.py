"""`halbzug run`: a UCI engine from a Python file."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from pathlib import Path

import click

from ..display.paths import PathName

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
    help="Memory that the file's code may use; 0: unlimited.",
)
@click.option(
    "--strict",
    is_flag=True,
    help="End, and so lose the game, if the file fails or plays an illegal move.",
)
@click.option(
    "--patient",
    is_flag=True,
    help="Wait up to 15 s for the file before answering uci; chess programs may give up.",
)
def run(file: Path, memory_mb: int, strict: bool, patient: bool) -> None:
    """Run the engine in a Python file as a UCI engine.

    If the file fails, a replacement move is played, and a message says what was wrong. With
    --strict, the engine ends instead, with the message on standard error; a replacement move is
    played only if the file takes too long.

    Chess programs start this command; halbzug register adds it to them. The file is executed, so
    run only files that you trust.
    """
    if not file.is_file():
        what = "is a folder" if file.is_dir() else "is no file"
        raise click.BadParameter(f"{file} {what}", param_hint="FILE.py")
    from ..lab.front import session

    if not sys.stdin.isatty():
        # As for `halbzug`: the chess program decides whether the game ends.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    streams = sys.stdin.buffer, sys.stdout.buffer
    session_with_file = session(file, *streams, memory_mb, strict, patient)
    session_with_file.run()
    # The reader thread may still be in a blocking read, which cannot be interrupted.
    with contextlib.suppress(OSError, ValueError):
        sys.stdout.flush()
    if session_with_file.fault:
        click.echo(session_with_file.fault, err=True)
        sys.stderr.flush()
    os._exit(1 if session_with_file.fault else 0)

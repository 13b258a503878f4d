"""`halbzug new`: creates a Python file for a new engine."""

from __future__ import annotations

from pathlib import Path

import click

from ..base.language import say
from ..display.drawing_options import LANGUAGE
from ..display.errors import one_line_errors
from ..display.paths import PathName

EXAMPLES = """\b
Examples:
  halbzug new my_engine.py
  halbzug new my_engine.py --from alpha-beta
"""


@click.command(epilog=EXAMPLES)
@click.argument("file", metavar="FILE.py", type=PathName(dir_okay=False))
@click.option(
    "--from",
    "example",
    metavar="NAME",
    help="Copy an engine that comes with Halbzug; an unknown NAME lists them.",
)
@LANGUAGE
@click.option("--force", is_flag=True, help="Replace an existing file.")
def new(file: Path, example: str | None, force: bool) -> None:
    """Create a Python file for a new engine.

    The file is a working engine; its comments explain what else it may define. `halbzug run` and
    the options -e and --engine of other commands accept it.
    """
    from ..lab.new_file import NewFileError, write_start

    if file.suffix != ".py":
        raise click.BadParameter(f"{file} does not end in .py", param_hint="FILE.py")
    with one_line_errors(NewFileError):
        write_start(file, example, force)
    click.echo(
        say("{file} is written. To play against it: halbzug play --engine {file}", file=file)
    )

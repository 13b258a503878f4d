"""A command's output: a document or JSON, pages in files, and a plot."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from ..base.language import say
from ..base.whole_file import is_standard_output, write_whole


def put_out(
    found: Any,
    as_json: bool,
    plot: Path | None = None,
    pages: Sequence[tuple[Path | None, Callable[[], str]]] = (),
    **how: object,
) -> int:
    """Write the requested files, and show the rest; return the exit code 0.

    :param found: the result. Its method `as_json` makes its JSON, `document` what people see,
        unless a page goes to standard output, and `plot` a plot.
    :param pages: files, None where none was requested, and functions that make their text.
    :param how: for `document`.
    :raises OSError: if a file cannot be written.
    """
    from .printing import show

    picture = found.plot() if plot else None
    for path, page in pages:
        if path:
            write_whole(path, page())
    if as_json:
        click.echo(json.dumps(found.as_json()))
    elif not any(path and is_standard_output(path) for path, _ in pages):
        show(found.document(**how))
    if picture and plot:
        picture.save(plot)
        if not as_json:
            click.echo("\n" + say("The plot is in {file}.", file=plot))
    return 0

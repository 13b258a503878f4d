"""A command's output: a document or JSON, pages in files, and a plot."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import click

from ..base.language import say
from ..base.whole_file import is_standard_output, write_whole
from .document import Part
from .printing import show


def put_out(
    found: Any,
    as_json: bool,
    data: Callable[[Any], object],
    document: Callable[[Any], Iterable[Part]],
    plot: Path | None = None,
    pages: Sequence[tuple[Path | None, Callable[[], str]]] = (),
) -> int:
    """Write the requested files, and show the rest; return the exit code 0.

    :param found: the result; with a plot, it has a method `plot`.
    :param data: makes its JSON.
    :param document: makes what people see, unless a page goes to standard output.
    :param pages: files, None where none was requested, and functions that make their text.
    :raises OSError: if a file cannot be written.
    """
    picture = found.plot() if plot else None
    for path, page in pages:
        if path:
            write_whole(path, page())
    if as_json:
        click.echo(json.dumps(data(found)))
    elif not any(path and is_standard_output(path) for path, _ in pages):
        show(document(found))
    if picture and plot:
        picture.save(plot)
        if not as_json:
            click.echo("\n" + say("The plot is in {file}.", file=plot))
    return 0

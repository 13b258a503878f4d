"""Options that name a file to write: whether `-` is standard output, and what help says of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from halbzug.whole_file import STANDARD_STREAM


class _Output(click.Path):
    """A file, or a folder, to write; `-` is never the name of one."""

    def __init__(self, takes_stream: bool, is_folder: bool) -> None:
        super().__init__(dir_okay=is_folder, path_type=Path)
        self._takes_stream = takes_stream

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read a path."""
        if Path(value) == STANDARD_STREAM:
            if self._takes_stream:
                return STANDARD_STREAM
            self.fail("it cannot be -, standard output.", param, ctx)
        return super().convert(value, param, ctx)


def output_option(
    *names: str,
    help: str,
    takes_stream: bool = False,
    is_folder: bool = False,
    required: bool = False,
) -> Callable[[Any], Any]:
    """An option that names what is written.

    :param names: as click has them.
    :param help: what is written, in a sentence.
    :param takes_stream: whether it can be standard output, which the help then says.
    :param is_folder: whether it is a folder.
    """
    text = f"{help.rstrip('.')}; - is standard output." if takes_stream else help
    return click.option(
        *names,
        type=_Output(takes_stream, is_folder),
        metavar="FOLDER" if is_folder else "FILE",
        required=required,
        help=text,
    )

"""Paths on the command line: none is empty, and `-` is standard output or nothing."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from ..base.whole_file import STANDARD_STREAM


class PathName(click.Path):
    """A file, or a folder unless that is excluded."""

    def __init__(self, dir_okay: bool = True, file_okay: bool = True) -> None:
        super().__init__(dir_okay=dir_okay, file_okay=file_okay, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read a path; an empty one, as from an unset variable, is not the current folder."""
        if not os.fspath(value):
            self.fail("it is empty.", param, ctx)
        return super().convert(value, param, ctx)


class _Output(PathName):
    """A file or folder to write; `-` is never its name."""

    def __init__(self, takes_stream: bool, is_folder: bool) -> None:
        super().__init__(dir_okay=is_folder)
        self._takes_stream = takes_stream

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read a path."""
        if value and Path(value) == STANDARD_STREAM:
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
    """An option that names an output.

    :param names: as for click.
    :param help: what is written, in a sentence.
    :param takes_stream: whether it can be standard output, which the help then mentions.
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

"""Points from the name of one of the lectures' engines to the command that writes its file."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TypeVar

import click

from ..base.language import say
from ..teaching.engines import LECTURES

Value = TypeVar("Value", str, Path, tuple[str, ...])


def refuse_lectures(context: click.Context, parameter: click.Parameter, value: Value) -> Value:
    """A click callback for engines, or for a folder of them.

    :raises click.BadParameter: if one is the name of a lecture's engine, with or without `.py`, but
        not a program, file or folder.
    """
    for text in value if isinstance(value, tuple) else [str(value)]:
        word = text.partition(";")[0].rpartition("=")[2].strip()
        name = word.removesuffix(".py").replace("-", "_")
        if name in LECTURES and not Path(word).exists() and shutil.which(word) is None:
            file, example = f"{name}.py", name.replace("_", "-")
            command = f"halbzug new {file} --from {example}"
            raise click.BadParameter(
                say("there is no file {file}; {command} writes it", file=file, command=command)
            )
    return value

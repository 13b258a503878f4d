"""Command options with the engine's defaults: from the same environment variables."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import click

from ..engine.options import ENGINE_OPTIONS, MAX_HASH_MB
from ..uci.session_options import variable
from .paths import PathName

Decorator = Callable[[Any], Any]

#: The longest accepted time, in seconds.
MAX_SECONDS = 366 * 86400.0


class Seconds(click.FloatRange):
    """A duration between a millisecond and a year, in seconds."""

    name = "seconds"

    def __init__(self) -> None:
        super().__init__(min=0.001)

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Convert to a number; `nan` and `inf` are floats, but not durations."""
        seconds = float(super().convert(value, param, ctx))
        if not seconds <= MAX_SECONDS:
            self.fail(f"{value} is not a number of seconds below a year.", param, ctx)
        return seconds


def tablebases_option(name: str, help_text: str) -> Decorator:
    """Tablebase folders, as in SyzygyPath; an empty text if there are none."""
    return click.option(
        name,
        "tablebase_paths",
        metavar="FOLDERS",
        default="",
        envvar=variable(ENGINE_OPTIONS["tablebase_paths"]),
        show_envvar=True,
        help=help_text,
    )


def book_option(*names: str, help_text: str) -> Decorator:
    """A Polyglot book, as in BookFile; None if there is none."""
    return click.option(
        *names,
        type=PathName(),
        envvar=variable(ENGINE_OPTIONS["book_path"]),
        show_envvar=True,
        help=help_text,
    )


def hash_option(default: int, help_text: str) -> Decorator:
    """The size of a transposition table in MiB, as in Hash."""
    return click.option(
        "--hash",
        "hash_mb",
        type=click.IntRange(1, MAX_HASH_MB),
        metavar="MB",
        default=default,
        show_default=True,
        envvar=variable(ENGINE_OPTIONS["hash_mb"]),
        show_envvar=True,
        help=help_text,
    )


def consent(fact: str, question: str) -> None:
    """Ask the user for consent to a large operation.

    :param fact: how large it is.
    :param question: the question without its question mark.
    :raises click.ClickException: if the user refuses, or cannot be asked.
    :raises KeyboardInterrupt: if the user interrupts it.
    """
    if not (sys.stdin and sys.stdin.isatty()):
        raise click.ClickException(f"{fact}: add --yes to confirm")
    try:
        is_wanted = click.confirm(f"{fact}. {question}?")
    except click.Abort:
        raise KeyboardInterrupt from None
    if not is_wanted:
        raise click.ClickException("nothing was downloaded")

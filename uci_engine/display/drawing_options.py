"""Options of the commands that draw trees and boards, as pages and as drawings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from halbzug.display.paths import output_option

Command = Callable[..., Any]

HTML = output_option("--html", help="Write a page, for any browser.", takes_stream=True)
SVG = output_option("--svg", help="Write a drawing, for slides.", takes_stream=True)
LANGUAGE = click.option(
    "--language",
    type=click.Choice(["en", "de"]),
    default="en",
    show_default=True,
    help="Of what is drawn.",
)
ORDER = click.option(
    "--order",
    type=click.Choice(["given", "best", "worst"]),
    default="given",
    show_default=True,
    help="Which moves are searched first.",
)


def drawn(command: Command) -> Command:
    """The options of what is written as a page or as a drawing."""
    options: Command = HTML(SVG(LANGUAGE(command)))
    return options


def tree_size(depth: int, width: int) -> Callable[[Command], Command]:
    """The options of the tree of a position, with their defaults."""

    def size(*names: str, maximum: int, default: int, help: str) -> Callable[[Command], Command]:
        kind = click.IntRange(1, maximum)
        return click.option(
            *names, type=kind, default=default, show_default=True, metavar="N", help=help
        )

    wide = size("--width", maximum=218, default=width, help="Of a position: moves of each node.")
    deep = size("-d", "--depth", maximum=8, default=depth, help="Of a position: plies of the tree.")
    return lambda command: deep(wide(command))

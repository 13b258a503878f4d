"""Prints the parts of a document, including tables and boards, on a terminal or into a file."""

from __future__ import annotations

from collections.abc import Iterable

import chess
from rich import box
from rich.table import Table
from rich.text import Text

from .document import Glossary, Listing, Part, Remark
from .sheet import Sheet
from .terminal import PlainConsole, draw_board, table_of

_STYLES = {"good": "green", "doubt": "yellow", "bad": "bold red", "strong": "bold"}

_MAX_WIDTH = 1000  # maximum width of a listing written to a file, in characters


def show(parts: Iterable[Part], console: PlainConsole | None = None) -> None:
    """Print a document, by default to standard output."""
    console = console or PlainConsole()
    for part in parts:
        if isinstance(part, Listing):
            _show_listing(part.sheet, console)
        elif isinstance(part, Sheet):
            console.print(table_of(console, part))
        elif isinstance(part, chess.Board):
            console.print(draw_board(part, console))
        elif isinstance(part, Glossary):
            grid = Table.grid(padding=(0, 2))
            for word, text in part.entries:
                grid.add_row(Text(word, "bold"), text)
            console.print(grid)
        elif isinstance(part, Remark):
            console.print(Text(part.text, _STYLES.get(part.tone, "")))
        else:
            console.print(part)


def listing(sheet: Sheet) -> Table:
    """A table without wrapped cells."""
    drawn = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in sheet.columns:
        drawn.add_column(
            column.title, justify="right" if column.is_number else "left", no_wrap=True
        )
    for row in sheet.rows:
        drawn.add_row(*map(Text, row.cells))
    return drawn


def _show_listing(sheet: Sheet, console: PlainConsole) -> None:
    drawn = listing(sheet)
    room = console.options.update(width=_MAX_WIDTH)
    console.width = max(console.width, console.measure(drawn, options=room).maximum)
    console.print(drawn, soft_wrap=True)

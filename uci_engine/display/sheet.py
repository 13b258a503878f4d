"""A table for people, as HTML for a notebook and as plain text elsewhere."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any, Literal

from ..base.text import visible

# The page sets the colours, so that a table is readable in its light and dark themes.
_TABLE = "margin:0"
_CELL = "text-align:left;vertical-align:top;padding:2px 8px;white-space:pre-wrap"
_NUMBER = (
    "text-align:right;vertical-align:top;padding:2px 8px;white-space:nowrap;"
    "font-variant-numeric:tabular-nums"
)
_TONES = {
    "plain": "",
    "strong": ";font-weight:bold",
    "faint": ";opacity:.6",
    "inaccuracy": ";color:#2a8aa8",
    "mistake": ";color:#b98500",
    "blunder": ";color:#d0413a",
}

#: The width of text, in characters.
_WIDTH = 80

#: How a row is emphasised: by weight, or as the judgement of a move.
Tone = Literal["plain", "strong", "faint", "inaccuracy", "mistake", "blunder"]


@dataclass(frozen=True)
class Column:
    """A column: its title, and whether it has numbers, which are right-aligned.

    :param is_wide: whether it takes the remaining width in a terminal, and wraps.
    """

    title: str
    is_number: bool = False
    is_wide: bool = False


@dataclass(frozen=True)
class Row:
    """A row and its emphasis. Missing cells at its end are empty."""

    cells: Sequence[str]
    tone: Tone = "plain"


@dataclass
class Sheet:
    """A table."""

    columns: Sequence[Column]
    rows: list[Row] = field(default_factory=list)

    def add(self, *cells: str, tone: Tone = "plain") -> None:
        """Add a row."""
        self.rows.append(Row(cells, tone))

    def html(self) -> str:
        """The table as HTML; the content of cells is always text."""
        head = "".join(
            f'<th style="{_style(column)}">{escape(column.title)}</th>' for column in self.columns
        )
        rows = "".join(f"<tr>{self._cells_html(row)}</tr>" for row in self.rows)
        return (
            f'<table style="{_TABLE}"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>'
        )

    def text(self) -> str:
        """The table as lines of text, with a rule below the titles."""
        titles = [column.title for column in self.columns]
        lines = [titles, *(self._filled(row) for row in self.rows)]
        widths = [max(map(len, cells)) for cells in zip(*lines, strict=True)]
        drawn = [self._line(cells, widths) for cells in lines]
        drawn.insert(1, "-" * (sum(widths) + 2 * (len(widths) - 1)))
        return "\n".join(drawn)

    def _filled(self, row: Row) -> list[str]:
        return [*map(visible, row.cells), *[""] * (len(self.columns) - len(row.cells))]

    def _cells_html(self, row: Row) -> str:
        return "".join(
            f'<td style="{_style(column)}{_TONES[row.tone]}">{escape(cell)}</td>'
            for column, cell in zip(self.columns, self._filled(row), strict=True)
        )

    def _line(self, cells: Sequence[str], widths: Sequence[int]) -> str:
        aligned = [
            cell.rjust(width) if column.is_number else cell.ljust(width)
            for column, cell, width in zip(self.columns, cells, widths, strict=True)
        ]
        return "  ".join(aligned).rstrip()


def _style(column: Column) -> str:
    return _NUMBER if column.is_number else _CELL


def beside(picture: str, rest: str) -> str:
    """HTML of a picture with the rest beside it, or below on a narrow page."""
    return (
        '<div style="display:flex;flex-wrap:wrap;gap:16px;align-items:flex-start">'
        f'<div>{picture}</div><div style="flex:1;min-width:240px">{rest}</div></div>'
    )


def paragraphs(texts: Iterable[str]) -> str:
    """HTML of some paragraphs."""
    style = "margin:.6em 0;max-width:48em"
    lines = (escape(text).replace("\n", "<br>") for text in texts)
    return "".join(f'<p style="{style}">{line}</p>' for line in lines)


def wrapped(*parts: str) -> str:
    """The parts that are not empty, separated by blank lines; only whole paragraphs are wrapped."""
    return "\n\n".join(
        part if "\n" in part else textwrap.fill(part, _WIDTH) for part in parts if part
    )


def show_text(result: object, printer: Any, cycle: bool) -> None:
    """Show a result as its `str`; its `_repr_pretty_`, which IPython calls on a terminal."""
    printer.text(repr(result) if cycle else str(result))

"""The tables of `halbzug explain`."""

from __future__ import annotations

import json
from collections.abc import Iterable

import click
from rich.table import Table
from rich.text import Text

from halbzug.board.movegen import BUILD
from halbzug.console.terminal import PlainConsole, draw_board, table_of
from halbzug.explain.examples import EXAMPLES
from halbzug.explain.report import (
    LEGEND,
    Remark,
    eval_remarks,
    horizon_remarks,
    side_to_move,
    tree_remarks,
)
from halbzug.explain.results import Horizon, Terms, Tree
from halbzug.explain.tables import horizon_table, terms_table, tree_table

_STYLES = {"good": "green", "doubt": "yellow", "bad": "bold red", "strong": "bold"}


def _paragraphs(remarks: Iterable[Remark]) -> list[Text | str]:
    return [
        Text(remark.text, _STYLES[remark.tone]) if remark.tone in _STYLES else remark.text
        for remark in remarks
    ]


# -- tree ---------------------------------------------------------------------------------------


def print_tree(found: Tree) -> None:
    """The ablation as a table, with what it shows."""
    console = PlainConsole()
    board, measurements = found.board, found.measurements
    turn = side_to_move(board)
    console.print(f"{board.fen()}\n{turn} to move, depth {found.depth}, {BUILD} build\n")
    console.print(table_of(console, tree_table(board, measurements)))
    console.print(LEGEND)
    console.print()
    ideas = Table.grid(padding=(0, 2))
    for one in measurements:
        ideas.add_row(Text(one.technique.name, "bold"), one.technique.idea)
    console.print(ideas)
    for paragraph in _paragraphs(tree_remarks(measurements)):
        console.print()
        console.print(paragraph)


# -- horizon ------------------------------------------------------------------------------------


def print_examples(as_json: bool) -> None:
    """Print the positions that come with Halbzug."""
    if as_json:
        for example in EXAMPLES:
            click.echo(
                json.dumps({"name": example.name, "title": example.title, "fen": example.fen})
            )
        return
    for example in EXAMPLES:
        click.echo(
            f"{example.name:10} {example.title} (depth {example.depth})\n{'':10} {example.fen}"
        )


def print_horizon(found: Horizon) -> None:
    """Two lines side by side, with the material after each ply."""
    console = PlainConsole()
    board, comparison = found.board, found.comparison
    if found.example:
        console.print(Text(found.example.title, "bold"))
    console.print(f"{board.fen()}\n{side_to_move(board)} to move, depth {found.depth}\n")
    console.print(draw_board(board, console))
    console.print()
    if found.story:
        console.print(found.story)
    console.print(table_of(console, horizon_table(board, comparison)))
    for paragraph in _paragraphs(horizon_remarks(board, comparison, found.is_searched)):
        console.print(paragraph)


# -- eval ---------------------------------------------------------------------------------------


def print_eval(found: Terms, is_all: bool) -> None:
    """The sum, term by term, and how it becomes one number."""
    console = PlainConsole()
    board, breakdown = found.board, found.breakdown
    console.print(f"{board.fen()}\n{side_to_move(board)} to move; all numbers are centipawns\n")
    console.print(table_of(console, terms_table(breakdown, is_all)))
    hidden = 0 if is_all else sum(term.cancels for term in breakdown.terms)
    for line in _paragraphs(eval_remarks(board, breakdown, hidden)):
        console.print(line)

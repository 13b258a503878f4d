"""The tables of `halbzug explain`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import zip_longest

import chess
import click
from rich import box
from rich.table import Table
from rich.text import Text

from halbzug.api.breakdown import Breakdown, Weighed
from halbzug.board.notation import pawns_text, san_line
from halbzug.board.rules import BUILD
from halbzug.console.terminal import PlainConsole, draw_board
from halbzug.eval.weights import GROUPS
from halbzug.explain.ablation import Measurement
from halbzug.explain.examples import EXAMPLES, Example
from halbzug.explain.horizon import Comparison, Line
from halbzug.explain.report import (
    LEGEND,
    Remark,
    eval_remarks,
    horizon_remarks,
    side_to_move,
    tree_remarks,
    worth_text,
)

_HORIZON = "- horizon -"

_STYLES = {"good": "green", "doubt": "yellow", "bad": "bold red", "strong": "bold"}


def _table(console: PlainConsole) -> Table:
    """A plain table that fits into 80 columns."""
    ruled = box.SIMPLE_HEAD if console.can_show("─") else box.ASCII_DOUBLE_HEAD
    return Table(box=ruled, pad_edge=False, padding=(0, 1, 0, 0), header_style="bold")


def _paragraphs(remarks: Iterable[Remark]) -> list[Text | str]:
    return [
        Text(remark.text, _STYLES[remark.tone]) if remark.tone in _STYLES else remark.text
        for remark in remarks
    ]


# -- tree ---------------------------------------------------------------------------------------


def print_tree(board: chess.Board, measurements: Sequence[Measurement]) -> None:
    """Print the ablation as a table, with remarks."""
    console = PlainConsole()
    depth = measurements[0].depth
    console.print(f"{board.fen()}\n{side_to_move(board)} to move, depth {depth}, {BUILD} build\n")
    table = _table(console)
    table.add_column("Search")  # shortened in a narrow terminal
    for name in ("nodes", "leaves", "time", "b*", "1st", "value"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("best", no_wrap=True)
    for one in measurements:
        table.add_row(*_cells(board, one))
    console.print(table)
    console.print(LEGEND)
    console.print()
    ideas = Table.grid(padding=(0, 2))
    for one in measurements:
        ideas.add_row(Text(one.technique.name, "bold"), one.technique.idea)
    console.print(ideas)
    for paragraph in _paragraphs(tree_remarks(measurements)):
        console.print()
        console.print(paragraph)


def _cells(board: chess.Board, one: Measurement) -> tuple[str, ...]:
    share = one.first_share
    first = "-" if share is None else f"{share:.0%}"
    if not one.is_finished:
        return (
            one.technique.name,
            f">{one.nodes:,}",
            "-",
            _time(one.seconds),
            "-",
            first,
            "",
            "",
        )
    return (
        one.technique.name,
        f"{one.nodes:,}",
        f"{one.leaves:,}",
        _time(one.seconds),
        f"{one.branching:.1f}",
        first,
        pawns_text(one.value),
        board.san(chess.Move.from_uci(one.move)),
    )


def _time(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds >= 1 else f"{seconds * 1000:.0f} ms"


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


def print_horizon(
    board: chess.Board, comparison: Comparison, example: Example | None, is_searched: bool
) -> None:
    """Print two lines side by side, with the material after each ply."""
    console = PlainConsole()
    if example:
        console.print(Text(example.title, "bold"))
    console.print(f"{board.fen()}\n{side_to_move(board)} to move, depth {comparison.depth}\n")
    console.print(draw_board(board, console))
    console.print()
    if example and comparison.depth == example.depth:
        console.print(example.story)
    table = _table(console)
    table.add_column("ply", justify="right")
    for title in ("without", "with quiescence, extensions"):
        table.add_column(title, no_wrap=True)
        table.add_column("material", justify="right", no_wrap=True)
    before = _signed(comparison.material)
    table.add_row("", "", before, "", before)
    columns = [
        _line_cells(board, line, comparison.depth) for line in (comparison.without, comparison.full)
    ]
    for number, (left, right) in enumerate(zip_longest(*columns, fillvalue=("", ""))):
        is_horizon = number == comparison.depth
        ply = "" if is_horizon else str(number + 1 - (number > comparison.depth))
        table.add_row(ply, *left, *right, style="dim" if is_horizon else None)
    console.print(table)
    for paragraph in _paragraphs(horizon_remarks(board, comparison, is_searched)):
        console.print(paragraph)


def _line_cells(board: chess.Board, line: Line, depth: int) -> list[tuple[str, str]]:
    """Move and material for each ply, with the horizon after the last searched one."""
    after = board.copy(stack=False)
    cells = []
    for text, material in zip(line.moves + line.beyond, line.materials, strict=True):
        move = san_line(after, [text])
        after.push_uci(text)
        cells.append((move, _signed(material)))
    cells += [("", "")] * (depth - len(cells))
    cells.insert(depth, (_HORIZON, ""))
    return cells


def _signed(number: int) -> str:
    return f"{number:+}" if number else "0"


# -- eval ---------------------------------------------------------------------------------------


def print_eval(board: chess.Board, breakdown: Breakdown, is_all: bool) -> None:
    """Print the sum, term by term, and how it becomes one number."""
    console = PlainConsole()
    console.print(f"{board.fen()}\n{side_to_move(board)} to move; all numbers are centipawns\n")
    table = _table(console)
    table.add_column("Term")
    for name in ("White", "Black", "mg", "eg", "worth"):
        table.add_column(name, justify="right", no_wrap=True)
    hidden = 0
    for group in GROUPS:
        members = [term for term in breakdown.terms if term.group == group]
        shown = [term for term in members if is_all or not term.cancels]
        hidden += len(members) - len(shown)
        if shown:
            total = sum((term.contribution for term in members), Fraction())
            table.add_row(Text(group, "bold"), "", "", "", "", Text(worth_text(total), "bold"))
        for term in shown:
            table.add_row(*_term_cells(term))
    console.print(table)
    for line in _paragraphs(eval_remarks(board, breakdown, hidden)):
        console.print(line)


def _term_cells(term: Weighed) -> tuple[str, ...]:
    return (
        f"  {term.name}",
        str(term.white),
        str(term.black),
        f"{term.middlegame:+}",
        f"{term.endgame:+}",
        worth_text(term.contribution),
    )

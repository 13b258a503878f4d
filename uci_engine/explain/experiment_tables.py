"""The tables of the experiments, for terminals and notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import zip_longest

import chess

from ..api.breakdown import Breakdown, Weighed
from ..api.term_titles_de import term_title
from ..base.language import local, say, spelled
from ..board.notation import san_line, score_text
from ..display.sheet import Column, Sheet
from ..eval.weights import GROUPS
from ..reasons.move_reason import MoveReason
from ..teaching.horizon_effect import Comparison, HorizonLine
from .ablation import Measurement
from .experiment_report import worth_text


def tree_table(board: chess.Board, measurements: Sequence[Measurement]) -> Sheet:
    """The ablation, one technique per row."""
    numbers = (say("nodes"), say("leaves"), say("time"), "b*", say("1st"), say("value"))
    sheet = Sheet(
        (Column(say("Search")), *(Column(name, True) for name in numbers), Column(say("best")))
    )
    for one in measurements:
        sheet.add(*_tree_cells(board, one))
    return sheet


def _tree_cells(board: chess.Board, one: Measurement) -> tuple[str, ...]:
    share = one.first_share
    first = "-" if share is None else local(f"{share:.0%}")
    name, seconds, nodes = say(one.technique.name), _time(one.seconds), local(f"{one.nodes:,}")
    if not one.is_finished:
        return (name, f">{nodes}", "-", seconds, "-", first)
    return (
        name,
        nodes,
        local(f"{one.leaves:,}"),
        seconds,
        local(f"{one.branching:.1f}"),
        first,
        score_text(one.value),
        spelled(board.san(chess.Move.from_uci(one.move))),
    )


def _time(seconds: float) -> str:
    return local(f"{seconds:.2f} s" if seconds >= 1 else f"{seconds * 1000:.0f} ms")


def horizon_table(board: chess.Board, comparison: Comparison) -> Sheet:
    """The two lines side by side, with the material after each ply."""
    columns = [Column(say("ply"), True)]
    for title in (say("without"), say("with quiescence, extensions")):
        columns += [Column(title), Column(say("material"), True)]
    sheet = Sheet(columns)
    before = _signed(comparison.material)
    sheet.add("", "", before, "", before)
    lines = [
        _line_cells(board, line, comparison.depth) for line in (comparison.without, comparison.full)
    ]
    for number, (left, right) in enumerate(zip_longest(*lines, fillvalue=("", ""))):
        if number == comparison.depth:
            sheet.add("", *left, *right, tone="faint")
        else:
            sheet.add(str(number + 1 - (number > comparison.depth)), *left, *right)
    return sheet


def _line_cells(board: chess.Board, line: HorizonLine, depth: int) -> list[tuple[str, str]]:
    """Move and material for each ply, with the horizon marked after the requested depth."""
    after = board.copy(stack=False)
    cells = []
    for text, material in zip(line.moves + line.beyond, line.materials, strict=True):
        move = spelled(san_line(after, [text]))
        after.push_uci(text)
        cells.append((move, _signed(material)))
    cells += [("", "")] * (depth - len(cells))
    cells.insert(depth, (say("- horizon -"), ""))
    return cells


def _signed(number: int) -> str:
    return f"{number:+}" if number else "0"


def terms_table(breakdown: Breakdown, is_all: bool) -> Sheet:
    """The terms of the evaluation by groups, with the sum of each.

    :param is_all: also show the terms that cancel out.
    """
    numbers = (say("White"), say("Black"), say("mg"), say("eg"), say("worth"))
    sheet = Sheet((Column(say("Term")), *(Column(name, True) for name in numbers)))
    for group, members in in_groups(breakdown):
        shown = [term for term in members if is_all or not term.cancels]
        if shown:
            total = sum((term.contribution for term in members), Fraction())
            sheet.add(say(group), "", "", "", "", worth_text(total), tone="strong")
        for term in shown:
            sheet.add(*_term_cells(term))
    return sheet


def changes_table(reason: MoveReason) -> Sheet:
    """The evaluation at the end of both lines by groups of terms, from the player's side."""
    titles = (say("better line"), say("refutation"), say("change"))
    sheet = Sheet((Column(say("Terms")), *(Column(title, True) for title in titles)))
    changes = [change for change in reason.terms if change.kept or change.left]
    for change in changes:
        cells = (change.kept, change.left, -change.loss)
        sheet.add(say(change.group), *map(_signed, cells), tone="plain" if change.loss else "faint")
    sums = [sum(change.kept for change in changes), sum(change.left for change in changes)]
    sheet.add(say("Sum"), *map(_signed, [*sums, sums[1] - sums[0]]), tone="strong")
    return sheet


def in_groups(breakdown: Breakdown) -> list[tuple[str, list[Weighed]]]:
    """The groups of terms in the order of their weights, with the terms present in the position."""
    groups = [(name, [term for term in breakdown.terms if term.group == name]) for name in GROUPS]
    return [(name, members) for name, members in groups if members]


def _term_cells(term: Weighed) -> tuple[str, ...]:
    return (
        f"  {term_title(*term.feature)}",
        str(term.white),
        str(term.black),
        f"{term.middlegame:+}",
        f"{term.endgame:+}",
        worth_text(term.contribution),
    )

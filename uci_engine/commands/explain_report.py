"""What `halbzug explain` prints: tables for people, JSON for programs."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import zip_longest
from typing import Any

import chess
import click
from rich import box
from rich.table import Table
from rich.text import Text

from halbzug.board.notation import pawns_text, san_line
from halbzug.board.rules import BUILD
from halbzug.console.terminal import PlainConsole, draw_board
from halbzug.eval.endgame import FULL_SCALE
from halbzug.eval.tables import FULL_PHASE
from halbzug.eval.weights import GROUPS
from halbzug.explain import ablation
from halbzug.explain.ablation import ALWAYS_EQUAL_DEPTH, MINIMAX, ORDERED, Measurement
from halbzug.explain.branching import exponent, least_leaves
from halbzug.explain.examples import EXAMPLES, Example
from halbzug.explain.horizon import DEPTHS, JUDGE_DEPTH, Comparison, Line
from halbzug.explain.terms import Breakdown, Weighed

_HORIZON = "- horizon -"


def _table(console: PlainConsole) -> Table:
    """A table of the plainest kind that fits into 80 columns."""
    ruled = box.SIMPLE_HEAD if console.can_show("─") else box.ASCII_DOUBLE_HEAD
    return Table(box=ruled, pad_edge=False, padding=(0, 1, 0, 0), header_style="bold")


def _side(board: chess.Board) -> str:
    return "White" if board.turn else "Black"


def _times(factor: float) -> str:
    return f"{factor:.1f}" if factor < 10 else f"{factor:,.0f}"


# -- tree ---------------------------------------------------------------------------------------


def agrees(measurements: Sequence[Measurement]) -> bool:
    """Whether the techniques that must have one value do; False means a bug."""
    return ablation.agree(measurements) or ablation.is_excused(measurements)


def print_tree(board: chess.Board, measurements: Sequence[Measurement]) -> None:
    """The ablation as a table, with what it shows."""
    console = PlainConsole()
    depth = measurements[0].depth
    console.print(f"{board.fen()}\n{_side(board)} to move, depth {depth}, {BUILD} build\n")
    table = _table(console)
    table.add_column("Search")  # gives way in a narrow terminal
    for name in ("nodes", "leaves", "time", "b*", "1st", "value"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("best", no_wrap=True)
    for one in measurements:
        table.add_row(*_cells(board, one))
    console.print(table)
    console.print(_legend())
    console.print()
    ideas = Table.grid(padding=(0, 2))
    for one in measurements:
        ideas.add_row(Text(one.technique.name, "bold"), one.technique.idea)
    console.print(ideas)
    for paragraph in _findings(measurements):
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


def _legend() -> str:
    return (
        "Nodes are positions visited; leaves those among them that are judged without a look at "
        "their moves. b* is the effective branching factor: a uniform tree with so many moves in "
        "each position has as many nodes. 1st: where a move was so good that the others could be "
        "left out, how often it was the first. Values are in pawns, for the side to move."
    )


def _findings(measurements: Sequence[Measurement]) -> list[Text | str]:
    findings = (_agreement(measurements), _saving(measurements), _falling(measurements))
    return [finding for finding in findings if finding]


def _agreement(measurements: Sequence[Measurement]) -> Text:
    exact = [one for one in measurements if one.technique.is_exact]
    unfinished = [one.technique.name for one in exact if not one.is_finished]
    rest = f" (not finished: {', '.join(unfinished)})" if unfinished else ""
    values = {one.value for one in exact if one.is_finished}
    if len(values) == 1:
        return Text(
            f"The first six agree on {pawns_text(values.pop())}{rest}, as they must by theorem: "
            "all of them find the value of minimax. Where several moves have this value, the best "
            "move may be another one.",
            "green",
        )
    if not values:
        return Text(f"There is no value to compare{rest}.", "yellow")
    if ablation.is_excused(measurements):
        return Text(
            f"The first five agree{rest}, and the transposition table has another value. From "
            f"depth {ALWAYS_EQUAL_DEPTH + 1} on that is no mistake: a repetition is a draw because "
            "of the way to a position, and the table knows positions only.",
            "yellow",
        )
    return Text(f"The first six do not agree{rest}: this is a bug, please report it.", "bold red")


def _saving(measurements: Sequence[Measurement]) -> str:
    """What ordered alpha-beta saves, against what it could save at best."""
    whole, ordered = ablation.of(MINIMAX, measurements), ablation.of(ORDERED, measurements)
    if not whole or not ordered:
        return ""
    least = least_leaves(whole.leaves, whole.depth)
    power = exponent(ordered.leaves, whole.leaves)
    return (
        f"Ordered alpha-beta ({ORDERED.name}) judges {ordered.leaves:,} leaves instead of "
        f"{whole.leaves:,}: 1 in {_times(whole.leaves / ordered.leaves)}. In theory, with the best "
        f"move always first in a uniform tree, it would be {least:,.0f}, 1 in "
        f"{_times(whole.leaves / least)}: of the order of the square root, "
        f"{math.sqrt(whole.leaves):,.0f}. As a power of minimax's leaves it is {power:.2f}, where "
        "the square root is 0.50 and random order about 0.75."
    )


def _falling(measurements: Sequence[Measurement]) -> str:
    """Where the nodes do not fall along the table, and why."""
    rises = ablation.rises(measurements)
    if not rises:
        return "The nodes fall from row to row."
    reasons = [
        f"{one.technique.name.removeprefix('+ ')} ({factor - 1:+.0%}): {one.technique.why_more}"
        for one, factor in rises
    ]
    return "The nodes fall from row to row, except with " + "; ".join(reasons) + "."


def tree_as_json(
    board: chess.Board, by_depth: Mapping[int, Sequence[Measurement]]
) -> dict[str, Any]:
    """The ablation for programs; the deepest is what was asked for."""
    depth = max(by_depth)
    measurements = by_depth[depth]
    whole, ordered = ablation.of(MINIMAX, measurements), ablation.of(ORDERED, measurements)
    report: dict[str, Any] = {
        "fen": board.fen(),
        "depth": depth,
        "build": BUILD,
        "rows": [_measurement_as_json(one) for one in measurements],
        "agree": ablation.agree(measurements),
        "excused": not ablation.agree(measurements) and ablation.is_excused(measurements),
        "rises": {
            one.technique.name: round(factor, 3) for one, factor in ablation.rises(measurements)
        },
    }
    if whole and ordered:
        report["leaf_ratio"] = round(whole.leaves / ordered.leaves, 2)
        report["best_ratio"] = round(whole.leaves / least_leaves(whole.leaves, depth), 2)
        report["exponent"] = round(exponent(ordered.leaves, whole.leaves), 3)
    if len(by_depth) > 1:
        report["by_depth"] = [
            {
                "depth": plies,
                "nodes": {one.technique.name: one.nodes for one in by_depth[plies]},
            }
            for plies in sorted(by_depth)
        ]
    return report


def _measurement_as_json(one: Measurement) -> dict[str, Any]:
    share = one.first_share
    return {
        "name": one.technique.name,
        "exact": one.technique.is_exact,
        "finished": one.is_finished,
        "nodes": one.nodes,
        "leaves": one.leaves,
        "seconds": round(one.seconds, 4),
        "branching": round(one.branching, 2),
        "first_move_cutoffs": None if share is None else round(share, 4),
        "value": one.value,
        "move": one.move,
        "pv": list(one.pv),
    }


# -- horizon ------------------------------------------------------------------------------------


def print_examples(as_json: bool) -> None:
    """The positions that come with Halbzug."""
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
    """Two lines side by side, with the material after each ply."""
    console = PlainConsole()
    if example:
        console.print(Text(example.title, "bold"))
    console.print(f"{board.fen()}\n{_side(board)} to move, depth {comparison.depth}\n")
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
    for paragraph in _conclusions(board, comparison, is_searched):
        console.print(paragraph)


def _line_cells(board: chess.Board, line: Line, depth: int) -> list[tuple[str, str]]:
    """Move and material for each ply, with the horizon behind the last one that was asked for."""
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


def _conclusions(board: chess.Board, comparison: Comparison, is_searched: bool) -> list[Text | str]:
    without, full = comparison.without, comparison.full
    side = _side(board)
    moves = [board.san(chess.Move.from_uci(line.moves[0])) for line in (without, full)]
    lines: list[Text | str] = [
        f"Material is {side}'s less the other side's: pawn 1, knight and bishop 3, rook 5, queen "
        "9. On the left, what follows the horizon is how the full engine goes on from there.",
        "",
    ]
    if moves[0] == moves[1]:
        lines.append(
            f"Both choose {moves[0]} (without {pawns_text(without.value)}, with "
            f"{pawns_text(full.value)}, and searched {JUDGE_DEPTH} plies deep "
            f"{pawns_text(full.judged)})."
        )
        if is_searched:
            lines.append(_nothing_found())
        return lines
    lines += [
        f"Without: {moves[0]} seems to be worth {pawns_text(without.value)}; searched "
        f"{JUDGE_DEPTH} plies deep it is worth {pawns_text(without.judged)}.",
        f"With:    {moves[1]} seems to be worth {pawns_text(full.value)}; searched "
        f"{JUDGE_DEPTH} plies deep it is worth {pawns_text(full.judged)}.",
        "",
    ]
    if comparison.is_mistake:
        lines.append(
            Text(f"The loss that {moves[0]} brings lies behind the horizon: the search that just "
                 "stops does not see it.", "bold")
        )  # fmt: skip
    elif is_searched:
        lines.append(_nothing_found())
    else:
        lines.append("Here the two moves are worth about the same: no horizon effect.")
    return lines


def _nothing_found() -> str:
    return (
        f"At depths {DEPTHS[0]} to {DEPTHS[-1]} the horizon does no harm in this position. "
        "`halbzug explain horizon --list` has some where it does."
    )


def horizon_as_json(
    board: chess.Board, comparison: Comparison, example: Example | None
) -> dict[str, Any]:
    """The comparison for programs."""
    return {
        "name": example.name if example else None,
        "fen": board.fen(),
        "depth": comparison.depth,
        "material": comparison.material,
        "without": _line_as_json(comparison.without),
        "with": _line_as_json(comparison.full),
        "cost": comparison.cost,
        "mistake": comparison.is_mistake,
    }


def _line_as_json(line: Line) -> dict[str, Any]:
    return {
        "value": line.value,
        "pv": list(line.moves),
        "beyond": list(line.beyond),
        "materials": list(line.materials),
        "judged": line.judged,
    }


# -- eval ---------------------------------------------------------------------------------------


def print_eval(board: chess.Board, breakdown: Breakdown, is_all: bool) -> None:
    """The sum, term by term, and how it becomes one number."""
    console = PlainConsole()
    console.print(f"{board.fen()}\n{_side(board)} to move; all numbers are centipawns\n")
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
            table.add_row(Text(group, "bold"), "", "", "", "", Text(_worth(total), "bold"))
        for term in shown:
            table.add_row(*_term_cells(term))
    console.print(table)
    for line in _steps(board, breakdown, hidden):
        console.print(line)


def _term_cells(term: Weighed) -> tuple[str, ...]:
    return (
        f"  {term.name}",
        str(term.white),
        str(term.black),
        f"{term.middlegame:+}",
        f"{term.endgame:+}",
        _worth(term.contribution),
    )


def _worth(contribution: Fraction) -> str:
    return f"{float(contribution):+.1f}" if contribution else "0.0"


def _steps(board: chess.Board, breakdown: Breakdown, hidden: int) -> list[Text | str]:
    early, part = breakdown.phase, breakdown.scale
    terms = breakdown.white_value - breakdown.rounding
    side = _side(board)
    steps: list[Text | str] = [
        "A term is worth (White's count - Black's) * weight, where the weight is mg in the "
        f"middlegame and eg in the endgame, and in between as the phase says. The phase is {early} "
        f"of {FULL_PHASE} (full board {FULL_PHASE}, bare kings 0): mg counts {early}/{FULL_PHASE}, "
        f"eg {FULL_PHASE - early}/{FULL_PHASE}."
    ]
    if part != FULL_SCALE:
        steps.append(
            f"Only {part}/{FULL_SCALE} of the endgame's advantage can be won, so eg counts less."
        )
    steps.append("Squares and ranks are as their own side sees them: Black's f6 is f3 here.")
    steps.append(
        "The network is a small one that corrects the other terms: it counts in centipawns what "
        "they do not say."
    )
    if hidden:
        steps.append(
            f"{hidden} terms that both sides have equally often cancel; --all shows them, too."
        )
    rounding = _worth(breakdown.rounding)
    steps += [
        "",
        f"{'Sum of the terms, for White':34}{_worth(terms):>8}",
        f"{'Rounding to whole centipawns':34}{rounding:>8}",
        Text(f"{f'Evaluation, for {side}, who moves':34}{breakdown.value:>+6}   "
             f"({pawns_text(breakdown.value)} pawns), as the engine has it", "bold"),
    ]  # fmt: skip
    if board.is_check():
        steps.append("The side to move is in check: the search would not evaluate here.")
    return steps


def eval_as_json(board: chess.Board, breakdown: Breakdown) -> dict[str, Any]:
    """The sum for programs; worths are fractions of a centipawn, exact as text."""
    return {
        "fen": board.fen(),
        "terms": [
            {
                "group": term.group,
                "feature": term.feature[0],
                "index": term.feature[1],
                "name": term.name,
                "white": term.white,
                "black": term.black,
                "middlegame": term.middlegame,
                "endgame": term.endgame,
                "worth": float(term.contribution),
                "exact": str(term.contribution),
            }
            for term in breakdown.terms
        ],
        "middlegame": breakdown.middlegame,
        "endgame": breakdown.endgame,
        "phase": breakdown.phase,
        "scale": breakdown.scale,
        "rounding": str(breakdown.rounding),
        "white_value": breakdown.white_value,
        "value": breakdown.value,
    }

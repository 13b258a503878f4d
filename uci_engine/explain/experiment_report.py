"""Describes the results of the experiments in sentences."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import chess

from ..api.breakdown import Breakdown
from ..base.text import counted
from ..board.notation import numbered_san, pawns_text, san_line
from ..display.document import Remark
from ..eval.endgame import FULL_SCALE
from ..eval.tables import FULL_PHASE
from ..reasons.move_reason import MoveReason
from ..teaching.branching import exponent, least_leaves
from ..teaching.horizon_effect import DEPTHS, JUDGE_DEPTH, Comparison
from . import ablation
from .ablation import ALWAYS_EQUAL_DEPTH, MINIMAX, ORDERED, Measurement


def side_to_move(board: chess.Board) -> str:
    """`White` or `Black`."""
    return "White" if board.turn else "Black"


def worth_text(contribution: Fraction) -> str:
    """A term's contribution in centipawns, such as `+12.5`."""
    return f"{float(contribution):+.1f}" if contribution else "0.0"


def _times(factor: float) -> str:
    return f"{factor:.1f}" if factor < 10 else f"{factor:,.0f}"


# -- tree ---------------------------------------------------------------------------------------

#: Explains the columns of the table.
LEGEND = (
    "Nodes are the positions visited; leaves are those of them that are evaluated without a "
    "search of their moves. b* is the effective branching factor: a uniform tree with b* moves "
    "in each position has as many nodes. 1st is the share of cutoffs by the first move. Values "
    "are in pawns, for the side to move."
)


def agrees(measurements: Sequence[Measurement]) -> bool:
    """Whether the techniques that must have the same value do; False indicates a bug."""
    return ablation.agree(measurements) or ablation.is_excused(measurements)


def tree_remarks(measurements: Sequence[Measurement]) -> list[Remark]:
    """Remarks on the ablation: whether values agree, the saving, and where nodes do not fall."""
    remarks = (
        _agreement(measurements),
        Remark(_saving(measurements)),
        Remark(_falling(measurements)),
    )
    return [remark for remark in remarks if remark.text]


def _agreement(measurements: Sequence[Measurement]) -> Remark:
    exact = [one for one in measurements if one.technique.is_exact]
    unfinished = [one.technique.name for one in exact if not one.is_finished]
    rest = f" (not finished: {', '.join(unfinished)})" if unfinished else ""
    values = {one.value for one in exact if one.is_finished}
    if len(values) == 1:
        return Remark(
            f"The first six agree on {pawns_text(values.pop())}{rest}, as a theorem requires: all "
            "of them find the minimax value. If several moves have this value, the best move may "
            "differ.",
            "good",
        )
    if not values:
        return Remark(f"There is no value to compare{rest}.", "doubt")
    if ablation.is_excused(measurements):
        return Remark(
            f"The first five agree{rest}, and the transposition table has another value. From "
            f"depth {ALWAYS_EQUAL_DEPTH + 1} on, that is not an error: a repetition is a draw "
            "because of earlier moves, but the table stores only positions.",
            "doubt",
        )
    return Remark(f"The first six do not agree{rest}: this is a bug, please report it.", "bad")


def _saving(measurements: Sequence[Measurement]) -> str:
    """The saving by ordered alpha-beta, compared with the best possible one."""
    whole, ordered = ablation.of(MINIMAX, measurements), ablation.of(ORDERED, measurements)
    if not whole or not ordered:
        return ""
    least = least_leaves(whole.leaves, whole.depth)
    power = exponent(ordered.leaves, whole.leaves)
    return (
        f"Ordered alpha-beta ({ORDERED.name}) evaluates {ordered.leaves:,} leaves instead of "
        f"{whole.leaves:,}: 1 in {_times(whole.leaves / ordered.leaves)}. In theory, with the best "
        f"move always first in a uniform tree, it would be {least:,.0f}, 1 in "
        f"{_times(whole.leaves / least)}: of the order of the square root, "
        f"{math.sqrt(whole.leaves):,.0f}. As an exponent of minimax's leaves, it is {power:.2f}; "
        "the square root would be 0.50, and random order about 0.75."
    )


def _falling(measurements: Sequence[Measurement]) -> str:
    """Where the nodes do not fall from row to row, and why."""
    rises = ablation.rises(measurements)
    if not rises:
        return "The nodes fall from row to row."
    reasons = [
        f"{one.technique.name.removeprefix('+ ')} ({factor - 1:+.0%}): {one.technique.why_more}"
        for one, factor in rises
    ]
    return "The nodes fall from row to row, except with " + "; ".join(reasons) + "."


# -- horizon ------------------------------------------------------------------------------------


def horizon_remarks(board: chess.Board, comparison: Comparison, is_searched: bool) -> list[Remark]:
    """Remarks on the two lines.

    :param is_searched: whether several depths were searched for one that shows the effect.
    """
    without, full = comparison.without, comparison.full
    side = side_to_move(board)
    moves = [board.san(chess.Move.from_uci(line.moves[0])) for line in (without, full)]
    lines = [
        f"Material is {side}'s minus the opponent's: pawn 1, knight and bishop 3, rook 5, queen "
        "9. On the left, the moves after the horizon are the full engine's continuation.",
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
        return [Remark(line) for line in lines]
    lines += [
        f"Without: {moves[0]} seems to be worth {pawns_text(without.value)}; searched "
        f"{JUDGE_DEPTH} plies deep it is worth {pawns_text(without.judged)}.",
        f"With:    {moves[1]} seems to be worth {pawns_text(full.value)}; searched "
        f"{JUDGE_DEPTH} plies deep it is worth {pawns_text(full.judged)}.",
        "",
    ]
    if comparison.is_mistake:
        last = Remark(
            f"The loss caused by {moves[0]} lies behind the horizon: a search that simply stops "
            "does not see it.",
            "strong",
        )
    elif is_searched:
        last = Remark(_nothing_found())
    else:
        last = Remark("Here the two moves are worth about the same; there is no horizon effect.")
    return [*map(Remark, lines), last]


def _nothing_found() -> str:
    return (
        f"At depths {DEPTHS[0]} to {DEPTHS[-1]} the horizon does no harm in this position. "
        "`halbzug explain horizon --list` has some where it does."
    )


# -- eval ---------------------------------------------------------------------------------------

IN_CHECK = "The side to move is in check: the search would not evaluate here."


def eval_notes(breakdown: Breakdown) -> list[str]:
    """How each term gets its worth, in a sentence or two."""
    early, part = breakdown.phase, breakdown.scale
    notes = [
        "A term is worth (White's count - Black's) * weight, where the weight is mg in the "
        f"middlegame, eg in the endgame, and a blend by phase in between. The phase is {early} "
        f"of {FULL_PHASE} (full board {FULL_PHASE}, bare kings 0): mg counts {early}/{FULL_PHASE}, "
        f"eg {FULL_PHASE - early}/{FULL_PHASE}."
    ]
    if part != FULL_SCALE:
        notes.append(
            f"Only {part}/{FULL_SCALE} of the endgame's advantage can be won, so eg counts less."
        )
    notes.append("Squares and ranks are seen from their own side: Black's f6 is f3 here.")
    notes.append("The network is a small one that corrects the other terms, in centipawns.")
    return notes


def eval_sum(board: chess.Board, breakdown: Breakdown) -> list[tuple[str, str]]:
    """How the terms become one number, as pairs of name and number."""
    terms = breakdown.white_value - breakdown.rounding
    return [
        ("Sum of the terms, for White", worth_text(terms)),
        ("Rounding to whole centipawns", worth_text(breakdown.rounding)),
        (f"Evaluation, for {side_to_move(board)}, who moves", f"{breakdown.value:+}"),
    ]


NETWORK_NOTE = (
    "This is the other evaluation: the network that the compiled engine uses at full strength. "
    "Material and position are the sum of each piece's own share, which the neurons correct. The "
    "last column shows by how much the total drops without the piece."
)


def hidden_text(number: int) -> str:
    """The number of terms that cancel out."""
    verb = "cancels" if number == 1 else "cancel"
    return f"{counted(number, 'term')} that both sides have equally often {verb}"


def eval_remarks(board: chess.Board, breakdown: Breakdown, hidden: int) -> list[Remark]:
    """How the terms become one number, one remark per line.

    :param hidden: the number of terms not shown because they cancel out.
    """
    remarks = [*map(Remark, eval_notes(breakdown))]
    if hidden:
        remarks.append(
            Remark(f"{hidden_text(hidden)}; --all shows {'it' if hidden == 1 else 'them'}, too.")
        )
    terms, rounding, (total, value) = eval_sum(board, breakdown)
    remarks += [
        Remark(""),
        *(Remark(f"{name:34}{number:>8}") for name, number in (terms, rounding)),
        Remark(
            f"{total:34}{value:>6}   ({pawns_text(breakdown.value)} pawns), by terms",
            "strong",
        ),
    ]
    if board.is_check():
        remarks.append(Remark(IN_CHECK))
    return remarks


# -- move ---------------------------------------------------------------------------------------


def move_name(reason: MoveReason) -> str:
    """The explained move, with its number."""
    return numbered_san(reason.board, reason.move)


def move_notes(reason: MoveReason) -> list[str]:
    """Why a move is bad, with its lines, as paragraphs; scores are from the player's side."""
    name, after = move_name(reason), pawns_text(reason.score_after)
    if reason.best == reason.move:
        score = "" if name.endswith("#") else f": {after}"
        return [f"{name} is the best move that was found{score}."]
    if not reason.is_bad:
        before = pawns_text(reason.score_before)
        return [f"{name} loses little: {after} instead of {before}."]
    text = reason.text or f"No reason is certain. {reason.better}"
    return [text, f"Refutation: {_refutation(reason)}", f"Better: {_better(reason)}"]


def _refutation(reason: MoveReason) -> str:
    after = reason.board.copy(stack=False)
    after.push(reason.move)
    return san_line(after, [move.uci() for move in reason.refutation])


def _better(reason: MoveReason) -> str:
    return san_line(reason.board, [move.uci() for move in reason.best_line])

"""Describes the results of the experiments in sentences."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import chess

from ..api.breakdown import Breakdown
from ..base.language import local, say, spelled
from ..board.notation import numbered_san, san_line, score_text
from ..display.document import Remark
from ..eval.endgame import FULL_SCALE
from ..eval.tables import FULL_PHASE
from ..reasons.move_reason import MoveReason
from ..teaching.branching import exponent, least_leaves
from ..teaching.horizon_effect import DEPTHS, JUDGE_DEPTH, Comparison
from . import ablation
from .ablation import ALWAYS_EQUAL_DEPTH, MINIMAX, ORDERED, Measurement


def side_to_move(board: chess.Board) -> str:
    """`White` or `Black`, in the reader's language."""
    return say("White" if board.turn else "Black")


def heading(board: chess.Board, depth: int | None = None) -> str:
    """The position, whose turn it is, and the depth of a search in plies."""
    words = say("{side} to move", side=side_to_move(board))
    return f"{board.fen()}\n{words}" + ("" if depth is None else say(", depth {n}", n=depth))


def worth_text(contribution: Fraction) -> str:
    """A term's contribution in centipawns, such as `+12.5`."""
    return local(f"{float(contribution):+.1f}" if contribution else "0.0")


def _times(factor: float) -> str:
    return local(f"{factor:.1f}" if factor < 10 else f"{factor:,.0f}")


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
    unfinished = [say(one.technique.name) for one in exact if not one.is_finished]
    rest = say(" (not finished: {names})", names=", ".join(unfinished)) if unfinished else ""
    values = {one.value for one in exact if one.is_finished}
    if len(values) == 1:
        return Remark(
            say(
                "The first six agree on {value}{rest}, as a theorem requires: all of them find "
                "the minimax value. If several moves have this value, the best move may differ.",
                value=score_text(values.pop()),
                rest=rest,
            ),
            "good",
        )
    if not values:
        return Remark(say("There is no value to compare{rest}.", rest=rest), "doubt")
    if ablation.is_excused(measurements):
        return Remark(
            say(
                "The first five agree{rest}, and the transposition table has another value. From "
                "depth {depth} on, that is not an error: a repetition is a draw because of "
                "earlier moves, but the table stores only positions.",
                rest=rest,
                depth=ALWAYS_EQUAL_DEPTH + 1,
            ),
            "doubt",
        )
    return Remark(
        say("The first six do not agree{rest}: this is a bug, please report it.", rest=rest), "bad"
    )


def _saving(measurements: Sequence[Measurement]) -> str:
    """The saving by ordered alpha-beta, compared with the best possible one."""
    whole, ordered = ablation.of(MINIMAX, measurements), ablation.of(ORDERED, measurements)
    if not whole or not ordered:
        return ""
    least = least_leaves(whole.leaves, whole.depth)
    power = exponent(ordered.leaves, whole.leaves)
    return say(
        "Ordered alpha-beta ({name}) evaluates {leaves:,} leaves instead of {all:,}: 1 in {part}. "
        "In theory, with the best move always first in a uniform tree, it would be {least:,.0f}, "
        "1 in {least_part}: of the order of the square root, {root:,.0f}. As an exponent of "
        "minimax's leaves, it is {power:.2f}; the square root would be 0.50, and random order "
        "about 0.75.",
        name=say(ORDERED.name),
        leaves=ordered.leaves,
        all=whole.leaves,
        part=_times(whole.leaves / ordered.leaves),
        least=least,
        least_part=_times(whole.leaves / least),
        root=math.sqrt(whole.leaves),
        power=power,
    )


def _falling(measurements: Sequence[Measurement]) -> str:
    """Where the nodes do not fall from row to row, and why."""
    rises = ablation.rises(measurements)
    if not rises:
        return say("The nodes fall from row to row.")
    reasons = [
        f"{say(one.technique.name).removeprefix('+ ')} ({local(f'{factor - 1:+.0%}')}): "
        + say(one.technique.why_more)
        for one, factor in rises
    ]
    return say("The nodes fall from row to row, except with {reasons}.", reasons="; ".join(reasons))


# -- horizon ------------------------------------------------------------------------------------


def horizon_remarks(board: chess.Board, comparison: Comparison, is_searched: bool) -> list[Remark]:
    """Remarks on the two lines.

    :param is_searched: whether several depths were searched for one that shows the effect.
    """
    without, full = comparison.without, comparison.full
    moves = [spelled(board.san(chess.Move.from_uci(line.moves[0]))) for line in (without, full)]
    lines = [
        say(
            "Material is {side}'s minus the opponent's: pawn 1, knight and bishop 3, rook 5, queen "
            "9. On the left, the moves after the horizon are the full engine's continuation.",
            side=side_to_move(board),
        ),
        "",
    ]
    if moves[0] == moves[1]:
        lines.append(
            say(
                "Both choose {move} (without {without}, with {with_}, and searched {depth} plies "
                "deep {judged}).",
                move=moves[0],
                without=score_text(without.value),
                with_=score_text(full.value),
                depth=JUDGE_DEPTH,
                judged=score_text(full.judged),
            )
        )
        if is_searched:
            lines.append(_nothing_found())
        return [Remark(line) for line in lines]
    lines += [
        name
        + say(
            "{move} seems to be worth {value}; searched {depth} plies deep it is worth {judged}.",
            move=move,
            value=score_text(line.value),
            depth=JUDGE_DEPTH,
            judged=score_text(line.judged),
        )
        for name, move, line in zip(
            (say("Without: "), say("With:    ")), moves, (without, full), strict=True
        )
    ]
    lines.append("")
    if comparison.is_mistake:
        last = Remark(
            say(
                "The loss caused by {move} lies behind the horizon: a search that simply stops "
                "does not see it.",
                move=moves[0],
            ),
            "strong",
        )
    elif is_searched:
        last = Remark(_nothing_found())
    else:
        last = Remark(
            say("Here the two moves are worth about the same; there is no horizon effect.")
        )
    return [*map(Remark, lines), last]


def _nothing_found() -> str:
    return say(
        "At depths {first} to {last} the horizon does no harm in this position. "
        "`halbzug explain horizon --list` has some where it does.",
        first=DEPTHS[0],
        last=DEPTHS[-1],
    )


# -- eval ---------------------------------------------------------------------------------------

IN_CHECK = "The side to move is in check: the search would not evaluate here."


def eval_notes(breakdown: Breakdown) -> list[str]:
    """How each term's contribution is computed, in a sentence or two."""
    early, part = breakdown.phase, breakdown.scale
    notes = [
        say(
            "A term is worth (White's count - Black's) * weight, where the weight is mg in the "
            "middlegame, eg in the endgame, and a blend by phase in between. The phase is {early} "
            "of {all} (full board {all}, bare kings 0): mg counts {early}/{all}, eg {late}/{all}.",
            early=early,
            late=FULL_PHASE - early,
            all=FULL_PHASE,
        )
    ]
    if part != FULL_SCALE:
        notes.append(
            say(
                "Only {part}/{all} of the endgame's advantage can be won, so eg counts less.",
                part=part,
                all=FULL_SCALE,
            )
        )
    return [
        *notes,
        say("Squares and ranks are seen from their own side: Black's f6 is f3 here."),
    ]


def eval_sum(board: chess.Board, breakdown: Breakdown) -> list[tuple[str, str]]:
    """How the terms become one number, as pairs of name and number."""
    terms = breakdown.white_value - breakdown.rounding
    return [
        (say("Sum of the terms, for White"), worth_text(terms)),
        (say("Rounding to whole centipawns"), worth_text(breakdown.rounding)),
        (
            say("Evaluation, for {side}, who moves", side=side_to_move(board)),
            f"{breakdown.value:+}",
        ),
    ]


NETWORK_NOTE = (
    "This is the other evaluation: the network that the compiled engine uses at full strength. "
    "Material and position are the sum of each piece's own share, which the neurons correct. The "
    "last column shows by how much the total drops without the piece."
)


def hidden_text(number: int) -> str:
    """The number of terms that cancel out."""
    if number == 1:
        return say("1 term that both sides have equally often cancels")
    return say("{number} terms that both sides have equally often cancel", number=number)


def eval_remarks(board: chess.Board, breakdown: Breakdown, hidden: int) -> list[Remark]:
    """How the terms become one number, one remark per line.

    :param hidden: the number of terms not shown because they cancel out.
    """
    remarks = [*map(Remark, eval_notes(breakdown))]
    if hidden:
        shown = say("; --all shows it, too." if hidden == 1 else "; --all shows them, too.")
        remarks.append(Remark(hidden_text(hidden) + shown))
    terms, rounding, (total, value) = eval_sum(board, breakdown)
    remarks += [
        Remark(""),
        *(Remark(f"{name:34}{number:>8}") for name, number in (terms, rounding)),
        Remark(
            f"{total:34}{value:>6}   "
            + say("({pawns} pawns), by terms", pawns=score_text(breakdown.value)),
            "strong",
        ),
    ]
    if board.is_check():
        remarks.append(Remark(say(IN_CHECK)))
    return remarks


# -- move ---------------------------------------------------------------------------------------


def move_name(reason: MoveReason) -> str:
    """The explained move, with its number."""
    return spelled(numbered_san(reason.board, reason.move))


def move_notes(reason: MoveReason) -> list[str]:
    """Why a move is bad, with its lines, as paragraphs; scores are from the player's side."""
    name, after = move_name(reason), score_text(reason.score_after)
    if reason.best == reason.move:
        score = "" if name.endswith("#") else f": {after}"
        return [say("{move} is the best move that was found{score}.", move=name, score=score)]
    if not reason.is_bad:
        before = score_text(reason.score_before)
        words = {"move": name, "after": after, "before": before}
        return [say("{move} loses little: {after} instead of {before}.", **words)]
    text = reason.text or f"{say('No reason is certain.')} {reason.better}"
    lines = say("Refutation: {line}", line=_refutation(reason))
    return [text, lines, say("Better: {line}", line=_better(reason))]


def _refutation(reason: MoveReason) -> str:
    after = reason.board.copy(stack=False)
    after.push(reason.move)
    return spelled(san_line(after, [move.uci() for move in reason.refutation]))


def _better(reason: MoveReason) -> str:
    return spelled(san_line(reason.board, [move.uci() for move in reason.best_line]))

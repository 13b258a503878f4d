"""The results of the experiments, in sentences and as data for programs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import chess

from ..api.breakdown import Breakdown
from ..base.text import counted
from ..batch.findings import score_json
from ..board.movegen import BUILD
from ..board.notation import numbered_san, pawns_text, san_line
from ..display.document import Remark
from ..eval.endgame import FULL_SCALE
from ..eval.tables import FULL_PHASE
from ..reasons.facts import Fact
from ..reasons.move_reason import MoveReason, Outcome
from ..teaching.branching import exponent, least_leaves
from ..teaching.examples import EXAMPLES
from ..teaching.horizon_effect import DEPTHS, JUDGE_DEPTH, Comparison, HorizonLine
from . import ablation
from .ablation import ALWAYS_EQUAL_DEPTH, MINIMAX, ORDERED, Measurement

if TYPE_CHECKING:
    from .experiment_results import Drawing, Horizon, Mistake, Terms, Transpositions, Tree


def side_to_move(board: chess.Board) -> str:
    """`White` or `Black`."""
    return "White" if board.turn else "Black"


def worth_text(contribution: Fraction) -> str:
    """The contribution of a term in centipawns, such as `+12.5`."""
    return f"{float(contribution):+.1f}" if contribution else "0.0"


def _times(factor: float) -> str:
    return f"{factor:.1f}" if factor < 10 else f"{factor:,.0f}"


# -- alpha-beta -----------------------------------------------------------------------------------


def drawing_as_json(found: Drawing) -> dict[str, Any]:
    """What the searches of a game tree found, for programs."""
    return {
        "nodes": found.nodes,
        "value": found.value,
        "searches": {
            name: {
                "nodes": run.nodes,
                "cut": sorted(run.cut),
                "cutoffs": len(run.cutoffs),
                "line": list(run.line),
            }
            for name, run in found.runs.items()
        },
    }


def transpositions_as_json(found: Transpositions) -> dict[str, Any]:
    """What a transposition table saves in a drawn tree, for programs."""
    return {
        "fen": found.board.fen(shredder=found.board.chess960),
        "nodes": len(found.nodes),
        "positions": found.positions,
        "lookalikes": found.lookalikes,
        "key": f"{found.keys[0]:016X}",
        "searches": {
            name: {"nodes": run.nodes, "value": run.value} for name, run in found.runs.items()
        },
    }


# -- tree ---------------------------------------------------------------------------------------

#: What the columns of the table mean.
LEGEND = (
    "Nodes are the positions visited; leaves are those of them that are evaluated without a "
    "search of their moves. b* is the effective branching factor: a uniform tree with b* moves "
    "in each position has as many nodes. 1st is the share of cutoffs by the first move. Values "
    "are in pawns, for the side to move."
)


def agrees(measurements: Sequence[Measurement]) -> bool:
    """Whether the techniques that must have the same value do; False means a bug."""
    return ablation.agree(measurements) or ablation.is_excused(measurements)


def tree_remarks(measurements: Sequence[Measurement]) -> list[Remark]:
    """Remarks on the ablation: do the values agree, what is saved, where do nodes not fall."""
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
            f"The first six agree on {pawns_text(values.pop())}{rest}, as they must by theorem: "
            "all of them find the value of minimax. Where several moves have this value, the best "
            "move may be another one.",
            "good",
        )
    if not values:
        return Remark(f"There is no value to compare{rest}.", "doubt")
    if ablation.is_excused(measurements):
        return Remark(
            f"The first five agree{rest}, and the transposition table has another value. From "
            f"depth {ALWAYS_EQUAL_DEPTH + 1} on that is no mistake: a repetition is a draw because "
            "of the way to a position, and the table knows positions only.",
            "doubt",
        )
    return Remark(f"The first six do not agree{rest}: this is a bug, please report it.", "bad")


def _saving(measurements: Sequence[Measurement]) -> str:
    """The saving of ordered alpha-beta, compared with the best possible one."""
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
    """Where the nodes do not fall from row to row, and why."""
    rises = ablation.rises(measurements)
    if not rises:
        return "The nodes fall from row to row."
    reasons = [
        f"{one.technique.name.removeprefix('+ ')} ({factor - 1:+.0%}): {one.technique.why_more}"
        for one, factor in rises
    ]
    return "The nodes fall from row to row, except with " + "; ".join(reasons) + "."


def tree_as_json(found: Tree) -> dict[str, Any]:
    """The ablation for programs, at several depths; the deepest is the requested one."""
    board, by_depth = found.board, found.by_depth
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
            {"depth": plies, "nodes": {one.technique.name: one.nodes for one in by_depth[plies]}}
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


def examples_as_json() -> list[dict[str, str]]:
    """The positions that come with Halbzug, for programs."""
    return [{"name": one.name, "title": one.title, "fen": one.fen} for one in EXAMPLES]


def horizon_remarks(board: chess.Board, comparison: Comparison, is_searched: bool) -> list[Remark]:
    """Remarks on the two lines.

    :param is_searched: whether depths were searched for one that shows the effect.
    """
    without, full = comparison.without, comparison.full
    side = side_to_move(board)
    moves = [board.san(chess.Move.from_uci(line.moves[0])) for line in (without, full)]
    lines = [
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
            f"The loss that {moves[0]} brings lies behind the horizon: the search that just stops "
            "does not see it.",
            "strong",
        )
    elif is_searched:
        last = Remark(_nothing_found())
    else:
        last = Remark("Here the two moves are worth about the same: no horizon effect.")
    return [*map(Remark, lines), last]


def _nothing_found() -> str:
    return (
        f"At depths {DEPTHS[0]} to {DEPTHS[-1]} the horizon does no harm in this position. "
        "`halbzug explain horizon --list` has some where it does."
    )


def horizon_as_json(found: Horizon) -> dict[str, Any]:
    """The comparison for programs."""
    board, comparison, example = found.board, found.comparison, found.example
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


def _line_as_json(line: HorizonLine) -> dict[str, Any]:
    return {
        "value": line.value,
        "pv": list(line.moves),
        "beyond": list(line.beyond),
        "materials": list(line.materials),
        "judged": line.judged,
    }


# -- eval ---------------------------------------------------------------------------------------

IN_CHECK = "The side to move is in check: the search would not evaluate here."


def eval_notes(breakdown: Breakdown) -> list[str]:
    """How the terms come by their worth, a sentence or two each."""
    early, part = breakdown.phase, breakdown.scale
    notes = [
        "A term is worth (White's count - Black's) * weight, where the weight is mg in the "
        f"middlegame and eg in the endgame, and in between as the phase says. The phase is {early} "
        f"of {FULL_PHASE} (full board {FULL_PHASE}, bare kings 0): mg counts {early}/{FULL_PHASE}, "
        f"eg {FULL_PHASE - early}/{FULL_PHASE}."
    ]
    if part != FULL_SCALE:
        notes.append(
            f"Only {part}/{FULL_SCALE} of the endgame's advantage can be won, so eg counts less."
        )
    notes.append("Squares and ranks are as their own side sees them: Black's f6 is f3 here.")
    notes.append(
        "The network is a small one that corrects the other terms: it counts in centipawns what "
        "they do not say."
    )
    return notes


def eval_sum(board: chess.Board, breakdown: Breakdown) -> list[tuple[str, str]]:
    """How the terms become one number: a name and a number each."""
    terms = breakdown.white_value - breakdown.rounding
    return [
        ("Sum of the terms, for White", worth_text(terms)),
        ("Rounding to whole centipawns", worth_text(breakdown.rounding)),
        (f"Evaluation, for {side_to_move(board)}, who moves", f"{breakdown.value:+}"),
    ]


def hidden_text(number: int) -> str:
    """Of how many terms nothing is left."""
    verb = "cancels" if number == 1 else "cancel"
    return f"{counted(number, 'term')} that both sides have equally often {verb}"


def eval_remarks(board: chess.Board, breakdown: Breakdown, hidden: int) -> list[Remark]:
    """How the terms become one number, a remark a line.

    :param hidden: how many terms are not shown because they cancel.
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
            f"{total:34}{value:>6}   ({pawns_text(breakdown.value)} pawns), as the engine has it",
            "strong",
        ),
    ]
    if board.is_check():
        remarks.append(Remark(IN_CHECK))
    return remarks


def eval_as_json(found: Terms) -> dict[str, Any]:
    """The evaluation for programs; worths are exact fractions of a centipawn, as text."""
    board, breakdown = found.board, found.breakdown
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


# -- move ---------------------------------------------------------------------------------------


def move_name(reason: MoveReason) -> str:
    """The move that is explained, with its number."""
    return numbered_san(reason.board, reason.move)


def move_notes(reason: MoveReason) -> list[str]:
    """Why a move is bad, and the lines that show it, a paragraph each; scores are the player's."""
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


def move_as_json(found: Mistake) -> dict[str, Any]:
    """A bad move and its reason for programs; scores and terms are from the player's side."""
    reason, board = found.reason, found.reason.board
    return {
        "fen": board.fen(shredder=board.chess960),
        "move": board.uci(reason.move),
        "best": board.uci(reason.best) if reason.best else None,
        "before": score_json(reason.score_before),
        "after": score_json(reason.score_after),
        "bad": reason.is_bad,
        "why": reason.why,
        "better": reason.better,
        "lost": _outcome_as_json(reason.lost),
        "missed": _outcome_as_json(reason.missed),
        "cause": reason.cause,
        "fact": _fact_as_json(reason.fact),
        "refutation": [move.uci() for move in reason.refutation],
        "best_line": [move.uci() for move in reason.best_line],
        "terms": [
            {"group": change.group, "better": change.kept, "refutation": change.left}
            for change in reason.terms
        ],
    }


def _fact_as_json(fact: Fact | None) -> dict[str, Any] | None:
    if fact is None:
        return None
    squares = {"square": fact.square, "origin": fact.origin, "king": fact.king}
    return {
        "kind": fact.kind,
        **{
            name: None if square is None else chess.square_name(square)
            for name, square in squares.items()
        },
        "tablebases": None if fact.verdict is None else [fact.kept, fact.verdict],
        "moves": [move.uci() for move in fact.moves],
    }


def _outcome_as_json(outcome: Outcome | None) -> dict[str, Any] | None:
    if outcome is None:
        return None
    swap, motif = outcome.swap, outcome.motif
    return {
        "points": swap.points,
        "won": [chess.piece_name(kind) for kind in swap.won],
        "given": [chess.piece_name(kind) for kind in swap.given],
        "mate": outcome.mate,
        "stalemate": outcome.is_stalemate,
        "motif": motif.kind if motif else None,
        "targets": [chess.square_name(each.square) for each in motif.targets] if motif else [],
    }

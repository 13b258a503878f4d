"""The results of the experiments as data."""

from __future__ import annotations

from typing import Any

import chess

from ..batch.findings import score_json
from ..board.movegen import BUILD
from ..reasons.claims import ReasonClaim
from ..teaching.branching import exponent, least_leaves
from ..teaching.examples import EXAMPLES
from ..teaching.horizon_effect import HorizonLine
from . import ablation
from .ablation import MINIMAX, ORDERED, Measurement
from .experiment_results import Drawing, Horizon, Mistake, Terms, Transpositions, Tree


def drawing_as_json(found: Drawing) -> dict[str, Any]:
    """The results of a game tree's searches as data."""
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
    """The saving by a transposition table in a drawn tree, as data."""
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


def tree_as_json(found: Tree) -> dict[str, Any]:
    """The ablation as data, at several depths; the deepest is the requested one."""
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


def examples_as_json() -> list[dict[str, str]]:
    """The positions that come with Halbzug, as data."""
    return [{"name": one.name, "title": one.title, "fen": one.fen} for one in EXAMPLES]


def horizon_as_json(found: Horizon) -> dict[str, Any]:
    """The horizon comparison as data."""
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


def eval_as_json(found: Terms) -> dict[str, Any]:
    """The evaluation as data; worths are exact fractions of a centipawn, as text."""
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
        "network": {
            "pieces": [
                {
                    "square": chess.square_name(one.square),
                    "piece": one.piece.symbol(),
                    "own": one.own,
                    "whole": one.whole,
                }
                for one in found.network.pieces
            ],
            "position": found.network.position,
            "neurons": found.network.neurons,
            "endgame": found.network.endgame,
            "white_value": found.network.value,
        },
    }


def move_as_json(found: Mistake) -> dict[str, Any]:
    """A bad move and its reason as data; scores and terms are from the player's side."""
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
        "claim": _claim_as_json(reason.claim),
        "cause": reason.cause,
        "refutation": [move.uci() for move in reason.refutation],
        "best_line": [move.uci() for move in reason.best_line],
        "terms": [
            {"group": change.group, "better": change.kept, "refutation": change.left}
            for change in reason.terms
        ],
    }


def _claim_as_json(claim: ReasonClaim | None) -> dict[str, Any] | None:
    if claim is None:
        return None
    motif = claim.motif
    return {
        "kind": claim.kind,
        "points": claim.points,
        "won": [chess.piece_name(kind) for kind in claim.won.won],
        "given": [chess.piece_name(kind) for kind in claim.won.given],
        "mate": claim.mate or None,
        "motif": motif.kind if motif else None,
        "targets": [chess.square_name(each.square) for each in motif.targets] if motif else [],
        "moves": [move.uci() for move in claim.moves],
    }

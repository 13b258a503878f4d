"""An ablation: one position and depth, from minimax to the engine, one technique at a time.

All rows are the engine's search, with more and more switches on. The first six find the minimax
value and differ only in the number of nodes. Up to depth 4, that is a theorem for every position.
From depth 5 on there is one exception: a repetition is a draw because of earlier moves, but the
transposition table stores positions without them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import chess

from ..base.limits import Limits
from ..search.settings import KILLER_ORDER, NO_ORDER, PLAIN, TEXTBOOK_ORDER, Settings
from ..teaching.branching import effective_branching
from ..teaching.fresh_search import search_fresh

#: Transposition table size for techniques that use one, in MiB.
HASH_MB = 16

#: Beyond this depth in plies, repetitions may change the value found with a transposition table.
ALWAYS_EQUAL_DEPTH = 4


@dataclass(frozen=True)
class Technique:
    """A technique, on top of those before it."""

    name: str
    settings: Settings
    is_exact: bool  # finds the minimax value
    idea: str
    why_more: str  # why it may need more nodes than the previous technique


_MINIMAX = replace(
    PLAIN,
    quiescence=False,
    transposition_table=False,
    alpha_beta=False,
    principal_variation_search=False,
    iterative_deepening=False,
    tt_cutoffs=False,
    order=NO_ORDER,
)
_ALPHA_BETA = replace(_MINIMAX, alpha_beta=True)
_TEXTBOOK = replace(_ALPHA_BETA, order=TEXTBOOK_ORDER)
_KILLERS = replace(_TEXTBOOK, order=KILLER_ORDER, transposition_table=True)
_DEEPENING = replace(_KILLERS, iterative_deepening=True)
_TRANSPOSITION_TABLE = replace(_DEEPENING, tt_cutoffs=True)
_QUIESCENCE = replace(_TRANSPOSITION_TABLE, quiescence=True)

#: The settings, each based on the previous one.
TECHNIQUES = (
    Technique("minimax", _MINIMAX, True, "every move of every position", ""),
    Technique(
        "alpha-beta",
        _ALPHA_BETA,
        True,
        "skips what cannot change the value; moves unsorted",
        "",
    ),
    Technique(
        "+ textbook order",
        _TEXTBOOK,
        True,
        "captures first, then threats, forward moves, the rest",
        "the order guesses wrong here",
    ),
    Technique(
        "+ hash move, killers",
        _KILLERS,
        True,
        "first the moves that were best here or cut off nearby",
        "what helped nearby does not help here",
    ),
    Technique(
        "+ iterative deepening",
        _DEEPENING,
        True,
        "depth 1, 2, 3 ... in turn; each orders the next one",
        "the shallower searches are counted, too; they save more at greater depth",
    ),
    Technique(
        "+ transposition table",
        _TRANSPOSITION_TABLE,
        True,
        "a position reached by other moves is not searched again",
        "a cutoff by the table has no move that could become a killer",
    ),
    Technique(
        "+ quiescence",
        _QUIESCENCE,
        False,
        "at the horizon, captures are searched until it is quiet",
        "it searches beyond the horizon, and the value is more reliable",
    ),
    Technique(
        "full engine",
        Settings(),
        False,
        "null windows, null move, reductions, pruning, extensions",
        "extensions search beyond the nominal depth",
    ),
)

MINIMAX, ORDERED = TECHNIQUES[0], TECHNIQUES[3]


@dataclass(frozen=True)
class Measurement:
    """The nodes and the result of a search with one technique."""

    technique: Technique
    depth: int  # plies
    is_finished: bool  # False: gave up at the node limit
    nodes: int  # positions visited, excluding the root
    leaves: int  # positions whose moves were not searched
    cutoffs: int
    first_cutoffs: int  # cutoffs by the first move
    seconds: float
    value: int  # centipawns from the side to move
    move: str  # UCI
    pv: tuple[str, ...]

    @property
    def branching(self) -> float:
        """The effective branching factor."""
        return effective_branching(self.nodes, self.depth)

    @property
    def first_share(self) -> float | None:
        """The share of cutoffs by the first move, from 0 to 1; None without cutoffs."""
        return self.first_cutoffs / self.cutoffs if self.cutoffs else None


def run_all(board: chess.Board, depth: int, node_limit: int) -> Iterator[Measurement]:
    """Search a position with every technique, beginning with minimax.

    :param depth: plies, at least 1.
    :param node_limit: the number of nodes at which a technique gives up.
    :raises ValueError: if the side to move has no move.
    """
    for technique in TECHNIQUES:
        yield run(technique, board, depth, node_limit)


def run(technique: Technique, board: chess.Board, depth: int, node_limit: int) -> Measurement:
    """Search a position with one technique, starting from empty tables."""
    outcome = search_fresh(
        board, Limits(depth=depth, nodes=node_limit), technique.settings, HASH_MB
    )
    tree, line = outcome.search.tree, outcome.line
    return Measurement(
        technique,
        depth,
        tree.nodes < node_limit,
        tree.nodes,
        tree.nodes - tree.inner_nodes,
        tree.cutoffs,
        tree.first_cutoffs,
        outcome.seconds,
        line.score,
        line.pv[0],
        line.pv,
    )


def agree(measurements: Sequence[Measurement]) -> bool:
    """Whether the finished techniques that must find the minimax value agree."""
    return (
        len({one.value for one in measurements if one.technique.is_exact and one.is_finished}) <= 1
    )


def is_excused(measurements: Sequence[Measurement]) -> bool:
    """Whether repetitions can explain a disagreement: only at this depth, and with the table."""
    others = [one for one in measurements if not one.technique.settings.tt_cutoffs]
    return measurements[0].depth > ALWAYS_EQUAL_DEPTH and agree(others)


def rises(measurements: Sequence[Measurement]) -> list[tuple[Measurement, float]]:
    """The techniques that needed more nodes than the previous one, with the ratio."""
    pairs = pairwise(measurements)
    return [
        (after, after.nodes / before.nodes)
        for before, after in pairs
        if before.is_finished and after.nodes > before.nodes
    ]


def of(technique: Technique, measurements: Sequence[Measurement]) -> Measurement | None:
    """The measurement of a technique, if it finished."""
    return next(
        (one for one in measurements if one.technique is technique and one.is_finished),
        None,
    )

"""The evaluation as a map: what each square contributes, and how much it is worth.

The terms are those of the evaluation (`halbzug.api.breakdown`), by the squares they come from
(`halbzug.eval.places`). The contributions of all squares, of what belongs to no square, and the
rounding add up exactly to the evaluation.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from fractions import Fraction

import chess

from ..api.breakdown import Breakdown, Weighed, break_down
from ..api.one_liners import own_board
from ..eval.features import Feature
from ..eval.places import Place, Placed, count_by_square
from ..search.position import Position


@dataclass(frozen=True)
class Share:
    """A term on a square.

    :ivar square: 0 (a1) to 63 (h8); None if it belongs to no square.
    :ivar white: how often White has it there.
    :ivar black: how often Black has it there.
    """

    term: Weighed
    square: Place
    white: int
    black: int

    @property
    def worth(self) -> Fraction:
        """In centipawns, from White's side."""
        return (self.white - self.black) * self.term.each


@dataclass(frozen=True)
class EvalMap:
    """The evaluation of a position by squares."""

    board: chess.Board
    breakdown: Breakdown
    shares: tuple[Share, ...]

    def squares(self, groups: set[str] | None = None) -> dict[Place, Fraction]:
        """The value of each square in centipawns, from White's side; None for what has no square.

        :param groups: only these groups of terms; all by default.
        """
        found: dict[Place, Fraction] = defaultdict(Fraction)
        for share in self.shares:
            if groups is None or share.term.group in groups:
                found[share.square] += share.worth
        return dict(found)


def eval_map(board: chess.Board) -> EvalMap:
    """Find the squares where a position's evaluation terms come from."""
    position = Position(own_board(board))
    breakdown = break_down(position.board)
    counts = count_by_square(position.board)
    places: dict[Feature, set[Place]] = defaultdict(set)
    for placed in counts:
        places[placed.feature].add(placed.square)
    shares = tuple(
        Share(term, square, *_both(counts, term, square))
        for term in breakdown.terms
        for square in sorted(places[term.feature], key=_board_order)
    )
    return EvalMap(board, breakdown, shares)


def _board_order(square: Place) -> int:
    """Sorts None last."""
    return 64 if square is None else square


def _both(counts: Counter[Placed], term: Weighed, square: Place) -> tuple[int, int]:
    white, black = (counts[Placed(term.feature, side, square)] for side in (True, False))
    return white, black

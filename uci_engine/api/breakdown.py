"""The evaluation as a sum: count times weight for each term, exact to a centipawn.

The contribution of a term follows from `halbzug.eval.features`: White's count minus Black's, times
the weights of middlegame and endgame, blended according to the game phase. The engine rounds twice.
The rounding is a row of its own, so that the sum is exact.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ..board.movegen import Board
from ..eval.endgame import FULL_SCALE, scale
from ..eval.features import Feature, count, phase, weigh
from ..eval.static import StaticEvaluator
from ..eval.tables import FULL_PHASE
from ..eval.weights import GROUPS
from .term_titles import title_of


@dataclass(frozen=True)
class Weighed:
    """One term of the sum."""

    group: str
    feature: Feature
    name: str  # for people
    white: int  # how often it occurs
    black: int
    middlegame: int  # the weight, in centipawns
    endgame: int
    each: Fraction  # what it is worth to the side that has it once, in centipawns

    @property
    def contribution(self) -> Fraction:
        """Its contribution to the evaluation, in centipawns from White's point of view."""
        return (self.white - self.black) * self.each

    @property
    def cancels(self) -> bool:
        """Whether both sides have it equally often."""
        return self.white == self.black


@dataclass(frozen=True)
class Breakdown:
    """All terms of an evaluation, and the numbers that combine them."""

    terms: tuple[Weighed, ...]
    middlegame: int  # sums of count times weight in centipawns, White's view
    endgame: int
    phase: int  # 24: all pieces on the board, 0: none
    scale: int  # 64ths of the endgame's advantage that can be won
    white_to_move: bool
    value: int  # the engine's evaluation in centipawns, from the side to move

    @property
    def white_value(self) -> int:
        """The evaluation from White's point of view."""
        return self.value if self.white_to_move else -self.value

    @property
    def rounding(self) -> Fraction:
        """The contribution of the engine's rounding, in centipawns from White's point of view."""
        return self.white_value - sum((term.contribution for term in self.terms), Fraction())


def break_down(board: Board) -> Breakdown:
    """Weigh every feature of a position."""
    white, black = count(board)
    middlegame, endgame = (
        ours - theirs for ours, theirs in zip(weigh(white), weigh(black), strict=True)
    )
    early = phase(board)
    # As in the engine, the scale is applied before rounding down, from the side to move.
    part = scale(board, _strong_side(board, endgame))
    terms = []
    for group, names in GROUPS.items():
        for name, table in names.items():
            for index, (early_weight, late_weight) in enumerate(table):
                feature = (name, index)
                if not (white[feature] or black[feature]):
                    continue
                late = Fraction(late_weight * part, FULL_SCALE)
                blended = early_weight * early + late * (FULL_PHASE - early)
                terms.append(
                    Weighed(
                        group,
                        feature,
                        title_of(name, index),
                        white[feature],
                        black[feature],
                        early_weight,
                        late_weight,
                        blended / FULL_PHASE,
                    )
                )
    value = StaticEvaluator().evaluate(board)
    return Breakdown(tuple(terms), middlegame, endgame, early, part, board.turn, value)


def _strong_side(board: Board, endgame: int) -> bool:
    """The side that is better in the endgame; if equal, the side not to move."""
    own = endgame if board.turn else -endgame
    return board.turn if own > 0 else not board.turn

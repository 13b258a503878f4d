"""The evaluation as a map: what each square contributes, and how much it is worth.

The terms are those of the evaluation (`halbzug.api.breakdown`), by the squares they come from
(`halbzug.eval.places`). The contributions of all squares, of what belongs to no square, and the
rounding add up exactly to the evaluation. The network is not a sum over squares: the map shows for
each piece how much the correction loses without it, and a remainder, because these differences do
not add up to the whole.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from fractions import Fraction

import chess

from ..api.breakdown import Breakdown, Weighed, break_down
from ..api.one_liners import own_board
from ..board.movegen import Board, piece_on
from ..eval.features import Feature
from ..eval.network import Network
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
    """The evaluation of a position by squares.

    :ivar network: for each piece's square, how much the network's correction loses without the
        piece, in centipawns before blending, from White's side.
    :ivar correction: the whole correction.
    """

    board: chess.Board
    breakdown: Breakdown
    shares: tuple[Share, ...]
    network: dict[int, int]
    correction: int

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
    effects, correction = _network(position.board)
    return EvalMap(board, breakdown, shares, effects, correction)


def _board_order(square: Place) -> int:
    """Sorts None last."""
    return 64 if square is None else square


def _both(counts: Counter[Placed], term: Weighed, square: Place) -> tuple[int, int]:
    white, black = (counts[Placed(term.feature, side, square)] for side in (True, False))
    return white, black


def _network(board: Board) -> tuple[dict[int, int], int]:
    """The loss of the correction without each piece, and the correction, from White's side."""
    network = Network()
    pieces = [
        (square, bool(board.occupied_co[chess.WHITE] >> square & 1), piece_on(board, square))
        for square in range(64)
        if board.occupied >> square & 1
    ]
    for square, color, piece in pieces:
        network.add(color, piece, square)
    number = len(pieces)

    def output() -> int:
        white = network.output(True, number, board.turn)
        return white - network.output(False, number, not board.turn)

    whole = output()
    effects = {}
    for square, color, piece in pieces:
        network.remove(color, piece, square)
        effects[square] = whole - output()
        network.add(color, piece, square)
    return effects, whole

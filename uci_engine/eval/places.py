"""The evaluation square by square: where on the board each of its terms comes from.

Like `halbzug.eval.features`, this runs the source of the evaluation with sums of features in place
of weights. Here each sum also records what the evaluation was looking at when it was added: the
squares it counted (`popcount`), and the square it took out of a set (`lsb`). Terms of a king belong
to its square. Terms such as the bishop pair belong to no square.
"""

from __future__ import annotations

import functools
from collections import Counter
from types import SimpleNamespace
from typing import Any, NamedTuple

from ..board import movegen
from ..board.movegen import Board, king_square, lsb, msb, piece_on, pieces_of, popcount
from .features import Feature, Sum, evaluation_of

#: Terms of a side's own king, and of the attacked enemy king.
_OWN_KING = {"shelter", "storm", "blocked_storm", "king_mobility"}
_ENEMY_KING = {
    *("king_danger", "safe_check", "other_check", "pawnless_flank"),
    *("mop_up_edge", "mop_up_kings", "mop_up_corner"),
}

#: Terms of a piece that count other squares.
_OF_PIECE = {"bad_bishop", "locked_bishop"}

#: Terms that belong to no square.
_NOWHERE = {"own_pair", "enemy_pair", "pawn_island", "tempo"}

#: A square, 0 (a1) to 63 (h8); None for no square.
Place = int | None


class Placed(NamedTuple):
    """A feature of one side, and the square where it occurs."""

    feature: Feature
    is_white: bool
    square: Place


def count_by_square(board: Board) -> Counter[Placed]:
    """How often each feature occurs on each square, for White and for Black.

    Summed over the squares, these are the counts of `halbzug.eval.features.count`.
    """
    evaluator, accumulator, look = _with_places()
    accumulator.clear()
    for color in (True, False):
        squares = pieces_of(board, color)
        while squares:
            look.square = lsb(squares)
            accumulator.add(color, piece_on(board, look.square), look.square)
            squares &= squares - 1
    kings = {color: king_square(board, color) for color in (True, False)}
    found: Counter[Placed] = Counter()
    for feature, number, is_subtracted, seen in evaluator.evaluate(board, accumulator).placed():
        is_white = board.turn != is_subtracted
        places = _places(feature[0], seen, kings[is_white], kings[not is_white])
        for place in places:
            found[Placed(feature, is_white, place)] += number // len(places)
    return found


class _Seen(NamedTuple):
    """What the evaluation was looking at: counted squares, as a bitboard, and the square taken."""

    counted: int
    taken: Place


def _places(name: str, seen: _Seen, own_king: int, enemy_king: int) -> list[Place]:
    """The squares of a feature, which share it equally."""
    if name in _NOWHERE:
        return [None]
    if name in _OWN_KING:
        return [own_king]
    if name in _ENEMY_KING:
        return [enemy_king]
    if name in _OF_PIECE or not seen.counted:
        return [seen.taken]
    return [square for square in range(64) if seen.counted >> square & 1]


class _Count(int):
    """A number that knows which squares it counted."""

    squares = 0


class _Look:
    """Records what the evaluation looks at."""

    def __init__(self) -> None:
        self.square: Place = None

    def lsb(self, squares: int) -> int:
        self.square = lsb(squares)
        return self.square

    def msb(self, squares: int) -> int:
        self.square = msb(squares)
        return self.square

    def popcount(self, squares: int) -> int:
        number = _Count(popcount(squares))
        number.squares = squares
        return number


class _PlacedSum(Sum):
    """A sum of features that knows where they were added.

    :param seen: None if unknown, or if the inner sums know better.
    """

    __slots__ = ("look", "seen")

    def __init__(
        self, look: _Look, *parts: tuple[Feature | Sum, int, bool], seen: _Seen | None = None
    ) -> None:
        super().__init__(*parts)
        self.look = look
        self.seen = seen

    def __add__(self, other: Sum | int) -> Sum:
        parts: tuple[tuple[Feature | Sum, int, bool], ...] = ((self, 1, False),)
        if isinstance(other, Sum):
            parts += ((other, 1, False),)
        seen = None if self.look.square is None else _Seen(0, self.look.square)
        return _PlacedSum(self.look, *parts, seen=seen)

    __radd__ = __add__

    def __neg__(self) -> Sum:
        return _PlacedSum(self.look, (self, 1, True))

    def __mul__(self, number: int) -> Sum:
        counted = number.squares if isinstance(number, _Count) else 0
        seen = _Seen(counted, self.look.square) if counted else None
        return _PlacedSum(self.look, (self, number, False), seen=seen)

    __rmul__ = __mul__

    def placed(self) -> list[tuple[Feature, int, bool, _Seen]]:
        """Each feature: how often it was added or subtracted, and for which square."""
        found = []
        pending: list[tuple[Feature | Sum, int, bool, _Seen]] = [(self, 1, False, _Seen(0, None))]
        while pending:
            what, number, is_subtracted, seen = pending.pop()
            if not number:
                continue
            if isinstance(what, _PlacedSum):
                seen = what.seen or seen
                pending += [
                    (part, number * times, is_subtracted != is_other, seen)
                    for part, times, is_other in what.parts
                ]
            else:
                assert isinstance(what, tuple)
                found.append((what, number, is_subtracted, seen))
        return found


@functools.cache
def _with_places() -> tuple[Any, Any, _Look]:
    look = _Look()
    board = {name: getattr(look, name) for name in ("lsb", "msb", "popcount")}
    evaluator, accumulator = evaluation_of(
        lambda feature: _PlacedSum(look, (feature, 1, False)),
        board_movegen=SimpleNamespace(**{**vars(movegen), **board}),
    )
    return evaluator, accumulator, look

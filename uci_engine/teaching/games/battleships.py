"""Battleships on a 5 by 5 board: each player hides a fleet, then they shoot in turn.

A ship lies in a row or a column, and ships may touch each other. The first player to hit every
square of the other's fleet wins. Fleets are hidden: players see their own ships, and which shots
have hit. Ships of two and three squares can be placed in 956 ways.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from ..game_protocol import Game

SIZE = 5

#: The squares of each ship, as bits: 0 is a1, 4 is e1, 5 is a2.
Fleet = tuple[int, ...]


class SeaState(NamedTuple):
    """The fleets hidden so far, and the squares that each player has shot at."""

    fleets: tuple[Fleet, ...]
    shots: tuple[int, int]


class Battleships(Game[SeaState, Fleet | int]):
    """The rules; a move is a fleet, or the square to shoot at.

    :param lengths: of the ships in a fleet, 1 to 5 squares each.
    :raises ValueError: if they are out of range, or too many.
    """

    def __init__(self, lengths: Sequence[int] = (3, 2)) -> None:
        if not 1 <= len(lengths) <= 3 or not all(1 <= length <= SIZE for length in lengths):
            raise ValueError(f"a fleet has 1 to 3 ships of 1 to {SIZE} squares")
        self.fleets = tuple(_fleets(tuple(lengths), 0))

    def start(self) -> SeaState:
        """An empty sea."""
        return SeaState((), (0, 0))

    def player(self, state: SeaState) -> int | None:
        """Each hides a fleet; then they shoot in turn."""
        if len(state.fleets) < 2:
            return len(state.fleets)
        if any(_squares(state.fleets[1 - one]) & ~state.shots[one] == 0 for one in (0, 1)):
            return None
        return int(state.shots[0].bit_count() > state.shots[1].bit_count())

    def moves(self, state: SeaState) -> Sequence[Fleet | int]:
        """All fleets, or the squares not yet shot at."""
        if len(state.fleets) < 2:
            return self.fleets
        turn = self.player(state) or 0
        return [square for square in range(SIZE * SIZE) if not state.shots[turn] >> square & 1]

    def apply(self, state: SeaState, move: Fleet | int) -> SeaState:
        """Hide a fleet, or shoot."""
        if isinstance(move, tuple):
            return SeaState((*state.fleets, move), state.shots)
        shots = list(state.shots)
        shots[self.player(state) or 0] |= 1 << move
        return SeaState(state.fleets, (shots[0], shots[1]))

    def result(self, state: SeaState) -> tuple[int, int]:
        """1 for the player who has sunk the other's fleet."""
        value = 1 if _squares(state.fleets[1]) & ~state.shots[0] == 0 else -1
        return value, -value

    def sees(self, state: SeaState, player: int) -> Hashable:
        """The player's own fleet, both players' shots, and which of them have hit."""
        own = state.fleets[player] if len(state.fleets) > player else None
        if len(state.fleets) < 2:
            return own, state.shots
        hits = tuple(state.shots[one] & _squares(state.fleets[1 - one]) for one in (0, 1))
        return own, state.shots, hits

    def possible(self, state: SeaState, player: int) -> list[Fleet]:
        """The fleets that the opponent may have, given what a player sees."""
        shots = state.shots[player]
        hits = shots & _squares(state.fleets[1 - player])
        return [fleet for fleet in self.fleets if _squares(fleet) & shots == hits]

    def hit_chances(self, state: SeaState, player: int) -> dict[int, Fraction]:
        """The probability of a hit on each square, if all fleets are equally likely."""
        fleets = self.possible(state, player)
        squares = [at for at in range(SIZE * SIZE) if not state.shots[player] >> at & 1]
        hits = Counter(at for fleet in fleets for at in squares if _squares(fleet) >> at & 1)
        return {at: Fraction(hits[at], len(fleets)) for at in squares}

    def text(self, state: SeaState) -> str:
        """How many squares of each fleet are left."""
        left = (
            (_squares(fleet) & ~state.shots[1 - one]).bit_count()
            for one, fleet in enumerate(state.fleets)
        )
        return " | ".join(map(str, left)) or "0"

    def move_text(self, state: SeaState, move: Fleet | int) -> str:
        """A square as in chess, or the ends of each ship: a1-a3 c2-d2."""
        if isinstance(move, int):
            return square_name(move)
        return " ".join(
            f"{square_name(_lowest(s))}-{square_name(s.bit_length() - 1)}" for s in move
        )


def square_name(square: int) -> str:
    """A square from a1 to e5."""
    return "abcde"[square % SIZE] + str(square // SIZE + 1)


def _lowest(squares: int) -> int:
    return (squares & -squares).bit_length() - 1


def _squares(fleet: Fleet) -> int:
    return sum(fleet)  # no square belongs to two ships


def _ships(length: int) -> Iterator[int]:
    """All placements of a ship."""
    row, column = (1 << length) - 1, sum(1 << SIZE * step for step in range(length))
    for at in range(SIZE):
        for start in range(SIZE - length + 1):
            yield row << SIZE * at + start
            if length > 1:
                yield column << SIZE * start + at


def _fleets(lengths: tuple[int, ...], taken: int) -> Iterator[Fleet]:
    """All fleets that avoid the squares already taken."""
    if not lengths:
        yield ()
        return
    for ship in _ships(lengths[0]):
        if not ship & taken:
            for others in _fleets(lengths[1:], taken | ship):
                yield (ship, *others)

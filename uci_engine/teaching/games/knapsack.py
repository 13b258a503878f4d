"""A knapsack: which items to carry, if all are too heavy? For branch and bound.

Each item is taken or left in turn, those with the highest value per weight first. The bound is
Dantzig's: the remaining space is filled with the best items, the last one in part. Source: Dantzig,
Discrete-Variable Extremum Problems (1957).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from ..game_protocol import Game


class Packed(NamedTuple):
    """Whether each item so far was taken, and the weight and value of the knapsack."""

    taken: tuple[bool, ...]
    weight: int
    value: int


class Knapsack(Game[Packed, bool]):
    """The rules; a move is whether to take the next item.

    :param things: the value and weight of each; sorted by value per weight, best first.
    :param capacity: the weight that can be carried.
    :raises ValueError: if a weight is not positive, or a value negative.
    """

    players = 1

    def __init__(
        self,
        things: Sequence[tuple[int, int]] = ((60, 10), (100, 20), (120, 30)),
        capacity: int = 50,
    ) -> None:
        if not things or not all(value >= 0 and weight > 0 for value, weight in things):
            raise ValueError("each thing has a value, and a weight above 0")
        self.things = sorted(things, key=lambda thing: -Fraction(*thing))
        self.capacity = capacity

    def start(self) -> Packed:
        """Nothing is decided."""
        return Packed((), 0, 0)

    def player(self, state: Packed) -> int | None:
        """The player, until everything is decided."""
        return 0 if len(state.taken) < len(self.things) else None

    def moves(self, state: Packed) -> list[bool]:
        """Take the next item, if it can be carried, or leave it."""
        _, weight = self.things[len(state.taken)]
        return [True, False] if state.weight + weight <= self.capacity else [False]

    def apply(self, state: Packed, move: bool) -> Packed:
        """Decide about the next item."""
        value, weight = self.things[len(state.taken)] if move else (0, 0)
        return Packed((*state.taken, move), state.weight + weight, state.value + value)

    def result(self, state: Packed) -> tuple[int]:
        """The value of the items taken."""
        return (state.value,)

    def bound(self, state: Packed) -> Fraction:
        """An upper bound on all packings that begin like this: the last item is taken in part."""
        total, room = Fraction(state.value), self.capacity - state.weight
        for value, weight in self.things[len(state.taken) :]:
            part = min(weight, room)
            total += Fraction(value * part, weight)
            room -= part
        return total

    def text(self, state: Packed) -> str:
        """Weight and value."""
        return f"{state.weight}: {state.value}"

    def move_text(self, state: Packed, move: bool) -> str:
        """The value of the next item, with a sign: +60 if it is taken, -60 if it is left."""
        value, _ = self.things[len(state.taken)]
        return f"{'+' if move else '-'}{value}"

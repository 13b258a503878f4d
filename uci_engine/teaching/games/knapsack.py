"""A knapsack: which things are to be carried, if all weigh too much? For branch and bound.

Each thing is taken or left in turn, those with the highest value for their weight first. The bound
is Dantzig's: the rest is filled with the best things, the last of them in part. Source: Dantzig,
Discrete-Variable Extremum Problems (1957).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from ..game_protocol import Game


class Packed(NamedTuple):
    """For each thing so far whether it was taken; what is in the knapsack weighs, and is worth."""

    taken: tuple[bool, ...]
    weight: int
    value: int


class Knapsack(Game[Packed, bool]):
    """The rules; a move is whether the next thing is taken.

    :param things: the value and the weight of each; the order is changed to the best for its weight
        first.
    :param capacity: what can be carried.
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
        """Until all is decided."""
        return 0 if len(state.taken) < len(self.things) else None

    def moves(self, state: Packed) -> list[bool]:
        """The next thing is taken, if it can be carried, or left."""
        _, weight = self.things[len(state.taken)]
        return [True, False] if state.weight + weight <= self.capacity else [False]

    def apply(self, state: Packed, move: bool) -> Packed:
        """Decide about the next thing."""
        value, weight = self.things[len(state.taken)] if move else (0, 0)
        return Packed((*state.taken, move), state.weight + weight, state.value + value)

    def result(self, state: Packed) -> tuple[int]:
        """What the things are worth."""
        return (state.value,)

    def bound(self, state: Packed) -> Fraction:
        """No packing that begins like this is worth more: the last thing is taken in part."""
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
        """The value of the next thing, with a sign: +60 if it is taken, -60 if it is left."""
        value, _ = self.things[len(state.taken)]
        return f"{'+' if move else '-'}{value}"

"""What a game must be able to tell, so that the searches beside this file can play it.

`MAX` wants the value of the finished game to be high, `MIN` wants it low, and `CHANCE` rolls dice.
Any object with these methods is a game; it need not inherit anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Generic, Protocol, TypeVar

State = TypeVar("State")
Move = TypeVar("Move")

#: What a game is worth for MAX. Fractions, because the mean of whole numbers need not be whole.
Value = Fraction | int


class Player(Enum):
    """Whose turn it is."""

    MAX = "MAX"
    MIN = "MIN"
    CHANCE = "CHANCE"


class Game(Protocol[State, Move]):
    """A game of two players who see everything."""

    def player(self, state: State) -> Player:
        """Whose turn it is."""

    def moves(self, state: State) -> Sequence[Move]:
        """What the player may do; nothing if the game is over."""

    def after(self, state: State, move: Move) -> State:
        """The state after a move."""

    def value(self, state: State) -> Value:
        """What a finished game is worth for MAX."""


class DiceGame(Game[State, Move], Protocol):
    """A game in which it may also be CHANCE's turn."""

    def rolls(self, state: State) -> Sequence[tuple[Fraction, State]]:
        """Each state that may come out, with its probability, when it is CHANCE's turn."""


@dataclass(frozen=True)
class Solution(Generic[Move]):
    """What a search found out about a state."""

    value: Value  # if both play as well as they can
    move: Move | None  # the first one that reaches it; None when nobody chooses
    nodes: int  # states visited, this one among them


def is_better(value: Value, best: Value, player: Player) -> bool:
    """Whether a player likes a value more than the best so far."""
    return value > best if player is Player.MAX else value < best

"""A small dice game: roll a die, and keep the number or roll again.

MAX may roll up to three times, then MIN up to twice; a new roll replaces the old one. MAX gets the
difference between the two numbers kept.

By hand: one roll is worth 7/2. With two rolls left, keep 4, 5 and 6, which are higher: (4 + 5 +
6)/6 + 3/6 * 7/2 = 17/4. With three rolls left, keep 5 and 6, which are higher than 17/4: (5 + 6)/6
+ 4/6 * 17/4 = 14/3. So the game is worth 14/3 - 17/4 = 5/12 for MAX.
"""

from __future__ import annotations

from typing import NamedTuple

from ..game_protocol import CHANCE, MAX, MIN, Game

#: How often each may roll.
MAX_ROLLS, MIN_ROLLS = 3, 2


class DiceState(NamedTuple):
    """A state of the game.

    :ivar shown: 0 while the die is rolling.
    :ivar kept: by MAX; 0 during MAX's turn.
    """

    rolls_left: int
    shown: int = 0
    kept: int = 0
    is_over: bool = False


class OneMoreRoll(Game[DiceState, int | str]):
    """The rules; a move is a number of the die, or `keep` or `roll`."""

    def start(self) -> DiceState:
        """MAX's first roll."""
        return DiceState(MAX_ROLLS)

    def player(self, state: DiceState) -> int | None:
        """Chance, or the player who has rolled."""
        if state.is_over:
            return None
        return CHANCE if not state.shown else MIN if state.kept else MAX

    def moves(self, state: DiceState) -> list[int | str]:
        """Six equally likely numbers; then keep, or roll again if a roll is left."""
        if not state.shown:
            return list(range(1, 7))
        return ["keep", "roll"] if state.rolls_left else ["keep"]

    def apply(self, state: DiceState, move: int | str) -> DiceState:
        """Carry out a move; when MAX keeps a number, MIN begins to roll."""
        if isinstance(move, int):
            return state._replace(shown=move, rolls_left=state.rolls_left - 1)
        if move == "roll":
            return state._replace(shown=0)
        if not state.kept:
            return DiceState(MIN_ROLLS, kept=state.shown)
        return state._replace(is_over=True)

    def result(self, state: DiceState) -> tuple[int, int]:
        """What MAX kept minus what MIN kept."""
        value = state.kept - state.shown
        return value, -value

    def text(self, state: DiceState) -> str:
        """The number that MAX has kept, and the one shown."""
        return f"{state.kept} {state.shown}"

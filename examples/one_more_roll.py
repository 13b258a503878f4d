"""A small dice game: roll a die, and keep the number or roll again.

MAX may roll up to three times, MIN after that up to twice; a new roll replaces the old one. MAX
gets the difference of the two numbers that were kept.

By hand: one roll is worth 7/2. With two rolls one keeps 4, 5 and 6, which are more than that:
(4 + 5 + 6)/6 + 3/6 * 7/2 = 17/4. With three rolls one keeps 5 and 6 at first, which are more than
17/4: (5 + 6)/6 + 4/6 * 17/4 = 14/3. So the game is worth 14/3 - 17/4 = 5/12 for MAX.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from expectimax import expectimax
from game import Player

KEEP, ROLL = "keep", "roll"

#: How often each may roll.
MAX_ROLLS, MIN_ROLLS = 3, 2


@dataclass(frozen=True)
class Dice:
    """A state of the game."""

    rolls_left: int
    shown: int = 0  # 0: the die is in the air
    kept: int = 0  # by MAX; 0 as long as it is MAX's turn
    is_over: bool = False


class OneMoreRoll:
    """The rules."""

    def start(self) -> Dice:
        """MAX's first roll."""
        return Dice(MAX_ROLLS)

    def player(self, state: Dice) -> Player:
        """Whose turn it is."""
        if not state.shown:
            return Player.CHANCE
        return Player.MIN if state.kept else Player.MAX

    def rolls(self, state: Dice) -> list[tuple[Fraction, Dice]]:
        """Six numbers, equally likely."""
        return [
            (Fraction(1, 6), replace(state, shown=number, rolls_left=state.rolls_left - 1))
            for number in range(1, 7)
        ]

    def moves(self, state: Dice) -> list[str]:
        """Keep the number, or roll again if that is left."""
        if state.is_over:
            return []
        return [KEEP, ROLL] if state.rolls_left else [KEEP]

    def after(self, state: Dice, move: str) -> Dice:
        """Do it; when MAX keeps a number MIN begins to roll."""
        if move == ROLL:
            return replace(state, shown=0)
        if not state.kept:
            return Dice(MIN_ROLLS, kept=state.shown)
        return replace(state, is_over=True)

    def value(self, state: Dice) -> int:
        """What MAX kept less what MIN kept."""
        return state.kept - state.shown


if __name__ == "__main__":
    game = OneMoreRoll()
    solution = expectimax(game, game.start())
    print(f"The game is worth {solution.value} for MAX ({solution.nodes:,} states)")
    for number in range(1, 7):
        shown = Dice(MAX_ROLLS - 1, shown=number)
        print(f"{number} at MAX's first roll: {expectimax(game, shown).move}")

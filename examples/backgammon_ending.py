"""The end of a game of backgammon: both bear off, and 21 different rolls decide.

A home is the points of a player's checkers, from 1, next to the goal, to 6. A number of a die moves
a checker so many points, or off; a number larger than all points takes a checker from the highest.
Doubles are played four times. Who has no checker left first has won. The value is MAX's probability
of that. Source: https://www.bkgm.com/rules.html
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations_with_replacement

from expectimax import expectimax
from game import Player

#: The points of the checkers, in increasing order; empty once all are off.
Home = tuple[int, ...]

#: Equal dice come out once in 36 times, two different numbers twice.
ROLLS = tuple(
    (Fraction(1 if a == b else 2, 36), (a, b))
    for a, b in combinations_with_replacement(range(1, 7), 2)
)


def plays(home: Home, roll: tuple[int, int]) -> list[Home]:
    """The homes after a roll, in either order of its numbers.

    >>> plays((4, 6), (1, 2))
    [(1, 6), (2, 5), (3, 4)]
    """
    a, b = roll
    found: set[Home] = set()
    for numbers in [(a, a, a, a)] if a == b else [(a, b), (b, a)]:
        homes = {home}
        for number in numbers:
            homes = {after for before in homes for after in move_one(before, number)}
        found |= homes
    return sorted(found)


def move_one(home: Home, number: int) -> set[Home]:
    """The homes after one number of a die."""
    found = set()
    for place, point in enumerate(home):
        if point >= number or point == home[-1]:
            moved = (point - number,) if point > number else ()
            found.add(tuple(sorted(home[:place] + moved + home[place + 1 :])))
    return found or {home}


@dataclass(frozen=True)
class Ending:
    """A state: the homes of both, whose turn it is, and the roll once the dice lie."""

    max_home: Home
    min_home: Home
    is_max: bool = True
    roll: tuple[int, int] | None = None


class BearingOff:
    """The rules."""

    def player(self, state: Ending) -> Player:
        """Whose turn it is: CHANCE's, as long as the dice roll."""
        if not state.roll and state.max_home and state.min_home:
            return Player.CHANCE
        return Player.MAX if state.is_max else Player.MIN

    def rolls(self, state: Ending) -> list[tuple[Fraction, Ending]]:
        """The 21 rolls."""
        return [(probability, replace(state, roll=roll)) for probability, roll in ROLLS]

    def moves(self, state: Ending) -> list[Home]:
        """The homes that the player can reach; none once somebody has won."""
        if not state.roll:
            return []
        return plays(state.max_home if state.is_max else state.min_home, state.roll)

    def after(self, state: Ending, move: Home) -> Ending:
        """Play, and hand over the dice."""
        if state.is_max:
            return Ending(move, state.min_home, False)
        return Ending(state.max_home, move, True)

    def value(self, state: Ending) -> int:
        """1 if MAX has won."""
        return int(not state.max_home)


if __name__ == "__main__":
    game = BearingOff()
    print("MAX has checkers on 4 and 6. MIN will be off with his next roll. MAX plays 1 and 2, to")
    for left in plays((4, 6), (1, 2)):
        solution = expectimax(game, Ending(left, (1, 1)))
        print(f"{left}: he wins with probability {solution.value} ({solution.nodes:,} nodes)")

"""The end of a game of backgammon as a tree: 21 rolls, the plays of each, and the other's rolls.

A home is the points of a player's checkers, from 1, next to the goal, to 6. The rules are those of
bearing off: a number of a die moves a checker so many points, or off; a number larger than all
points takes a checker from the highest; doubles are played four times.
"""

from __future__ import annotations

import functools
from fractions import Fraction
from itertools import combinations_with_replacement

from .recorded import RecordedNode

#: The points of the checkers, in increasing order.
Home = tuple[int, ...]

#: Equal dice come out once in 36 times, two different numbers twice.
ROLLS = tuple(
    ((a, b), Fraction(1 if a == b else 2, 36))
    for a, b in combinations_with_replacement(range(1, 7), 2)
)

#: More checkers than these make a tree too large.
MAX_CHECKERS = 4


def backgammon_tree(
    home: Home, other: Home, rolls: int = 2, roll: tuple[int, int] | None = None
) -> RecordedNode:
    """The tree of a position; a leaf is worth MAX's probability to be off first.

    :param home: of MAX, whose turn it is.
    :param other: of MIN.
    :param rolls: which are drawn; what is behind them is solved, and not drawn.
    :param roll: MAX has rolled this already.
    :raises ValueError: if there are too many checkers, or one is outside.
    """
    for one in (home, other):
        if not 1 <= len(one) <= MAX_CHECKERS or not all(1 <= point <= 6 for point in one):
            raise ValueError(f"a home has 1 to {MAX_CHECKERS} checkers on the points 1 to 6")
    home, other = tuple(sorted(home)), tuple(sorted(other))
    return _choice(home, other, True, roll, rolls) if roll else _dice(home, other, True, rolls)


def _dice(home: Home, other: Home, is_max: bool, rolls: int) -> RecordedNode:
    """CHANCE rolls for the player with the first home."""
    ours, theirs = (home, other) if is_max else (other, home)
    name = f"{_points(ours)}|{_points(theirs)}"
    if not rolls or not other:
        won = win_probability(home, other)
        return RecordedNode("leaf", name, worth=won if is_max else 1 - won)
    moves = []
    for roll, chance in ROLLS:
        node = _choice(home, other, is_max, roll, rolls - 1)
        note = f"{chance.numerator * 36 // chance.denominator}/36"
        moves.append(
            (f"{roll[0]}-{roll[1]}", RecordedNode(node.figure, "", node.moves, None, chance, note))
        )
    return RecordedNode("chance", name, tuple(moves))


def _choice(
    home: Home, other: Home, is_max: bool, roll: tuple[int, int], rolls: int
) -> RecordedNode:
    """The player with the first home plays a roll."""
    moves = tuple(
        (_points(after), _dice(other, after, not is_max, rolls)) for after in plays(home, roll)
    )
    return RecordedNode("max" if is_max else "min", "", moves)


def _points(home: Home) -> str:
    return "".join(map(str, reversed(home))) or "0"


@functools.cache
def win_probability(home: Home, other: Home) -> Fraction:
    """The probability that the player to roll is off first."""
    if not other:
        return Fraction(0)
    return sum(
        (
            chance * max(1 - win_probability(other, after) for after in plays(home, roll))
            for roll, chance in ROLLS
        ),
        Fraction(0),
    )


@functools.cache
def plays(home: Home, roll: tuple[int, int]) -> tuple[Home, ...]:
    """The homes after a roll, in either order of its numbers."""
    a, b = roll
    found: set[Home] = set()
    for numbers in [(a, a, a, a)] if a == b else [(a, b), (b, a)]:
        homes = {home}
        for number in numbers:
            homes = {after for before in homes for after in _move(before, number)}
        found |= homes
    return tuple(sorted(found))


def _move(home: Home, number: int) -> set[Home]:
    """The homes after one number of a die."""
    found = set()
    for place, point in enumerate(home):
        if point >= number or point == home[-1]:
            moved = (point - number,) if point > number else ()
            found.add(tuple(sorted(home[:place] + moved + home[place + 1 :])))
    return found or {home}

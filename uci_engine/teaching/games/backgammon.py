"""Backgammon with its complete rules except the doubling cube: two dice, 15 checkers, 24 points.

Each player numbers the points from their own goal: 1 to 6 are the home board, 24 is the farthest, 0
stands for checkers borne off, and 25 for the bar. A player's point 24 is the other's point 1.

Source: https://www.bkgm.com/rules.html
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, groupby, permutations
from typing import NamedTuple

from ..game_protocol import CHANCE, Game, Number

#: The number of a player's checkers on each point: borne off, the points 1 to 24, the bar.
Side = tuple[int, ...]

#: Two numbers; in the first roll, player 0's and player 1's.
Roll = tuple[int, int]

#: Checker moves: from which point to which.
Play = tuple[tuple[int, int], ...]

OFF, BAR, CHECKERS = 0, 25, 15

#: Two equal numbers have a probability of 1/36, two different ones 2/36.
ROLLS: Sequence[tuple[Roll, Fraction]] = tuple(
    ((a, b), Fraction(1 if a == b else 2, 36))
    for a, b in combinations_with_replacement(range(1, 7), 2)
)

#: Each player has rolled a number; if they are equal, both roll again.
FIRST_ROLLS = tuple((roll, Fraction(1, 30)) for roll in permutations(range(1, 7), 2))


class BackgammonState(NamedTuple):
    """The board, the player to move, and the roll.

    :ivar turn: None before the first roll, which decides it.
    """

    sides: tuple[Side, Side]
    turn: int | None
    roll: Roll | None


class Backgammon(Game[BackgammonState, Play | Roll]):
    """The rules. A move is a roll by CHANCE, or a play of one or more checkers."""

    def start(self) -> BackgammonState:
        """Both players' checkers on 24, 13, 8 and 6."""
        side = side_of({24: 2, 13: 5, 8: 3, 6: 5})
        return BackgammonState((side, side), None, None)

    def player(self, state: BackgammonState) -> int | None:
        """CHANCE and a player alternately, until somebody has borne off all checkers."""
        if CHECKERS in (state.sides[0][OFF], state.sides[1][OFF]):
            return None
        return CHANCE if state.roll is None else state.turn

    def moves(self, state: BackgammonState) -> Sequence[Play | Roll]:
        """The rolls, or the plays: one for each position they can lead to."""
        if state.roll is None:
            return [roll for roll, _ in self.chances(state)]
        return list(plays(state).values())

    def chances(self, state: BackgammonState) -> Sequence[tuple[Play | Roll, Fraction]]:
        """Two dice."""
        return FIRST_ROLLS if state.turn is None else ROLLS

    def apply(self, state: BackgammonState, move: Play | Roll) -> BackgammonState:
        """Roll the dice, or move the checkers."""
        if state.roll is None:
            a, b = (int(str(number)) for number in move)
            turn = int(b > a) if state.turn is None else state.turn
            return BackgammonState(state.sides, turn, (min(a, b), max(a, b)))
        assert state.turn is not None
        own, other = state.sides[state.turn], state.sides[1 - state.turn]
        for step in move:
            assert isinstance(step, tuple)
            own, other = _moved(own, other, *step)
        sides = (own, other) if state.turn == 0 else (other, own)
        return BackgammonState(sides, 1 - state.turn, None)

    def result(self, state: BackgammonState) -> tuple[int, int]:
        """1, 2 for a gammon, 3 for a backgammon: a checker in the winner's home or on the bar."""
        winner = 0 if state.sides[0][OFF] == CHECKERS else 1
        loser = state.sides[1 - winner]
        points = 1
        if not loser[OFF]:
            points = 3 if any(loser[19:]) else 2
        return (points, -points) if winner == 0 else (-points, points)

    def evaluate(self, state: BackgammonState) -> tuple[Number, Number]:
        """The lead in the race: how many pips the other is behind, as a share of all."""
        own, other = (sum(point * count for point, count in enumerate(one)) for one in state.sides)
        lead = Fraction(other - own, max(other + own, 1))
        return lead, -lead

    def text(self, state: BackgammonState) -> str:
        """Both players' checkers, farthest first: 24:2 13:5 8:3 6:5 | the other's."""
        return " | ".join(map(side_text, state.sides))

    def move_text(self, state: BackgammonState, move: Play | Roll) -> str:
        """6-5 for a roll, 13/7 13/8 for a play; bar and off are words, and * is a hit.

        A number in brackets says how often: 1/off(2).
        """
        if state.roll is None:
            return f"{move[0]}-{move[1]}"
        assert state.turn is not None
        own, other = state.sides[state.turn], state.sides[1 - state.turn]
        words = []
        for step in move:
            assert isinstance(step, tuple)
            hit = "*" if step[1] != OFF and other[BAR - step[1]] else ""
            names = ("bar" if p == BAR else "off" if p == OFF else str(p) for p in step)
            words.append("/".join(names) + hit)
            own, other = _moved(own, other, *step)
        equal = [(word, len(list(same))) for word, same in groupby(words)]
        return " ".join(f"{word}({n})" if n > 1 else word for word, n in equal) or "-"


def side_of(points: dict[int, int]) -> Side:
    """A player's checkers from a list of points; the others are borne off.

    :raises ValueError: if there are more than 15, or a point is not from 1 to 25.
    """
    on_board = sum(points.values())
    if on_board > CHECKERS or not all(1 <= at <= BAR and n >= 0 for at, n in points.items()):
        raise ValueError("a player has at most 15 checkers on the points 1 to 24 and the bar, 25")
    return (CHECKERS - on_board, *(points.get(at, 0) for at in range(1, BAR + 1)))


def side_text(side: Side) -> str:
    """A player's checkers, farthest first; `0` if all are off."""
    words = (f"{at}:{side[at]}" for at in range(BAR, 0, -1) if side[at])
    return " ".join(words) or "0"


def rolled(state: BackgammonState, a: int, b: int, turn: int = 0) -> BackgammonState:
    """The same board after a player has rolled two numbers."""
    return BackgammonState(state.sides, turn, (min(a, b), max(a, b)))


def plays(state: BackgammonState) -> dict[tuple[Side, Side], Play]:
    """The positions that a player can reach with the roll, each with a play that leads there.

    As many numbers as possible are played; if either of two can be played, but not both, it must be
    the larger. Equal numbers are played twice each. Without a possible play, the position stays the
    same.
    """
    assert state.roll is not None and state.turn is not None
    own, other = state.sides[state.turn], state.sides[1 - state.turn]
    small, large = state.roll
    orders = [(small,) * 4] if small == large else [(large, small), (small, large)]
    best: dict[tuple[Side, Side], Play] = {}
    length = 0
    for numbers in orders:
        found: dict[tuple[Side, Side], Play] = {(own, other): ()}
        for count, number in enumerate(numbers, 1):
            further: dict[tuple[Side, Side], Play] = {}
            for (mine, theirs), play in found.items():
                for step in steps(mine, theirs, number):
                    further.setdefault(_moved(mine, theirs, *step), (*play, step))
            if not further:
                break
            found = further
            if count > length:
                best, length = {}, count
        # The larger number is tried first: a single number must be the larger one, if possible.
        if len(next(iter(found.values()))) == length and not (best and length == 1):
            for position, play in found.items():
                best.setdefault(position, play)
    return best


def steps(own: Side, other: Side, number: int) -> Iterable[tuple[int, int]]:
    """The moves of one checker by a number."""
    if own[BAR]:
        starts: Iterable[int] = (BAR,)
    else:
        starts = (at for at in range(24, 0, -1) if own[at])
    highest = next((at for at in range(BAR, 0, -1) if own[at]), 0)
    for at in starts:
        to = at - number
        if to > 0:
            if other[BAR - to] < 2:
                yield at, to
        elif highest <= 6 and (to == 0 or at == highest):
            yield at, OFF


def _moved(own: Side, other: Side, start: int, to: int) -> tuple[Side, Side]:
    """Move a checker; a single enemy checker on the point goes to the bar."""
    mine = list(own)
    mine[start] -= 1
    mine[to] += 1
    if to == OFF or not other[BAR - to]:
        return tuple(mine), other
    theirs = list(other)
    theirs[BAR - to] -= 1
    theirs[BAR] += 1
    return tuple(mine), tuple(theirs)


#: As on the slides after Russell and Norvig, who count from the other end: 6-5 was rolled, and
#: there are four plays, (5-10, 5-11), (5-11, 19-24), (5-10, 10-16) and (5-11, 11-16).
SLIDE = BackgammonState(
    (side_of({20: 2, 13: 6, 6: 7}), side_of({18: 2, 17: 2, 11: 1, 8: 3, 7: 3, 6: 4})), 0, (5, 6)
)

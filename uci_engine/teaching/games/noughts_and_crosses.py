"""Noughts and crosses (tic-tac-toe): three in a row win. Crosses are MAX and begin.

A state is two sets of squares, as bits 0 (top left) to 8 (bottom right): crosses and noughts. 5,478
positions can occur, 765 if symmetrical ones count once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from ..game_protocol import MAX, MIN, Game

#: Squares with crosses and with noughts.
Grid = tuple[int, int]

FULL = 0b111111111
LINES = (0b111, 0b111000, 0b111000000, 0b1001001, 0b10010010, 0b100100100, 0b100010001, 0b1010100)

#: The mapping of squares in each of the grid's eight symmetries.
SYMMETRIES = (
    *((0, 1, 2, 3, 4, 5, 6, 7, 8), (6, 3, 0, 7, 4, 1, 8, 5, 2), (8, 7, 6, 5, 4, 3, 2, 1, 0)),
    *((2, 5, 8, 1, 4, 7, 0, 3, 6), (2, 1, 0, 5, 4, 3, 8, 7, 6), (6, 7, 8, 3, 4, 5, 0, 1, 2)),
    *((0, 3, 6, 1, 4, 7, 2, 5, 8), (8, 5, 2, 7, 4, 1, 6, 3, 0)),
)


class NoughtsAndCrosses(Game[Grid, int]):
    """The rules; a move is the square that is filled."""

    def start(self) -> Grid:
        """The empty grid."""
        return 0, 0

    def player(self, state: Grid) -> int | None:
        """There are as many crosses as noughts, or one more; a line ends the game."""
        crosses, noughts = state
        if crosses | noughts == FULL or has_line(crosses) or has_line(noughts):
            return None
        return MAX if crosses.bit_count() == noughts.bit_count() else MIN

    def moves(self, state: Grid) -> list[int]:
        """The free squares."""
        crosses, noughts = state
        return [square for square in range(9) if not (crosses | noughts) >> square & 1]

    def apply(self, state: Grid, move: int) -> Grid:
        """Fill a square."""
        crosses, noughts = state
        if crosses.bit_count() == noughts.bit_count():
            return crosses | 1 << move, noughts
        return crosses, noughts | 1 << move

    def result(self, state: Grid) -> tuple[int, int]:
        """1 for a line, -1 for the other's."""
        value = has_line(state[0]) - has_line(state[1])
        return value, -value

    def evaluate(self, state: Grid) -> tuple[Fraction, Fraction]:
        """A ninth for each line still open for a player, minus those open for the other."""
        value = Fraction(open_lines(state), 9)
        return value, -value

    def symmetries(self, state: Grid) -> Iterator[Grid]:
        """The grid rotated and mirrored."""
        return ((_turned(state[0], one), _turned(state[1], one)) for one in SYMMETRIES)

    def text(self, state: Grid) -> str:
        """The grid as three words of three letters."""
        crosses, noughts = state
        cells = ["x" if crosses >> n & 1 else "o" if noughts >> n & 1 else "." for n in range(9)]
        return "/".join("".join(cells[row : row + 3]) for row in (0, 3, 6))

    def move_text(self, state: Grid, move: int) -> str:
        """The square, from a1 at the bottom left to c3."""
        return "abc"[move % 3] + str(3 - move // 3)


def has_line(squares: int) -> bool:
    """Whether three of these squares are in a row."""
    return any(squares & line == line for line in LINES)


def open_lines(state: Grid) -> int:
    """The lines without noughts minus those without crosses: 6 - 4 after a cross in the middle."""
    crosses, noughts = state
    return sum(not noughts & line for line in LINES) - sum(not crosses & line for line in LINES)


def _turned(squares: int, symmetry: Sequence[int]) -> int:
    return sum(1 << symmetry[square] for square in range(9) if squares >> square & 1)

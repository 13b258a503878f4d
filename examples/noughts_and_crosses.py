"""Noughts and crosses (tic-tac-toe): three in a row win. Crosses are MAX and begin.

A state is two sets of squares, as bits 0 (top left) to 8 (bottom right): crosses and noughts.
"""

from __future__ import annotations

from alpha_beta import alpha_beta
from game import Player
from minimax import minimax

#: Squares with crosses and with noughts.
Grid = tuple[int, int]

FULL = 0b111111111
ROWS = (0b111, 0b111000, 0b111000000)
COLUMNS = (0b001001001, 0b010010010, 0b100100100)
DIAGONALS = (0b100010001, 0b001010100)
LINES = ROWS + COLUMNS + DIAGONALS


class NoughtsAndCrosses:
    """The rules."""

    def start(self) -> Grid:
        """The empty grid."""
        return 0, 0

    def player(self, state: Grid) -> Player:
        """Whose turn it is: there are as many crosses as noughts, or one more."""
        crosses, noughts = state
        return Player.MAX if crosses.bit_count() == noughts.bit_count() else Player.MIN

    def moves(self, state: Grid) -> list[int]:
        """The free squares; none once somebody has won."""
        crosses, noughts = state
        if has_line(crosses) or has_line(noughts):
            return []
        return [square for square in range(9) if not (crosses | noughts) >> square & 1]

    def after(self, state: Grid, move: int) -> Grid:
        """Fill a square."""
        crosses, noughts = state
        if self.player(state) is Player.MAX:
            return crosses | 1 << move, noughts
        return crosses, noughts | 1 << move

    def value(self, state: Grid) -> int:
        """1 if crosses have won, -1 if noughts have, 0 for a draw."""
        crosses, noughts = state
        return int(has_line(crosses)) - int(has_line(noughts))


def has_line(squares: int) -> bool:
    """Whether three of these squares are in a row."""
    return any(squares & line == line for line in LINES)


def drawing(state: Grid) -> str:
    """The grid as three lines of text."""
    crosses, noughts = state
    cells = ["X" if crosses >> n & 1 else "O" if noughts >> n & 1 else "." for n in range(9)]
    return "\n".join(" ".join(cells[row : row + 3]) for row in (0, 3, 6))


if __name__ == "__main__":
    game = NoughtsAndCrosses()
    grid = game.start()
    quick = alpha_beta(game, grid)
    solution = minimax(game, grid)
    print(f"Value {solution.value}: with best play a draw")
    print(f"Minimax visits {solution.nodes:,} states, alpha-beta {quick.nodes:,}")
    while game.moves(grid):
        choice = alpha_beta(game, grid).move
        assert choice is not None
        grid = game.after(grid, choice)
    print(drawing(grid))

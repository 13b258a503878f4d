"""Queens that do not attack each other: a puzzle for one player, for backtracking.

A queen is put on each column in turn. Every square has a cost, and the cheapest placement is
wanted; without costs, any placement will do. Sources: Golomb and Baumert, Backtrack Programming
(1965); OEIS A000170 for the numbers of placements.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..game_protocol import Game, Number

#: The row of each column's queen, from the left.
Rows = tuple[int, ...]

#: The costs for the lectures' queens: `COSTS[size][row][column]`, row 1 first.
COSTS: dict[int, Sequence[Sequence[int]]] = {
    4: ((7, 7, 3, 3), (1, 6, 5, 7), (5, 3, 2, 2), (2, 5, 6, 1)),
    5: ((6, 5, 3, 4, 2), (2, 7, 4, 1, 6), (5, 3, 8, 5, 3), (4, 6, 2, 7, 5), (7, 1, 5, 3, 4)),
}


class Queens(Game[Rows, int]):
    """The rules; a move is the row of the next queen.

    :param size: of the board, 1 to 12.
    :param costs: of each square, `costs[row][column]`; zero by default.
    :raises ValueError: if the board has another size, or the costs do not fit it.
    """

    players = 1

    def __init__(self, size: int = 8, costs: Sequence[Sequence[int]] | None = None) -> None:
        if not 1 <= size <= 12:
            raise ValueError(f"a board has 1 to 12 columns, not {size}")
        self.size = size
        self.costs = costs or [[0] * size] * size
        if [len(row) for row in self.costs] != [size] * size:
            raise ValueError(f"there is a cost for each of {size} by {size} squares")
        #: The minimum cost of the queens in a column and all later ones.
        least = [min(row[column] for row in self.costs) for column in range(size)]
        self.least_rest = [sum(least[column:]) for column in range(size + 1)]

    def start(self) -> Rows:
        """The empty board."""
        return ()

    def player(self, state: Rows) -> int | None:
        """The player, until all queens are placed, or the next one cannot be."""
        return 0 if self.moves(state) else None

    def moves(self, state: Rows) -> list[int]:
        """The rows of the next column that no queen attacks."""
        column = len(state)
        if column == self.size:
            return []
        return [
            row
            for row in range(self.size)
            if all(row != one and abs(row - one) != column - at for at, one in enumerate(state))
        ]

    def apply(self, state: Rows, move: int) -> Rows:
        """Put a queen on the next column."""
        return (*state, move)

    def result(self, state: Rows) -> tuple[Number]:
        """The cost as a negative number; minus infinity if a queen is missing."""
        return (-self.cost(state) if len(state) == self.size else float("-inf"),)

    def bound(self, state: Rows) -> int:
        """No placement that begins like this scores higher: each column takes its cheapest."""
        return -self.cost(state) - self.least_rest[len(state)]

    def cost(self, state: Rows) -> int:
        """The cost of the queens placed."""
        return sum(self.costs[row][column] for column, row in enumerate(state))

    def text(self, state: Rows) -> str:
        """The row of each queen, counted from 0, and a dot for each column without one."""
        return "".join(map(str, state)) + "." * (self.size - len(state))

    def move_text(self, state: Rows, move: int) -> str:
        """The square, as in chess."""
        return f"{chr(97 + len(state))}{move + 1}"

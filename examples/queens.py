"""Queens that do not attack each other: backtracking, and branch and bound for the cheapest.

A placement has a queen in each of the first columns: the rows, from 0. Backtracking goes on with
the next column as long as there is a free square, and takes the last queen back if not. Branch and
bound looks for the cheapest placement on a board whose squares have costs. What the other columns
cost at least is a bound: if that makes no placement cheaper than the best so far, it is given up.
Sources: Golomb and Baumert, Backtrack Programming (1965); Land and Doig, An Automatic Method of
Solving Discrete Programming Problems (1960).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

#: The row of the queen of each column, from the left.
Placement = tuple[int, ...]

#: What a queen costs: `COSTS[row][column]`.
Costs = Sequence[Sequence[int]]

COSTS: Costs = ((6, 5, 3, 4, 2), (2, 7, 4, 1, 6), (5, 3, 8, 5, 3), (4, 6, 2, 7, 5), (7, 1, 5, 3, 4))


def free_rows(placement: Placement, size: int) -> list[int]:
    """Rows of the next column that no queen attacks.

    >>> free_rows((0, 2), 5)
    [4]
    """
    column = len(placement)
    return [
        row
        for row in range(size)
        if all(
            row != other and abs(row - other) != column - place
            for place, other in enumerate(placement)
        )
    ]


def backtrack(size: int, placement: Placement = ()) -> Iterator[Placement]:
    """Yield every placement that is tried, the whole ones among them, depth first."""
    yield placement
    if len(placement) < size:
        for row in free_rows(placement, size):
            yield from backtrack(size, (*placement, row))


def cost(placement: Placement, costs: Costs) -> int:
    """What the queens of a placement cost."""
    return sum(costs[row][column] for column, row in enumerate(placement))


def bound(placement: Placement, costs: Costs) -> int:
    """No whole placement that begins like this is cheaper: each column costs its least."""
    rest = range(len(placement), len(costs))
    return cost(placement, costs) + sum(min(row[column] for row in costs) for column in rest)


@dataclass
class Cheapest:
    """A search by branch and bound."""

    costs: Costs
    placement: Placement | None = None  # the cheapest so far
    nodes: int = 0

    def search(self, placement: Placement = ()) -> None:
        """Look at all that begin like this and may be cheaper."""
        self.nodes += 1
        best = self.placement
        if best is not None and bound(placement, self.costs) >= cost(best, self.costs):
            return
        if len(placement) == len(self.costs):
            self.placement = placement
            return
        for row in free_rows(placement, len(self.costs)):
            self.search((*placement, row))


if __name__ == "__main__":
    for size in range(4, 9):
        tried = list(backtrack(size))
        whole = [placement for placement in tried if len(placement) == size]
        print(
            f"{size} queens: {len(whole):2} placements, {len(tried):4} nodes; the first {whole[0]}"
        )
    cheapest = Cheapest(COSTS)
    cheapest.search()
    assert cheapest.placement is not None
    print(f"Cheapest with 5: {cheapest.placement} for {cost(cheapest.placement, COSTS)}, "
          f"{cheapest.nodes} nodes instead of {len(list(backtrack(5)))}")  # fmt: skip

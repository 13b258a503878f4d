"""Queens that do not attack each other, step by step: backtracking, and branch and bound.

A node is a placement with a queen in each of the first columns. Every square has a cost, and the
cheapest placement is wanted. Sources: Golomb and Baumert, Backtrack Programming (1965); Land and
Doig, An Automatic Method of Solving Discrete Programming Problems (1960).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from .recorded import RecordedNode, Recording, StepRecorder

#: What a queen costs: `COSTS[size][row][column]`, of the row 1 first.
COSTS: dict[int, Sequence[Sequence[int]]] = {
    4: ((7, 7, 3, 3), (1, 6, 5, 7), (5, 3, 2, 2), (2, 5, 6, 1)),
    5: ((6, 5, 3, 4, 2), (2, 7, 4, 1, 6), (5, 3, 8, 5, 3), (4, 6, 2, 7, 5), (7, 1, 5, 3, 4)),
}


def queens_tree(costs: Sequence[Sequence[int]]) -> RecordedNode:
    """All placements that backtracking tries on a board with these costs."""
    size = len(costs)

    def node(rows: tuple[int, ...], note: str) -> RecordedNode:
        column, moves = len(rows), []
        for row in range(size) if column < size else ():
            if all(row != one and abs(row - one) != column - at for at, one in enumerate(rows)):
                below = node((*rows, row), f"+{costs[row][column]}")
                moves.append((f"{chr(97 + column)}{row + 1}", below))
        name = "".join(map(str, rows)) + "." * (size - column)
        total = sum(costs[row][at] for at, row in enumerate(rows))
        return RecordedNode("queens", name, tuple(moves), Fraction(total), note=note)

    return node((), "")


def backtracking(root: RecordedNode, costs: Sequence[Sequence[int]]) -> Recording:
    """Try every placement, from the first row to the last, and keep the cheapest."""
    return _Search(root, costs, has_bound=False).run()


def branch_and_bound(root: RecordedNode, costs: Sequence[Sequence[int]]) -> Recording:
    """Give up what cannot become cheaper than the cheapest placement so far."""
    return _Search(root, costs, has_bound=True).run()


class _Search:
    def __init__(self, root: RecordedNode, costs: Sequence[Sequence[int]], has_bound: bool) -> None:
        self._root, self._has_bound = root, has_bound
        self._recorder = StepRecorder(root)
        self._least = [min(row[column] for row in costs) for column in range(len(costs))]
        self._best: int | None = None
        self._path: list[RecordedNode] = []

    def run(self) -> Recording:
        self._visit(self._root, 0)
        return self._recorder.recording("" if self._best is None else str(self._best))

    def _visit(self, node: RecordedNode, column: int) -> None:
        assert isinstance(node.worth, Fraction)
        cost, rest = int(node.worth), sum(self._least[column:])
        step, size = self._recorder.step, len(self._least)
        self._path.append(node)
        step("enter", node, "queens_enter", cost=str(cost))
        told = {"cost": str(cost), "rest": str(rest), "bound": str(cost + rest)}
        if self._has_bound:
            step("bound", node, "queens_bound", f"≥ {cost + rest}", None, **told)
        else:
            step("bound", node, "queens_cost", str(cost), None, **told)
        if self._has_bound and self._best is not None and cost + rest >= self._best:
            told["best"] = str(self._best)
            step("cut", node, "queens_cut", f"≥ {cost + rest}", None, **told)
        elif column == size:
            self._finish(node, cost)
        else:
            if not node.moves:
                step("leaf", node, "queens_stuck", column=chr(97 + column))
            for move, child in node.moves:
                step("try", node, "queens_try", child=child, move=move)
                self._visit(child, column + 1)
        step("return", node, "queens_back" if column else "queens_done")
        self._path.pop()

    def _finish(self, node: RecordedNode, cost: int) -> None:
        """All queens stand."""
        if self._best is not None and cost >= self._best:
            self._recorder.step("leaf", node, "queens_whole", str(cost), cost=str(cost))
            return
        self._best = cost
        self._recorder.chosen.clear()
        for above, below in zip(self._path, self._path[1:], strict=False):
            self._recorder.choose(above, below)
        self._recorder.step("best", node, "queens_best", str(cost), cost=str(cost))

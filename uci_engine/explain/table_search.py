"""Searches of a drawn tree with a transposition table: what is known is not searched again.

The table has a position by its key. Its value is used where the position comes at the same depth
of the tree: there the tree below is the same, so the value of the root is that without the table.
(An engine also takes values of deeper searches.) With alpha-beta a value may be only a bound: it
is used where it is enough for a cutoff, or where the window cannot be reached.

Source: https://www.chessprogramming.org/Transposition_Table
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from halbzug.explain.game_trees import TreeNode
from halbzug.explain.tree_search import INFINITY, MINUS_INFINITY, Algorithm, Run, Step, Value

TableAlgorithm = Literal["minimax-table", "alpha-beta-table"]


class _Entry(NamedTuple):
    value: Value
    bound: Literal["hit", "hit_lower", "hit_upper"]


def search_with_table(root: TreeNode, keys: Sequence[int], algorithm: TableAlgorithm) -> Run:
    """Search a tree from left to right, with a table of the positions that were searched.

    :param keys: of all nodes, in the order of `walk`; two nodes of one level with one key must
        have the same tree below.
    """
    return _TableSearch(root, keys, algorithm).run()


class _TableSearch:
    def __init__(self, root: TreeNode, keys: Sequence[int], algorithm: Algorithm) -> None:
        self._root = root
        self._keys = keys
        self._algorithm = algorithm
        self._has_window = algorithm == "alpha-beta-table"
        self._numbers = {id(node): number for number, node in enumerate(root.walk())}
        self._table: dict[tuple[int, int], _Entry] = {}
        self._steps: list[Step] = []
        self._values: dict[int, Value] = {}
        self._best_child: dict[int, int] = {}

    def run(self) -> Run:
        self._visit(self._root, 0, MINUS_INFINITY, INFINITY)
        line = [0]
        while line[-1] in self._best_child:
            line.append(self._best_child[line[-1]])
        left_out = frozenset(set(self._numbers.values()) - self._values.keys())
        return Run(self._algorithm, tuple(self._steps), self._values, left_out, tuple(line))

    def _visit(self, node: TreeNode, level: int, alpha: Value, beta: Value) -> Value:
        number = self._numbers[id(node)]
        self._steps.append(Step("enter", number, alpha, beta))
        if node.value is not None:
            self._steps.append(Step("leaf", number, alpha, beta, node.value))
            self._values[number] = node.value
            return node.value
        place = (self._keys[number], level)
        known = self._table.get(place)
        if known and self._is_enough(known, alpha, beta):
            self._steps.append(Step(known.bound, number, alpha, beta, known.value))
            self._values[number] = known.value
            return known.value
        value = self._choose(node, number, level, alpha, beta)
        bound: Literal["hit", "hit_lower", "hit_upper"] = "hit"
        if self._has_window and value >= beta:
            bound = "hit_lower"
        elif self._has_window and value <= alpha:
            bound = "hit_upper"
        self._table[place] = _Entry(value, bound)
        self._values[number] = value
        return value

    @staticmethod
    def _is_enough(known: _Entry, alpha: Value, beta: Value) -> bool:
        if known.bound == "hit_lower":
            return known.value >= beta
        return known.bound == "hit" or known.value <= alpha

    def _choose(self, node: TreeNode, number: int, level: int, alpha: Value, beta: Value) -> Value:
        is_max = node.player == "max"
        best: Value | None = None
        for place, (_, child) in enumerate(node.moves):
            below = self._numbers[id(child)]
            self._steps.append(Step("try", number, alpha, beta, best, below))
            value = self._visit(child, level + 1, alpha, beta)
            self._steps.append(Step("back", number, alpha, beta, value, below))
            if best is None or (value > best if is_max else value < best):
                best = value
                self._best_child[number] = below
                self._steps.append(Step("best", number, alpha, beta, best, below))
            if not self._has_window:
                continue
            if is_max and best > alpha:
                alpha = best
                self._steps.append(Step("bound", number, alpha, beta, best))
            elif not is_max and best < beta:
                beta = best
                self._steps.append(Step("bound", number, alpha, beta, best))
            if alpha >= beta:
                if place + 1 < len(node.moves):
                    self._steps.append(Step("cut", number, alpha, beta, best))
                break
        assert best is not None
        self._steps.append(Step("return", number, alpha, beta, best))
        return best

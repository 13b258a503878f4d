"""Searches of a drawn tree with a transposition table: known positions are not searched again.

The table stores positions by key. A value is used if the position occurs again at the same depth in
the tree: the subtree is then the same, so the root's value is that without the table. (An engine
also uses values from deeper searches.) With alpha-beta, a value may be only a bound: it is used if
it suffices for a cutoff, or if the window cannot be reached.

Source: https://www.chessprogramming.org/Transposition_Table
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from .game_trees import TreeNode
from .tree_search import Run, Sign, Step, TreeSearch, Value

TableAlgorithm = Literal["minimax-table", "alpha-beta-table"]


_SIGNS: Mapping[str, Sign] = {"hit": "", "hit_lower": "≥", "hit_upper": "≤"}


class _Entry(NamedTuple):
    value: Value
    bound: Literal["hit", "hit_lower", "hit_upper"]


def search_with_table(root: TreeNode, keys: Sequence[int], algorithm: TableAlgorithm) -> Run:
    """Search a tree from left to right, with a table of positions already searched.

    :param keys: of all nodes, in the order of `walk`; nodes on the same level with the same key
        must have the same subtree.
    """
    return _TableSearch(root, keys, algorithm).run()


class _TableSearch(TreeSearch):
    def __init__(self, root: TreeNode, keys: Sequence[int], algorithm: TableAlgorithm) -> None:
        super().__init__(root, algorithm)
        self._places = list(zip(keys, self._tree.levels, strict=True))
        self._table: dict[tuple[int, int], _Entry] = {}

    def _choose(self, number: int, alpha: Value, beta: Value) -> tuple[Value, Sign]:
        place = self._places[number]
        known = self._table.get(place)
        if known and self._is_enough(known, alpha, beta):
            sign = _SIGNS[known.bound]
            self._steps.append(Step(known.bound, number, alpha, beta, known.value, sign=sign))
            return known.value, sign
        value, sign = super()._choose(number, alpha, beta)
        bound: Literal["hit", "hit_lower", "hit_upper"] = "hit"
        if not self._is_minimax and value >= beta:
            bound = "hit_lower"
        elif not self._is_minimax and value <= alpha:
            bound = "hit_upper"
        self._table[place] = _Entry(value, bound)
        return value, sign

    @staticmethod
    def _is_enough(known: _Entry, alpha: Value, beta: Value) -> bool:
        if known.bound == "hit_lower":
            return known.value >= beta
        return known.bound == "hit" or known.value <= alpha

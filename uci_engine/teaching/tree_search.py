"""Searches of a drawn game tree: every step of minimax and alpha-beta.

These are the textbook searches, with MAX and MIN instead of the engine's negamax, so that a value
means the same at each node. `fail-hard` is the alpha-beta that keeps no value of its own: it
changes its bounds in place and returns one of them. At the root the result is the same; below, a
node that was cut off, or could not reach the bounds, returns less than it knows.

What such a node returns is a bound of its value. A run says which: the nodes below bound its value
from both sides, and where these bounds agree, the value is exact.

Sources: https://www.chessprogramming.org/Minimax, https://www.chessprogramming.org/Alpha-Beta,
https://www.chessprogramming.org/Fail-Soft; Knuth and Moore, An Analysis of Alpha-Beta Pruning
(1975).
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Literal, NamedTuple

from .game_trees import TreeNode
from .numbered_tree import NumberedTree

#: Those with a table are in `table_search`.
Algorithm = Literal["minimax", "alpha-beta", "fail-hard", "minimax-table", "alpha-beta-table"]

#: In teaching order.
ALGORITHMS: tuple[Algorithm, ...] = ("minimax", "alpha-beta", "fail-hard")

#: Initial bounds: below and above all values.
MINUS_INFINITY, INFINITY = float("-inf"), float("inf")

#: The value of a node, or a bound.
Value = float

#: How to read a value: exact, at least, or at most.
Sign = Literal["", "≥", "≤"]

#: The kinds of steps: a node is entered, a leaf has its value, a move is tried, its value comes
#: back, it is the best so far, a bound moves, the rest is cut off, a node returns its value. The
#: last three concern a table: it has the node's value, or a sufficient bound of it.
Kind = Literal[
    "enter", "leaf", "try", "back", "best", "bound", "cut", "return",
    "hit", "hit_lower", "hit_upper",
]  # fmt: skip


class Step(NamedTuple):
    """A step of a search.

    :ivar node: where it happens: the number of the node in the order of `walk`, from the root's 0.
    :ivar child: for `try` and `back`, the number of the child.
    :ivar value: the value that comes back, is the best, or is returned; None if there is none.
    :ivar sign: whether that value is a bound.
    """

    kind: Kind
    node: int
    alpha: Value
    beta: Value
    value: Value | None = None
    child: int | None = None
    sign: Sign = ""


@dataclass(frozen=True)
class Run:
    """A search from its first step to the last.

    :ivar values: the value returned by each visited node, by its number.
    :ivar signs: for values that are only bounds, by node number.
    :ivar cut: the nodes not visited because they or a node above them were cut off.
    :ivar line: the nodes of the principal variation, root first.
    """

    algorithm: Algorithm
    steps: tuple[Step, ...]
    values: dict[int, Value]
    signs: dict[int, Sign]
    cut: frozenset[int]
    line: tuple[int, ...]

    @property
    def value(self) -> Value:
        """The value of the root."""
        return self.values[0]

    @property
    def nodes(self) -> int:
        """The number of visited nodes, including the root."""
        return len(self.values)

    def until(self, number: int, tree: NumberedTree[TreeNode]) -> Run:
        """What is known after a number of steps in the tree."""
        if number == len(self.steps):
            return self
        values: dict[int, Value] = {}
        signs: dict[int, Sign] = {}
        entered: set[int] = set()
        cut: set[int] = set()
        for step in self.steps[:number]:
            if step.kind == "enter":
                entered.add(step.node)
            elif step.value is not None and step.kind not in ("try", "back"):
                sign = step.sign
                if step.kind in ("best", "bound", "cut"):
                    # Until all moves are searched, a value is a bound from the player's side.
                    sign = "≥" if tree.nodes[step.node].player == "max" else "≤"
                    if step.sign not in ("", sign):
                        continue
                values[step.node], signs[step.node] = step.value, sign
            if step.kind in ("cut", "hit", "hit_lower", "hit_upper"):
                for below in tree.children[step.node]:
                    if below not in entered:
                        cut.update(range(below, below + tree.nodes[below].size))
        return Run(self.algorithm, self.steps[:number], values, signs, frozenset(cut), ())

    @property
    def cutoffs(self) -> tuple[Step, ...]:
        """The steps in which moves were cut off."""
        return tuple(step for step in self.steps if step.kind == "cut")


@functools.lru_cache(maxsize=4)  # questions about a drawn tree request its searches again
def search(root: TreeNode, algorithm: Algorithm) -> Run:
    """Search a tree from left to right."""
    return TreeSearch(root, algorithm).run()


class TreeSearch:
    """A search from left to right that records its steps; it runs only once."""

    def __init__(self, root: TreeNode, algorithm: Algorithm) -> None:
        self._algorithm = algorithm
        self._is_minimax = algorithm.startswith("minimax")
        self._tree = NumberedTree(root)
        self._steps: list[Step] = []
        self._values: dict[int, Value] = {}
        self._signs: dict[int, Sign] = {}
        self._best_child: dict[int, int] = {}

    def run(self) -> Run:
        """Search the tree."""
        self._visit(0, MINUS_INFINITY, INFINITY)
        line = [0]
        while line[-1] in self._best_child:
            line.append(self._best_child[line[-1]])
        cut = frozenset(range(len(self._tree.nodes))) - self._values.keys()
        return Run(self._algorithm, tuple(self._steps), self._values, self._signs, cut, tuple(line))

    def _visit(self, number: int, alpha: Value, beta: Value) -> Value:
        self._steps.append(Step("enter", number, alpha, beta))
        leaf_value = self._tree.nodes[number].value
        if leaf_value is not None:
            self._steps.append(Step("leaf", number, alpha, beta, leaf_value))
            self._values[number] = leaf_value
            return leaf_value
        value, sign = self._choose(number, alpha, beta)
        self._values[number] = value
        if sign:
            self._signs[number] = sign
        return value

    def _choose(self, number: int, alpha: Value, beta: Value) -> tuple[Value, Sign]:
        is_max, children = self._is_max(number), self._tree.children[number]
        best: Value | None = None  # fail-hard has a bound instead
        if self._algorithm == "fail-hard":
            best = alpha if is_max else beta
        for below in children:
            self._steps.append(Step("try", number, alpha, beta, best, below))
            value = self._visit(below, alpha, beta)
            sign = self._signs.get(below, "")
            self._steps.append(Step("back", number, alpha, beta, value, below, sign))
            if best is None or (value > best if is_max else value < best):
                best = value
                self._best_child[number] = below
                self._steps.append(Step("best", number, alpha, beta, best, below, sign))
            if self._is_minimax:
                continue
            if is_max and best > alpha:
                alpha = best
                self._steps.append(Step("bound", number, alpha, beta, best))
            elif not is_max and best < beta:
                beta = best
                self._steps.append(Step("bound", number, alpha, beta, best))
            if alpha >= beta:
                if self._algorithm == "fail-hard":
                    best = beta if is_max else alpha
                if below != children[-1]:
                    self._steps.append(Step("cut", number, alpha, beta, best))
                break
        assert best is not None
        own_sign = self._sign(number, best)
        self._steps.append(Step("return", number, alpha, beta, best, sign=own_sign))
        return best, own_sign

    def _is_max(self, number: int) -> bool:
        return self._tree.nodes[number].player == "max"

    def _sign(self, number: int, value: Value) -> Sign:
        """How to read the value that a node returns, given what its children returned."""
        lower, upper = [], []
        for below in self._tree.children[number]:
            known, sign = self._values.get(below), self._signs.get(below, "")
            lower.append(MINUS_INFINITY if known is None or sign == "≤" else known)
            upper.append(INFINITY if known is None or sign == "≥" else known)
        choose = max if self._is_max(number) else min
        low, high = choose(lower), choose(upper)
        if low >= value >= high:
            return ""
        return "≥" if low >= value else "≤"

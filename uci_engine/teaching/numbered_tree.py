"""The nodes of a drawn tree, in the order in which all drawings, searches and pages number them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Generic, TypeVar

Node = TypeVar("Node", bound="DrawnNode")


class DrawnNode:
    """A node of a drawn tree.

    :ivar moves: the name of each move, with the node it leads to.
    """

    moves: tuple[tuple[str, Any], ...]

    def walk(self: Node) -> Iterator[Node]:
        """Yield it and all nodes below, parents before their children, from left to right."""
        pending = [self]
        while pending:
            node = pending.pop()
            yield node
            pending += [child for _, child in reversed(node.moves)]

    @property
    def size(self) -> int:
        """The number of nodes, including this one."""
        return sum(1 for _ in self.walk())


class NumberedTree(Generic[Node]):
    """A tree whose nodes are numbered in the order of `walk`; the root is 0.

    :ivar children: the numbers of each node's children.
    :ivar parents: the number of each node's parent; -1 at the root.
    :ivar moves: the name of the move that leads to each node; empty at the root.
    :ivar levels: the depth of each node.
    """

    def __init__(self, root: Node) -> None:
        self.nodes = list(root.walk())
        self.numbers = {id(node): number for number, node in enumerate(self.nodes)}
        self.children = [
            [self.numbers[id(child)] for _, child in node.moves] for node in self.nodes
        ]
        self.parents = [-1] * len(self.nodes)
        self.moves = [""] * len(self.nodes)
        self.levels = [0] * len(self.nodes)
        for number, node in enumerate(self.nodes):
            for (move, _), child in zip(node.moves, self.children[number], strict=True):
                self.parents[child], self.moves[child] = number, move
                self.levels[child] = self.levels[number] + 1

"""The names of nodes in a drawn tree, as used by people and by the pages.

A node with a letter is called by it: `C`. Its child without a letter is called by the letter and
the move: `C2`. Others are called by the moves that lead to them from the root. `nodeName` in
`html/tree.js` follows the same rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from .game_trees import TreeNode
from .numbered_tree import NumberedTree
from .recorded import RecordedNode


class NodeNames:
    """The names of the nodes in a tree.

    :param root: of the tree; its nodes are numbered in the order of `walk`.
    """

    def __init__(self, root: TreeNode | RecordedNode) -> None:
        tree: NumberedTree[TreeNode | RecordedNode] = NumberedTree(root)
        nodes, self._parents, self._moves = tree.nodes, tree.parents, tree.moves
        counts = Counter(node.name for node in nodes)
        self._letters = [
            node.name if counts[node.name] == 1 and "A" <= node.name[:1] <= "Z" else ""
            for node in nodes
        ]

    def path(self, number: int) -> str:
        """The moves that lead to a node from the root, separated by spaces."""
        moves: list[str] = []
        while self._parents[number] >= 0:
            moves.append(self._moves[number])
            number = self._parents[number]
        return " ".join(reversed(moves))

    def short(self, number: int) -> str:
        """The node's letter, or its parent's letter and its move; empty if it has neither."""
        parent = self._parents[number]
        if self._letters[number] or parent < 0 or not self._letters[parent]:
            return self._letters[number]
        return self._letters[parent] + self._moves[number]

    def name(self, number: int, words: Mapping[str, str], form: str = "") -> str:
        """A node's name in a sentence.

        :param words: the texts of a language.
        :param form: `_place` after a preposition; empty as a subject.
        """
        if short := self.short(number):
            return short
        if not number:
            return words["root" + form]
        return words["after" + form].format(moves=self.path(number))

    def find(self, text: str) -> int:
        """The number of a node, from its letter or the moves that lead to it; by default the root.

        :raises ValueError: if there is none.

        >>> from halbzug.teaching.game_trees import read_tree
        >>> names = NodeNames(read_tree("((3 5) (2 9))").root)
        >>> names.find("C"), names.find("2"), names.find("C2")
        (4, 4, 6)
        """
        if not text:
            return 0
        if text in self._letters:
            return self._letters.index(text)
        for number in range(len(self._parents)):
            if text in (self.path(number), self.short(number)):
                return number
        raise ValueError(
            f"there is no node {text[:40]!r} in this tree: a node is its letter, as C, "
            "or the moves that lead to it from the root, as 2 1"
        )

"""Transpositions in a drawn tree: nodes with the same position, and what a table saves there.

Nodes with the same pieces on the same squares and the same side to move have the same letter. If
they have different keys, because a castling right or en passant capture makes them different
positions, the letters have primes: A and A'.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass

import chess

from .game_trees import GameTree, Order, TreeNode, letter, ordered
from .table_search import search_with_table
from .tree_search import Algorithm, Run, search
from .zobrist_parts import Keyed

PRIME = "\N{PRIME}"

#: Instructive positions by name: a pawn that can be captured en passant only at once, and king
#: moves alone, in position 70 of Fine, Basic Chess Endings (1941).
POSITIONS = {
    "pawn": "8/p5k1/8/8/3p4/3P4/2P5/6K1 w - - 0 1",
    "kings": "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1",
}


@dataclass(frozen=True)
class Mark:
    """What nodes with one position have in common.

    :ivar letter: of their placement, with a prime for each further position that looks the same.
    :ivar color: a number for the position, from 0.
    """

    letter: str
    color: int


class MarkedTree:
    """The tree of a position, its keys, and its searches with and without a table.

    :param board: the position at the root.
    :param given: the tree with its moves as given.
    :param known: positions of the tree whose keys are already known, by FEN.
    :ivar tree: the tree with its moves in search order.
    :ivar keyed: the positions of the nodes, in the order of `walk`, and `keys` their keys.
    :ivar marks: by node number; positions that occur once have none.
    """

    def __init__(
        self,
        board: chess.Board,
        given: GameTree,
        order: Order = "given",
        known: dict[str, Keyed] | None = None,
    ) -> None:
        self.board = board
        self.given, self.order = given, order
        self.tree = ordered(given, order)
        self.nodes = list(self.tree.root.walk())
        self._known = {} if known is None else known
        for fen in {node.fen for node in self.nodes} - self._known.keys():
            self._known[fen] = Keyed(chess.Board(fen, chess960=board.chess960))
        self.keyed = [self._known[node.fen] for node in self.nodes]
        self.keys = [one.key for one in self.keyed]
        self.marks = _marks(self.nodes, self.keys)
        root = self.tree.root
        self.runs: dict[Algorithm, Run] = {
            "minimax": search(root, "minimax"),
            "minimax-table": search_with_table(root, self.keys, "minimax-table"),
            "alpha-beta": search(root, "alpha-beta"),
            "alpha-beta-table": search_with_table(root, self.keys, "alpha-beta-table"),
        }

    def reordered(self, order: Order) -> MarkedTree:
        """The same tree with its moves in another order; keys are not recomputed."""
        return MarkedTree(self.board, self.given, order, self._known)

    @property
    def positions(self) -> int:
        """The number of different positions in the tree."""
        return len(set(self.keys))

    @property
    def lookalikes(self) -> int:
        """The number of placements, with the side to move, that belong to several positions."""
        keys = defaultdict(set)
        for node, key in zip(self.nodes, self.keys, strict=True):
            keys[_placement(node)].add(key)
        return sum(len(found) > 1 for found in keys.values())


def _placement(node: TreeNode) -> str:
    """The pieces and the side to move."""
    return " ".join(node.fen.split()[:2])


def _marks(nodes: list[TreeNode], keys: list[int]) -> dict[int, Mark]:
    number_of = Counter(map(_placement, nodes))
    found: dict[str, dict[int, Mark]] = {}
    letters: dict[str, str] = {}
    colors = 0
    marks = {}
    for number, (node, key) in enumerate(zip(nodes, keys, strict=True)):
        placement = _placement(node)
        if number_of[placement] < 2:
            continue
        if placement not in letters:
            letters[placement] = letter(len(letters))
        same = found.setdefault(placement, {})
        if key not in same:
            same[key] = Mark(letters[placement] + PRIME * len(same), colors)
            colors += 1
        marks[number] = same[key]
    return marks

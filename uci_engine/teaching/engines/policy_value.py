"""Policy and value, as AlphaGo uses them: a network tells the tree search where to look.

In place of a random playout, the value of a new position is the network's estimate, and moves that
look promising to it are tried first and more often (PUCT). It was trained on games of Halbzug by
`halbzug.teaching.training`. Sources: https://www.chessprogramming.org/AlphaZero and Silver et al.,
Mastering the game of Go with deep neural networks and tree search, Nature 529 (2016).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

import chess

from halbzug.teaching.engines.basics import leaders, points_of_end
from halbzug.teaching.engines.network import trained

if TYPE_CHECKING:
    from halbzug.teaching.clock import Clock

name = "Policy and value"

#: The exploration constant, and how much worse than its parent an untried move is assumed to be.
EXPLORATION, DOUBT = 1.5, 0.2


class Node:
    """A position in the tree: the probability of its move, visits, and the sum of their values."""

    exploration = EXPLORATION

    def __init__(self, prior: float, doubt: float = DOUBT) -> None:
        self.prior, self.doubt, self.visits, self.total = prior, doubt, 0, 0.0
        self.children: dict[chess.Move, Node] = {}

    def best_child(self) -> tuple[chess.Move, Node]:
        """The move to try next: one of high value, or one that is likely and seldom tried."""
        bonus = self.exploration * math.sqrt(self.visits)
        untried = -self.total / self.visits - self.doubt

        def urgency(item: tuple[chess.Move, Node]) -> float:
            child = item[1]
            value = child.total / child.visits if child.visits else untried
            return value + bonus * child.prior / (1 + child.visits)

        return max(self.children.items(), key=urgency)

    def judge(self, board: chess.Board) -> tuple[float, dict[chess.Move, float]]:
        """The value, from -1 to 1 for the side to move, and the probability of each legal move."""
        return trained().judge(board)


def visit(node: Node, board: chess.Board) -> float:
    """Follow the tree to a new position, and evaluate it for the side that moved there."""
    points = points_of_end(board)
    if points is not None:
        value = 2 * points - 1
    elif node.children:
        move, child = node.best_child()
        board.push(move)
        value = -visit(child, board)
    else:
        judgement, priors = node.judge(board)
        node.children = {move: type(node)(prior) for move, prior in priors.items()}
        value = -judgement
    node.visits += 1
    node.total += value
    return value


def root_node() -> Node:
    """A root, at which every move is tried once."""
    return Node(1.0, doubt=-2.0)


def choose(board: chess.Board, clock: Clock, root: Node | None = None) -> Iterator[chess.Move]:
    """The most visited move, each time it changes; `root` may already have visits."""
    return leaders(root or root_node(), visit, board, clock)

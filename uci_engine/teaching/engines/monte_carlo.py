"""Monte Carlo tree search: moves are judged by random playouts (UCT).

It knows nothing but the rules. A move that won more of its playouts is tried more often, and one
that was seldom tried gets its chance. A playout goes down the tree to a new position, and continues
randomly to the end. Source: https://www.chessprogramming.org/UCT
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from typing import TYPE_CHECKING

import chess

from halbzug.teaching.engines.basics import leaders, points_of_end

if TYPE_CHECKING:
    from halbzug.teaching.clock import Clock

name = "Monte Carlo"

#: The exploration constant, and the length in plies at which a playout is a draw.
EXPLORATION, MAX_PLAYOUT = 0.7, 200


class Node:
    """A position in the tree: its playouts, and the points of the side that moved to it."""

    def __init__(self) -> None:
        self.visits, self.points = 0, 0.0
        self.children: dict[chess.Move, Node] = {}

    def urgency(self, parent_visits: int, exploration: float = EXPLORATION) -> float:
        """The upper confidence bound; untried moves come first."""
        if not self.visits:
            return math.inf
        bonus = exploration * math.sqrt(math.log(parent_visits) / self.visits)
        return self.points / self.visits + bonus

    def judge(self, board: chess.Board) -> float:
        """Play randomly to the end; return the points of the side that moved before."""
        first = board.turn
        for _ in range(MAX_PLAYOUT):
            points = points_of_end(board)
            if points is not None:
                return points if board.turn == first else 1 - points
            board.push(self.playout_move(board))
        return 0.5

    def playout_move(self, board: chess.Board) -> chess.Move:
        """A move of a playout: any one."""
        return random.choice(list(board.legal_moves))


def visit(node: Node, board: chess.Board) -> float:
    """One playout from this node; return the points of the side that moved to it."""
    points = points_of_end(board)
    if points is None and not node.visits:
        points = node.judge(board)
    elif points is None:
        if not node.children:
            node.children = {move: type(node)() for move in board.legal_moves}
        move = max(node.children, key=lambda move: node.children[move].urgency(node.visits))
        board.push(move)
        points = 1 - visit(node.children[move], board)
    node.visits += 1
    node.points += points
    return points


def choose(board: chess.Board, clock: Clock, root: Node | None = None) -> Iterator[chess.Move]:
    """The move with the most playouts, each time it changes; `root` may already have some."""
    return leaders(root or Node(), visit, board, clock)

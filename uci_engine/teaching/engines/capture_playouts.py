"""Playouts with captures first: Monte Carlo tree search whose games are a little less random.

In a game by chance most hanging pieces stay where they are, so that its result says little. Here
the most valuable piece is taken, by the least valuable attacker, whenever something can be taken:
more games have a winner, and a move that loses a piece loses more of them. Such games are called
heavy playouts. Source: https://www.chessprogramming.org/Monte-Carlo_Tree_Search
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import TYPE_CHECKING

import chess

from halbzug.teaching.engines import monte_carlo
from halbzug.teaching.engines.move_ordering import move_score

if TYPE_CHECKING:
    from halbzug.teaching.clock import Clock

name = "Playouts with captures"


class Node(monte_carlo.Node):
    """A position in the tree, judged by games in which captures come first."""

    def playout_move(self, board: chess.Board) -> chess.Move:
        """The best capture, or any move if there is none."""
        captures = list(board.generate_legal_captures())
        if captures:
            return max(captures, key=lambda move: move_score(board, move))
        return random.choice(list(board.legal_moves))


def choose(board: chess.Board, clock: Clock, root: Node | None = None) -> Iterator[chess.Move]:
    """The move with the most visits, whenever that is another one; `root` may have some."""
    return monte_carlo.choose(board, clock, root or Node())

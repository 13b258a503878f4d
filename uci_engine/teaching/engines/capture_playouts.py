"""Playouts with captures first: Monte Carlo tree search whose games are a little less random.

In a random game most hanging pieces are left alone, so its result says little. Here, whenever
something can be captured, the least valuable attacker captures the most valuable piece: more games
have a winner, and a move that loses a piece loses more of them. Such games are called heavy
playouts. Source: https://www.chessprogramming.org/Monte-Carlo_Tree_Search
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
    """The most visited move, each time it changes; `root` may already have visits."""
    return monte_carlo.choose(board, clock, root or Node())

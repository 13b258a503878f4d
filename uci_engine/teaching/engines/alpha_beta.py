"""Alpha-beta: minimax without the moves that cannot change its value.

`alpha` is what the side to move is sure of elsewhere in the tree, `beta` what the other side is
sure of. A position worth `beta` or more will not be reached, because the other side has better, so
its remaining moves need not be searched. The root's value is that of minimax, at best for the
square root of its nodes. Source: https://www.chessprogramming.org/Alpha-Beta
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import chess

from halbzug.teaching.engines.basics import INFINITE, check, until_time_is_up, value_of_end
from halbzug.teaching.engines.minimax import Minimax

if TYPE_CHECKING:
    from halbzug.teaching.clock import Clock

name = "Alpha-beta"

#: Plies to look ahead, one more than minimax can afford.
DEPTH = 3


class AlphaBeta(Minimax):
    """Minimax with bounds."""

    def root(self, board: chess.Board, depth: int) -> Iterator[tuple[chess.Move, int]]:
        """Yield each move that is better than those before it, with its value."""
        alpha = -INFINITE
        for move in self.moves(board, 0):
            board.push(move)
            value = -self.value(board, depth - 1, 1, -INFINITE, -alpha)
            board.pop()
            if value > alpha:
                alpha = value
                yield move, value

    def value(
        self,
        board: chess.Board,
        depth: int,
        ply: int,
        alpha: int = -INFINITE,
        beta: int = INFINITE,
    ) -> int:
        """The value for the side to move; values <= alpha or >= beta are only bounds."""
        self.nodes += 1
        check(self.clock, self.nodes)
        end = value_of_end(board, ply)
        if end is not None or depth == 0:
            return self.leaf(board, ply, alpha, beta) if end is None else end
        best = -INFINITE
        for move in self.moves(board, ply):
            board.push(move)
            value = -self.value(board, depth - 1, ply + 1, -beta, -max(alpha, best))
            board.pop()
            best = max(best, value)
            if best >= beta:
                break
        return best

    def leaf(self, board: chess.Board, ply: int, alpha: int, beta: int) -> int:
        """The value where the search ends."""
        return self.evaluate(board)


def choose(board: chess.Board, clock: Clock) -> Iterator[chess.Move]:
    """Better and better moves from a search to a fixed depth."""
    return until_time_is_up(board, AlphaBeta(clock).root(board, clock.depth or DEPTH))

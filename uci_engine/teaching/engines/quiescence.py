"""Quiescence: at the leaves, captures are searched until the position is quiet.

A search that ends after a queen has captured a pawn does not see that the queen is recaptured (the
horizon effect). The side to move may also decline to capture (stand pat), so the value is at least
that of the current position. Source: https://www.chessprogramming.org/Quiescence_Search
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import chess

from halbzug.teaching.engines.alpha_beta import DEPTH
from halbzug.teaching.engines.basics import check, until_time_is_up
from halbzug.teaching.engines.move_ordering import Ordered, move_score

if TYPE_CHECKING:
    from halbzug.teaching.clock import Clock

name = "Quiescence"


class Quiescence(Ordered):
    """Alpha-beta with quiet leaves."""

    def leaf(self, board: chess.Board, ply: int, alpha: int, beta: int) -> int:
        """The value of the best captures, or of none."""
        best = self.evaluate(board)
        if best >= beta:
            return best
        captures = list(board.generate_legal_captures())
        captures.sort(key=lambda move: move_score(board, move), reverse=True)
        for move in captures:
            self.nodes += 1
            check(self.clock, self.nodes)
            board.push(move)
            value = -self.leaf(board, ply + 1, -beta, -max(alpha, best))
            board.pop()
            best = max(best, value)
            if best >= beta:
                break
        return best


def choose(board: chess.Board, clock: Clock) -> Iterator[chess.Move]:
    """Better and better moves from a search to a fixed depth."""
    return until_time_is_up(board, Quiescence(clock).root(board, clock.depth or DEPTH))

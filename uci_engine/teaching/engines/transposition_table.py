"""Transposition table: looks up positions that were searched before.

1.e4 e5 2.d4 and 1.d4 e5 2.e4 lead to the same position. The table stores it under its key
(`zobrist`), with the best move, which is searched first next time, and a value that may be only a
bound. Source: https://www.chessprogramming.org/Transposition_Table
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import chess

from halbzug.teaching.engines.basics import INFINITE, MATE, check, until_time_is_up, value_of_end
from halbzug.teaching.engines.iterative_deepening import Deepening
from halbzug.teaching.engines.zobrist import Zobrist

if TYPE_CHECKING:
    from halbzug.teaching.clock import Clock

name = "Transposition table"


class Remembering(Deepening):
    """A search with a table.

    :ivar entries: by key, the depth, the value, whether the true value is equal (0), at least (1)
        or at most (-1) that, and the best move.
    """

    def __init__(self, clock: Clock) -> None:
        super().__init__(clock)
        self.zobrist = Zobrist()
        self.entries: dict[int, tuple[int, int, int, chess.Move | None]] = {}

    def value(
        self, board: chess.Board, depth: int, ply: int, alpha: int = -INFINITE, beta: int = INFINITE
    ) -> int:
        """The value for the side to move, from the table if it is there and sufficient."""
        end = value_of_end(board, ply)
        if end is not None or depth == 0:
            return super().value(board, depth, ply, alpha, beta)
        self.nodes += 1
        check(self.clock, self.nodes)
        key = self.zobrist.key(board)
        known, value, bound, tt_move = self.entries.get(key, (-1, 0, 0, None))
        value -= _plies_to_root(value, ply)
        if known >= depth and (value >= beta if bound > 0 else not bound or value <= alpha):
            return value
        best = -INFINITE
        for move in sorted(self.moves(board, ply), key=lambda move: move != tt_move):
            board.push(move)
            value = -self.value(board, depth - 1, ply + 1, -beta, -max(alpha, best))
            board.pop()
            if value > best:
                best, tt_move = value, move
            if best >= beta:
                break
        bound = (best >= beta) - (best <= alpha)
        self.entries[key] = depth, best + _plies_to_root(best, ply), bound, tt_move
        return best


def _plies_to_root(value: int, ply: int) -> int:
    """The difference between a mate's value here and at the root."""
    return (ply if value > 0 else -ply) if abs(value) > MATE - 1000 else 0


def choose(board: chess.Board, clock: Clock) -> Iterator[chess.Move]:
    """Better and better moves from deeper and deeper searches."""
    return until_time_is_up(board, Remembering(clock).deepen(board))

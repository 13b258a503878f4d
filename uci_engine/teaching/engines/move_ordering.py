"""Move ordering: alpha-beta that searches captures first.

Alpha-beta saves most if the best move comes first, and the best reply to a bad move is often a
capture. The most valuable victim comes first, captured by the least valuable attacker (MVV-LVA).
The values stay the same, for fewer nodes. Source: https://www.chessprogramming.org/MVV-LVA
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import chess

from halbzug.teaching.engines.alpha_beta import DEPTH, AlphaBeta
from halbzug.teaching.engines.basics import until_time_is_up

if TYPE_CHECKING:
    from halbzug.teaching.clock import Clock

name = "Move ordering"


def move_score(board: chess.Board, move: chess.Move) -> int:
    """The order of a move: captures by victim and attacker, promotions, then the rest."""
    victim = board.piece_type_at(move.to_square)
    rank = 10 * (move.promotion or 0)
    if victim:
        rank += 10 * victim - (board.piece_type_at(move.from_square) or 0)
    return rank


class Ordered(AlphaBeta):
    """Alpha-beta with the promising moves first."""

    def moves(self, board: chess.Board, ply: int) -> list[chess.Move]:
        """The legal moves, most promising first."""
        moves = super().moves(board, ply)
        moves.sort(key=lambda move: move_score(board, move), reverse=True)
        return moves


def choose(board: chess.Board, clock: Clock) -> Iterator[chess.Move]:
    """Better and better moves from a search to a fixed depth."""
    return until_time_is_up(board, Ordered(clock).root(board, clock.depth or DEPTH))

"""Quiet positions, for which a static evaluation is reliable.

Source: https://www.chessprogramming.org/Quiescence_Search
"""

from __future__ import annotations

import chess

from ..board.movegen import encode
from .see import see_ge


def is_quiet(board: chess.Board) -> bool:
    """Whether the side to move has moves, is not in check, and can win nothing at once.

    The last means that no capture or promotion gains material by static exchange evaluation.
    """
    if board.is_check():
        return False
    one_before_last = chess.BB_RANK_7 if board.turn else chess.BB_RANK_2
    promoting = board.pawns & board.occupied_co[board.turn] & one_before_last
    if any(see_ge(board, encode(move), 1) for move in board.generate_legal_captures()):
        return False
    if promoting and any(
        move.promotion and see_ge(board, encode(move), 1)
        for move in board.generate_legal_moves(promoting)
    ):
        return False
    return any(board.generate_legal_moves())

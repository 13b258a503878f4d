"""Passed pawns and what stands around them: kings, blockaders, a free path.

These change with every move, so they are counted outside the pawn cache. All of them matter more
the further the pawn has come: each weight counts once for every rank beyond the third.
"""

from __future__ import annotations

from halbzug.board.rules import (
    Bitboard,
    Board,
    Color,
    Number,
    Square,
    Tapered,
    king_square,
    lsb,
    pieces_of,
)
from halbzug.eval.geometry import ahead, distance, fill_ahead, rank_of, square_bit
from halbzug.eval.tables import single

_OWN_KING = single("passed_own_king")
_ENEMY_KING = single("passed_enemy_king")
_BLOCKED = single("passed_blocked")
_FREE_STOP = single("passed_safe_stop")
_FREE_PATH = single("passed_free_path")
_ROOK_BEHIND = single("passed_rook_behind")
_HELD_STOP = single("passed_held_stop")
_CHASED = single("passed_chased")


def escort(
    board: Board, passed: Bitboard, held: Bitboard, attacked: Bitboard, color: Color
) -> Tapered:
    """What the surroundings of one side's passed pawns are worth, packed.

    :param passed: its passed pawns.
    :param held: all squares that this side attacks.
    :param attacked: all squares that the other side attacks.
    """
    total: Tapered = 0
    own_king: Square = king_square(board, color)
    enemy_king: Square = king_square(board, not color)
    own: Bitboard = pieces_of(board, color)
    enemy: Bitboard = pieces_of(board, not color)
    square: Square
    while passed:
        square = lsb(passed)
        passed &= passed - 1
        step: Number = rank_of(square, color) - 2
        if step <= 0:
            continue
        stop: Square = square + 8 if color else square - 8
        pawn: Bitboard = square_bit(square)
        path: Bitboard = fill_ahead(pawn, color)
        total += _OWN_KING * (step * distance(own_king, stop))
        total += _ENEMY_KING * (step * distance(enemy_king, stop))
        if enemy & ahead(pawn, color):
            total += _BLOCKED * step
        elif not attacked & ahead(pawn, color):
            total += _FREE_STOP * step
        if not path & (own | enemy | attacked):
            total += _FREE_PATH * step
        if held & ahead(pawn, color):
            total += _HELD_STOP * step
        behind: Bitboard = fill_ahead(pawn, not color) & board.rooks
        if behind & own:
            total += _ROOK_BEHIND * step
        if behind & enemy:
            total += _CHASED * step
    return total

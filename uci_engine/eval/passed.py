"""Passed pawns and their surroundings: kings, blockaders, a free path.

These change with every move, so they are not in the pawn cache. All of them matter more the further
the pawn has advanced: each weight counts once for every rank beyond the third.
"""

from __future__ import annotations

from ..board.movegen import (
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
from .geometry import ahead, distance, fill_ahead, rank_of, square_bit
from .tables import single

_PASSED_OWN_KING = single("passed_own_king")
_PASSED_ENEMY_KING = single("passed_enemy_king")
_PASSED_BLOCKED = single("passed_blocked")
_PASSED_SAFE_STOP = single("passed_safe_stop")
_PASSED_FREE_PATH = single("passed_free_path")
_PASSED_ROOK_BEHIND = single("passed_rook_behind")
_PASSED_HELD_STOP = single("passed_held_stop")
_PASSED_CHASED = single("passed_chased")


def evaluate_passed_pawns(
    board: Board, passed: Bitboard, own_attacks: Bitboard, enemy_attacks: Bitboard, color: Color
) -> Tapered:
    """The score of one side's passed pawns by their surroundings, packed.

    :param passed: its passed pawns.
    :param own_attacks: all squares that this side attacks.
    :param enemy_attacks: all squares that the other side attacks.
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
        total += _PASSED_OWN_KING * (step * distance(own_king, stop))
        total += _PASSED_ENEMY_KING * (step * distance(enemy_king, stop))
        if enemy & ahead(pawn, color):
            total += _PASSED_BLOCKED * step
        elif not enemy_attacks & ahead(pawn, color):
            total += _PASSED_SAFE_STOP * step
        if not path & (own | enemy | enemy_attacks):
            total += _PASSED_FREE_PATH * step
        if own_attacks & ahead(pawn, color):
            total += _PASSED_HELD_STOP * step
        behind: Bitboard = fill_ahead(pawn, not color) & board.rooks
        if behind & own:
            total += _PASSED_ROOK_BEHIND * step
        if behind & enemy:
            total += _PASSED_CHASED * step
    return total

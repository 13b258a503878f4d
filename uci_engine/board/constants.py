"""The numbers of chess: pieces, sets of squares, piece values, the fifty-move rule.

Pieces and sets of squares are python-chess's, under its names. The compiled build turns every name
declared in `constants.pxd` into a C constant in each module that imports it.
"""

from __future__ import annotations

from chess import (
    BB_ALL,
    BB_DARK_SQUARES,
    BB_FILE_A,
    BB_FILE_C,
    BB_FILE_D,
    BB_FILE_E,
    BB_FILE_F,
    BB_FILE_H,
    BB_RANK_1,
    BB_RANK_3,
    BB_RANK_4,
    BB_RANK_5,
    BB_RANK_6,
    BISHOP,
    KING,
    KNIGHT,
    PAWN,
    QUEEN,
    ROOK,
)

__all__ = [
    "BB_ALL",
    "BB_DARK_SQUARES",
    "BB_FILE_A",
    "BB_FILE_C",
    "BB_FILE_D",
    "BB_FILE_E",
    "BB_FILE_F",
    "BB_FILE_H",
    "BB_RANK_1",
    "BB_RANK_3",
    "BB_RANK_4",
    "BB_RANK_5",
    "BB_RANK_6",
    "BISHOP",
    "BISHOP_VALUE",
    "FIFTY_MOVES",
    "KING",
    "KNIGHT",
    "KNIGHT_VALUE",
    "PAWN",
    "PAWN_VALUE",
    "PIECE_VALUES",
    "QUEEN",
    "QUEEN_VALUE",
    "ROOK",
    "ROOK_VALUE",
]

#: Piece values for static exchange evaluation, in centipawns; the evaluation has its own weights.
PAWN_VALUE = 100
KNIGHT_VALUE = BISHOP_VALUE = 330
ROOK_VALUE = 520
QUEEN_VALUE = 980

#: The same by piece type; 0 for no piece, and for the king, which is never captured.
PIECE_VALUES = (0, PAWN_VALUE, KNIGHT_VALUE, BISHOP_VALUE, ROOK_VALUE, QUEEN_VALUE, 0)

#: Plies without a capture or pawn move after which a game is drawn.
FIFTY_MOVES = 100

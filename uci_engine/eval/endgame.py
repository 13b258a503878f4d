"""Endgame knowledge: how much of an advantage can be won, and how to drive a king to its mate.

Source: https://www.chessprogramming.org/Endgame, .../Mop-up_Evaluation
"""

from __future__ import annotations

from ..board.constants import (
    BB_DARK_SQUARES,
    BB_FILE_A,
    BB_FILE_H,
    KNIGHT_VALUE,
    PAWN_VALUE,
    QUEEN_VALUE,
    ROOK_VALUE,
)
from ..board.movegen import (
    Bitboard,
    Board,
    Color,
    Flag,
    Number,
    Square,
    Tapered,
    king_square,
    pieces_of,
    popcount,
)
from .geometry import distance
from .tables import single

#: An advantage that can be won in full; `scale` returns a fraction of it.
FULL_SCALE = 64

_FULL_SCALE = FULL_SCALE
# in pawns
_MINOR = KNIGHT_VALUE // PAWN_VALUE
_ROOK = ROOK_VALUE // PAWN_VALUE
_QUEEN = QUEEN_VALUE // PAWN_VALUE
_MOP_UP_EDGE = single("mop_up_edge")
_MOP_UP_KINGS = single("mop_up_kings")
_MOP_UP_CORNER = single("mop_up_corner")


def non_pawn_material(board: Board, color: Color) -> Number:
    """The value of a side's knights, bishops, rooks and queens, in pawns: 3, 3, 5, 9."""
    own: Bitboard = pieces_of(board, color)
    worth: Number = _MINOR * popcount(own & (board.knights | board.bishops))
    return worth + _ROOK * popcount(own & board.rooks) + _QUEEN * popcount(own & board.queens)


def scale(board: Board, strong: Color) -> Number:
    """The share of its endgame advantage that a side can hope to win, in 64ths."""
    own: Bitboard = pieces_of(board, strong)
    enemy: Bitboard = pieces_of(board, not strong)
    pawns: Bitboard = board.pawns & own
    number: Number = popcount(pawns)
    pieces: Bitboard = own & (board.knights | board.bishops | board.rooks | board.queens)
    if number == 0:
        # Without pawns, being a minor piece up does not win, and neither do two knights alone.
        surplus: Number = non_pawn_material(board, strong) - non_pawn_material(board, not strong)
        if surplus <= 3 or (pieces == own & board.knights and popcount(pieces) <= 2):
            return 4 if non_pawn_material(board, strong) > 3 else 0
        return _FULL_SCALE
    if not pieces & ~board.bishops and _is_wrong_corner(board, pawns, pieces, strong):
        return 0
    result: Number = 40 + 6 * number
    own_bishops: Bitboard = own & board.bishops
    enemy_bishops: Bitboard = enemy & board.bishops
    if popcount(own_bishops) == 1 and popcount(enemy_bishops) == 1:
        one_is_dark: Number = popcount((own_bishops | enemy_bishops) & BB_DARK_SQUARES)
        if one_is_dark == 1:
            others: Bitboard = board.knights | board.rooks | board.queens
            result = 48 + number if others else 20 + 2 * number
    return result if result < _FULL_SCALE else _FULL_SCALE


def _is_wrong_corner(board: Board, pawns: Bitboard, bishops: Bitboard, strong: Color) -> Flag:
    """Rook pawns on one file, no bishop of the corner's colour, the enemy king in the corner."""
    corner: Square
    if not pawns & ~BB_FILE_A:
        corner = 56 if strong else 0
    elif not pawns & ~BB_FILE_H:
        corner = 63 if strong else 7
    else:
        return False
    corner_is_dark: Flag = corner == 0 or corner == 63
    if bishops & (BB_DARK_SQUARES if corner_is_dark else ~BB_DARK_SQUARES):
        return False
    return distance(king_square(board, not strong), corner) <= 1


def mop_up(board: Board, strong: Color) -> Tapered:
    """The bonus for driving the enemy king to the edge and bringing up its own king, packed.

    It applies when the other side has no pawns and the surplus of pieces suffices for mate. With
    bishop and knight, only corners of the bishop's colour count.
    """
    enemy: Bitboard = pieces_of(board, not strong)
    if board.pawns & enemy:
        return 0
    surplus: Number = non_pawn_material(board, strong) - non_pawn_material(board, not strong)
    if surplus < 4:
        return 0
    own: Bitboard = pieces_of(board, strong)
    king: Square = king_square(board, not strong)
    total: Tapered = _MOP_UP_EDGE * edge_distance(king)
    total += _MOP_UP_KINGS * (7 - distance(king, king_square(board, strong)))
    pair: Bitboard = own & (board.knights | board.bishops)
    bishop: Bitboard = pair & board.bishops
    if own == pair | own & board.kings and popcount(pair) == 2 and popcount(bishop) == 1:
        total += _MOP_UP_CORNER * corner_closeness(king, bishop & BB_DARK_SQUARES != 0)
    return total


def edge_distance(square: Square) -> Number:
    """The distance of a square from the four central ones, files plus ranks: 0 to 6."""
    file: Number = square & 7
    rank: Number = square >> 3
    return (3 - file if file < 4 else file - 4) + (3 - rank if rank < 4 else rank - 4)


def corner_closeness(square: Square, dark: Flag) -> Number:
    """The closeness to the nearer corner of a colour: 7 in the corner, 0 on the long diagonal."""
    file: Number = square & 7
    rank: Number = square >> 3
    closeness: Number = file + rank - 7 if dark else file - rank
    return -closeness if closeness < 0 else closeness

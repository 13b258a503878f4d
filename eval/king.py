"""King shelter: the pawns in front of the king, and the files beside it without any."""

from __future__ import annotations

from eval import weights
from eval.pawns import beside, fill_ahead
from uci_engine.rules import Bitboard, Color, Square, Tapered, popcount

_ALL: Bitboard = 0xFFFFFFFFFFFFFFFF
_FILE_A: Bitboard = 0x0101010101010101

_NEAR = weights.SHELTER_NEAR
_FAR = weights.SHELTER_FAR
_OPEN = weights.SHELTER_OPEN_FILE


def shelter(king: Square, own_pawns: Bitboard, color: Color) -> Tapered:
    """What the own pawns are worth to the king, packed."""
    bit: Bitboard = 1
    bit = bit << king
    front: Bitboard = bit | beside(bit)
    near: Bitboard = front << 8 & _ALL if color else front >> 8
    far: Bitboard = near << 8 & _ALL if color else near >> 8
    total: Tapered = _NEAR * popcount(own_pawns & near) + _FAR * popcount(own_pawns & far)
    ahead: Bitboard = own_pawns & (front | fill_ahead(front, color))
    file: Square
    for file in range(8):
        column: Bitboard = _FILE_A << file
        if column & front and not column & ahead:
            total += _OPEN
    return total

"""Sets of squares that several terms need: fills, neighbours, pawn attacks, distances."""

from __future__ import annotations

from ..board.constants import BB_ALL, BB_FILE_A, BB_FILE_H
from ..board.movegen import Bitboard, Color, Number, Square


def square_bit(square: Square) -> Bitboard:
    """The set of one square."""
    bit: Bitboard = 1
    return bit << square


def ahead(squares: Bitboard, color: Color) -> Bitboard:
    """The squares one step in front of `squares`, from their side's view."""
    if color:
        return squares << 8 & BB_ALL
    return squares >> 8


def fill_ahead(squares: Bitboard, color: Color) -> Bitboard:
    """All squares in front of `squares`, from their side's view, excluding `squares`."""
    if color:
        squares = squares << 8 & BB_ALL
        squares |= squares << 8 & BB_ALL
        squares |= squares << 16 & BB_ALL
        return squares | squares << 32 & BB_ALL
    squares = squares >> 8
    squares |= squares >> 8
    squares |= squares >> 16
    return squares | squares >> 32


def beside(squares: Bitboard) -> Bitboard:
    """The squares next to `squares` on the same rank."""
    return (squares & ~BB_FILE_A) >> 1 | (squares & ~BB_FILE_H) << 1


def all_pawn_attacks(pawns: Bitboard, color: Color) -> Bitboard:
    """All squares that a side's pawns attack."""
    return beside(ahead(pawns, color))


def rank_of(square: Square, color: Color) -> Number:
    """The rank of a square from a side's view; 0 is its own back rank."""
    if color:
        return square >> 3
    return 7 - (square >> 3)


def distance(one: Square, other: Square) -> Number:
    """The number of king moves between two squares."""
    files: Number = (one & 7) - (other & 7)
    ranks: Number = (one >> 3) - (other >> 3)
    if files < 0:
        files = -files
    if ranks < 0:
        ranks = -ranks
    return files if files > ranks else ranks

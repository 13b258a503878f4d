"""Basic technique in endings against a bare king, known to every player.

A queen or rook takes squares away from the king, its own king helps, and the edge does the rest. A
pawn certainly wins when the king can no longer enter its square, or when its own king stands on a
key square. People know this even if they see only a move or two ahead, so handicapped levels know
it, too. At full strength the engine does not need it: it searches far enough, and has tablebases.

Source: https://www.chessprogramming.org/KPK, https://www.chessprogramming.org/Rule_of_the_Square,
https://en.wikipedia.org/wiki/Key_square
"""

from __future__ import annotations

from ..board.constants import BB_FILE_A, BB_FILE_H
from ..board.movegen import (
    Bitboard,
    Board,
    Color,
    Flag,
    Number,
    Score,
    Square,
    bishop_attacks,
    king_attacks,
    king_square,
    knight_attacks,
    lsb,
    pieces_of,
    popcount,
    rook_attacks,
)
from .endgame import non_pawn_material
from .geometry import all_pawn_attacks, distance, fill_ahead, rank_of, square_bit

_FILES_A_AND_H: Bitboard = BB_FILE_A | BB_FILE_H
_ROOM = 32  # centipawns for each square taken from the bare king
_NEAR = 20  # centipawns for each step that the kings are closer
_WON_AT_SIGHT = 300  # centipawns; together with the pawn, still less than a queen


def technique(board: Board, strong: Color, score: Score) -> Score:
    """The static evaluation plus a bonus for progress towards the win, in centipawns.

    :param strong: the side that plays against a bare king.
    :param score: the static evaluation, from that side, as is the result.
    """
    king: Square = king_square(board, not strong)
    attacked: Bitboard = _attacks_of(board, strong)
    bit: Bitboard = square_bit(king)
    area: Bitboard = bit | king_attacks(king) & ~attacked
    if area == bit and board.turn != strong and not attacked & bit:
        return 0  # stalemate
    if non_pawn_material(board, strong) > 3:
        score += _NEAR * (14 - _steps(king, king_square(board, strong)))
        return score + _ROOM * (64 - room(area, attacked))
    pawns: Bitboard = board.pawns
    while pawns:
        if is_won_at_sight(board, lsb(pawns), strong):
            return score + _WON_AT_SIGHT
        pawns &= pawns - 1
    return score


def room(area: Bitboard, attacked: Bitboard) -> Number:
    """The number of squares a king can walk to, including its own.

    An unprotected piece does not fence it in: the king can capture it and walk on.

    :param area: the king's square, and the squares it can step on now.
    :param attacked: the squares it must not step on.
    """
    edge: Bitboard = area
    while edge:
        square: Square = lsb(edge)
        edge &= edge - 1
        new: Bitboard = king_attacks(square) & ~attacked & ~area
        area |= new
        edge |= new
    return popcount(area)


def _steps(one: Square, other: Square) -> Number:
    """The distance between two squares, files plus ranks."""
    files: Number = (one & 7) - (other & 7)
    ranks: Number = (one >> 3) - (other >> 3)
    return (-files if files < 0 else files) + (-ranks if ranks < 0 else ranks)


def _attacks_of(board: Board, strong: Color) -> Bitboard:
    """All squares that a side's pieces attack, seeing through the bare king."""
    own: Bitboard = pieces_of(board, strong)
    occupied: Bitboard = own
    attacked: Bitboard = all_pawn_attacks(board.pawns & own, strong)
    rest: Bitboard = own
    while rest:
        square: Square = lsb(rest)
        bit: Bitboard = rest & ~(rest - 1)
        rest &= rest - 1
        if bit & board.kings:
            attacked |= king_attacks(square)
        elif bit & board.knights:
            attacked |= knight_attacks(square)
        if bit & (board.bishops | board.queens):
            attacked |= bishop_attacks(square, occupied)
        if bit & (board.rooks | board.queens):
            attacked |= rook_attacks(square, occupied)
    return attacked


def is_won_at_sight(board: Board, pawn: Square, strong: Color) -> Flag:
    """Whether a pawn will queen: the bare king is too far away, or its own king is on a key square.

    A rule of thumb that ignores immediate captures and stalemate.

    :param strong: the pawn's side, which plays against a bare king.
    """
    own_king: Square = king_square(board, strong)
    enemy_king: Square = king_square(board, not strong)
    rank: Number = rank_of(pawn, strong)
    path: Bitboard = fill_ahead(square_bit(pawn), strong)
    if not path & board.occupied:
        goal: Square = pawn & 7 | (56 if strong else 0)
        steps: Number = 7 - rank if rank > 1 else 5
        if distance(enemy_king, goal) > steps + (board.turn != strong):
            return True
    own_rank: Number = rank_of(own_king, strong)
    aside: Number = (own_king & 7) - (pawn & 7)
    if aside < -1 or aside > 1:
        return False
    if square_bit(pawn) & _FILES_A_AND_H:
        return own_rank >= 6 and aside != 0
    if rank < 4:
        return own_rank == rank + 2
    if rank < 6:
        return own_rank == rank + 1 or own_rank == rank + 2
    return own_rank >= 6 and aside != 0

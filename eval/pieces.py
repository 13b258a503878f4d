"""Piece activity: mobility, rooks on open files, and pressure on the enemy king.

One pass over the pieces serves all three, because each needs the squares a piece attacks.
"""

from __future__ import annotations

from array import array

from eval import weights
from uci_engine.rules import (
    Bitboard,
    Board,
    Color,
    PieceType,
    Score,
    Square,
    Tapered,
    bishop_attacks,
    king_attacks,
    king_square,
    knight_attacks,
    lsb,
    pieces_of,
    popcount,
    rook_attacks,
)

_PAWN, _KNIGHT, _BISHOP, _ROOK, _QUEEN = 1, 2, 3, 4, 5
_FILE_A: Bitboard = 0x0101010101010101
_NOT_FILE_A: Bitboard = 0xFEFEFEFEFEFEFEFE
_NOT_FILE_H: Bitboard = 0x7F7F7F7F7F7F7F7F
_ALL: Bitboard = 0xFFFFFFFFFFFFFFFF

_BISHOP_PAIR = weights.BISHOP_PAIR
_OPEN_FILE = weights.ROOK_OPEN_FILE
_HALF_OPEN_FILE = weights.ROOK_HALF_OPEN_FILE
_ATTACK_DIVISOR = weights.ATTACK_DIVISOR
_ATTACK_LIMIT = weights.ATTACK_LIMIT


def attacks_of(piece: PieceType, square: Square, occupied: Bitboard) -> Bitboard:
    """Squares that a knight, bishop, rook or queen attacks."""
    if piece == _KNIGHT:
        return knight_attacks(square)
    if piece == _BISHOP:
        return bishop_attacks(square, occupied)
    if piece == _ROOK:
        return rook_attacks(square, occupied)
    return bishop_attacks(square, occupied) | rook_attacks(square, occupied)


def all_pawn_attacks(pawns: Bitboard, color: Color) -> Bitboard:
    """All squares that a side's pawns attack."""
    if color:
        return (pawns & _NOT_FILE_A) << 7 & _ALL | (pawns & _NOT_FILE_H) << 9 & _ALL
    return (pawns & _NOT_FILE_A) >> 9 | (pawns & _NOT_FILE_H) >> 7


class PieceActivity:
    """Scores the pieces of one side; `survey` leaves its terms in the attributes, packed."""

    def __init__(self) -> None:
        self.mobility_weight = array("i", weights.MOBILITY)
        self.typical = array("i", weights.TYPICAL_MOBILITY)
        self.attack_weight = array("i", weights.ATTACK_WEIGHT)
        self.mobility = 0
        self.rook_files = 0
        self.bishop_pair = 0
        self.king_attack = 0

    def survey(self, board: Board, color: Color) -> Tapered:
        """Look at every piece of a side; return the sum of the terms."""
        own: Bitboard = pieces_of(board, color)
        enemy: Bitboard = pieces_of(board, not color)
        occupied: Bitboard = own | enemy
        enemy_pawns: Bitboard = board.pawns & enemy
        area: Bitboard = ~(own | all_pawn_attacks(enemy_pawns, not color)) & _ALL
        ring: Bitboard = king_attacks(king_square(board, not color))
        units: Score = 0
        attackers: Score = 0
        mobility: Tapered = 0
        square: Square
        piece: PieceType

        officers: Bitboard = own & (board.knights | board.bishops | board.rooks | board.queens)
        while officers:
            square = lsb(officers)
            bit: Bitboard = officers & (~officers + 1)
            officers ^= bit
            if board.knights & bit:
                piece = _KNIGHT
            elif board.bishops & bit:
                piece = _BISHOP
            elif board.rooks & bit:
                piece = _ROOK
            else:
                piece = _QUEEN
            attacks: Bitboard = attacks_of(piece, square, occupied)
            mobility += self.mobility_weight[piece] * (
                popcount(attacks & area) - self.typical[piece]
            )
            if attacks & ring:
                attackers += 1
                units += self.attack_weight[piece] * popcount(attacks & ring)

        self.mobility = mobility
        self.rook_files = self._rook_files(board.rooks & own, board.pawns, board.pawns & own)
        self.bishop_pair = _BISHOP_PAIR if popcount(board.bishops & own) >= 2 else 0
        # One attacker alone seldom mates, so it does not count.
        self.king_attack = 0
        if attackers >= 2:
            danger: Score = units * units // _ATTACK_DIVISOR
            self.king_attack = _ATTACK_LIMIT if danger > _ATTACK_LIMIT else danger
        return self.mobility + self.rook_files + self.bishop_pair + self.king_attack

    def _rook_files(self, rooks: Bitboard, pawns: Bitboard, own_pawns: Bitboard) -> Tapered:
        total: Tapered = 0
        while rooks:
            file: Bitboard = _FILE_A << (lsb(rooks) & 7)
            if not file & pawns:
                total += _OPEN_FILE
            elif not file & own_pawns:
                total += _HALF_OPEN_FILE
            rooks &= rooks - 1
        return total

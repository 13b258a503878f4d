"""Piece activity: mobility, outposts, rooks on files, threats, and pressure on the enemy king.

`PieceActivity.survey` finds what every piece attacks, once; the other methods work with that.
"""

from __future__ import annotations

from array import array

from eval.geometry import ahead, all_pawn_attacks, beside, fill_ahead, rank_of
from eval.tables import ATTACKER_UNITS, CHECK_UNITS, WEAK_SQUARE_UNITS, mobility, packed, single
from uci_engine.rules import (
    Bitboard,
    Board,
    Color,
    Number,
    PieceType,
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

_PAWN, _KNIGHT, _BISHOP, _ROOK, _QUEEN, _KING = 1, 2, 3, 4, 5, 6
_FILE_A: Bitboard = 0x0101010101010101
_RANK_1: Bitboard = 0x00000000000000FF
_RANK_3: Bitboard = 0x0000000000FF0000
_RANK_6: Bitboard = 0x0000FF0000000000
_OUTPOST_RANKS: Bitboard = 0x0000FFFFFF000000  # the fourth to the sixth
_DARK: Bitboard = 0xAA55AA55AA55AA55
_ALL: Bitboard = 0xFFFFFFFFFFFFFFFF

_WEAK_SQUARE = WEAK_SQUARE_UNITS
_MOST_DANGER = 47

_BISHOP_PAIR = single("bishop_pair")
_BAD_BISHOP = single("bad_bishop")
_KNIGHT_OUTPOST = single("knight_outpost")
_BISHOP_OUTPOST = single("bishop_outpost")
_OPEN_FILE = single("rook_open_file")
_HALF_OPEN_FILE = single("rook_half_open_file")
_SEVENTH_RANK = single("rook_seventh_rank")
_PAWN_ON_MINOR = single("pawn_attacks_minor")
_PAWN_ON_MAJOR = single("pawn_attacks_major")
_MINOR_ON_MINOR = single("minor_attacks_minor")
_MINOR_ON_MAJOR = single("minor_attacks_major")
_ROOK_ON_QUEEN = single("rook_attacks_queen")
_HANGING = single("hanging_piece")
_LOOSE_PAWN = single("hanging_pawn")
_PUSH_THREAT = single("pawn_push_threat")


class PieceActivity:
    """Scores the pieces of a board; the terms of the last side looked at stay in attributes."""

    def __init__(self) -> None:
        self.mobility_value = array("i", mobility())
        self.danger = array("i", packed("king_danger"))
        self.attacker_units = array("i", ATTACKER_UNITS)
        self.check_units = array("i", CHECK_UNITS)
        # What is attacked, at color << 3 | piece type, and by any piece at color << 3.
        self.attacked = array("Q", bytes(8 * 16))
        self.units = array("i", bytes(4 * 2))
        self.mobility = 0
        self.placement = 0

    def survey(self, board: Board) -> Tapered:
        """Find all attacks; return mobility and placement of the pieces, White minus Black."""
        self.look(board, True)
        self.look(board, False)
        return self.side(board, True) - self.side(board, False)

    def look(self, board: Board, color: Color) -> None:
        """Begin a side: what its pawns and its king attack."""
        base: Number = color << 3
        pawns: Bitboard = all_pawn_attacks(board.pawns & pieces_of(board, color), color)
        king: Bitboard = king_attacks(king_square(board, color))
        self.attacked[base | _PAWN] = pawns
        self.attacked[base | _KNIGHT] = 0
        self.attacked[base | _BISHOP] = 0
        self.attacked[base | _ROOK] = 0
        self.attacked[base | _QUEEN] = 0
        self.attacked[base | _KING] = king
        self.attacked[base] = pawns | king

    def side(self, board: Board, color: Color) -> Tapered:
        """Look at every piece of a side, once `look` has seen both sides; the worth, packed."""
        base: Number = color << 3
        own: Bitboard = pieces_of(board, color)
        enemy: Bitboard = pieces_of(board, not color)
        occupied: Bitboard = own | enemy
        own_pawns: Bitboard = board.pawns & own
        enemy_pawns: Bitboard = board.pawns & enemy
        # Squares worth going to: not held by the own pawns or king, not guarded by enemy pawns.
        chased: Bitboard = self.attacked[(not color) << 3 | _PAWN]
        area: Bitboard = ~(own & (board.pawns | board.kings) | chased) & _ALL
        ring: Bitboard = self.attacked[(not color) << 3 | _KING]
        # No enemy pawn can ever drive a piece from an outpost, and an own pawn holds it.
        span: Bitboard = fill_ahead(beside(enemy_pawns), not color)
        outposts: Bitboard = self.attacked[base | _PAWN] & ~span
        outposts &= _OUTPOST_RANKS if color else _OUTPOST_RANKS >> 8
        units: Number = 0
        active: Tapered = 0
        placed: Tapered = 0
        attacks: Bitboard
        square: Square
        piece: PieceType

        officers: Bitboard = own & (board.knights | board.bishops | board.rooks | board.queens)
        while officers:
            square = lsb(officers)
            bit: Bitboard = officers & (~officers + 1)
            officers ^= bit
            if board.knights & bit:
                piece = _KNIGHT
                attacks = knight_attacks(square)
                if outposts & bit:
                    placed += _KNIGHT_OUTPOST
            elif board.bishops & bit:
                piece = _BISHOP
                attacks = bishop_attacks(square, occupied)
                if outposts & bit:
                    placed += _BISHOP_OUTPOST
                shade: Bitboard = _DARK if bit & _DARK else ~_DARK & _ALL
                placed += _BAD_BISHOP * popcount(own_pawns & shade)
            elif board.rooks & bit:
                piece = _ROOK
                attacks = rook_attacks(square, occupied)
                file: Bitboard = _FILE_A << (square & 7)
                if not file & board.pawns:
                    placed += _OPEN_FILE
                elif not file & own_pawns:
                    placed += _HALF_OPEN_FILE
                if rank_of(square, color) == 6:
                    rank: Bitboard = _RANK_1 << (square & 56)
                    home: Number = rank_of(king_square(board, not color), not color)
                    if home == 0 or rank & enemy_pawns:
                        placed += _SEVENTH_RANK
            else:
                piece = _QUEEN
                attacks = bishop_attacks(square, occupied) | rook_attacks(square, occupied)
            self.attacked[base | piece] |= attacks
            active += self.mobility_value[piece << 5 | popcount(attacks & area)]
            if attacks & ring:
                units += self.attacker_units[piece] + popcount(attacks & ring)
        self.attacked[base] |= (
            self.attacked[base | _KNIGHT]
            | self.attacked[base | _BISHOP]
            | self.attacked[base | _ROOK]
            | self.attacked[base | _QUEEN]
        )
        if popcount(board.bishops & own) >= 2:
            placed += _BISHOP_PAIR
        self.units[color] = units
        self.mobility = active
        self.placement = placed
        return active + placed

    def king_attack(self, board: Board, color: Color) -> Tapered:
        """What the pressure of a side on the enemy king is worth, packed.

        Attackers, weak squares beside the king and safe checks count units; a table gives their
        worth, which grows faster than their number.
        Source: https://www.chessprogramming.org/King_Safety#Attacking_King_Zone
        """
        units: Number = self.units[color]
        if not units:
            return self.danger[0]
        base: Number = color << 3
        other: Number = (not color) << 3
        king: Square = king_square(board, not color)
        own: Bitboard = pieces_of(board, color)
        occupied: Bitboard = own | pieces_of(board, not color)
        guarded: Bitboard = (
            self.attacked[other | _PAWN]
            | self.attacked[other | _KNIGHT]
            | self.attacked[other | _BISHOP]
            | self.attacked[other | _ROOK]
        )
        ring: Bitboard = self.attacked[other | _KING]
        units += _WEAK_SQUARE * popcount(ring & self.attacked[base] & ~guarded)
        safe: Bitboard = ~(own | self.attacked[other]) & _ALL
        diagonal: Bitboard = bishop_attacks(king, occupied) & safe
        straight: Bitboard = rook_attacks(king, occupied) & safe
        if knight_attacks(king) & safe & self.attacked[base | _KNIGHT]:
            units += self.check_units[_KNIGHT]
        if diagonal & self.attacked[base | _BISHOP]:
            units += self.check_units[_BISHOP]
        if straight & self.attacked[base | _ROOK]:
            units += self.check_units[_ROOK]
        if (diagonal | straight) & self.attacked[base | _QUEEN]:
            units += self.check_units[_QUEEN]
        if not board.queens & own:
            units = units // 2
        return self.danger[units if units < _MOST_DANGER else _MOST_DANGER]

    def threats(self, board: Board, color: Color) -> Tapered:
        """What a side attacks with less than it would win, packed."""
        base: Number = color << 3
        other: Number = (not color) << 3
        own: Bitboard = pieces_of(board, color)
        enemy: Bitboard = pieces_of(board, not color)
        minors: Bitboard = enemy & (board.knights | board.bishops)
        majors: Bitboard = enemy & (board.rooks | board.queens)
        pawns: Bitboard = self.attacked[base | _PAWN]
        minor: Bitboard = self.attacked[base | _KNIGHT] | self.attacked[base | _BISHOP]
        total: Tapered = _PAWN_ON_MINOR * popcount(pawns & minors)
        total += _PAWN_ON_MAJOR * popcount(pawns & majors)
        total += _MINOR_ON_MINOR * popcount(minor & minors)
        total += _MINOR_ON_MAJOR * popcount(minor & majors)
        total += _ROOK_ON_QUEEN * popcount(self.attacked[base | _ROOK] & enemy & board.queens)
        loose: Bitboard = enemy & self.attacked[base] & ~self.attacked[other]
        total += _HANGING * popcount(loose & (minors | majors))
        total += _LOOSE_PAWN * popcount(loose & board.pawns)

        # Pawns that can go where nobody takes them for nothing, and attack something from there.
        free: Bitboard = ~(own | enemy) & _ALL
        step: Bitboard = ahead(board.pawns & own, color) & free
        step |= ahead(step & (_RANK_3 if color else _RANK_6), color) & free
        step &= ~self.attacked[other | _PAWN] & (self.attacked[base] | ~self.attacked[other])
        push: Bitboard = all_pawn_attacks(step, color) & ~pawns
        total += _PUSH_THREAT * popcount(push & (minors | majors))
        return total

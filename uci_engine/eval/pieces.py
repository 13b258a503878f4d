"""Piece activity: mobility, outposts, rooks on files, threats, and pressure on the enemy king.

`PieceActivity.evaluate_pieces` computes the attacks of each piece once; the other methods use these
attack tables.
"""

from __future__ import annotations

from array import array

from ..board.constants import (
    BB_ALL,
    BB_DARK_SQUARES,
    BB_FILE_A,
    BB_FILE_C,
    BB_FILE_D,
    BB_FILE_E,
    BB_FILE_F,
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
from ..board.movegen import (
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
    piece_on,
    pieces_of,
    popcount,
    rook_attacks,
)
from .geometry import ahead, all_pawn_attacks, beside, fill_ahead, rank_of
from .tables import (
    ATTACKER_UNITS,
    CHECK_UNITS,
    FLANKS,
    WEAK_SQUARE_UNITS,
    mobility,
    packed,
    single,
)

_OUTPOST_RANKS: Bitboard = BB_RANK_4 | BB_RANK_5 | BB_RANK_6
_CENTER_FILES: Bitboard = BB_FILE_C | BB_FILE_D | BB_FILE_E | BB_FILE_F

_WEAK_SQUARE = WEAK_SQUARE_UNITS
_MAX_DANGER = 47

_BAD_BISHOP = single("bad_bishop")
_LOCKED_BISHOP = single("locked_bishop")
_MINOR_BEHIND_PAWN = single("minor_behind_pawn")
_KNIGHT_TO_OUTPOST = single("knight_to_outpost")
_ROOK_ON_QUEEN_FILE = single("rook_on_queen_file")
_PAWNLESS_FLANK = single("pawnless_flank")
_PIN = single("pin")
_RESTRICTED = single("restricted")
_KNIGHT_OUTPOST = single("knight_outpost")
_BISHOP_OUTPOST = single("bishop_outpost")
_ROOK_OPEN_FILE = single("rook_open_file")
_ROOK_HALF_OPEN_FILE = single("rook_half_open_file")
_ROOK_SEVENTH_RANK = single("rook_seventh_rank")
_PAWN_ATTACKS_MINOR = single("pawn_attacks_minor")
_PAWN_ATTACKS_MAJOR = single("pawn_attacks_major")
_HANGING_PIECE = single("hanging_piece")
_HANGING_PAWN = single("hanging_pawn")
_PAWN_PUSH_THREAT = single("pawn_push_threat")


class PieceActivity:
    """Scores the pieces of a board, and keeps its attack tables."""

    def __init__(self) -> None:
        self.mobility_value = array("i", mobility())
        self.danger = array("i", packed("king_danger"))
        self.attacker_units = array("i", ATTACKER_UNITS)
        self.check_units = array("i", CHECK_UNITS)
        self.safe_check = array("i", packed("safe_check"))
        self.other_check = array("i", packed("other_check"))
        self.king_mobility = array("i", packed("king_mobility"))
        self.minor_threat = array("i", packed("minor_threat"))
        self.rook_threat = array("i", packed("rook_threat"))
        self.flanks = array("Q", FLANKS)
        # squares that at least two pieces of a side attack, by colour
        self.twice = array("Q", bytes(8 * 2))
        # Attack tables, indexed by colour << 3 | piece type; colour << 3 has all pieces together.
        self.attacked = array("Q", bytes(8 * 16))
        self.units = array("i", bytes(4 * 2))

    def evaluate_pieces(self, board: Board) -> Tapered:
        """Fill the attack tables; return mobility and placement, White minus Black."""
        self._begin_attack_tables(board, True)
        self._begin_attack_tables(board, False)
        return self._evaluate_side(board, True) - self._evaluate_side(board, False)

    def _begin_attack_tables(self, board: Board, color: Color) -> None:
        """Enter the attacks of a side's pawns and king."""
        base: Number = color << 3
        own: Bitboard = board.pawns & pieces_of(board, color)
        pawns: Bitboard = all_pawn_attacks(own, color)
        king: Bitboard = king_attacks(king_square(board, color))
        front: Bitboard = ahead(own, color)
        pairs: Bitboard = (front & ~BB_FILE_A) >> 1 & front << 1 & ~BB_FILE_A & BB_ALL
        self.attacked[base | PAWN] = pawns
        self.attacked[base | KNIGHT] = 0
        self.attacked[base | BISHOP] = 0
        self.attacked[base | ROOK] = 0
        self.attacked[base | QUEEN] = 0
        self.attacked[base | KING] = king
        self.attacked[base] = pawns | king
        self.twice[color] = pairs | pawns & king

    def _evaluate_side(self, board: Board, color: Color) -> Tapered:
        """Mobility and placement of one side's pieces, packed.

        Completes the attack tables of the side, which `_begin_attack_tables` has begun for both.
        """
        base: Number = color << 3
        own: Bitboard = pieces_of(board, color)
        enemy: Bitboard = pieces_of(board, not color)
        occupied: Bitboard = own | enemy
        own_pawns: Bitboard = board.pawns & own
        enemy_pawns: Bitboard = board.pawns & enemy
        # The mobility area excludes own pawns and king, and squares guarded by enemy pawns.
        chased: Bitboard = self.attacked[(not color) << 3 | PAWN]
        area: Bitboard = ~(own & (board.pawns | board.kings) | chased) & BB_ALL
        ring: Bitboard = self.attacked[(not color) << 3 | KING]
        # An outpost is protected by an own pawn, and no enemy pawn can ever attack it.
        span: Bitboard = fill_ahead(beside(enemy_pawns), not color)
        outposts: Bitboard = self.attacked[base | PAWN] & ~span
        outposts &= _OUTPOST_RANKS if color else _OUTPOST_RANKS >> 8
        stuck: Number = popcount(ahead(occupied, not color) & own_pawns & _CENTER_FILES)
        once: Bitboard = self.attacked[base]
        twice: Bitboard = self.twice[color]
        units: Number = 0
        active: Tapered = 0
        placed: Tapered = 0
        attacks: Bitboard
        square: Square
        piece: PieceType

        pieces: Bitboard = own & (board.knights | board.bishops | board.rooks | board.queens)
        while pieces:
            square = lsb(pieces)
            bit: Bitboard = pieces & (~pieces + 1)
            pieces ^= bit
            if board.knights & bit:
                piece = KNIGHT
                attacks = knight_attacks(square)
                if outposts & bit:
                    placed += _KNIGHT_OUTPOST
            elif board.bishops & bit:
                piece = BISHOP
                attacks = bishop_attacks(square, occupied)
                if outposts & bit:
                    placed += _BISHOP_OUTPOST
                shade: Bitboard = BB_DARK_SQUARES
                if not bit & shade:
                    shade = ~shade & BB_ALL
                placed += (_BAD_BISHOP + _LOCKED_BISHOP * stuck) * popcount(own_pawns & shade)
            elif board.rooks & bit:
                piece = ROOK
                attacks = rook_attacks(square, occupied)
                file: Bitboard = BB_FILE_A << (square & 7)
                if not file & board.pawns:
                    placed += _ROOK_OPEN_FILE
                elif not file & own_pawns:
                    placed += _ROOK_HALF_OPEN_FILE
                if file & enemy & board.queens:
                    placed += _ROOK_ON_QUEEN_FILE
                if rank_of(square, color) == 6:
                    rank: Bitboard = BB_RANK_1 << (square & 56)
                    home: Number = rank_of(king_square(board, not color), not color)
                    if home == 0 or rank & enemy_pawns:
                        placed += _ROOK_SEVENTH_RANK
            else:
                piece = QUEEN
                attacks = bishop_attacks(square, occupied) | rook_attacks(square, occupied)
            self.attacked[base | piece] |= attacks
            twice |= once & attacks
            once |= attacks
            active += self.mobility_value[piece << 5 | popcount(attacks & area)]
            if attacks & ring:
                units += self.attacker_units[piece] + popcount(attacks & ring)
        self.attacked[base] = once
        self.twice[color] = twice
        placed += _KNIGHT_TO_OUTPOST * popcount(self.attacked[base | KNIGHT] & outposts & ~own)
        minors: Bitboard = own & (board.knights | board.bishops)
        placed += _MINOR_BEHIND_PAWN * popcount(minors & ahead(board.pawns, not color))
        self.units[color] = units
        return active + placed

    def king_attack(self, board: Board, color: Color) -> Tapered:
        """The score for a side's pressure on the enemy king, packed.

        Attackers, weak squares beside the king and safe checks count units; a table converts these
        into a score that grows faster than their number.

        Source: https://www.chessprogramming.org/King_Safety#Attacking_King_Zone
        """
        units: Number = self.units[color]
        base: Number = color << 3
        other: Number = (not color) << 3
        king: Square = king_square(board, not color)
        own: Bitboard = pieces_of(board, color)
        enemy: Bitboard = pieces_of(board, not color)
        occupied: Bitboard = own | enemy
        attacks: Bitboard = self.attacked[base]
        covered: Bitboard = self.attacked[other]
        diagonal: Bitboard = bishop_attacks(king, occupied)
        straight: Bitboard = rook_attacks(king, occupied)
        total: Tapered = self.king_mobility[popcount(self.attacked[base | KING] & ~(own | covered))]
        if not board.pawns & self.flanks[king & 7]:
            total += _PAWNLESS_FLANK

        # A piece is pinned if a slider would attack the king without it.
        behind: Bitboard = bishop_attacks(king, occupied & ~(diagonal & enemy)) & ~diagonal
        pinning: Bitboard = behind & own & (board.bishops | board.queens)
        behind = rook_attacks(king, occupied & ~(straight & enemy)) & ~straight
        pinning |= behind & own & (board.rooks | board.queens)
        total += _PIN * popcount(pinning)
        if not units:
            return total + self.danger[0]

        guarded: Bitboard = (
            self.attacked[other | PAWN]
            | self.attacked[other | KNIGHT]
            | self.attacked[other | BISHOP]
            | self.attacked[other | ROOK]
        )
        ring: Bitboard = self.attacked[other | KING]
        units += _WEAK_SQUARE * popcount(ring & attacks & ~guarded)
        # A check is safe where nothing can capture, or only king or queen against two attackers.
        weak: Bitboard = self.twice[color] & ~self.twice[not color] & ~guarded
        free: Bitboard = ~own & BB_ALL
        safe: Bitboard = free & (~covered | weak)
        checks: Bitboard
        piece: PieceType
        for piece in range(KNIGHT, KING):
            if piece == KNIGHT:
                checks = knight_attacks(king)
            elif piece == BISHOP:
                checks = diagonal
            elif piece == ROOK:
                checks = straight
            else:
                checks = diagonal | straight
            checks &= self.attacked[base | piece] & free
            if checks & safe:
                units += self.check_units[piece]
                total += self.safe_check[piece]
            elif checks:
                total += self.other_check[piece]
        if not board.queens & own:
            units = units // 2
        return total + self.danger[units if units < _MAX_DANGER else _MAX_DANGER]

    def threats(self, board: Board, color: Color) -> Tapered:
        """The score for attacks on pieces worth more than the attacker, packed."""
        base: Number = color << 3
        other: Number = (not color) << 3
        own: Bitboard = pieces_of(board, color)
        enemy: Bitboard = pieces_of(board, not color)
        minors: Bitboard = enemy & (board.knights | board.bishops)
        majors: Bitboard = enemy & (board.rooks | board.queens)
        pawns: Bitboard = self.attacked[base | PAWN]
        minor: Bitboard = self.attacked[base | KNIGHT] | self.attacked[base | BISHOP]
        total: Tapered = _PAWN_ATTACKS_MINOR * popcount(pawns & minors)
        total += _PAWN_ATTACKS_MAJOR * popcount(pawns & majors)
        # Minor pieces target what a pawn guards only if it is a piece, rooks only if it is a queen.
        poor: Bitboard = ~self.attacked[other | PAWN]
        targets: Bitboard = minor & (minors | majors | enemy & board.pawns & poor)
        while targets:
            total += self.minor_threat[piece_on(board, lsb(targets))]
            targets &= targets - 1
        targets = self.attacked[base | ROOK] & enemy & ~board.kings & (poor | board.queens)
        while targets:
            total += self.rook_threat[piece_on(board, lsb(targets))]
            targets &= targets - 1
        total += _RESTRICTED * popcount(self.attacked[base] & self.attacked[other] & poor)
        loose: Bitboard = enemy & self.attacked[base] & ~self.attacked[other]
        total += _HANGING_PIECE * popcount(loose & (minors | majors))
        total += _HANGING_PAWN * popcount(loose & board.pawns)

        # Pawn pushes to safe squares from which the pawn attacks something.
        free: Bitboard = ~(own | enemy) & BB_ALL
        step: Bitboard = ahead(board.pawns & own, color) & free
        step |= ahead(step & (BB_RANK_3 if color else BB_RANK_6), color) & free
        step &= ~self.attacked[other | PAWN] & (self.attacked[base] | ~self.attacked[other])
        push: Bitboard = all_pawn_attacks(step, color) & ~pawns
        total += _PAWN_PUSH_THREAT * popcount(push & (minors | majors))
        return total

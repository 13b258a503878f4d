"""Pawn structure and king shelter, with a cache.

Pawns and kings seldom move, so most nodes of a search have a structure that was evaluated before: a
small cache keyed by both sides' pawns and kings answers nine in ten look-ups.

Source of the technique: https://www.chessprogramming.org/Pawn_Hash_Table
"""

from __future__ import annotations

from array import array

from ..board.constants import BB_ALL, BB_RANK_1
from ..board.movegen import Bitboard, Color, Key, Square, Tapered, lsb, popcount
from .geometry import ahead, all_pawn_attacks, beside, fill_ahead, rank_of
from .king import KingShelter
from .tables import packed, single

_CACHE = 1 << 13
_SPREAD: Bitboard = 0x9E3779B97F4A7C15  # odd, with well-mixed bits: Fibonacci hashing

_DOUBLED_PAWN = single("doubled_pawn")
_ISOLATED_PAWN = single("isolated_pawn")
_BACKWARD_PAWN = single("backward_pawn")
_EXPOSED_PAWN = single("exposed_pawn")
_PAWN_ISLAND = single("pawn_island")
_LOOSE_LEVER = single("loose_lever")


def passed_pawns(own: Bitboard, enemy: Bitboard, color: Color) -> Bitboard:
    """The pawns that no enemy pawn can stop or capture on their way; of doubled pawns the first."""
    stopped: Bitboard = fill_ahead(enemy | beside(enemy), not color)
    return own & ~(stopped | fill_ahead(own, not color))


class PawnStructure:
    """Scores pawn structures and king shelters, with its own cache.

    After `score`, `passed` holds the passed pawns of both sides.
    """

    def __init__(self) -> None:
        self.kings = KingShelter()
        self.passed_bonus = array("i", packed("passed_pawn"))
        self.phalanx = array("i", packed("phalanx_pawn"))
        self.supported = array("i", packed("supported_pawn"))
        self.lever = array("i", packed("lever"))
        self.connected = array("i", packed("passed_connected"))
        self.known_white = array("Q", bytes(8 * _CACHE))
        self.known_black = array("Q", bytes(8 * _CACHE))
        self.known_kings = array("i", bytes(4 * _CACHE))
        self.known_passed = array("Q", bytes(8 * _CACHE))
        self.scores = array("i", bytes(4 * _CACHE))
        self.passed = 0

    def score(
        self, white: Bitboard, black: Bitboard, white_king: Square, black_king: Square
    ) -> Tapered:
        """The score of structure and shelter, White minus Black, packed."""
        kings: Square = (white_king << 6 | black_king) + 1  # 0 marks an empty slot
        key: Key = white ^ (black << 1 & BB_ALL)
        key ^= kings * _SPREAD & BB_ALL
        key = key * _SPREAD & BB_ALL
        slot: Key = key >> 51
        if (
            self.known_kings[slot] == kings
            and self.known_white[slot] == white
            and self.known_black[slot] == black
        ):
            self.passed = self.known_passed[slot]
            return self.scores[slot]
        value: Tapered = self.score_side(white, black, True) - self.score_side(black, white, False)
        value += self.kings.score_side(white, black, white_king, True)
        value -= self.kings.score_side(black, white, black_king, False)
        self.passed = passed_pawns(white, black, True) | passed_pawns(black, white, False)
        self.known_kings[slot] = kings
        self.known_white[slot] = white
        self.known_black[slot] = black
        self.known_passed[slot] = self.passed
        self.scores[slot] = value
        return value

    def score_side(self, own: Bitboard, enemy: Bitboard, color: Color) -> Tapered:
        """The structure of one side, packed."""
        total: Tapered = 0
        square: Square
        files: Bitboard = own | fill_ahead(own, True) | fill_ahead(own, False)
        isolated: Bitboard = own & ~beside(files)
        # A backward pawn cannot follow its neighbours, which have advanced.
        helped: Bitboard = beside(own) | fill_ahead(beside(own), color)
        guarded: Bitboard = all_pawn_attacks(own, color)
        attacked: Bitboard = all_pawn_attacks(enemy, not color)
        halted: Bitboard = ahead(attacked, not color)
        backward: Bitboard = own & halted & ~helped & ~isolated
        opposed: Bitboard = fill_ahead(enemy, not color)
        columns: Bitboard = files & BB_RANK_1
        levers: Bitboard = own & attacked
        total += _DOUBLED_PAWN * popcount(own & fill_ahead(own, not color))
        total += _ISOLATED_PAWN * popcount(isolated)
        total += _PAWN_ISLAND * popcount(columns & ~(columns << 1))
        total += _BACKWARD_PAWN * popcount(backward)
        total += _EXPOSED_PAWN * popcount((isolated | backward) & ~opposed)
        total += _LOOSE_LEVER * popcount(levers & ~guarded)

        pawns: Bitboard = own & beside(own)
        while pawns:
            square = lsb(pawns)
            total += self.phalanx[rank_of(square, color) | (opposed >> square & 1) << 3]
            pawns &= pawns - 1
        pawns = own & guarded
        while pawns:
            square = lsb(pawns)
            total += self.supported[rank_of(square, color) | (opposed >> square & 1) << 3]
            pawns &= pawns - 1
        while levers:
            square = lsb(levers)
            total += self.lever[rank_of(square, color)]
            levers &= levers - 1
        pawns = passed_pawns(own, enemy, color)
        joined: Bitboard = beside(own) | guarded
        while pawns:
            square = lsb(pawns)
            total += self.passed_bonus[rank_of(square, color)]
            if joined >> square & 1:
                total += self.connected[rank_of(square, color)]
            pawns &= pawns - 1
        return total

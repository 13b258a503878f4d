"""King shelter: a side's pawns in front of its king, and the enemy pawns storming it."""

from __future__ import annotations

from array import array

from ..board.constants import BB_FILE_A, BB_RANK_1
from ..board.movegen import Bitboard, Color, Number, Square, Tapered, lsb, msb
from .geometry import fill_ahead, rank_of, square_bit
from .tables import packed


class KingShelter:
    """Scores the pawns on the king's file and the two adjacent files."""

    def __init__(self) -> None:
        self.shelter = array("i", packed("shelter"))
        self.storm = array("i", packed("storm"))
        self.blocked_storm = array("i", packed("blocked_storm"))

    def score_side(self, own: Bitboard, enemy: Bitboard, king: Square, color: Color) -> Tapered:
        """The score of one side, packed.

        :param own: its pawns.
        :param enemy: the other side's pawns.
        """
        total: Tapered = 0
        bit: Bitboard = square_bit(king)
        rank: Bitboard = BB_RANK_1 << (king & 56)
        region: Bitboard = rank | fill_ahead(rank, color)
        center: Number = king & 7
        if center == 0:
            center = 1
        if center == 7:
            center = 6
        file: Number
        for file in range(center - 1, center + 2):
            column: Bitboard = BB_FILE_A << file
            guard: Number = nearest(own & region & column, color)
            stormer: Number = nearest(enemy & region & column, color)
            total += self.shelter[guard + 8 if bit & column else guard]
            if guard and stormer == guard + 1:
                total += self.blocked_storm[stormer]
            else:
                total += self.storm[stormer]
        return total


def nearest(pawns: Bitboard, color: Color) -> Number:
    """The rank of the pawn nearest to a side's back rank, from that side's view; 0 for none."""
    if not pawns:
        return 0
    return rank_of(lsb(pawns) if color else msb(pawns), color)

"""Material imbalance: what pieces are worth in combination.

A bishop pair is worth more than two bishops, a knight gains from pawns on the board, a second rook
is partly redundant. Each pair of piece types, of one side or of both, has a weight of its own.
Captures are rare in a search, so a small cache answers nearly all look-ups.

Source: https://www.chessprogramming.org/Material#Quadratic_Imbalance
"""

from __future__ import annotations

from array import array

from ..board.constants import BB_ALL
from ..board.movegen import Bitboard, Board, Color, Key, Number, Tapered, pieces_of, popcount
from .tables import enemy_pairs, own_pairs

_CACHE = 1 << 10
_SPREAD: Bitboard = 0x9E3779B97F4A7C15  # odd, with well-mixed bits: Fibonacci hashing
_SIDE = 20  # bits for the counts of one side, four per piece type


class Imbalance:
    """Scores the material imbalance, with its own cache."""

    def __init__(self) -> None:
        # indexed by piece type << 3 | partner's type
        self.own_pairs = array("i", own_pairs())
        self.enemy_pairs = array("i", enemy_pairs())
        self.keys = array("Q", bytes(8 * _CACHE))
        self.scores = array("i", bytes(4 * _CACHE))

    def score(self, board: Board) -> Tapered:
        """The score of all pairs, White minus Black, packed."""
        white: Key = self.counts(board, True)
        black: Key = self.counts(board, False)
        key: Key = white << _SIDE | black
        slot: Key = (key * _SPREAD & BB_ALL) >> 54
        if self.keys[slot] != key + 1:  # 0 marks an empty slot
            self.keys[slot] = key + 1
            self.scores[slot] = self.score_side(white, black) - self.score_side(black, white)
        return self.scores[slot]

    def counts(self, board: Board, color: Color) -> Key:
        """A side's number of pieces of each type, four bits each, pawns lowest."""
        own: Bitboard = pieces_of(board, color)
        return (
            popcount(own & board.pawns)
            | popcount(own & board.knights) << 4
            | popcount(own & board.bishops) << 8
            | popcount(own & board.rooks) << 12
            | popcount(own & board.queens) << 16
        )

    def score_side(self, own: Key, enemy: Key) -> Tapered:
        """The score of one side's pairs, packed."""
        total: Tapered = 0
        piece: Number
        partner: Number
        for piece in range(1, 6):
            number: Number = own >> 4 * (piece - 1) & 15
            if number == 0:
                continue
            for partner in range(1, piece):
                friends: Number = own >> 4 * (partner - 1) & 15
                foes: Number = enemy >> 4 * (partner - 1) & 15
                total += self.own_pairs[piece << 3 | partner] * (number * friends)
                total += self.enemy_pairs[piece << 3 | partner] * (number * foes)
            pairs: Number = number * (number - 1) >> 1
            total += self.own_pairs[piece << 3 | piece] * pairs
        return total

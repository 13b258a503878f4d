"""The evaluation of records without the network: the sum of the terms, which the network corrects.

A position is set up directly from its record, because a FEN would take most of the time.
"""

from __future__ import annotations

import hashlib
from array import array

from ..board.movegen import (
    Bitboard,
    Flag,
    Index,
    Number,
    PieceType,
    Score,
    Square,
    lsb,
    new_board,
)
from ..eval.accumulator import Accumulator
from ..eval.evaluation import Evaluator
from ..eval.weights import WEIGHTS
from ..search.bench import POSITIONS
from .positions_file import SIZE, Recorded, words_of

_WORDS = 4  # of 64 bits in a record
_KING = 6  # its code
_MAX_TERMS = 32767


class Terms:
    """The sum of the terms, in centipawns for the side to move."""

    def __init__(self) -> None:
        self.evaluator = Evaluator()
        self.evaluator.use_network = False
        self.accumulator = Accumulator()
        self.board = new_board()
        self.board.castling_rights = 0
        self.words = array("Q")
        self.found = array("h")

    def of(self, records: bytes, is_mirrored: Flag = False) -> array[int]:
        """The terms of some positions, one value each, at most 32,767.

        :param records: see `halbzug.tuning.positions_file`; castling rights do not matter.
        :param is_mirrored: mirror the positions' files.
        :raises ValueError: if they contain something else.
        """
        self.words = words_of(records)
        self.found = found = array("h", bytes(len(records) // SIZE * 2))
        place: Index
        for place in range(len(found)):
            if not self._set_up(place * _WORDS, 7 if is_mirrored else 0):
                raise ValueError("not a record of a position")
            value: Score = self.evaluator.evaluate(self.board, self.accumulator)
            value = value if value < _MAX_TERMS else _MAX_TERMS
            self.found[place] = value if value > -_MAX_TERMS else -_MAX_TERMS
        return found

    def digest(self) -> str:
        """Eight digits that identify the evaluation."""
        records = b"".join(Recorded(new_board(fen), 0, 0.5, 0).pack() for fen in POSITIONS)
        return hashlib.sha256(repr((WEIGHTS, self.of(records).tolist())).encode()).hexdigest()[:8]

    def _set_up(self, record: Index, turned: Square) -> Flag:
        """Set up the position whose record begins at this word; return whether it is valid.

        :param turned: the change to each square.
        """
        board, accumulator = self.board, self.accumulator
        accumulator.clear()
        board.pawns = board.knights = board.bishops = 0
        board.rooks = board.queens = board.kings = 0
        white: Bitboard = 0
        black: Bitboard = 0
        one: Bitboard = 1
        rest: Bitboard = self.words[record]
        count: Number = 0
        while rest:
            if count == 32:
                return False
            code: Number = self.words[record + 1 + (count >> 4)] >> 4 * (count & 15) & 15
            kind: PieceType = code & 7
            if not 0 < kind <= _KING:
                return False
            square: Square = lsb(rest) ^ turned
            bit: Bitboard = one << square
            if kind == 1:
                board.pawns |= bit
            elif kind == 2:
                board.knights |= bit
            elif kind == 3:
                board.bishops |= bit
            elif kind == 4:
                board.rooks |= bit
            elif kind == 5:
                board.queens |= bit
            else:
                board.kings |= bit
            if code > 8:
                black |= bit
            else:
                white |= bit
            accumulator.add(code < 8, kind, square)
            rest &= rest - 1
            count += 1
        if not (board.kings & white and board.kings & black):
            return False
        board.occupied = white | black
        board.occupied_co = [black, white]
        board.turn = self.words[record + 3] >> 24 & 1 == 1
        return True

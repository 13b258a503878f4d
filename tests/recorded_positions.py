"""Reads and writes recorded positions, whose format `halbzug.tuning.positions_file` describes."""

from __future__ import annotations

import struct
from dataclasses import dataclass

import chess

from halbzug.tuning.positions_file import SIZE, codes_of, pack

_RECORD = struct.Struct("<Q16shBBI")
_ROOKS = (chess.BB_H1, chess.BB_A1, chess.BB_H8, chess.BB_A8)
assert _RECORD.size == SIZE


@dataclass(frozen=True)
class Recorded:
    """A position with its search's score and its game's result, both for White."""

    board: chess.Board
    score: int  # centipawns
    result: float  # 0, 0.5 or 1
    game: int

    def pack(self) -> bytes:
        """The record; `board` has at most 32 pieces."""
        board = self.board
        flags = int(board.turn)
        for bit, rook in enumerate(_ROOKS, 1):
            flags |= bool(board.castling_rights & rook) << bit
        return pack(codes_of(board.board_fen()), flags, self.score, self.result, self.game)


def unpack(record: bytes) -> Recorded:
    """Unpack a record."""
    occupied, halves, score, points, flags, game = _RECORD.unpack(record)
    board = chess.Board(None)
    for index, square in enumerate(chess.scan_forward(occupied)):
        code = halves[index >> 1] >> (index & 1) * 4 & 15
        board.set_piece_at(square, chess.Piece(code & 7, code < 8))
    board.turn = bool(flags & 1)
    for bit, rook in enumerate(_ROOKS, 1):
        if flags >> bit & 1:
            board.castling_rights |= rook
    return Recorded(board, score, points / 2, game)

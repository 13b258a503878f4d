"""Zobrist keys: a number for each position, which a move updates in a few steps.

Each piece on each square has a random number, and the key is the exclusive or of the numbers of the
pieces on the board. Source: https://www.chessprogramming.org/Zobrist_Hashing
"""

from __future__ import annotations

from random import Random

import chess

_NUMBERS = Random(1)
KEYS = [[_NUMBERS.getrandbits(64) for _ in range(64)] for _ in range(12)]


class Zobrist:
    """Keys of positions, each from the one before it."""

    def __init__(self) -> None:
        self.masks, self.pieces = [0] * 12, 0

    def key(self, board: chess.Board) -> int:
        """The key of a position: its pieces, castling rights, en passant square and turn."""
        kinds = (board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings)
        masks = [kind & color for color in board.occupied_co for kind in kinds]
        for keys, before, after in zip(KEYS, self.masks, masks, strict=True):
            if before != after:
                for square in chess.scan_forward(before ^ after):
                    self.pieces ^= keys[square]
        self.masks = masks
        return self.pieces ^ hash((board.castling_rights, board.ep_square or 0, board.turn))

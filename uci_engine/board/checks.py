"""The squares from which a piece would give check, computed once for all moves of a position.

Covers direct checks only: discovered checks are found when the move is made.
"""

from __future__ import annotations

from .constants import BISHOP, KNIGHT, PAWN, QUEEN, ROOK
from .movegen import (
    Bitboard,
    Board,
    Flag,
    MoveCode,
    PieceType,
    Square,
    bishop_attacks,
    from_square,
    king_square,
    knight_attacks,
    pawn_attacks,
    piece_on,
    rook_attacks,
    to_square,
)


class CheckSquares:
    """The squares on which each piece of the side to move would give check."""

    def __init__(self) -> None:
        self.pawns = 0
        self.knights = 0
        self.bishops = 0
        self.rooks = 0
        #: The squares on which any piece would give check.
        self.any = 0

    def find(self, board: Board) -> None:
        """Compute the squares for a position."""
        king: Square = king_square(board, not board.turn)
        occupied: Bitboard = board.occupied
        self.pawns = pawn_attacks(not board.turn, king)
        self.knights = knight_attacks(king)
        self.bishops = bishop_attacks(king, occupied)
        self.rooks = rook_attacks(king, occupied)
        self.any = self.pawns | self.knights | self.bishops | self.rooks

    def has(self, board: Board, move: MoveCode) -> Flag:
        """Whether a move that is not a promotion gives direct check."""
        piece: PieceType = piece_on(board, from_square(move))
        squares: Bitboard = 0
        if piece == PAWN:
            squares = self.pawns
        elif piece == KNIGHT:
            squares = self.knights
        if piece in (BISHOP, QUEEN):
            squares = self.bishops
        if piece in (ROOK, QUEEN):
            squares |= self.rooks
        return squares >> to_square(move) & 1 != 0

"""Threats by less valuable pieces: moves out of them are tried early, moves into them late.

Source: https://www.chessprogramming.org/Threat_Move, and Move Ordering on threatened pieces
"""

from __future__ import annotations

from ..board.constants import BISHOP, KNIGHT, QUEEN, ROOK
from ..board.movegen import (
    Bitboard,
    Board,
    MoveCode,
    PieceType,
    Rating,
    Square,
    bishop_attacks,
    from_square,
    knight_attacks,
    lsb,
    piece_on,
    pieces_of,
    rook_attacks,
    to_square,
)
from ..eval.geometry import all_pawn_attacks
from .parameters import THREATENED_MINOR, THREATENED_QUEEN, THREATENED_ROOK


class Threats:
    """The squares that the other side attacks with pawns, minor pieces and rooks."""

    def __init__(self) -> None:
        self.by_pawns = 0
        #: By pawns or minor pieces.
        self.by_minors = 0
        #: By pawns, minor pieces or rooks.
        self.by_rooks = 0

    def find(self, board: Board) -> None:
        """Compute the squares for a position."""
        them: Bitboard = pieces_of(board, not board.turn)
        attacked: Bitboard = all_pawn_attacks(board.pawns & them, not board.turn)
        self.by_pawns = attacked
        rest: Bitboard = board.knights & them
        while rest:
            attacked |= knight_attacks(lsb(rest))
            rest &= rest - 1
        rest = board.bishops & them
        while rest:
            attacked |= bishop_attacks(lsb(rest), board.occupied)
            rest &= rest - 1
        self.by_minors = attacked
        rest = board.rooks & them
        while rest:
            attacked |= rook_attacks(lsb(rest), board.occupied)
            rest &= rest - 1
        self.by_rooks = attacked

    def rate(self, board: Board, move: MoveCode) -> Rating:
        """A bonus for a move out of a threat, a malus for a move into one, in units of history."""
        origin: Square = from_square(move)
        target: Square = to_square(move)
        if (self.by_rooks >> origin | self.by_rooks >> target) & 1 == 0:
            return 0  # most moves, and finding out which piece moves takes time
        piece: PieceType = piece_on(board, origin)
        squares: Bitboard = 0
        weight: Rating = 0
        if piece == QUEEN:
            squares = self.by_rooks
            weight = THREATENED_QUEEN
        elif piece == ROOK:
            squares = self.by_minors
            weight = THREATENED_ROOK
        elif piece in (KNIGHT, BISHOP):
            squares = self.by_pawns
            weight = THREATENED_MINOR
        was_threatened: Rating = squares >> origin & 1
        is_threatened: Rating = squares >> target & 1
        return weight * (was_threatened - is_threatened)

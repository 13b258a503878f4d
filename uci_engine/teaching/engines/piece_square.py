"""Piece-square evaluation: the pieces' squares count, too.

Counting material alone gives no plan: all quiet moves look alike. A number for each square tells
pawns to advance, knights to stay in the centre and the king to hide until few pieces are left.
Source: https://www.chessprogramming.org/Simplified_Evaluation_Function (which has other numbers)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import chess

from halbzug.teaching.engines.basics import until_time_is_up
from halbzug.teaching.engines.greedy import VALUES
from halbzug.teaching.engines.transposition_table import Remembering

if TYPE_CHECKING:
    from halbzug.teaching.clock import Clock

name = "Piece squares"

#: Centipawns by rank for a pawn, from its own side, and by file for the king before the endgame.
PAWN_RANKS = (0, 0, 2, 8, 20, 45, 90, 0)
KING_FILES = (15, 25, 5, -15, -15, 0, 25, 15)

#: With fewer pieces than this on the board, both kings go to the centre.
ENDGAME_PIECES = 12


def centre(square: chess.Square) -> int:
    """The closeness of a square to the centre: from 0 in a corner to 6."""
    file, rank = chess.square_file(square), chess.square_rank(square)
    return min(file, 7 - file) + min(rank, 7 - rank)


def square_value(piece_type: chess.PieceType, square: chess.Square) -> int:
    """The value of a white piece's square, in centipawns; for the king, before the endgame."""
    file, rank = chess.square_file(square), chess.square_rank(square)
    if piece_type == chess.PAWN:
        return VALUES[chess.PAWN] + PAWN_RANKS[rank] + (centre(square) * rank if rank < 4 else 0)
    if piece_type == chess.KNIGHT:
        return VALUES[chess.KNIGHT] + 10 * centre(square) - 40
    if piece_type == chess.BISHOP:
        return VALUES[chess.BISHOP] + 5 * centre(square) - 20 - 10 * (rank == 0)
    if piece_type == chess.ROOK:
        return VALUES[chess.ROOK] + 20 * (rank == 6) + 5 * (file in (3, 4))
    is_king = piece_type == chess.KING
    return KING_FILES[file] - 20 * rank if is_king else VALUES[piece_type] + 2 * centre(square)


#: By piece type and square, for White; Black's squares are mirrored.
SQUARES = [[square_value(kind, square) for square in chess.SQUARES] for kind in range(1, 7)]


def piece_squares(board: chess.Board) -> int:
    """Material and squares for the side to move, in centipawns."""
    total = 0
    white, black = board.occupied_co[chess.WHITE], board.occupied_co[chess.BLACK]
    kinds = (board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings)
    for values, kind in zip(SQUARES, kinds, strict=True):
        if kind == board.kings and board.occupied.bit_count() < ENDGAME_PIECES:
            values = [10 * centre(square) for square in chess.SQUARES]
        total += sum(values[square] for square in chess.scan_forward(kind & white))
        total -= sum(values[square ^ 56] for square in chess.scan_forward(kind & black))
    return total if board.turn else -total


class PieceSquares(Remembering):
    """The same search with another evaluation."""

    def evaluate(self, board: chess.Board) -> int:
        """Material and squares, in centipawns."""
        return piece_squares(board)


def choose(board: chess.Board, clock: Clock) -> Iterator[chess.Move]:
    """Better and better moves from deeper and deeper searches."""
    return until_time_is_up(board, PieceSquares(clock).deepen(board))

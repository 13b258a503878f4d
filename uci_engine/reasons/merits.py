"""The merits of a good move: whether it sacrifices material, or merely recaptures."""

from __future__ import annotations

import chess

from ..board.movegen import encode
from ..board.public_board import Board
from ..search.see import see_ge
from .won_material import POINTS

#: A sacrifice costs more than this by static exchange evaluation, in centipawns: not just a pawn.
_PRICE = 150


def is_sacrifice(board: chess.Board, move: chess.Move) -> bool:
    """Whether a move puts a piece where capturing it wins more than a pawn and a half.

    What the move itself captures is deducted.
    """
    here = Board.from_board(board, stack=False)
    if here.piece_type_at(move.from_square) in (chess.PAWN, chess.KING) or here.is_castling(move):
        return False
    taken = here.piece_type_at(move.to_square)
    here.push(move)
    threshold = _PRICE + 100 * (POINTS[taken] if taken else 0)
    takes = here.generate_legal_captures(to_mask=chess.BB_SQUARES[move.to_square])
    return any(see_ge(here, encode(take), threshold) for take in takes)


def retakes(board: chess.Board, move: chess.Move) -> bool:
    """Whether a move recaptures on the square of the last move's capture."""
    if not board.move_stack:
        return False
    before = board.copy(stack=1)
    last = before.pop()
    return last.to_square == move.to_square and before.is_capture(last)

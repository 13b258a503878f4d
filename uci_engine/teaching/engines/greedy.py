"""Greedy: plays the move that leaves its own pieces worth most, and mates if it can.

The engine sees one move ahead. It captures whatever it can, even if it is defended.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import chess

from halbzug.teaching.engines.basics import MATE

if TYPE_CHECKING:
    from halbzug.teaching.clock import Clock

name = "Greedy"

#: Piece values in centipawns. The king is not counted, because it is never captured.
VALUES = {chess.PAWN: 100, chess.KNIGHT: 320, chess.BISHOP: 330, chess.ROOK: 500, chess.QUEEN: 900}


def material(board: chess.Board) -> int:
    """The pieces of the side to move minus those of the other side, in centipawns."""
    own, enemy = board.occupied_co[board.turn], board.occupied_co[not board.turn]
    total = 0
    for piece_type, value in VALUES.items():
        mask = board.pieces_mask(piece_type, chess.WHITE) | board.pieces_mask(
            piece_type, chess.BLACK
        )
        total += value * ((mask & own).bit_count() - (mask & enemy).bit_count())
    return total


def gain(board: chess.Board, move: chess.Move) -> int:
    """The mover's material balance after a move, in centipawns."""
    board.push(move)
    value = MATE if board.is_checkmate() else -material(board)
    board.pop()
    return value


def choose(board: chess.Board, clock: Clock) -> chess.Move:
    """The move that gains most; a random one of several equal moves."""
    moves = list(board.legal_moves)
    random.shuffle(moves)
    return max(moves, key=lambda move: gain(board, move))

"""Evaluates single positions, outside a search."""

from __future__ import annotations

import threading

import chess

from ..board.movegen import Board, new_board
from .accumulator import Accumulator
from .evaluation import Evaluator


class StaticEvaluator(threading.local):
    """Evaluates one position after another; each thread has its own."""

    def __init__(self) -> None:
        self._evaluator = Evaluator()
        self._accumulator = Accumulator()
        self._board = new_board()
        self._board.castling_rights = 0

    def evaluate(self, board: Board) -> int:
        """The value of a legal position in centipawns, from the side to move."""
        self._accumulator.set_up(board)
        return self._evaluator.evaluate(board, self._accumulator)

    def board_of(self, board: chess.Board) -> Board:
        """A board of the engine with the same pieces and side to move.

        It is the given board if that is of the right class, otherwise one that the next call
        overwrites.
        """
        if isinstance(board, Board):
            return board
        own = self._board
        own.pawns, own.knights, own.bishops = board.pawns, board.knights, board.bishops
        own.rooks, own.queens, own.kings = board.rooks, board.queens, board.kings
        own.occupied, own.turn = board.occupied, board.turn
        own.occupied_co = list(board.occupied_co)
        return own

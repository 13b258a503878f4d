"""The evaluation of single positions, which no search has made moves to."""

from __future__ import annotations

import threading

import chess

from ..board.movegen import Board, new_board
from .accumulator import Accumulator
from .evaluation import Evaluator


class StaticEvaluator(threading.local):
    """Evaluates one position after the other; each thread has its own."""

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
        """The pieces of any board of chess and whose turn it is, on a board of the engine.

        It is the given one, if it is of that kind, and otherwise one that the next call changes.
        """
        if isinstance(board, Board):
            return board
        own = self._board
        own.pawns, own.knights, own.bishops = board.pawns, board.knights, board.bishops
        own.rooks, own.queens, own.kings = board.rooks, board.queens, board.kings
        own.occupied, own.turn = board.occupied, board.turn
        own.occupied_co = list(board.occupied_co)
        return own

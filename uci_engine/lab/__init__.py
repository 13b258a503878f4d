"""Your own engine in a Python file: `halbzug run FILE.py`.

A file defines one or more of the following, and the engine does the rest:

- `evaluate(board)`: centipawns for the side to move; Halbzug's search uses it
- `choose(board, clock)`: the move itself, or a generator that yields better and better moves
- `order(board, moves)`: the moves, best first; Halbzug's search tries them in this order
- `WEIGHTS`, `WITHOUT`: other weights for Halbzug's own evaluation, and techniques to switch off
- a class with `search(self, board, *args)`, like lichess-bot's homemade engines
- `OPTIONS`, `name`, `author`: what chess programs show

This module defines the types of all of them, so that editors can complete and check a file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

import chess

from ..teaching.clock import Clock

__all__ = ["Chooser", "Clock", "Evaluation", "Order", "Weight"]

#: A weight in centipawns, or a pair: for the middlegame and for the endgame.
Weight = int | tuple[int, int]


class Evaluation(Protocol):
    """The type of `evaluate` in a file."""

    def __call__(self, board: chess.Board, /) -> float:
        """The value of a position in centipawns, for the side to move.

        :param board: the position, without its move history, because the value is stored for the
            position. It is reset for each call, so make a copy if you want to keep it.
        """


class Chooser(Protocol):
    """The type of `choose` in a file."""

    def __call__(self, board: chess.Board, clock: Clock, /) -> chess.Move | Iterator[chess.Move]:
        """A legal move.

        Or a generator of moves: when time runs out, the last move that it yielded is played.
        """


class Order(Protocol):
    """The type of `order` in a file."""

    def __call__(self, board: chess.Board, moves: Sequence[chess.Move], /) -> Iterable[chess.Move]:
        """The moves, best first; missing moves come last."""

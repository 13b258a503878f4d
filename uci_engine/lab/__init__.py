"""Your own engine from a Python file: `halbzug run FILE.py`.

A file defines one or several of these, and the engine does the rest:

- `evaluate(board)`: centipawns for the side to move; Halbzug's search looks ahead with it
- `choose(board, clock)`: the move itself, or a generator that yields better and better moves
- `order(board, moves)`: the moves, the best first; Halbzug's search looks at them in this order
- `WEIGHTS`, `WITHOUT`: other weights for Halbzug's own evaluation, and techniques to do without
- a class with `search(self, board, *args)`, as lichess-bot's homemade engines have it
- `OPTIONS`, `name`, `author`: what chess programs show

This module has the types of all of them, so that editors complete and check a file.
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
    """`evaluate` of a file."""

    def __call__(self, board: chess.Board, /) -> float:
        """The value of a position in centipawns, for the side to move.

        :param board: without the moves before it, because the value is kept with the position. It
            is set anew for each call: keep a copy, if any.
        """


class Chooser(Protocol):
    """`choose` of a file."""

    def __call__(self, board: chess.Board, clock: Clock, /) -> chess.Move | Iterator[chess.Move]:
        """A legal move.

        Or a generator of moves: when the time is over, the last one that it has yielded is played.
        """


class Order(Protocol):
    """`order` of a file."""

    def __call__(self, board: chess.Board, moves: Sequence[chess.Move], /) -> Iterable[chess.Move]:
        """The moves, the best first; those that are left out come last."""

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

import math
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

import chess

__all__ = ["Chooser", "Clock", "Evaluation", "Order", "Weight"]

#: A weight in centipawns, or a pair: for the middlegame and for the endgame.
Weight = int | tuple[int, int]


class Clock:
    """What a move may cost; the time runs from when the clock is made.

    :param seconds: what this move may take; without a clock `math.inf`.
    :param depth: plies of `go depth`; None if there is no such limit.
    :param nodes: of `go nodes`; None if there is no such limit.

    >>> clock = Clock(seconds=60)
    >>> clock.is_over()
    False
    >>> clock.left() <= 60
    True
    """

    def __init__(
        self, seconds: float = math.inf, depth: int | None = None, nodes: int | None = None
    ) -> None:
        self.seconds = seconds
        self.depth = depth
        self.nodes = nodes
        self._started = time.perf_counter()

    def elapsed(self) -> float:
        """Seconds since it is our move; 0 while the opponent is thinking."""
        return time.perf_counter() - self._started

    def left(self) -> float:
        """Seconds left for this move, never below 0."""
        return max(self.seconds - self.elapsed(), 0.0)

    def is_over(self) -> bool:
        """Whether it is time to play: no time is left, or `stop` came."""
        return self.elapsed() >= self.seconds


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

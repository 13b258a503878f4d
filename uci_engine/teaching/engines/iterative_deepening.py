"""Iterative deepening: depth 1, then 2, then 3, until the time is up.

Nobody can predict how deep a search gets in the time for a move. So it starts again one ply deeper,
and the best move of the previous depth is searched first, which saves more than the earlier depths
cost. Source: https://www.chessprogramming.org/Iterative_Deepening
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import TYPE_CHECKING

import chess

from halbzug.teaching.engines.basics import MATE, until_time_is_up
from halbzug.teaching.engines.quiescence import Quiescence

if TYPE_CHECKING:
    from halbzug.teaching.clock import Clock

name = "Iterative deepening"

#: A quiet endgame need not be searched deeper than this, in plies.
MAX_DEPTH = 60


class Deepening(Quiescence):
    """A search to greater and greater depths."""

    def __init__(self, clock: Clock) -> None:
        super().__init__(clock)
        self.best: chess.Move | None = None

    def moves(self, board: chess.Board, ply: int) -> list[chess.Move]:
        """The legal moves; at the root, the best one of the previous depth first."""
        moves = super().moves(board, ply)
        if ply == 0 and self.best:
            moves.sort(key=lambda move: move != self.best)
        return moves

    def deepen(self, board: chess.Board) -> Iterator[tuple[chess.Move, int]]:
        """Yield better and better moves, each with its value, until a mate is found."""
        for depth in count(1):
            value = 0
            for move, value in self.root(board, depth):
                self.best = move
                yield move, value
            if abs(value) >= MATE - depth or depth == (self.clock.depth or MAX_DEPTH):
                return


def choose(board: chess.Board, clock: Clock) -> Iterator[chess.Move]:
    """Better and better moves from deeper and deeper searches."""
    return until_time_is_up(board, Deepening(clock).deepen(board))

"""Minimax: every move, every reply, and so on to a fixed depth.

The value of a position is the best that the side to move can achieve against the best replies. What
is good for one side is equally bad for the other, so one function serves both (negamax). Source:
https://www.chessprogramming.org/Minimax
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import TYPE_CHECKING

import chess

from halbzug.teaching.engines.basics import INFINITE, check, until_time_is_up, value_of_end
from halbzug.teaching.engines.greedy import material

if TYPE_CHECKING:
    from halbzug.teaching.clock import Clock

name = "Minimax"

#: Plies to look ahead; three would take seconds.
DEPTH = 2


class Minimax:
    """A search of one position.

    :ivar nodes: the number of positions visited.
    """

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.nodes = 0

    def root(self, board: chess.Board, depth: int) -> Iterator[tuple[chess.Move, int]]:
        """Yield each move that is better than those before it, with its value."""
        best = -INFINITE
        for move in self.moves(board, 0):
            board.push(move)
            value = -self.value(board, depth - 1, 1)
            board.pop()
            if value > best:
                best = value
                yield move, value

    def value(self, board: chess.Board, depth: int, ply: int) -> int:
        """The value of a position for the side to move, in centipawns.

        :param depth: plies to look ahead.
        :param ply: the distance from the root in plies.
        """
        self.nodes += 1
        check(self.clock, self.nodes)
        end = value_of_end(board, ply)
        if end is not None or depth == 0:
            return self.evaluate(board) if end is None else end
        best = -INFINITE
        for move in self.moves(board, ply):
            board.push(move)
            best = max(best, -self.value(board, depth - 1, ply + 1))
            board.pop()
        return best

    def moves(self, board: chess.Board, ply: int) -> list[chess.Move]:
        """The legal moves; in random order at the root, so that games differ."""
        moves = list(board.legal_moves)
        return random.sample(moves, len(moves)) if ply == 0 else moves

    def evaluate(self, board: chess.Board) -> int:
        """The value without looking ahead, for the side to move, in centipawns."""
        return material(board)


def choose(board: chess.Board, clock: Clock) -> Iterator[chess.Move]:
    """Better and better moves from a search to a fixed depth."""
    return until_time_is_up(board, Minimax(clock).root(board, clock.depth or DEPTH))

"""A small game solved from its end: the value of each position that can arise.

All positions are generated, ply by ply. Then each gets the best value of its successors, the last
ply first (retrograde analysis). Connect Four on 5 by 4 has 1.7 million, which takes some seconds.
Source: https://www.chessprogramming.org/Retrograde_Analysis
"""

from __future__ import annotations

from functools import cache

import numpy as np

from ...base.language import say
from ...display.progress import progress_shown
from .line_game import LINE_GAMES, Array, LineBoards, LineGame

_HALF, _LOW = np.uint64(32), np.uint64(2**32 - 1)


class SolvedTable:
    """The values of all positions of a game.

    :raises ValueError: if the board has more than 32 bits, too many to be solved like this.
    """

    def __init__(self, game: LineGame) -> None:
        if game.width * game.step > 32:
            raise ValueError(f"{game.width} by {game.height} is too large to be solved")
        self.game = game
        self._keys = [np.zeros(1, np.uint64)]
        steps = 2 * game.squares
        with progress_shown(None, say("Solving the game"), steps) as report:
            while len(self._keys[-1]):
                report(len(self._keys) - 1, steps)
                self._keys.append(self._next_ply(self._keys[-1]))
            self._values: list[Array] = [np.zeros(0, np.int8)] * len(self._keys)
            for ply in reversed(range(len(self._keys) - 1)):
                report(steps - ply, steps)
                boards = _unpacked(self._keys[ply])
                is_over, values = game.over(boards)
                values[~is_over] = self._moves_at(boards.rows(~is_over), ply).max(1, initial=-2)
                self._values[ply] = values.astype(np.int8)

    @property
    def positions(self) -> int:
        """The number of positions, including finished games."""
        return sum(map(len, self._keys))

    def move_values(self, boards: LineBoards) -> Array:
        """The values of the moves for the side to move, N x moves: -1, 0 or 1; -2 if illegal."""
        plies = self.game.inputs(boards).sum(axis=1).astype(int)
        values = np.full((len(plies), self.game.moves), -2, np.int8)
        for ply in np.unique(plies):
            values[plies == ply] = self._moves_at(boards.rows(plies == ply), int(ply))
        return values

    def _moves_at(self, boards: LineBoards, ply: int) -> Array:
        legal = self.game.legal(boards)
        values = np.full(legal.shape, -2, np.int8)
        number, moves = np.nonzero(legal)
        after = _packed(self.game.play(boards.rows(number), moves))
        found = np.searchsorted(self._keys[ply + 1], after)
        values[number, moves] = -self._values[ply + 1][found]
        return values

    def _next_ply(self, keys: Array) -> Array:
        boards = _unpacked(keys)
        boards = boards.rows(~self.game.over(boards)[0])
        legal = self.game.legal(boards)
        number, moves = np.nonzero(legal)
        return np.unique(_packed(self.game.play(boards.rows(number), moves)))


@cache
def solved(name: str) -> SolvedTable:
    """The table of one of `LINE_GAMES`."""
    return SolvedTable(LINE_GAMES[name])


def _packed(boards: LineBoards) -> Array:
    key: Array = boards.own << _HALF | boards.other
    return key


def _unpacked(keys: Array) -> LineBoards:
    return LineBoards(keys >> _HALF, keys & _LOW)

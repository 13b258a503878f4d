"""Games in which a line of stones wins, on many boards at once: Connect Four, noughts and crosses.

A board is two sets of squares as bits, the stones of the side to move and those of the other, as in
`halbzug.teaching.games.connect_four`: column by column from the left, each from the bottom, with an
empty bit on top. Each row of an array is a board, so that one call of numpy makes a move on all of
them.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np

from ...base.language import say

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]


class LineBoards(NamedTuple):
    """Boards, one in each row.

    :ivar own: the stones of the side to move, as bits.
    :ivar other: the stones of the other side.
    """

    own: Array
    other: Array

    def rows(self, chosen: Any) -> LineBoards:
        """Some of the boards: by their numbers, a slice, or a mask."""
        return LineBoards(self.own[chosen], self.other[chosen])


class LineGame:
    """The rules; a move is a column if stones fall, otherwise a square, column by column.

    :param width: the number of columns.
    :param height: the number of rows.
    :param length: the number of stones in a winning line.
    :param falls: whether a stone falls to the lowest empty square of its column.
    :raises ValueError: if the board has no room, or more than 63 bits.
    """

    def __init__(self, width: int, height: int, length: int, falls: bool) -> None:
        if not (length <= max(width, height) and width * (height + 1) < 64):
            raise ValueError(f"no room for {length} in a line on {width} by {height}")
        self.width, self.height, self.length, self.falls = width, height, length, falls
        self.step = height + 1
        self.squares = width * height
        self.moves = width if falls else self.squares
        places = [column * self.step + row for column in range(width) for row in range(height)]
        self._bits = np.array([1 << place for place in places], np.uint64)
        columns = [((1 << height) - 1) << column * self.step for column in range(width)]
        bottoms = [1 << column * self.step for column in range(width)]
        self._full = np.uint64(sum(columns))
        self._targets = np.array(columns, np.uint64) if falls else self._bits
        self._bottoms = np.array(bottoms if falls else [0] * self.squares, np.uint64)
        self._shifts = [np.uint64(shift) for shift in (1, self.step, self.step - 1, self.step + 1)]
        #: What a move becomes when the board is mirrored.
        self.mirror = np.arange(self.moves).reshape(width, -1)[::-1].ravel()
        self._square_mirror = np.arange(self.squares).reshape(width, -1)[::-1].ravel()

    def start(self, count: int) -> LineBoards:
        """Empty boards."""
        return LineBoards(np.zeros(count, np.uint64), np.zeros(count, np.uint64))

    def legal(self, boards: LineBoards) -> Array:
        """Which moves have room, of shape N x moves; the game may be over nevertheless."""
        stones = (boards.own | boards.other)[:, None]
        room: Array = (stones & self._targets) != self._targets
        return room if self.falls else (stones & self._targets) == 0

    def play(self, boards: LineBoards, moves: Array) -> LineBoards:
        """Make a legal move on each board; the sides change."""
        stones = boards.own | boards.other
        target = self._targets[moves]
        stone = (stones + self._bottoms[moves]) & target & ~stones
        if not self.falls:
            stone = target
        return LineBoards(boards.other, boards.own | stone)

    def over(self, boards: LineBoards) -> tuple[Array, Array]:
        """Which games are over, and their value for the side to move: -1 or 0."""
        lost = self.has_line(boards.other)
        return lost | ((boards.own | boards.other) == self._full), -lost.astype(np.float32)

    def has_line(self, stones: Array) -> Array:
        """Which boards have a line: vertical, horizontal or diagonal."""
        found = np.zeros(len(stones), bool)
        for shift in self._shifts:
            line = stones
            for _ in range(self.length - 1):
                line = stones & line >> shift
            found |= line != 0
        return found

    def move_name(self, move: int) -> str:
        """The column, counted from 1, or the square, from a1 at the bottom left."""
        column, row = divmod(move, self.height)
        return str(move + 1) if self.falls else f"{chr(ord('a') + column)}{row + 1}"

    def read(self, text: str) -> LineBoards:
        """The single board after some moves, which are separated by spaces.

        :raises ValueError: if a move is not possible, or the game is over.
        """
        boards = self.start(1)
        for word in [*text.split(), ""]:
            if self.over(boards)[0][0]:
                raise ValueError("the game is over after these moves")
            legal: list[int] = np.flatnonzero(self.legal(boards)[0]).tolist()
            moves = {self.move_name(move): move for move in legal}
            if word and word not in moves:
                raise ValueError(
                    f"{word[:20]!r} is not a move here; possible moves: {' '.join(moves)}"
                )
            if word:
                boards = self.play(boards, np.array([moves[word]]))
        return boards

    def inputs(self, boards: LineBoards) -> Array:
        """The input of the network: a number for each square and side, 1 for a stone."""
        own = (boards.own[:, None] & self._bits) != 0
        other = (boards.other[:, None] & self._bits) != 0
        inputs: Array = np.concatenate([own, other], axis=1).astype(np.float32)
        return inputs

    def mirrored(self, inputs: Array) -> Array:
        """The inputs of the mirrored boards."""
        both = np.concatenate([self._square_mirror, self.squares + self._square_mirror])
        return inputs[:, both]


#: The games that can be learned, by name, as in `halbzug.teaching.solved_games`.
LINE_GAMES = {
    "connect-four 5 4": LineGame(5, 4, 4, falls=True),
    "connect-four 4 4": LineGame(4, 4, 4, falls=True),
    "noughts-and-crosses": LineGame(3, 3, 3, falls=False),
}

_TITLES = {
    "connect-four 5 4": "Connect Four, 5 by 4",
    "connect-four 4 4": "Connect Four, 4 by 4",
    "noughts-and-crosses": "noughts and crosses",
}


def game_title(name: str) -> str:
    """One of `LINE_GAMES` as a heading names it, in the reader's language."""
    return say(_TITLES[name])

"""Connect Four on a board of any size: four stones in a line win.

A state is two sets of squares as bits, column by column from the left, each from the bottom, with
an empty bit on top so that a line never continues in the next column. This is the layout of Tromp
(https://tromp.github.io/c4/c4.html), who counted the positions and solved the game with a database;
Allen and Allis had proved in 1988 that the first player wins on the standard board.
"""

from __future__ import annotations

from fractions import Fraction

from ..game_protocol import MAX, MIN, Game

#: The stones of the first player, and of the second.
Stones = tuple[int, int]


class ConnectFour(Game[Stones, int]):
    """The rules; a move is a column, counted from 0.

    :param width: columns, 4 to 9.
    :param height: rows, 4 to 9.
    :raises ValueError: if the board has another size.
    """

    def __init__(self, width: int = 7, height: int = 6) -> None:
        if not (4 <= width <= 9 and 4 <= height <= 9):
            raise ValueError(f"a board has 4 to 9 columns and rows, not {width} by {height}")
        self.width, self.height = width, height
        self._step = height + 1
        column = (1 << height) - 1
        self._columns = [column << at * self._step for at in range(width)]
        self._tops = [1 << at * self._step + height - 1 for at in range(width)]
        self._bottoms = [1 << at * self._step for at in range(width)]
        self._full = sum(self._columns)
        # The middle first: more lines pass through it, and alpha-beta needs good moves early.
        self._order = sorted(range(width), key=lambda at: abs(2 * at - width + 1))
        self._fours = self._all_lines()

    def start(self) -> Stones:
        """The empty board."""
        return 0, 0

    def player(self, state: Stones) -> int | None:
        """The first player has as many stones as the second when it is their turn."""
        first, second = state
        turn = MAX if first.bit_count() == second.bit_count() else MIN
        last = second if turn == MAX else first
        return None if first | second == self._full or self.has_line(last) else turn

    def moves(self, state: Stones) -> list[int]:
        """The columns with space, middle ones first."""
        stones = state[0] | state[1]
        return [column for column in self._order if not stones & self._tops[column]]

    def apply(self, state: Stones, move: int) -> Stones:
        """Drop a stone."""
        first, second = state
        stones = first | second
        stone = (stones + self._bottoms[move]) & self._columns[move] & ~stones
        if first.bit_count() == second.bit_count():
            return first | stone, second
        return first, second | stone

    def result(self, state: Stones) -> tuple[int, int]:
        """1 for a line, -1 for the other's."""
        value = self.has_line(state[0]) - self.has_line(state[1])
        return value, -value

    def has_line(self, stones: int) -> bool:
        """Whether there are four in a line: vertically, horizontally, or diagonally."""
        for shift in (1, self._step, self._step - 1, self._step + 1):
            pairs = stones & stones >> shift
            if pairs & pairs >> 2 * shift:
                return True
        return False

    def evaluate(self, state: Stones) -> tuple[Fraction, Fraction]:
        """The share of all lines open for a player, minus those open for the other."""
        first, second = state
        lines = sum((not second & four) - (not first & four) for four in self._fours)
        value = Fraction(lines, len(self._fours) + 1)
        return value, -value

    def symmetries(self, state: Stones) -> tuple[Stones, Stones]:
        """The board itself, and mirrored."""
        return state, (self._mirrored(state[0]), self._mirrored(state[1]))

    def read(self, columns: str) -> Stones:
        """The state after moves written as columns from 1: `4453`.

        :raises ValueError: if one of them is not possible.
        """
        state = self.start()
        for number, word in enumerate(columns, 1):
            possible = [] if self.player(state) is None else self.moves(state)
            if not word.isdigit() or int(word) - 1 not in possible:
                raise ValueError(f"move {number}, {word!r}, is not possible")
            state = self.apply(state, int(word) - 1)
        return state

    def text(self, state: Stones) -> str:
        """The rows from the top, separated by slashes."""
        return "/".join(
            "".join(self._cell(state, column, row) for column in range(self.width))
            for row in reversed(range(self.height))
        )

    def move_text(self, state: Stones, move: int) -> str:
        """The column, counted from 1."""
        return str(move + 1)

    def _cell(self, state: Stones, column: int, row: int) -> str:
        bit = 1 << column * self._step + row
        return "x" if state[0] & bit else "o" if state[1] & bit else "."

    def _mirrored(self, stones: int) -> int:
        mirrored = 0
        for column in range(self.width):
            one = stones >> column * self._step & self._columns[0]
            mirrored |= one << (self.width - 1 - column) * self._step
        return mirrored

    def _all_lines(self) -> list[int]:
        found = []
        for across, up in ((0, 1), (1, 0), (1, 1), (1, -1)):
            for column in range(self.width):
                for row in range(self.height):
                    end = column + 3 * across, row + 3 * up
                    if end[0] < self.width and 0 <= end[1] < self.height:
                        squares = ((column + n * across, row + n * up) for n in range(4))
                        found.append(sum(1 << x * self._step + y for x, y in squares))
        return found

"""What the workers of one search tell each other: Lazy SMP.

All workers search the same root with the same table, each for itself; they meet only in the
table and on a board of counters in shared memory, which each writes in its own row. Words are 64
bits and written whole, so nobody needs a lock. A row belongs to the job whose number it bears:
who is late still counts for the job it is at, and not for the next one.

Source: https://www.chessprogramming.org/Lazy_SMP
"""

from __future__ import annotations

from halbzug.board.rules import Depth, Flag, Nodes

#: Most workers of a team.
LARGEST_TEAM = 256

# A row is a cache line, so that writers do not disturb each other. The first row is everybody's.
_ROW = 8
_OVER = 0  # in the first row: the number of the last job that is over
_JOB, _NODES, _HITS, _DEPTH = range(4)

#: Bytes of a board.
BOARD_BYTES = (LARGEST_TEAM + 1) * _ROW * 8


class Team:
    """A worker's view of the team; by itself, a team of one.

    :param words: the board, of at least `size` + 1 rows of eight words.
    :param slot: which worker this is; 0 is the main one, whose word is final.
    :param size: how many workers there are.
    """

    def __init__(self, words: memoryview | None = None, slot: int = 0, size: int = 1) -> None:
        self.slot = slot
        self.size = size
        self._words = memoryview(bytearray(2 * _ROW * 8)).cast("Q") if words is None else words
        self._row = (slot + 1) * _ROW
        self._number = 1
        self._earlier_nodes = self._earlier_hits = 0

    @property
    def is_main(self) -> bool:
        """Whether this worker speaks for the team and ends its search."""
        return self.slot == 0

    def begin(self, number: int, nodes: int = 0, hits: int = 0) -> None:
        """Take part in the job of this number; what a dead worker counted for it stays.

        :param nodes: what that was, and tablebase hits, where the board died with the worker.
        """
        self._number = number
        words, row = self._words, self._row
        if words[row + _JOB] != number:
            words[row + _NODES], words[row + _HITS], words[row + _DEPTH] = nodes, hits, 0
        words[row + _JOB] = number
        self._earlier_nodes, self._earlier_hits = words[row + _NODES], words[row + _HITS]

    def end(self, number: int) -> None:
        """End this job and those before it, for all workers."""
        self._words[_OVER] = max(number, self._words[_OVER])

    @property
    def is_over(self) -> bool:
        """Whether somebody has ended the job."""
        return self._words[_OVER] >= self._number

    def publish(self, nodes: Nodes, hits: int) -> None:
        """Tell the others this worker's nodes and tablebase hits."""
        self._words[self._row + _NODES] = self._earlier_nodes + nodes
        self._words[self._row + _HITS] = self._earlier_hits + hits

    def total_nodes(self, own: Nodes) -> int:
        """Nodes of all workers, of which this one has searched `own`."""
        return self._earlier_nodes + own + self._of_others(_NODES)

    def total_hits(self, own: int) -> int:
        """Tablebase hits of all workers, of which this one has had `own`."""
        return self._earlier_hits + own + self._of_others(_HITS)

    def skips(self, depth: Depth) -> Flag:
        """Whether the iteration of this depth is left to others.

        The main worker skips none. Helpers keep one ply ahead of it, or two, every second one:
        they fill the table with what it will need, and are often the first to finish a depth.
        """
        if self.is_main:
            self._words[_ROW + _DEPTH] = depth
            return False
        words = self._words
        main_depth = words[_ROW + _DEPTH] if words[_ROW + _JOB] == self._number else 0
        return bool(depth <= main_depth + self.slot % 2)

    def _of_others(self, column: int) -> int:
        words, number = self._words, self._number
        total = 0
        for row in range(_ROW, (self.size + 1) * _ROW, _ROW):
            if row != self._row and words[row + _JOB] == number:
                total += words[row + column]
        return total

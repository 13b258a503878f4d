"""The shared counters of a search by several processes: Lazy SMP.

All workers search the same root independently. They share the transposition table and an array of
counters in shared memory, in which each worker writes only its own row. A 64-bit word is written
atomically, so no lock is needed. A row holds the number of its worker's current job, so that a late
worker's nodes are counted for its own job and not for the next one.

Source: https://www.chessprogramming.org/Lazy_SMP
"""

from __future__ import annotations

from ..board.movegen import Depth, Flag, Nodes

#: Maximum number of workers in a search, including the main one.
MAX_THREADS = 256

# A row is a cache line, so that writers do not slow each other down. The first row is shared.
_ROW = 8
_OVER = 0  # in the first row: the number of the last finished job
_JOB, _NODES, _HITS, _DEPTH = range(4)

#: Size of the shared memory, in bytes.
COUNTERS_BYTES = (MAX_THREADS + 1) * _ROW * 8


class SharedCounters:
    """The counters as seen by one worker; without arguments, those of a single-process search.

    :param words: the shared memory, at least `size` + 1 rows of eight words.
    :param slot: this worker's index; 0 is the main worker, which watches the clock and ends the
        search.
    :param size: the number of workers.
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
        """Whether this worker watches the clock, reports, and ends the search for all."""
        return self.slot == 0

    def begin(self, number: int, nodes: int = 0, hits: int = 0) -> None:
        """Join the job with this number.

        What a dead worker counted for the same job in this row still counts.

        :param nodes: the dead worker's nodes, if the shared memory was lost, too.
        :param hits: its tablebase hits.
        """
        self._number = number
        words, row = self._words, self._row
        if words[row + _JOB] != number:
            words[row + _NODES], words[row + _HITS], words[row + _DEPTH] = nodes, hits, 0
        words[row + _JOB] = number
        self._earlier_nodes, self._earlier_hits = words[row + _NODES], words[row + _HITS]

    def end(self, number: int) -> None:
        """End this job, and all with smaller numbers, for all workers."""
        self._words[_OVER] = max(number, self._words[_OVER])

    @property
    def is_over(self) -> bool:
        """Whether the job has been ended."""
        return self._words[_OVER] >= self._number

    def publish(self, nodes: Nodes, hits: int) -> None:
        """Publish this worker's nodes and tablebase hits to the others."""
        self._words[self._row + _NODES] = self._earlier_nodes + nodes
        self._words[self._row + _HITS] = self._earlier_hits + hits

    def total_nodes(self, own: Nodes) -> int:
        """The nodes of all workers, including this one's `own`."""
        return self._earlier_nodes + own + self._of_others(_NODES)

    def total_hits(self, own: int) -> int:
        """The tablebase hits of all workers, including this one's `own`."""
        return self._earlier_hits + own + self._of_others(_HITS)

    def skips(self, depth: Depth) -> Flag:
        """Whether this worker skips the iteration of this depth.

        The main worker skips none. Helpers search one or two plies deeper, by the parity of their
        slot: they fill the table with what the main worker needs next.
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

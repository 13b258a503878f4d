"""The transposition table: what the search knows about positions it has already seen.

One flat buffer of 16-byte entries, four per bucket (a cache line), so that the table fits in
private or shared memory and never grows. An entry is two 64-bit words:

====  =====================================================================================
word  contents
====  =====================================================================================
0     the position's Zobrist key, XOR word 1: torn or foreign entries do not match
1     move (16 bits), score (16), static evaluation (16), depth (8), generation (6), bound (2)
====  =====================================================================================

Technique: https://www.chessprogramming.org/Transposition_Table, bucket system with aging; the XOR
is Hyatt and Mann's lockless hashing.
"""

from __future__ import annotations

import contextlib
import mmap
import sys
from array import array

from ..base.os_errors import reason_of
from ..base.scores import EXACT_BOUND, LOWER_BOUND, TB_BOUND, UPPER_BOUND
from ..board.movegen import (
    Depth,
    Flag,
    Key,
    MoveCode,
    Number,
    Ply,
    Score,
    prefetch,
    read_once,
)

#: Marks a static evaluation that was not computed (the side was in check).
NO_EVALUATION = -32768

BUCKET = 4
ENTRY_BYTES = 16

_OFFSET = 32768  # makes a score an unsigned 16-bit number
_MIN_DEPTH = -1  # that of a quiescence without checks; depths are stored from 0 on
_GENERATIONS = 64

# Up to this many entries are cleared one by one; beyond it, the memory is replaced.
_MAX_FILLED = 1 << 15


def bound_of(score: Score, alpha: Score, beta: Score) -> Number:
    """The kind of bound that a fail-soft score gives, for the window it was searched with."""
    if score >= beta:
        return LOWER_BOUND
    if score <= alpha:
        return UPPER_BOUND
    return EXACT_BOUND


def _map(size: int) -> mmap.mmap:
    """Zeroed memory; in huge pages if available, because look-ups are random."""
    if sys.platform == "win32":
        return mmap.mmap(-1, size)
    memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    if hasattr(mmap, "MADV_HUGEPAGE"):
        with contextlib.suppress(OSError):
            memory.madvise(mmap.MADV_HUGEPAGE)
    return memory


class TranspositionTable:
    """A fixed-size hash table.

    `probe` leaves its result in the attributes `move`, `score`, `evaluation`, `depth` and `bound`;
    they are valid until the next probe.

    :param megabytes: size in MiB, at least 1. The table never grows beyond it.
    :param words: zeroed memory of that size, to share with other processes; by default the table
        allocates its own.
    :raises MemoryError: if the system does not provide the memory.
    """

    def __init__(self, megabytes: int = 16, words: memoryview | None = None) -> None:
        self.buckets = megabytes * 1024 * 1024 // (BUCKET * ENTRY_BYTES)
        self.generation = 0
        self.move = 0
        self.score = 0
        self.evaluation = 0
        self.depth = 0
        self.bound = 0
        # The buckets filled since the last `clear`, unless there are too many, or other
        # processes fill them, too.
        self.filled = array("I", bytes(4 * _MAX_FILLED))
        self.filled_end = 0 if words is None else _MAX_FILLED
        # Not copied to local names in `probe` and `store`: each would cost two locked instructions.
        self.words = self._allocate() if words is None else words

    def _index(self, key: Key) -> Key:
        """The first word of a key's bucket, by multiplication, because division is slow.

        Source: https://lemire.me/blog/2016/06/27/a-fast-alternative-to-the-modulo-reduction
        """
        bucket: Key = (key >> 32) * self.buckets >> 32
        return 8 * bucket

    def probe(self, key: Key, ply: Ply) -> Flag:
        """Look up a position; mate scores are converted to the view from `ply`."""
        index: Key = self._index(key)
        end: Key = index + 8
        while index < end:
            data: Key = read_once(self.words, index + 1)
            if self.words[index] ^ data == key and data >> 62:
                self.move = data & 0xFFFF
                score: Score = data >> 16 & 0xFFFF
                score -= _OFFSET
                if score >= TB_BOUND:
                    score -= ply
                elif score <= -TB_BOUND:
                    score += ply
                self.score = score
                evaluation: Score = data >> 32 & 0xFFFF
                self.evaluation = evaluation - _OFFSET
                depth: Depth = data >> 48 & 0xFF
                self.depth = depth + _MIN_DEPTH
                self.bound = data >> 62
                return True
            index += 2
        return False

    def prefetch(self, key: Key) -> None:
        """Prefetch a position that will soon be looked up."""
        prefetch(self.words, self._index(key))

    def decides(self, alpha: Score, beta: Score) -> Flag:
        """Whether the last probe's result settles a search with this window."""
        return (
            self.bound == EXACT_BOUND
            or (self.bound == LOWER_BOUND and self.score >= beta)
            or (self.bound == UPPER_BOUND and self.score <= alpha)
        )

    def store(
        self,
        key: Key,
        ply: Ply,
        move: MoveCode,
        score: Score,
        evaluation: Score,
        depth: Depth,
        bound: Number,
    ) -> None:
        """Store a result; mate scores are converted to the view from the position itself.

        Replaces the entry of the same position in the bucket; otherwise the least valuable entry,
        by depth and age.
        """
        kept_depth: Depth = depth - _MIN_DEPTH
        index: Key = self._index(key)
        end: Key = index + 8
        place: Key = index
        least: Depth = 0x7FFF
        while index < end:
            data: Key = read_once(self.words, index + 1)
            if data >> 62 == 0 or self.words[index] ^ data == key:
                place = index
                break
            age: Depth = self.generation - (data >> 56 & 0x3F) & 0x3F
            held: Depth = data >> 48 & 0xFF
            worth: Depth = held - 8 * age
            if worth < least:
                least = worth
                place = index
            index += 2
        old: Key = read_once(self.words, place + 1)
        if old >> 62 and self.words[place] ^ old == key:
            old_depth: Depth = old >> 48 & 0xFF
            is_current: Flag = (old >> 56 & 0x3F) == self.generation
            if bound != EXACT_BOUND and is_current and kept_depth + 3 < old_depth:
                return
            if move == 0:
                move = old & 0xFFFF
        elif old >> 62 == 0 and self.filled_end < _MAX_FILLED:
            self.filled[self.filled_end] = place >> 3
            self.filled_end += 1
        if score >= TB_BOUND:
            score += ply
        elif score <= -TB_BOUND:
            score -= ply
        unsigned_score: Key = score + _OFFSET
        unsigned_evaluation: Key = evaluation + _OFFSET
        word: Key = bound
        word = word << 6 | self.generation
        word = word << 8 | kept_depth
        word = word << 16 | unsigned_evaluation
        word = word << 16 | unsigned_score
        word = word << 16 | move
        self.words[place] = key ^ word
        self.words[place + 1] = word

    def new_search(self) -> None:
        """Age all entries by one search."""
        self.generation = (self.generation + 1) % _GENERATIONS

    def set_age(self, searches: int) -> None:
        """Set the number of searches so far: processes that share a table must agree on its age."""
        self.generation = searches % _GENERATIONS

    def hashfull(self) -> int:
        """The share of this search's entries in the table, in per mille (sampled)."""
        sample: Number = min(self.buckets * BUCKET, 1000)
        used: Number = 0
        number: Number
        for number in range(sample):
            data: Key = self.words[2 * number + 1]
            if data >> 62 and (data >> 56 & 0x3F) == self.generation:
                used += 1
        return used * 1000 // sample

    def clear(self) -> None:
        """Forget everything, and use private memory.

        After short searches the memory is kept, because new memory is slow at first access.
        """
        if self.filled_end < _MAX_FILLED:
            self._clear_filled()
        else:
            self.close()
            self.words = self._allocate()
            self.filled_end = 0
        self.generation = 0

    def _clear_filled(self) -> None:
        number: Number
        for number in range(self.filled_end):
            index: Key = self.filled[number]
            index *= 8
            end: Key = index + 8
            while index < end:
                self.words[index] = 0
                index += 1
        self.filled_end = 0

    def close(self) -> None:
        """Release the memory; the table is unusable until `clear`."""
        self.words = memoryview(bytearray(ENTRY_BYTES)).cast("Q")
        self.filled_end = _MAX_FILLED

    def _allocate(self) -> memoryview:
        size = self.buckets * BUCKET * ENTRY_BYTES
        try:
            return memoryview(_map(size)).cast("Q")
        except (OSError, OverflowError, ValueError) as error:
            raise MemoryError(
                f"no memory for a table of {size >> 20} MB: {reason_of(error)}"
            ) from None

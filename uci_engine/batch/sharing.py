"""Shares runs of positions among a pool's analysts, in chunks of about equal time.

The number of positions in a chunk is adapted as the run proceeds. A chunk that is lost because its
analyst died is divided, and its parts are tried one at a time. So the position that kills analysts
is found, and only that one is lost.
"""

from __future__ import annotations

import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from .analysts import AnalystError
from .pool_events import Broken, Done, Lost, Pool, PoolStep
from .questions import Answer, Run

#: Maximum number of positions in a chunk, and its maximum growth over the last chunk.
MAX_CHUNK = 2000
GROWTH = 4

#: When answers are passed on in order: how many may wait for an earlier one, and this multiple of
#: those in progress, if that is more.
MAX_HELD = 20_000
MAX_HELD_FACTOR = 2

#: At the end of the input, a chunk is what remains, divided by this multiple of the number of
#: analysts, but at least a chunk divided by `SMALLEST`. That much is read ahead to see the end
#: coming, but never more than `MAX_AHEAD` positions.
SHARES = 2
SMALLEST = 8
MAX_AHEAD = 20_000

#: How long to submit chunks before handling answers again, in seconds.
FILL_SECONDS = 0.1

#: The number of parts into which a lost chunk is divided.
PARTS = 32

#: How many entries a reader thread may read ahead.
AHEAD = 1000

#: Weight of a position's time in earlier chunks when the next chunk is done.
_MEMORY = 0.7

_T = TypeVar("_T")
_Read = TypeVar("_Read", covariant=True)

#: Marks that there is no entry yet.
_NONE = object()

#: An item with the runs that it needs answered, possibly none.
Entry = tuple[_T, Sequence[Run]]


class _Reader(Protocol[_Read]):
    """Where entries come from.

    :ivar is_over: whether there are no more.
    :ivar is_awaited: whether the last `take` found none, but more may come.
    """

    is_over: bool
    is_awaited: bool

    def take(self) -> Entry[_Read] | None:
        """The next entry; None if there is none now, or none any more."""


class _DirectReader(Generic[_T]):
    """Reads entries in the thread that takes them."""

    def __init__(self, entries: Iterable[Entry[_T]]) -> None:
        self.is_over = self.is_awaited = False
        self._entries = iter(entries)

    def take(self) -> Entry[_T] | None:
        entry = next(self._entries, None)
        self.is_over = entry is None
        return entry


class _ThreadReader(Generic[_T]):
    """Reads entries in a thread of its own, which may block.

    :param wake: called when an awaited entry arrives.
    """

    def __init__(self, entries: Iterable[Entry[_T]], wake: Callable[[], None]) -> None:
        self.is_over = self.is_awaited = False
        self._wake = wake
        self._wants_wake = threading.Event()
        self._line: queue.Queue[Entry[_T] | BaseException | None] = queue.Queue(AHEAD)
        thread = threading.Thread(
            target=self._feed, args=(entries,), name="halbzug-reader", daemon=True
        )
        thread.start()

    def take(self) -> Entry[_T] | None:
        entry = self._poll()
        if entry is _NONE:
            self._wants_wake.set()
            entry = self._poll()  # it may have arrived in the meantime
        self.is_awaited = entry is _NONE
        if isinstance(entry, BaseException):
            raise entry
        self.is_over = entry is None
        return entry if isinstance(entry, tuple) else None

    def _poll(self) -> Entry[_T] | BaseException | object | None:
        try:
            return self._line.get_nowait()
        except queue.Empty:
            return _NONE

    def _feed(self, entries: Iterable[Entry[_T]]) -> None:
        try:
            for entry in entries:
                self._put(entry)
            self._put(None)
        except BaseException as error:
            self._put(error)  # raised where the next entry is taken

    def _put(self, entry: Entry[_T] | BaseException | None) -> None:
        self._line.put(entry)
        if self._wants_wake.is_set():
            self._wants_wake.clear()
            self._wake()


@dataclass
class _Open(Generic[_T]):
    """An entry that still lacks answers."""

    item: _T
    runs: Sequence[Run]
    answers: dict[int, Sequence[Answer]] = field(default_factory=dict)
    told: int = 0  # positions already reported to `advance`

    @property
    def is_done(self) -> bool:
        return len(self.answers) == len(self.runs)

    @property
    def size(self) -> int:
        """The number of positions; an entry without positions counts as one."""
        return max(sum(map(len, self.runs)), 1)


#: A run's place: the number of its entry, and its index there.
_Place = tuple[int, int]


class Sharing(Generic[_T]):
    """Distributes entries among a pool's analysts.

    :param entries: read only as fast as they are processed.
    :param in_order: yield them in order rather than as they are done.
    :param may_wait: whether reading may block for long; then answers do not wait for it.
    :param advance: called first, with an entry and the number of its positions newly done.
    :param hear: called before that with an entry, the index of a run and its next answer, if the
        pool reports positions one by one. A run that is lost begins again.
    """

    def __init__(
        self,
        pool: Pool,
        entries: Iterable[Entry[_T]],
        *,
        in_order: bool = True,
        may_wait: bool = False,
        advance: Callable[[_T, int], None] | None = None,
        hear: Callable[[_T, int, Answer], None] | None = None,
    ) -> None:
        self._pool = pool
        self._in_order = in_order
        self._advance = advance
        self._hear = hear
        self._reader: _Reader[_T] = (
            _ThreadReader(entries, pool.wake) if may_wait else _DirectReader(entries)
        )
        self._read = 0  # entries
        self._open: dict[int, _Open[_T]] = {}
        self._finished: deque[_Open[_T]] = deque()
        self._next = 0  # number of the entry to yield next, in order
        self._held = 0  # positions done but not yet yielded
        self._waiting: deque[_Place] = deque()
        self._waiting_size = 0  # in positions
        self._chunks: dict[int, list[_Place]] = {}
        self._submitted = 0
        self._size = 1  # of the last chunk
        self._seconds = self._positions = 0.0  # in the chunks that are done
        self._suspects: list[list[_Place]] = []  # parts of lost chunks
        self._suspected = 0  # number of the chunk with the part being tried

    def __iter__(self) -> Iterator[tuple[_T, list[Sequence[Answer]]]]:
        """Yield each entry with the answers to its runs, until all are done.

        :raises StartError: if the pool cannot continue.
        """
        while True:
            is_filled = self._submit_chunks()
            yield from self._take_finished()
            if self._chunks or self._reader.is_awaited:
                self._handle_events(waits=is_filled)
            elif self._reader.is_over and not self._open:
                return

    # -- to the pool ----------------------------------------------------------------------------

    def _submit_chunks(self) -> bool:
        """Submit as many chunks as wanted within `FILL_SECONDS`; return whether that was enough."""
        deadline = time.perf_counter() + FILL_SECONDS
        if self._suspects and not self._suspected:
            self._submit(self._suspects.pop())
            self._suspected = self._submitted
        wanted = self._pool.wanted
        limit = max(MAX_HELD, MAX_HELD_FACTOR * wanted * self._size)
        while len(self._chunks) < wanted and self._held < limit:
            places = self._next_chunk()
            if not places:
                break
            self._submit(places)
            if time.perf_counter() >= deadline:
                return False
        return True

    def _submit(self, places: list[_Place]) -> None:
        self._submitted += 1
        self._chunks[self._submitted] = places
        self._pool.submit(self._submitted, [self._open[number].runs[run] for number, run in places])

    def _next_chunk(self) -> list[_Place]:
        """The runs of the next chunk; empty if none are ready, or too few to be worth sending."""
        wanted = self._wanted_size()
        shares = SHARES * self._pool.size
        self._read_runs(max(min(shares * wanted, MAX_AHEAD), wanted))
        if self._reader.is_over:  # ever smaller, so that all analysts finish at about the same time
            wanted = min(wanted, max(self._waiting_size // shares, wanted // SMALLEST, 1))
        is_full = self._waiting_size >= wanted or self._reader.is_over
        if not is_full and len(self._chunks) >= self._pool.size:
            return []  # no analyst is idle
        places: list[_Place] = []
        size = 0
        while self._waiting:
            number, run = self._waiting[0]
            length = len(self._open[number].runs[run])
            if places and size + length > wanted:
                break
            places.append(self._waiting.popleft())
            size += length
        self._waiting_size -= size
        return places

    def _read_runs(self, wanted: int) -> None:
        """Read until this many positions are waiting, if there are as many."""
        number = 0
        while max(self._waiting_size, number) < wanted and not self._reader.is_over:
            entry = self._reader.take()
            if entry is None:
                break
            opened = _Open(*entry)
            self._open[self._read] = opened
            self._waiting.extend((self._read, run) for run in range(len(opened.runs)))
            self._waiting_size += sum(map(len, opened.runs))
            if opened.is_done:
                self._finish(self._read)
            self._read += 1
            number += 1

    def _wanted_size(self) -> int:
        if self._positions:
            seconds = max(self._seconds / self._positions, 1e-6)
            longest = min(GROWTH * self._size, MAX_CHUNK)
            self._size = max(min(int(self._pool.chunk_seconds / seconds), longest), 1)
        return self._size

    # -- from the pool --------------------------------------------------------------------------

    def _handle_events(self, *, waits: bool) -> None:
        """Handle all pending events.

        :param waits: whether to wait for the first.
        """
        event = self._pool.next_event(waits=waits)
        while event:
            if isinstance(event, Done):
                self._handle_done(event)
            elif isinstance(event, PoolStep):
                number, run = self._chunks[event.number][event.run]
                if self._hear:
                    self._hear(self._open[number].item, run, event.answer)
                self._tell(self._open[number], 1)
            elif isinstance(event, Lost):
                self._handle_lost(event)
            elif isinstance(event, Broken):
                raise event.error
            event = self._pool.next_event(waits=False)

    def _handle_done(self, event: Done) -> None:
        places = self._close_chunk(event.number)
        size = sum(len(self._open[number].runs[run]) for number, run in places)
        self._seconds = _MEMORY * self._seconds + event.seconds
        self._positions = _MEMORY * self._positions + size
        for place, answers in zip(places, event.answers, strict=True):
            self._set_answers(place, answers)

    def _handle_lost(self, event: Lost) -> None:
        was_suspected = event.number == self._suspected
        places = self._close_chunk(event.number)
        if len(places) == 1 and was_suspected:
            ((number, run),) = places
            size = len(self._open[number].runs[run])
            self._set_answers((number, run), [AnalystError(event.reason)] * size)
            return
        part = -(-len(places) // PARTS)
        parts = [places[begin : begin + part] for begin in range(0, len(places), part)]
        self._suspects += reversed(parts)

    def _close_chunk(self, number: int) -> list[_Place]:
        if number == self._suspected:
            self._suspected = 0
        return self._chunks.pop(number)

    def _set_answers(self, place: _Place, answers: Sequence[Answer]) -> None:
        number, run = place
        opened = self._open[number]
        opened.answers[run] = answers
        if opened.is_done:
            self._tell(opened, opened.size - opened.told)
            self._finish(number)

    def _tell(self, opened: _Open[_T], positions: int) -> None:
        opened.told += positions
        if self._advance and positions:
            self._advance(opened.item, positions)

    # -- to the caller --------------------------------------------------------------------------

    def _finish(self, number: int) -> None:
        if self._in_order:
            self._held += self._open[number].size
        else:
            self._finished.append(self._open.pop(number))

    def _take_finished(self) -> Iterator[tuple[_T, list[Sequence[Answer]]]]:
        if self._in_order:
            while (first := self._open.get(self._next)) and first.is_done:
                del self._open[self._next]
                self._next += 1
                self._held -= first.size
                yield _with_answers(first)
        while self._finished:
            yield _with_answers(self._finished.popleft())


def _with_answers(opened: _Open[_T]) -> tuple[_T, list[Sequence[Answer]]]:
    return opened.item, [opened.answers[run] for run in range(len(opened.runs))]

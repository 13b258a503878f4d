"""The workers beside the main one: all of them search the same root over one shared table.

The main worker keeps the clock; `Engine` looks after it and is the one voice. The helpers fill
the table, and each finished line of theirs is kept here for the vote. Nothing waits for a helper:
one that dies or hangs is replaced, and costs no more than its help.
"""

from __future__ import annotations

import os
import queue
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from halbzug.events import BestMove, Info, Notice
from halbzug.reasons import reason_of
from halbzug.scores import EXACT
from halbzug.search.smp_counters import COUNTERS_BYTES, SharedCounters
from halbzug.workers.shared_memory import SharedMemory
from halbzug.workers.worker import (
    SMALLER_TABLES,
    Death,
    Job,
    Place,
    Ready,
    Report,
    SetHash,
    SetTables,
    Worker,
)

#: `isready` is answered when all helpers have what they need, or after so many seconds.
START_SECONDS = 5.0

#: A helper that lets so many jobs pile up without a word for so many seconds is replaced.
MOST_WAITING = 8
PATIENCE_SECONDS = 10.0

#: A helper that died so many times without a word in between is not replaced.
MOST_DEATHS = 5


@dataclass
class _Helper:
    """A worker, and what became of it."""

    slot: int
    worker: Worker
    heard: float  # seconds, time.perf_counter
    is_ready: bool = False
    deaths: int = 0
    waiting: int = 0  # jobs sent and not answered
    line: Info | None = None  # the last finished one of the current job


class Helpers:
    """Helpers, as many as are wanted, and the memory they share with the main worker.

    :param inbox: where reports arrive; whoever takes them from there calls `handle`.
    :param tell: called with what the user should know.
    :param hash_mb: size in MiB of the main worker's table, until it is renewed.
    """

    def __init__(
        self, inbox: queue.SimpleQueue[Any], tell: Callable[[str], None], hash_mb: int
    ) -> None:
        self._inbox = inbox
        self._tell = tell
        self._helpers: list[_Helper] = []
        self._hash_mb = hash_mb
        self._tables = SetTables()
        self._memory: SharedMemory | None = None
        self._board: SharedMemory | None = None
        self._team = SharedCounters()
        self._size = 1
        self._number = 0  # of the last job
        self._job: Job | None = None  # while it is not over
        self._start_until: float | None = None
        self._complaints: set[str] = set()  # about the settings of `renew`
        self._asked = (0, 0)  # those settings: helpers, and MiB

    @property
    def pids(self) -> list[int]:
        """Their process ids."""
        return [helper.worker.pid for helper in self._helpers]

    # -- settings -------------------------------------------------------------------------------

    def renew(self, number: int, hash_mb: int, tables: SetTables) -> None:
        """Have so many helpers, and an empty table of so many MiB for all workers.

        Without shared memory there will be no helpers, and a message says why. The main worker
        must be equipped anew.
        """
        old = self._memory
        if (number, hash_mb) != self._asked:
            self._asked = (number, hash_mb)
            self._complaints.clear()
        self._tables = tables
        self._hash_mb = hash_mb
        self._memory = None
        if number:
            number = self._share(number)
        surplus, self._helpers = self._helpers[number:], self._helpers[:number]
        self._size = number + 1
        self._dismiss(surplus)
        if old:
            old.close()
        if not number:
            self._close_board()
        for helper in self._helpers:
            self.equip(helper.worker, helper.slot)
            self._wait_for(helper)
        taken = {helper.slot for helper in self._helpers}
        for slot in range(1, number + 1):
            if slot not in taken and not self._start(slot):
                break

    def set_tables(self, tables: SetTables) -> None:
        """Open other tablebases."""
        self._tables = tables
        for helper in self._helpers:
            helper.worker.send(tables)
            self._wait_for(helper)

    def equip(self, worker: Worker, slot: int = 0) -> None:
        """Give a worker its table and its place in the team; the main one is 0."""
        if self._memory and self._board:
            place = Place(slot, self._size, self._memory.handle, self._board.handle)
            worker.send(SetHash(self._hash_mb, place), (self._memory, self._board))
        else:
            worker.send(SetHash(self._hash_mb))

    def close(self) -> None:
        """End them all, and give the memory back."""
        self._dismiss(self._helpers)
        self._helpers = []
        if self._memory:
            self._memory.close()
            self._memory = None
        self._close_board()

    # -- searching ------------------------------------------------------------------------------

    def dispatch(self, job: Job) -> None:
        """Help with this job until somebody ends it."""
        # Time is the main worker's business.
        self._number = job.number
        self._job = job = replace(job, budget=None)
        now = time.perf_counter()
        for helper in self._helpers:
            helper.line = None
            if helper.waiting < MOST_WAITING:
                helper.waiting += 1
                helper.worker.send(job)
            elif now - helper.heard > PATIENCE_SECONDS:
                helper.worker.kill()  # its death is handled like any other

    def end(self, number: int) -> None:
        """The job of this number is over; the workers notice at once."""
        self._team.end(number)
        self._job = None

    def lines(self, number: int) -> list[Info]:
        """The last finished line of each helper for this job."""
        return [] if self._number != number else [h.line for h in self._helpers if h.line]

    # -- driving --------------------------------------------------------------------------------

    @property
    def are_ready(self) -> bool:
        """Whether all have what they need, or have had time enough to get it."""
        return self._start_until is None

    @property
    def due(self) -> float | None:
        """When `give_up_waiting` is due, by `time.perf_counter`."""
        return self._start_until

    def give_up_waiting(self) -> None:
        """No longer wait for those that are slow to start."""
        if self._start_until is not None and time.perf_counter() >= self._start_until:
            self._start_until = None

    def handle(self, item: Report | Death) -> None:
        """Handle what came from a worker that is not the main one.

        A helper that comes to the end of a job before anybody stopped it has done the job.
        """
        for helper in self._helpers:
            if helper.worker is item.worker:
                if isinstance(item, Death):
                    self._replace(helper, item)
                else:
                    self._note(helper, item)
                break
        if all(helper.is_ready for helper in self._helpers):
            self._start_until = None

    def _note(self, helper: _Helper, report: Report) -> None:
        event = report.event
        helper.heard = time.perf_counter()
        helper.deaths = 0
        if isinstance(event, Ready) and event.settings == helper.worker.settings:
            helper.is_ready = True
        if isinstance(event, BestMove):
            helper.waiting -= 1
            if report.number == self._number:
                self.end(report.number)
        elif (
            isinstance(event, Info)
            and report.number == self._number
            and event.multipv == 1
            and event.bound == EXACT
            and event.pv
        ):
            helper.line = event
        elif isinstance(event, Notice) and report.number:  # else the main worker says it, too
            self._tell(event.text)

    # -- processes and memory -------------------------------------------------------------------

    def _share(self, number: int) -> int:
        """Make a table for so many helpers and the main worker; for how many there is one."""
        hash_mb = self._hash_mb
        reason: OSError | None = None
        for size in dict.fromkeys((hash_mb, *SMALLER_TABLES)):
            try:
                if self._board is None:
                    self._board = SharedMemory(COUNTERS_BYTES)
                    self._team = SharedCounters(self._board.map().words)
                self._memory = SharedMemory(size << 20)
            except OSError as error:
                reason = reason or error
                continue
            self._hash_mb = size
            if reason:
                trouble = f"no memory for a table of {hash_mb} MB: {reason_of(reason)}"
                self._complain(f"{trouble}; using a smaller one")
            elif self._memory.folder:
                self._complain(f"the table for all threads is a file in {self._memory.folder}")
            return number
        trouble = reason_of(reason or OSError("no reason given"))
        self._complain(f"no memory to share ({trouble}): searching with one thread")
        return 0

    def _complain(self, text: str) -> None:
        """Tell what a setting leads to, once and not with every new game."""
        if text not in self._complaints:
            self._complaints.add(text)
            self._tell(text)

    def _close_board(self) -> None:
        if self._board:
            self._board.close()
            self._board = None
        self._team = SharedCounters()

    def _start(self, slot: int, deaths: int = 0) -> bool:
        """Start a helper, and let it join what is going on; whether that was possible."""
        try:
            worker = Worker(self._inbox)
        except OSError as error:
            self._tell(f"cannot start a search process: {reason_of(error)}")
            return False
        if slot >= _cores():  # else the main worker and the front would wait for their turn
            worker.give_way()
        self.equip(worker, slot)
        worker.send(self._tables)
        helper = _Helper(slot, worker, time.perf_counter(), deaths=deaths)
        self._helpers.append(helper)
        self._wait_for(helper)
        if self._job:
            helper.waiting += 1
            worker.send(self._job)
        return True

    def _wait_for(self, helper: _Helper) -> None:
        helper.is_ready = False
        self._start_until = time.perf_counter() + START_SECONDS

    def _replace(self, helper: _Helper, death: Death) -> None:
        self._helpers.remove(helper)
        if death.is_for_want_of_threads:
            self._tell(f"{death.reason}: going on with one thread less")
        elif helper.deaths + 1 < MOST_DEATHS:
            self._tell(f"a search process died{death.remark} and is replaced")
            self._start(helper.slot, helper.deaths + 1)
        else:
            self._tell(f"a search process keeps dying{death.remark}: going on with one thread less")

    @staticmethod
    def _dismiss(helpers: list[_Helper]) -> None:
        for helper in helpers:
            helper.worker.dismiss()
        for helper in helpers:
            helper.worker.close()


def _cores() -> int:
    """How many processes can run at the same time."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1

"""The workers beside the main one: they all search the same root with one shared table.

The main worker watches the clock, and the engine watches it. The helpers fill the table, and the
last finished line of each is kept here for the vote. Nothing waits for a helper: one that dies or
hangs is replaced, and only its help is lost.
"""

from __future__ import annotations

import os
import queue
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..base.events import BestMove, Info, Notice
from ..base.os_errors import reason_of
from ..base.scores import EXACT_BOUND
from ..search.smp_counters import COUNTERS_BYTES, SharedCounters
from .messages import (
    SMALLER_HASH_MB,
    Job,
    PoolSlot,
    Ready,
    SetHash,
    SetTablebases,
)
from .patience import Patience
from .shared_memory import SharedMemory
from .worker import Worker, WorkerExit, WorkerProgram, WorkerReport

#: `isready` is answered when all helpers are ready, or after this many seconds.
HELPER_START_SECONDS = 5.0

#: A helper with this many unanswered jobs that stays silent for this many more seconds is replaced.
#: The time in which it waits for a processor does not count.
MAX_UNANSWERED_JOBS = 8
HELPER_SILENCE_SECONDS = 10.0

#: A helper that died this many times without reporting in between is not replaced.
MAX_HELPER_EXITS = 5


@dataclass
class _Helper:
    """A worker, and its state."""

    slot: int
    worker: Worker
    is_ready: bool = False
    exits: int = 0
    unanswered: int = 0  # number of jobs sent since its last answer
    patience: Patience | None = None  # if there are too many
    line: Info | None = None  # its last finished line in the current job


class Helpers:
    """The helpers, and the memory that they share with the main worker.

    :param inbox: where reports arrive; the owner passes them to `handle`.
    :param notify: called with messages for the user.
    :param hash_mb: size in MiB of the main worker's table, until it is renewed.
    :param tablebases: those that are open from the beginning.
    :param program: what helpers run.
    """

    def __init__(
        self,
        inbox: queue.SimpleQueue[Any],
        notify: Callable[[str], None],
        hash_mb: int,
        tablebases: SetTablebases,
        program: WorkerProgram,
    ) -> None:
        self._inbox = inbox
        self._program = program
        self._notify = notify
        self._helpers: list[_Helper] = []
        self._hash_mb = hash_mb
        self._tablebases = tablebases
        self._memory: SharedMemory | None = None
        self._counters: SharedMemory | None = None
        self._shared_counters = SharedCounters()
        self._size = 1
        self._number = 0  # of the last job
        self._job: Job | None = None  # while it is not over
        self._ready_by: float | None = None
        self._complaints: set[str] = set()  # about the settings of `renew`
        self._wanted = (0, 0)  # the requested number of helpers, and MiB

    @property
    def pids(self) -> list[int]:
        """The helpers' process ids."""
        return [helper.worker.pid for helper in self._helpers]

    # -- settings -------------------------------------------------------------------------------

    def renew(self, number: int, hash_mb: int) -> None:
        """Start this number of helpers, with an empty table of this many MiB for all workers.

        Without shared memory there are no helpers, and a message says why. The main worker must be
        equipped again.
        """
        old = self._memory
        if (number, hash_mb) != self._wanted:
            self._wanted = (number, hash_mb)
            self._complaints.clear()
        self._hash_mb = hash_mb
        self._memory = None
        if number:
            number = self._make_shared_memory(number)
        surplus, self._helpers = self._helpers[number:], self._helpers[:number]
        self._size = number + 1
        self._dismiss(surplus)
        if old:
            old.close()
        if not number:
            self._close_counters()
        for helper in self._helpers:
            self.equip(helper.worker, helper.slot)
            self._wait_for(helper)
        taken = {helper.slot for helper in self._helpers}
        for slot in range(1, number + 1):
            if slot not in taken and not self._start_helper(slot):
                break

    def open_tablebases(self, tablebases: SetTablebases) -> None:
        """Open other tablebases."""
        self._tablebases = tablebases
        for helper in self._helpers:
            helper.worker.send(tablebases)
            self._wait_for(helper)

    def equip(self, worker: Worker, slot: int = 0) -> None:
        """Give a worker its table and its slot in the pool; the main one has 0."""
        if self._memory and self._counters:
            pool_slot = PoolSlot(slot, self._size, self._memory.handle, self._counters.handle)
            worker.send(SetHash(self._hash_mb, pool_slot), (self._memory, self._counters))
        else:
            worker.send(SetHash(self._hash_mb))

    def close(self) -> None:
        """End all helpers, and release the memory."""
        self._dismiss(self._helpers)
        self._helpers = []
        if self._memory:
            self._memory.close()
            self._memory = None
        self._close_counters()

    # -- searching ------------------------------------------------------------------------------

    def start_job(self, job: Job) -> None:
        """Help with this job until somebody ends it; the main worker watches the time."""
        self._number = job.number
        if not self._wanted[0]:
            return
        self._job = job = job._replace(move_time=None)
        for helper in self._helpers:
            helper.line = None
            if helper.unanswered < MAX_UNANSWERED_JOBS:
                helper.unanswered += 1
                helper.worker.send(job)
            elif helper.patience is None:
                helper.patience = Patience(helper.worker.pid, HELPER_SILENCE_SECONDS)
            elif helper.patience.is_over():
                helper.worker.kill()  # its death is handled like any other

    def end_job(self, number: int) -> None:
        """End the job with this number; the workers notice at once."""
        self._shared_counters.end(number)
        self._job = None

    def lines(self, number: int) -> list[Info]:
        """The last finished line of each helper in this job."""
        return [] if self._number != number else [h.line for h in self._helpers if h.line]

    # -- driving --------------------------------------------------------------------------------

    @property
    def are_ready(self) -> bool:
        """Whether all helpers are ready, or no longer waited for."""
        return self._ready_by is None

    @property
    def due(self) -> float | None:
        """When `give_up_waiting` is due, by `time.perf_counter`; None if it is not."""
        return self._ready_by

    def give_up_waiting(self) -> None:
        """Stop waiting for slow helpers."""
        if self._ready_by is not None and time.perf_counter() >= self._ready_by:
            self._ready_by = None

    def handle(self, item: WorkerReport | WorkerExit) -> None:
        """Handle a report from a worker other than the main one.

        A helper that finishes a job before anybody stopped it has completed it, unless several
        lines are wanted: those come from the main worker.
        """
        for helper in self._helpers:
            if helper.worker is item.worker:
                if isinstance(item, WorkerExit):
                    self._replace_helper(helper, item)
                else:
                    self._note_report(helper, item)
                break
        if all(helper.is_ready for helper in self._helpers):
            self._ready_by = None

    def _note_report(self, helper: _Helper, report: WorkerReport) -> None:
        event = report.event
        helper.patience = None
        helper.exits = 0
        if isinstance(event, Ready) and event.settings_done == helper.worker.settings_sent:
            helper.is_ready = True
        if isinstance(event, BestMove):
            helper.unanswered -= 1
            if report.number == self._number and self._job and self._job.multi_pv == 1:
                self.end_job(report.number)
        elif (
            isinstance(event, Info)
            and report.number == self._number
            and event.multipv == 1
            and event.bound == EXACT_BOUND
            and event.pv
        ):
            helper.line = event
        elif (
            isinstance(event, Notice) and report.number
        ):  # others are reported by the main worker, too
            self._notify(event.text)

    # -- processes and memory -------------------------------------------------------------------

    def _make_shared_memory(self, number: int) -> int:
        """Create the table and the counters for the main worker and this number of helpers.

        :returns: the number of helpers that have them: all or none.
        """
        hash_mb = self._hash_mb
        reason: OSError | None = None
        for size in dict.fromkeys((hash_mb, *SMALLER_HASH_MB)):
            try:
                if self._counters is None:
                    self._counters = SharedMemory(COUNTERS_BYTES)
                    self._shared_counters = SharedCounters(self._counters.map().words)
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
        """Report the consequence of a setting once, not in every new game."""
        if text not in self._complaints:
            self._complaints.add(text)
            self._notify(text)

    def _close_counters(self) -> None:
        if self._counters:
            self._counters.close()
            self._counters = None
        self._shared_counters = SharedCounters()

    def _start_helper(self, slot: int, exits: int = 0) -> bool:
        """Start a helper, and let it join the current job; return whether that was possible."""
        try:
            worker = Worker(self._inbox, self._program)
        except OSError as error:
            self._notify(f"cannot start a search process: {reason_of(error)}")
            return False
        if slot >= cores():  # otherwise the main worker and the front would compete for a core
            worker.lower_priority()
        self.equip(worker, slot)
        worker.send(self._tablebases)
        helper = _Helper(slot, worker, exits=exits)
        self._helpers.append(helper)
        self._wait_for(helper)
        if self._job:
            helper.unanswered += 1
            worker.send(self._job)
        return True

    def _wait_for(self, helper: _Helper) -> None:
        helper.is_ready = False
        self._ready_by = time.perf_counter() + HELPER_START_SECONDS

    def _replace_helper(self, helper: _Helper, worker_exit: WorkerExit) -> None:
        self._helpers.remove(helper)
        if worker_exit.is_thread_limit:
            self._notify(f"{worker_exit.reason}: continuing with one thread fewer")
        elif helper.exits + 1 < MAX_HELPER_EXITS:
            self._notify(f"a search process died{worker_exit.remark} and is replaced")
            self._start_helper(helper.slot, helper.exits + 1)
        else:
            self._notify(
                f"a search process keeps dying{worker_exit.remark}:"
                " continuing with one thread fewer"
            )

    @staticmethod
    def _dismiss(helpers: list[_Helper]) -> None:
        for helper in helpers:
            helper.worker.dismiss()
        for helper in helpers:
            helper.worker.close()


def cores() -> int:
    """The number of processes that can run at the same time."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1

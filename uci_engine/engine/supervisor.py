"""Supervises the search processes: starts them, waits for them, and replaces failed ones.

It knows searches only by their job numbers; `Engine` decides which move is played.
"""

from __future__ import annotations

import os
import queue
import time
from collections.abc import Callable
from typing import Any

from ..base.events import DIED, TOO_LATE, BestMove, Info, Notice
from ..base.os_errors import reason_of
from ..workers.messages import Job, PonderHit, Ready, SetFileOptions, SetTablebases, Stop
from ..workers.patience import Patience
from ..workers.smp_pool import Helpers
from ..workers.worker import Worker, WorkerExit, WorkerProgram, WorkerReport
from .options import Options

#: A worker whose answer was late must report within this time, in seconds, or it is replaced. The
#: time in which it waits for a processor does not count.
LATE_SECONDS = 1.5

#: The same for a worker that has not reported anything yet, and may be slow to start.
START_SECONDS = 10.0

#: `isready` waits at most this many seconds for a worker to start; chess programs wait 10.
READY_SECONDS = 8.0

#: After this many exits without a report in between, no worker is started ...
MAX_WORKER_EXITS = 5

#: ... until a new game, or a search this many seconds later.
PENALTY_SECONDS = 30.0


class Supervisor:
    """The main worker, and its helpers.

    :param inbox: receives their reports; the caller takes them from there and calls `handle`.
    :param notify: called with messages for the user.
    :param program: what the processes run.
    """

    def __init__(
        self,
        inbox: queue.SimpleQueue[Any],
        notify: Callable[[Notice], None],
        options: Options,
        program: WorkerProgram,
    ) -> None:
        self._inbox = inbox
        self._notify = notify
        self._program = program
        self._file_state: object = None  # of the file when the worker read it
        self._file_options: dict[str, int | str | bool] = {}
        self._hash_mb = options.hash_mb
        self._tablebases = _tablebases(options)
        self._worker: Worker | None = None
        self._has_reported = False  # whether the worker has, since it was started
        self._ready_by: float | None = None  # until when the engine waits for it
        self._late_job: tuple[int, Patience] | None = None  # its number
        self._killed: Worker | None = None  # killed because it did not answer
        self._exits = 0  # without a report in between
        self._last_exit = 0.0
        self._is_closed = False
        self._helpers = Helpers(inbox, self._say, self._hash_mb, self._tablebases, program)

    def start(self, threads: int) -> None:
        """Start the processes."""
        if threads > 1:
            self._helpers.renew(threads - 1, self._hash_mb)
        self._start_worker()

    def close(self) -> None:
        """End all processes."""
        self._is_closed = True
        if self._worker:
            self._worker.dismiss()
        self._helpers.close()
        if self._worker:
            self._worker.close()
            self._worker = None

    def end_workers(self, reason: str) -> bool:
        """End all processes, and start none until that is allowed again.

        :param reason: one line.
        :returns: whether there was a main worker.
        """
        self._helpers.renew(0, self._hash_mb)
        worker = self._worker
        if worker is None:
            return False
        self._go_on_without_worker(reason)
        worker.close()
        self._late_job = None
        return True

    # -- settings -------------------------------------------------------------------------------

    def renew_hash(self, options: Options) -> None:
        """Create an empty transposition table, and start or end helpers as the options require."""
        self._hash_mb = options.hash_mb
        if self._is_closed:  # a closed supervisor starts no processes
            return
        self._helpers.renew(options.threads - 1, options.hash_mb)
        if self._worker:
            self._helpers.equip(self._worker)
            self._wait_for_worker()

    def open_tablebases(self, options: Options) -> None:
        """Open other tablebases, in addition to those that come with Halbzug."""
        self._tablebases = _tablebases(options)
        self._helpers.open_tablebases(self._tablebases)
        if self._worker:
            self._worker.send(self._tablebases)
            self._wait_for_worker()

    def set_file_option(self, name: str, value: int | str | bool) -> None:
        """Set an option declared by the worker's file."""
        self._file_options[name] = value
        if self._worker:
            self._worker.send(SetFileOptions(((name, value),)))
            self._wait_for_worker()

    def renew_changed_file(self) -> bool:
        """Start another worker if its file has changed and still exists; return whether it has."""
        state = _state_of(self._program.file)
        if state is None or state == self._file_state:
            return False
        if self._worker:
            self._worker.kill()
            self._worker.dismiss()
        self._late_job = None
        self._start_worker()
        return True

    # -- state ----------------------------------------------------------------------------------

    @property
    def has_worker(self) -> bool:
        """Whether there is a main worker."""
        return self._worker is not None

    @property
    def worker_pid(self) -> int | None:
        """The process id of the main worker; None if there is none."""
        return self._worker.pid if self._worker else None

    @property
    def helper_pids(self) -> list[int]:
        """The process ids of the helpers."""
        return self._helpers.pids

    @property
    def is_ready(self) -> bool:
        """Whether all workers are ready, or have taken too long."""
        return self._worker is None or (not self.is_starting and self._helpers.are_ready)

    @property
    def is_starting(self) -> bool:
        """Whether there is a main worker that is not ready yet, after a start or a setting."""
        return self._ready_by is not None

    @property
    def can_start_job(self) -> bool:
        """Whether the main worker is ready, and has no older job."""
        return self._worker is None or (not self.is_starting and self._late_job is None)

    def is_main(self, worker: Worker) -> bool:
        """Whether this is the main worker, whose best move counts."""
        return worker is self._worker

    # -- jobs -----------------------------------------------------------------------------------

    def start_job(self, job: Job) -> None:
        """Start a job; helpers join a search at full strength."""
        if self._worker:
            self._worker.send(job)
        if job.kind == "search" and job.handicap is None:
            self._helpers.start_job(job)

    def restart_job(self, job: Job) -> None:
        """Give a new main worker the job of one that has died; the helpers continue with it."""
        if self._worker:
            self._worker.send(job)

    def ponder_hit(self, number: int) -> None:
        """Start the clock of a pondering job."""
        if self._worker:
            self._worker.send(PonderHit(number))

    def stop_job(self, number: int) -> None:
        """Request the best move of a job now."""
        if self._worker:
            self._worker.send(Stop(number))
        self._helpers.end_job(number)

    def end_job(self, number: int) -> None:
        """Make the helpers end a job that the main worker has finished."""
        self._helpers.end_job(number)

    def give_up_job(self, number: int) -> None:
        """Stop a job that was answered without the worker, which gets a little more time."""
        self.stop_job(number)
        if self._worker and self._late_job is None:
            seconds = LATE_SECONDS if self._has_reported else START_SECONDS
            self._late_job = (number, Patience(self._worker.pid, seconds))

    def helper_lines(self, number: int) -> list[Info]:
        """The last finished line of each helper for this job."""
        return self._helpers.lines(number)

    # -- driving --------------------------------------------------------------------------------

    @property
    def due(self) -> float | None:
        """When `enforce_deadlines` is due, by `time.perf_counter`; None if it is not."""
        moments = [self._ready_by, self._helpers.due]
        if self._late_job:
            moments.append(self._late_job[1].due)
        return min((moment for moment in moments if moment is not None), default=None)

    def enforce_deadlines(self) -> None:
        """Stop waiting for a worker that is slow to start, and kill one that does not answer."""
        self._helpers.give_up_waiting()
        now = time.perf_counter()
        if self._ready_by is not None and now >= self._ready_by:
            self._ready_by = None
        patience = self._late_job[1] if self._late_job else None
        if patience and now >= patience.due and patience.is_over():
            self._late_job = None
            self._say("the search process does not answer and is replaced", TOO_LATE)
            if self._worker:
                self._killed = self._worker
                self._worker.kill()

    def handle(self, item: WorkerReport | WorkerExit) -> None:
        """Handle a report, and replace a worker that has exited."""
        if not self.is_main(item.worker):
            self._helpers.handle(item)
        elif isinstance(item, WorkerExit):
            self._replace_worker(item)
        else:
            self._note_report(item)

    def _note_report(self, report: WorkerReport) -> None:
        self._exits = 0
        event = report.event
        is_last = isinstance(event, BestMove | Ready)
        if self._late_job and is_last and report.number >= self._late_job[0]:
            self._late_job = None
        if isinstance(event, Ready) and report.number == 0:
            self._has_reported = True
            if event.settings_done == report.worker.settings_sent:
                self._ready_by = None

    def _say(self, text: str, fault: str = "") -> None:
        self._notify(Notice(text, fault=fault))

    # -- the main worker ------------------------------------------------------------------------

    def _start_worker(self) -> None:
        self._has_reported = False
        self._ready_by = None
        self._worker = None
        try:
            self._file_state = _state_of(self._program.file)
            self._worker = Worker(self._inbox, self._program)
        except OSError as error:
            self._go_on_without_worker(f"cannot start a search process ({reason_of(error)})")
            return
        self._wait_for_worker()
        self._helpers.equip(self._worker)
        self._worker.send(self._tablebases)
        if self._file_options:
            self._worker.send(SetFileOptions(tuple(self._file_options.items())))

    def _wait_for_worker(self) -> None:
        self._ready_by = time.perf_counter() + READY_SECONDS

    def _replace_worker(self, worker_exit: WorkerExit) -> None:
        self._exits += 1
        self._last_exit = time.perf_counter()
        self._late_job = None
        if worker_exit.is_thread_limit:
            self._go_on_without_worker(f"cannot start a search process{worker_exit.remark}")
        elif self._exits < MAX_WORKER_EXITS:
            if worker_exit.worker is not self._killed:  # else already reported
                self._say(f"the search process died{worker_exit.remark} and is replaced", DIED)
            self._start_worker()
        else:
            self._go_on_without_worker(f"the search process keeps dying{worker_exit.remark}")

    def _go_on_without_worker(self, reason: str) -> None:
        self._worker = None
        self._ready_by = None
        self._last_exit = time.perf_counter()
        self._say(f"{reason}: choosing moves without a search from now on", DIED)

    def start_missing_worker(self) -> None:
        """Start a worker if there is none; if it exits without a report, no other is started."""
        if self._worker is None and not self._is_closed:
            self._exits = MAX_WORKER_EXITS - 1
            self._start_worker()

    def start_worker_after_penalty(self, now: float) -> None:
        """Start a worker if there is none and the last one exited long ago."""
        if self._worker is None and now - self._last_exit > PENALTY_SECONDS:
            self.start_missing_worker()


def _state_of(file: str) -> object:
    """What identifies a file's version; None if there is no file."""
    try:
        state = os.stat(file)  # noqa: PTH116
    except (OSError, ValueError):
        return None
    return state.st_mtime_ns, state.st_size, state.st_ino


def _tablebases(options: Options) -> SetTablebases:
    return SetTablebases(
        paths=options.tablebase_paths,
        probe_depth=options.tablebase_probe_depth,
        probe_limit=options.tablebase_probe_limit,
        fifty_move_rule=options.tablebase_fifty_move_rule,
    )

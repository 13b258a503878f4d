"""The child side of `workers`: takes jobs from standard input, reports on standard output.

The main thread works, and reads when it is idle. While it works, a second thread reads, so that a
stop reaches a running search. During the first milliseconds of a search nobody reads, and reports
are held back: handing a message to another thread, and sending each line separately, would take
longer than a short search. End of input means that the front is gone, and ends the process.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import queue
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from typing import Any, BinaryIO

from ..base.events import BestMove, Event, Notice, Output
from ..base.fault_log import log_fault
from ..base.loading import describe
from ..base.os_errors import reason_of
from ..board.movegen import generate_all, new_board, uci
from ..board.perft import divide
from ..eval import network_file
from ..search.position import Position
from ..search.search import Search
from ..search.smp_counters import SharedCounters
from ..search.time_management import Clock
from ..search.transposition import TranspositionTable
from ..tablebase.probing import Tablebase
from .messages import (
    NO_THREADS,
    SMALLER_HASH_MB,
    Job,
    PonderHit,
    PoolSlot,
    Ready,
    SetFileOptions,
    SetHash,
    SetTablebases,
    Stop,
)
from .shared_memory import attach

#: For this long at the start of a search, in ms, nobody listens and reports are held back.
BRIEF_MS = 2.0


class JobClock(Clock):
    """The clock of a job, which notices when it is first read after `BRIEF_MS`.

    :param on_long: called then.
    """

    def __init__(self, job: Job, on_long: Callable[[], object]) -> None:
        super().__init__(job.move_time, job.limits.ponder, job.elapsed_ms)
        self._on_long = on_long
        self._long_at = time.perf_counter() + BRIEF_MS / 1000
        self.is_long = False

    def must_stop(self) -> bool:
        """Whether the search was stopped or has used its maximum time."""
        if not self.is_long and time.perf_counter() >= self._long_at:
            self.is_long = True
            self._on_long()
        return super().must_stop()


class SearchProcess:
    """Carries out jobs one after another, with one table.

    :param channel: receives shared memory, unless that has a name.
    """

    def __init__(
        self, source: BinaryIO, sink: BinaryIO, channel: socket.socket | None = None
    ) -> None:
        self._source = source
        self._sink = sink
        self._channel = channel
        # what the listener has read
        self._tasks: queue.SimpleQueue[tuple[Any, JobClock | None]] = queue.SimpleQueue()
        self._may_listen = threading.Semaphore(0)
        self._is_listening = False  # whether the listener is reading, or about to
        self._is_idle = False  # whether the main thread is waiting for the listener
        self._turns = threading.Lock()  # protects these two
        self._clock: Clock | None = None
        self._job_number = 0
        self._tt = TranspositionTable(1)
        self._own_megabytes = 1  # the size of its own table
        self._shared_counters = SharedCounters()
        self._search = self._new_search(self._tt)
        self._tablebase: Tablebase | None = None
        self._probe_depth = 0  # plies; see SetTablebases
        self._settings_done = 0
        self._eval_file = network_file.TERMS

    def listen(self) -> None:
        """Read while the main thread is busy; runs in a thread of its own."""
        while True:
            self._may_listen.acquire()
            while self._is_listening:
                task = self._read_task()
                with self._turns:
                    if self._is_idle:  # the main thread will read the next one itself
                        self._is_idle = self._is_listening = False
                    self._tasks.put(task)  # last: it may let the main thread run at once

    def _listen_while_busy(self) -> None:
        """Let the listener read from now on, and send what was held back."""
        if not self._is_listening:
            self._is_listening = True
            self._may_listen.release()
        self._flush()

    def _next_task(self) -> tuple[Any, JobClock | None]:
        """Wait for the next task."""
        with self._turns:
            with contextlib.suppress(queue.Empty):
                return self._tasks.get_nowait()
            self._is_idle = is_listening = self._is_listening
        return self._tasks.get() if is_listening else self._read_task()

    def _read_task(self) -> tuple[Any, JobClock | None]:
        """Read up to the next task, and handle interruptions here.

        :returns: the task, and the clock of a job.
        """
        try:
            while True:
                message = pickle.load(self._source)
                if isinstance(message, Job):
                    self._job_number = message.number
                    self._clock = clock = JobClock(message, self._listen_while_busy)
                    return message, clock
                if not isinstance(message, Stop | PonderHit):
                    return message, None
                if self._clock and message.number == self._job_number:
                    if isinstance(message, Stop):
                        self._clock.stop()
                    else:
                        self._clock.ponder_hit()
        except (EOFError, OSError, pickle.UnpicklingError):
            os._exit(0)

    def run_jobs(self) -> None:
        """Carry out what arrives, until the process ends."""
        while True:
            message, clock = self._next_task()
            if isinstance(message, Job):
                assert clock is not None
                self._run_job(message, clock)
            else:
                if isinstance(message, SetHash):
                    self._set_hash(message)
                elif isinstance(message, SetTablebases):
                    self._open_tablebases(message)
                elif isinstance(message, SetFileOptions):
                    self._set_file_options(message)
                self._settings_done += 1
            self._write_event(0, Ready(self._settings_done))
            self._flush()

    def send_notice(self, text: str) -> None:
        """Send a notice that belongs to no job."""
        self._send_event(0, Notice(text))

    def _new_search(self, tt: TranspositionTable) -> Search:
        """A search that has learnt nothing yet."""
        return Search(tt)

    def _run_job(self, job: Job, clock: JobClock) -> None:
        try:
            if job.kind == "search":
                self._run_search(job, clock)
            else:
                self._listen_while_busy()
                if job.kind == "perft":
                    self._run_perft(job, clock)
                else:
                    self._run_bench(job, clock)
                self._send_event(job.number, Ready())
        except Exception as error:
            # The front will start a fresh process; this one's state cannot be trusted.
            log_fault()
            self._send_event(job.number, Notice(f"search failed: {describe(error)}"))
            os._exit(1)

    def _run_search(self, job: Job, clock: JobClock) -> None:
        best = self._find_move(job, clock)
        self._write_event(job.number, best)  # sent with `Ready`, which follows at once

    def _find_move(self, job: Job, clock: JobClock) -> BestMove:
        self.use_eval_file(job.eval_file)
        position = Position(new_board(job.fen, job.moves, job.chess960))

        def report(event: Event) -> None:
            self._write_event(job.number, event)
            if clock.is_long:
                self._flush()

        counters = self._shared_counters
        counters.begin(job.number, job.earlier_nodes, job.earlier_hits)
        self._tt.set_age(job.number)
        self._search.tree.set_handicap(job.handicap)
        best = self._search.run(
            position, job.limits, clock, report, job.multi_pv, job.is_analysis, counters
        )
        if counters.is_main:
            counters.end(job.number)
        return best

    def _run_perft(self, job: Job, clock: Clock) -> None:
        board = new_board(job.fen, job.moves, job.chess960)
        total = 0
        for move in generate_all(board):
            nodes = 0
            for part in divide(board, move, max(job.limits.depth or 1, 1)):
                nodes += part
                if clock.must_stop():
                    self._send_event(job.number, Output("Stopped"))
                    return
            total += nodes
            self._send_event(job.number, Output(f"{uci(move)}: {nodes}"))
        self._send_event(job.number, Output(f"\nNodes searched: {total}\n"))

    def _run_bench(self, job: Job, clock: Clock) -> None:
        from ..search import bench as benchmark  # only needed here, for its positions

        network_file.choose(None)
        self._eval_file = ""  # so that the next search chooses its evaluation again
        result = benchmark.run(job.limits.depth or benchmark.DEPTH, clock=clock)
        if clock.stopped:
            self._send_event(job.number, Output("Stopped"))
            return
        self._send_event(
            job.number,
            Output(
                f"Nodes searched: {result.nodes}\n"
                f"Nodes/second: {result.nodes_per_second} ({result.build})\n{result.summary}"
            ),
        )

    def _set_hash(self, wanted: SetHash) -> None:
        if wanted.megabytes == self._own_megabytes and not wanted.slot:
            with contextlib.suppress(MemoryError):  # a failure is reported below
                self._tt.clear()
                self._search.tree.new_game()
                return
        self._listen_while_busy()
        # Close the old table first: Hash is also a limit while it changes.
        self._tt.close()
        self._own_megabytes = 0
        self._shared_counters = SharedCounters()
        if not (wanted.slot and self._join_pool(wanted.megabytes, wanted.slot)):
            for size in (wanted.megabytes, *SMALLER_HASH_MB):
                try:
                    self._tt = TranspositionTable(size)
                    self._own_megabytes = size
                    break
                except MemoryError as error:
                    self._send_event(0, Notice(f"{error}; using a smaller one", "Hash"))
        self._search = self._new_search(self._tt)
        self._search.tree.set_tablebase(self._tablebase, self._probe_depth)

    def _join_pool(self, megabytes: int, slot: PoolSlot) -> bool:
        """Take a slot in the pool, with its table; return whether that was possible."""
        try:
            tt, counters = attach(self._channel, (slot.tt, slot.counters))
        except OSError as error:
            self._send_event(0, Notice(f"cannot share the table: {reason_of(error)}"))
            return False
        self._shared_counters = SharedCounters(counters.words, slot.number, slot.workers)
        if slot.number == 1:  # it takes a while, and the main worker must be quick
            tt.use_huge_pages()
        self._tt = TranspositionTable(megabytes, tt.words)
        return True

    def use_eval_file(self, path: str) -> None:
        """Evaluate with this network, or with the terms, from now on.

        The table is empty: the front has it cleared when the file changes.
        """
        if path == self._eval_file:
            return
        self._eval_file = path
        network_file.choose(None)
        default = network_file.DEFAULT_EVALUATION
        for one in (path, default)[: 1 if path == default else 2]:
            try:
                network_file.choose(network_file.named(one))
                break
            except network_file.NetworkError as error:
                words = f"{one} is not used: {error}; evaluating as without it"
                self._send_event(0, Notice(words, "EvalFile"))
        self._search = self._new_search(self._tt)  # the search caches evaluations
        self._search.tree.set_tablebase(self._tablebase, self._probe_depth)

    def _set_file_options(self, wanted: SetFileOptions) -> None:
        """Set options of an engine file; here there is none."""

    def _open_tablebases(self, wanted: SetTablebases) -> None:
        self._listen_while_busy()
        if self._tablebase:
            self._tablebase.close()
        self._probe_depth = wanted.probe_depth
        self._tablebase = None
        if wanted.probe_limit:
            self._tablebase = Tablebase(
                wanted.paths,
                fifty_move_rule=wanted.fifty_move_rule,
                probe_limit=wanted.probe_limit,
            )
            for message in self._tablebase.take_messages():
                self._send_event(0, Notice(message, "SyzygyPath"))
        self._search.tree.set_tablebase(self._tablebase, wanted.probe_depth)

    def _send_event(self, number: int, event: Event | Ready) -> None:
        self._write_event(number, event)
        self._flush()

    def _write_event(self, number: int, event: Event | Ready) -> None:
        """Like `_send_event`, but held back until the next `_flush`."""
        try:
            pickle.dump((number, event), self._sink)
        except OSError:
            os._exit(0)

    def _flush(self) -> None:
        """Send what has been written."""
        try:
            self._sink.flush()
        except OSError:
            os._exit(0)


def main(why_pure: str, channel_file: int | None) -> None:
    """Run until the front closes the pipe.

    :param why_pure: why the compiled search is not used although it should be.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is handled by the front
    sink = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    sys.stdout = sys.stderr  # nothing else may write to the pipe
    process = SearchProcess(sys.stdin.buffer, sink, open_channel(channel_file))
    process.use_eval_file(network_file.DEFAULT_EVALUATION)  # so that no move waits
    serve(process, why_pure)


def open_channel(channel_file: int | None) -> socket.socket | None:
    """The socket, from its descriptor, over which shared memory is handed over."""
    return None if channel_file is None else socket.socket(fileno=channel_file)


def serve(process: SearchProcess, why_pure: str) -> None:
    """Read in one thread and work in this one, until the front closes the pipe."""
    if why_pure:
        process.send_notice(f"{why_pure}: searching in pure Python, much slower")
    try:
        threading.Thread(target=process.listen, daemon=True).start()
    except RuntimeError:
        sys.exit(NO_THREADS)  # the front reads it from standard error
    process.run_jobs()

"""Analysts that share positions: a pool on this machine, or on a Dask cluster."""

from __future__ import annotations

import atexit
import contextlib
import os
import queue
import threading
import time
import weakref
from typing import TYPE_CHECKING, Protocol

from .analyst_process import AnalystProcess
from .analysts import AnalystError, Setup, StartError
from .pool_events import Broken, Chunk, Done, Pool, PoolEvent, PoolStep, Wakeup
from .questions import Answer

if TYPE_CHECKING:
    from .cluster import DaskPool


class Closable(Protocol):
    """Something that can be closed: a pool, or a generator that uses one."""

    def close(self) -> object:
        """Close it; closing it again does nothing."""


#: Closed at the end of the program while its threads still run; weak references.
_unclosed: weakref.WeakSet[Closable] = weakref.WeakSet()


def close_at_exit(one: Closable) -> None:
    """Close this at interpreter exit, unless it is garbage-collected earlier.

    Later, nothing may wait for a thread: daemon threads then hold their locks for ever.
    """
    _unclosed.add(one)


def _close_all() -> None:
    for one in list(_unclosed):
        with contextlib.suppress(ValueError):  # a generator that is running in another thread
            one.close()


atexit.register(_close_all)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_unclosed.clear)


class LocalPool:
    """Analysts on this machine, each in a process of its own.

    A pool belongs to the process that created it: a forked child has none of its threads.

    :param processes: how many; each is started when first needed.
    """

    chunk_seconds = 0.5

    def __init__(self, setup: Setup, processes: int) -> None:
        self.size = processes
        self.wanted = 2 * processes
        self._setup = setup
        self._events: queue.SimpleQueue[PoolEvent] = queue.SimpleQueue()
        self._tasks: queue.SimpleQueue[tuple[int, Chunk] | None] = queue.SimpleQueue()
        self._under_way = 0
        self._processes: list[AnalystProcess] = []
        self._threads: list[threading.Thread] = []
        self._pid = os.getpid()
        close_at_exit(self)

    def submit(self, number: int, chunk: Chunk) -> None:
        """See `Pool`."""
        self._under_way += 1
        self._tasks.put((number, chunk))
        if len(self._threads) < min(self.size, self._under_way):
            process = AnalystProcess(self._setup)
            thread = threading.Thread(target=self._drive, args=(process,), daemon=True)
            self._processes.append(process)
            self._threads.append(thread)
            thread.start()

    def next_event(self, *, waits: bool) -> PoolEvent | None:
        """See `Pool`."""
        if os.getpid() != self._pid:
            raise StartError(f"the search belongs to process {self._pid}, this one was forked")
        try:
            event = self._events.get(waits)
        except queue.Empty:
            return None
        self._under_way -= isinstance(event, Done)
        return event

    def wake(self) -> None:
        """See `Pool`."""
        self._events.put(Wakeup())

    def close(self) -> None:
        """See `Pool`."""
        if os.getpid() != self._pid:
            return
        for process in self._processes:
            process.cancel()
        for _ in self._threads:
            self._tasks.put(None)
        for process in self._processes:
            process.close()
        for thread in self._threads:
            thread.join()

    def _drive(self, process: AnalystProcess) -> None:
        """Feed chunks to a process, one after another."""
        try:
            while task := self._tasks.get():
                self._work(process, *task)
        except StartError as error:
            self._events.put(Broken(error))
        except AnalystError:  # it was cancelled
            pass

    def _work(self, process: AnalystProcess, number: int, chunk: Chunk) -> None:
        def hear(run: int, answer: Answer) -> None:
            if len(chunk[run]) > 1:
                self._events.put(PoolStep(number, run, answer))

        process.start()
        started = time.perf_counter()
        answers = process.work(chunk, hear)
        self._events.put(Done(number, answers, time.perf_counter() - started))


def make_pool(setup: Setup, processes: int, dask: str | None) -> Pool:
    """Create the pool that does the work.

    :param processes: the number on this machine.
    :param dask: the address of a Dask cluster to use instead, if any.
    :raises StartError: if the cluster cannot be used.
    """
    if not dask:
        return LocalPool(setup, processes)
    return dask_pool()(setup, dask)


def dask_pool() -> type[DaskPool]:
    """The class of pools on a Dask cluster.

    :raises StartError: if a required package is not installed.
    """
    try:
        from .cluster import DaskPool
    except ImportError:
        message = "a Dask cluster needs the package distributed: pip install distributed"
        raise StartError(message) from None
    return DaskPool

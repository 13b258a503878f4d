"""A pool on a Dask cluster whose workers have Halbzug installed.

Whatever works on tasks is created on the workers: an analyst, or a player of games
(`halbzug.lab.cluster_games`). An analyst's task is a chunk of about a second. Each thread of a
worker has an analyst in a process of its own, so that threads do not wait for the GIL, and a search
that dies does not kill its worker. If a worker dies, the scheduler gives its tasks to another one.
Only this program writes results, so none is lost or written twice. Requires the extra
`halbzug[cluster]`.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import pickle
import queue
import threading
import time
import uuid
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Protocol

import dask
from distributed import (
    CancelledError,
    Client,
    Future,
    KilledWorker,
    Reschedule,
    Worker,
    get_worker,
)
from distributed.diagnostics.plugin import WorkerPlugin

from ..base.loading import describe
from ..base.text import counted
from .analyst_process import AnalystProcess
from .analysts import AnalystError, StartError
from .pool_events import Broken, Done, Lost, PoolEvent, Wakeup

# By default Dask keeps the last thousand messages, with all the positions in them.
_CLIENT_SETTINGS = {"distributed.admin.low-level-log-length": 0}

#: How long to wait for the scheduler, and for the first worker, in seconds.
CONNECT_SECONDS = 10.0
WORKER_SECONDS = 60.0

#: How long a newly joined worker may take to be ready, in seconds.
JOIN_SECONDS = 10.0

#: How often the threads of the cluster are counted, in seconds.
COUNT_SECONDS = 2.0

#: How long fetching results may delay the next ones, in seconds. Results normally arrive at once;
#: but if a worker that holds one of them dies, Dask tries for half a minute to connect to it.
FETCH_SECONDS = 1.0

#: Chunks submitted for each thread, and additional ones.
AHEAD_FACTOR = 1.5
AHEAD = 2


class ChunkWorker(Protocol):
    """Works on one task at a time; `AnalystProcess` is an example."""

    def start(self) -> None:
        """Get ready unless it is.

        :raises StartError: if that is impossible.
        """

    def work_packed(self, chunk: bytes) -> bytes:
        """Work on a pickled task, and return the pickled result.

        :raises AnalystError: if it was cancelled.
        """

    def cancel(self) -> None:
        """Stop all work at once. Any thread may call it."""

    def close(self) -> None:
        """End all processes for good."""


class _AnalystsPlugin(WorkerPlugin):
    """Keeps a worker's analysts: as many as have been needed at the same time."""

    def __init__(self, name: str, make: Callable[[], ChunkWorker]) -> None:
        self.name = name
        self._make = make

    def setup(self, worker: Worker) -> None:
        """Called when the worker joins this run."""
        self._is_over = False
        self._lock = threading.Lock()
        self._idle: list[ChunkWorker] = []
        self._all: list[ChunkWorker] = []

    def teardown(self, worker: Worker) -> None:
        """Called when the run or the worker ends."""
        with self._lock:
            self._is_over = True
            for analyst in self._all:
                analyst.cancel()
            idle, self._idle = self._idle, []
        for analyst in idle:
            analyst.close()

    def work(self, chunk: bytes) -> tuple[bytes, float]:
        """Give a chunk to an idle analyst.

        :returns: the pickled answers, and the time taken in seconds.
        :raises StartError: if no process or engine starts.
        :raises Reschedule: if this worker is leaving.
        """
        with self._lock:
            if self._is_over:
                raise Reschedule
            if not self._idle:
                self._idle.append(self._make())
                self._all += self._idle
            analyst = self._idle.pop()
        try:
            analyst.start()
            started = time.perf_counter()
            return analyst.work_packed(chunk), time.perf_counter() - started
        except StartError:
            raise
        except AnalystError:  # it was cancelled
            raise Reschedule from None
        finally:
            with self._lock:
                if not self._is_over:
                    self._idle.append(analyst)
            if self._is_over:
                analyst.close()


def _work(name: str, chunk: bytes) -> tuple[bytes, float]:
    """The task that runs on a worker; see `_AnalystsPlugin.work`."""
    plugins = get_worker().plugins
    deadline = time.monotonic() + JOIN_SECONDS
    while name not in plugins and time.monotonic() < deadline:
        time.sleep(0.05)  # a worker that has just joined receives tasks before its plugins
    plugin = plugins.get(name)
    if plugin is None:
        raise Reschedule
    assert isinstance(plugin, _AnalystsPlugin)
    return plugin.work(chunk)


class DaskPool:
    """Analysts on a Dask cluster, one for each thread of its workers, which may come and go.

    :param setup: the configuration sent to the analysts.
    :param address: of the scheduler, such as `tcp://10.0.0.1:8786`.
    :param make: creates an analyst on a worker.
    :raises StartError: if there is no scheduler or no worker.
    """

    chunk_seconds = 1.0

    def __init__(
        self, setup: Any, address: str, make: Callable[[Any], ChunkWorker] = AnalystProcess
    ) -> None:
        for name in ("distributed", "distributed.client"):  # our own errors are enough
            logging.getLogger(name).setLevel(logging.CRITICAL)
        self._name = f"halbzug-{uuid.uuid4().hex}"
        try:
            with dask.config.set(_CLIENT_SETTINGS):
                self._client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
        except (OSError, ValueError) as error:
            reason = " ".join(str(error).split()) or type(error).__name__
            raise StartError(f"no Dask scheduler at {address}: {reason}") from None
        try:
            self._client.wait_for_workers(1, timeout=WORKER_SECONDS)
            self._client.register_plugin(_AnalystsPlugin(self._name, partial(make, setup)))
        except asyncio.TimeoutError:
            self._client.close()
            raise StartError(f"the Dask scheduler at {address} has no workers") from None
        except ImportError as error:
            self._client.close()
            raise StartError(f"a Dask worker cannot import Halbzug: {error}") from None
        self._events: queue.SimpleQueue[PoolEvent] = queue.SimpleQueue()
        self._ended: queue.SimpleQueue[tuple[int, Future] | None] = queue.SimpleQueue()
        self._is_closed = False
        self._count_threads()
        self._fetcher = threading.Thread(target=self._fetch, name="halbzug-fetcher", daemon=True)
        self._fetcher.start()

    @property
    def wanted(self) -> int:
        """See `Pool`."""
        return int(self.size * AHEAD_FACTOR) + AHEAD

    def submit(self, number: int, chunk: Sequence[Sequence[object]]) -> None:
        """See `Pool`."""
        # Dask searches all data for futures, except bytes, which it leaves alone.
        data = pickle.dumps(chunk, pickle.HIGHEST_PROTOCOL)
        future = self._client.submit(_work, self._name, data, pure=False)
        self._watch(number, future)

    def _watch(self, number: int, future: Future) -> None:
        future.add_done_callback(lambda future: self._ended.put((number, future)))

    def next_event(self, *, waits: bool) -> PoolEvent | None:
        """See `Pool`."""
        try:
            return self._events.get(waits)
        except queue.Empty:
            return None

    def wake(self) -> None:
        """See `Pool`."""
        self._events.put(Wakeup())

    def close(self) -> None:
        """See `Pool`; the cluster keeps running."""
        self._is_closed = True
        self._ended.put(None)
        self._fetcher.join(COUNT_SECONDS)
        with contextlib.suppress(Exception):  # it may have ended already
            self._client.unregister_worker_plugin(self._name)
        with contextlib.suppress(Exception):
            self._client.close()

    def _count_threads(self) -> None:
        #: See `Pool`. At least 1, so that chunks wait for the first worker.
        self.size = max(sum(self._client.nthreads().values()), 1)

    # -- results, fetched in a thread because that takes a while --------------------------------

    def _fetch(self) -> None:
        counted = time.monotonic()
        try:
            while not self._is_closed:
                if ended := self._next_ended():
                    thread = threading.Thread(target=self._fetch_all, args=(ended,), daemon=True)
                    thread.start()
                    thread.join(FETCH_SECONDS)
                if time.monotonic() - counted >= COUNT_SECONDS:
                    before = self.size
                    self._count_threads()
                    counted = time.monotonic()
                    if self.size > before:
                        self.wake()
        except Exception as error:
            self._break(error)

    def _break(self, error: Exception) -> None:
        lost = StartError("the connection to the Dask scheduler was lost")
        lost.__cause__ = error
        self._events.put(Broken(error if isinstance(error, StartError) else lost))

    def _next_ended(self) -> list[tuple[int, Future]]:
        """The futures that have ended; empty after a while without any."""
        ended: list[tuple[int, Future]] = []
        with contextlib.suppress(queue.Empty):
            item = self._ended.get(timeout=COUNT_SECONDS)
            while item:
                ended.append(item)
                item = self._ended.get_nowait()
        return ended

    def _fetch_all(self, ended: Sequence[tuple[int, Future]]) -> None:
        """Fetch the results of futures and pass them on, or report that the pool is broken."""
        try:
            self._pass_results_on(ended)
        except Exception as error:
            self._break(error)

    def _pass_results_on(self, ended: Sequence[tuple[int, Future]]) -> None:
        """Fetch the results of futures, and pass them on.

        :raises StartError: if an analyst does not start.
        :raises Exception: if the connection was lost.
        """
        finished = {number: future for number, future in ended if future.status == "finished"}
        results = self._client.gather(finished, errors="skip")
        for number, future in ended:
            if number in results:
                answers, seconds = results[number]
                self._events.put(Done(number, pickle.loads(answers), seconds))
            elif future.status not in ("error", "cancelled"):
                # The result was lost with its worker, and is computed again.
                self._watch(number, future)
                continue
            else:
                self._pass_error_on(number, future)
            future.release()

    def _pass_error_on(self, number: int, future: Future) -> None:
        try:
            error = future.exception()
        except CancelledError as cancelled:
            raise ConnectionError from cancelled
        if isinstance(error, KilledWorker):
            reason = f"gave up: {counted(error.allowed_failures + 1, 'worker')} died"
            self._events.put(Lost(number, reason))
        elif isinstance(error, StartError):
            raise error
        else:
            raise StartError(f"a Dask worker failed: {describe(error)}")

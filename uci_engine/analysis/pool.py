"""Shares positions among several analysts, and returns findings in the order of the positions.

Work is submitted in runs: positions that one analyst searches one after another without clearing
its hash between them. Each position of a list is a run, and so is each game. A pool returns
futures, and `in_order` waits for them in turn. A slow run therefore delays the ones behind it, and
memory stays bounded.
"""

from __future__ import annotations

import contextlib
import queue
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Protocol, TypeVar

from halbzug.analysis.analysts import Analyst, AnalystError, Setup, StartError
from halbzug.analysis.findings import Finding
from halbzug.analysis.positions import Failure, Subject

#: How many positions may be in progress, or wait behind a slow one.
AHEAD = 1000

_Item = TypeVar("_Item")
_Work = TypeVar("_Work")


class Promise(Protocol):
    """A future finding: a future of the standard library, or Dask's."""

    def result(self) -> Finding:
        """Wait for the finding.

        :raises AnalystError: if there is none.
        """


Outcome = tuple[Subject, Finding] | Failure


class Pool(Protocol):
    """Analysts that share the work.

    :ivar size: the number of analysts.
    """

    size: int

    def submit(self, run: Sequence[Subject]) -> Sequence[Promise]:
        """Let an analyst, with an empty hash, search positions one after another.

        If one fails, there are no findings for those behind it.
        """

    def close(self) -> None:
        """End all processes of the pool, even during a search."""


def findings(pool: Pool, items: Iterable[Subject | Failure]) -> Iterator[Outcome]:
    """Analyse independent positions, and yield their findings in order.

    A `Failure` in the input is passed on, and an engine's error becomes one.

    :raises StartError: if the engine does not start.
    """

    def submit(item: Subject | Failure) -> Promise | None:
        return pool.submit((item,))[0] if isinstance(item, Subject) else None

    for item, promise in in_order(items, submit, AHEAD):
        if isinstance(item, Failure) or promise is None:
            yield item if isinstance(item, Failure) else Failure(item.name, "not analysed")
            continue
        try:
            finding = promise.result()
        except StartError:
            raise
        except AnalystError as error:
            yield Failure(item.name, str(error))
        else:
            yield item, finding


def in_order(
    items: Iterable[_Item], submit: Callable[[_Item], _Work], ahead: int
) -> Iterator[tuple[_Item, _Work]]:
    """Submit items in a thread, which may wait for them, and yield them in order.

    :param ahead: how many items may be submitted in advance.
    """
    line: queue.Queue[tuple[_Item, _Work] | BaseException | None] = queue.Queue(ahead)

    def feed() -> None:
        try:
            for item in items:
                line.put((item, submit(item)))
            line.put(None)
        except BaseException as error:
            line.put(error)  # raised where the next finding is waited for

    threading.Thread(target=feed, name="halbzug-feeder", daemon=True).start()
    while (entry := line.get()) is not None:
        if isinstance(entry, BaseException):
            raise entry
        yield entry


class AnalystPool:
    """The analysts of one machine; each is started when it is first needed.

    :param size: the number of analysts, and of threads that may ask at the same time.
    """

    def __init__(self, setup: Setup, size: int) -> None:
        self._setup = setup
        self._is_closed = False
        self._idle: queue.LifoQueue[Analyst | None] = queue.LifoQueue()
        self._working: set[Analyst] = set()
        self._lock = threading.Lock()
        for _ in range(size):
            self._idle.put(None)

    def ask(self, run: Sequence[Subject]) -> Iterator[Finding]:
        """Let the next analyst search positions one after another.

        :raises AnalystError: if it fails; it is replaced by a new one.
        """
        analyst = self._idle.get()
        try:
            if analyst is None:
                analyst = self._setup.start()
            with self._lock:
                self._working.add(analyst)
                if self._is_closed:
                    analyst.cancel()
            analyst.forget()
            for subject in run:
                if self._is_closed:
                    raise AnalystError("stopped")
                yield analyst.analyse(subject)
        except AnalystError:
            if analyst:
                analyst.close()
                self._working.discard(analyst)
                analyst = None
            raise
        finally:
            if analyst:
                self._working.discard(analyst)
            self._idle.put(analyst)

    def cancel(self) -> None:
        """End all searches at once."""
        with self._lock:
            self._is_closed = True
            for analyst in self._working:
                analyst.cancel()

    def close(self) -> None:
        """End the processes; no thread may ask any more."""
        with contextlib.suppress(queue.Empty):
            while True:
                analyst = self._idle.get_nowait()
                if analyst:
                    analyst.close()


class LocalPool:
    """Analysts on this machine, each in a separate process.

    :param processes: how many.
    """

    def __init__(self, setup: Setup, processes: int) -> None:
        self.size = processes
        self._analysts = AnalystPool(setup, processes)
        self._threads = ThreadPoolExecutor(processes, "halbzug-analyst")

    def submit(self, run: Sequence[Subject]) -> Sequence[Promise]:
        """See `Pool`."""
        promises: list[Future[Finding]] = [Future() for _ in run]
        self._threads.submit(self._work_off, run, promises)
        return promises

    def _work_off(self, run: Sequence[Subject], promises: Sequence[Future[Finding]]) -> None:
        """Search the positions of a run, and set its futures."""
        waiting = iter(promises)
        try:
            for finding in self._analysts.ask(run):
                next(waiting).set_result(finding)
        except BaseException as error:
            for promise in waiting:
                promise.set_exception(error)

    def close(self) -> None:
        """See `Pool`."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._analysts.cancel()
        self._threads.shutdown()
        self._analysts.close()

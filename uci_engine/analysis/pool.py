"""Many positions, several analysts: the findings come back in the order of the positions.

Work is handed out in runs: positions that one analyst looks at one after another, so that it knows
already what it found, and knows nothing of other runs. A position of a list is a run of its own, a
game another. Whoever works for the pool hands out futures; `in_order` waits for them in turn. So a
slow run holds back the ones behind it for a while, and memory stays bounded.
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

#: How many positions may be under way or waiting behind a slow one.
AHEAD = 1000

_Item = TypeVar("_Item")
_Work = TypeVar("_Work")


class Promise(Protocol):
    """A finding that is still to come: a future of the standard library, or Dask's."""

    def result(self) -> Finding:
        """Wait for it.

        :raises AnalystError: if there will be none.
        """


Outcome = tuple[Subject, Finding] | Failure


class Pool(Protocol):
    """Analysts that share the work.

    :ivar places: how many there are.
    """

    places: int

    def submit(self, run: Sequence[Subject]) -> Sequence[Promise]:
        """Have an analyst look at positions one after another; nothing is known before the first.

        Where one fails, there is no finding of those behind it either.
        """

    def close(self) -> None:
        """End all processes of the pool, whatever they are doing."""


def findings(pool: Pool, items: Iterable[Subject | Failure]) -> Iterator[Outcome]:
    """Analyse positions that have nothing to do with each other, in their order.

    A failure stays one, and an engine that fails on a position makes one of it.

    :raises StartError: if the engine does not even start.
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
    """Submit items as they come, from a thread that may wait for them, and yield in order.

    :param ahead: how many may be submitted before they are asked for.
    """
    line: queue.Queue[tuple[_Item, _Work] | BaseException | None] = queue.Queue(ahead)

    def feed() -> None:
        try:
            for item in items:
                line.put((item, submit(item)))
            line.put(None)
        except BaseException as error:
            line.put(error)  # it belongs to whoever waits for the next finding

    threading.Thread(target=feed, name="halbzug-feeder", daemon=True).start()
    while (entry := line.get()) is not None:
        if isinstance(entry, BaseException):
            raise entry
        yield entry


class AnalystPool:
    """The analysts of one machine; each is started when it is first needed.

    :param places: how many there are. At most so many threads may ask at a time.
    """

    def __init__(self, setup: Setup, places: int) -> None:
        self._setup = setup
        self._is_closed = False
        self._idle: queue.LifoQueue[Analyst | None] = queue.LifoQueue()
        self._working: set[Analyst] = set()
        self._lock = threading.Lock()
        for _ in range(places):
            self._idle.put(None)

    def ask(self, run: Sequence[Subject]) -> Iterator[Finding]:
        """Let the next analyst look at positions one after another.

        :raises AnalystError: if it fails; another one takes its place.
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
        """End the processes; nobody asks any more."""
        with contextlib.suppress(queue.Empty):
            while True:
                analyst = self._idle.get_nowait()
                if analyst:
                    analyst.close()


class LocalPool:
    """Analysts on this machine, each a process of its own.

    :param processes: how many.
    """

    def __init__(self, setup: Setup, processes: int) -> None:
        self.places = processes
        self._analysts = AnalystPool(setup, processes)
        self._threads = ThreadPoolExecutor(processes, "halbzug-analyst")

    def submit(self, run: Sequence[Subject]) -> Sequence[Promise]:
        """See `Pool`."""
        promises: list[Future[Finding]] = [Future() for _ in run]
        self._threads.submit(self._work_off, run, promises)
        return promises

    def _work_off(self, run: Sequence[Subject], promises: Sequence[Future[Finding]]) -> None:
        """Keep the promises about a run."""
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

"""Many positions, several analysts: the findings come back in the order of the positions.

Whoever works for the pool hands out futures; `in_order` waits for them in turn. So a slow position
holds back the ones behind it for a while, and memory stays bounded.
"""

from __future__ import annotations

import contextlib
import queue
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol

from uci_engine.analysis.analysts import Analyst, AnalystError, Setup, StartError
from uci_engine.analysis.findings import Finding
from uci_engine.analysis.positions import Failure, Subject

#: How many positions may be under way or waiting behind a slow one.
AHEAD = 1000


class Promise(Protocol):
    """A finding that is still to come: a future of the standard library, or Dask's."""

    def result(self) -> Finding:
        """Wait for it.

        :raises AnalystError: if there will be none.
        """


Outcome = tuple[Subject, Finding] | Failure


class Pool(Protocol):
    """Analysts that share the work."""

    def findings(self, items: Iterable[Subject | Failure]) -> Iterator[Outcome]:
        """Analyse everything; what comes out is in the order of what goes in.

        A failure stays one, and an engine that fails on a position makes one of it.

        :raises StartError: if the engine does not even start.
        """

    def close(self) -> None:
        """End all processes of the pool, whatever they are doing."""


def in_order(
    items: Iterable[Subject | Failure], submit: Callable[[Subject], Promise]
) -> Iterator[Outcome]:
    """Submit items as they come, from a thread that may wait for them, and yield in order."""
    line: queue.Queue[tuple[Subject | Failure, Promise | None] | BaseException | None]
    line = queue.Queue(AHEAD)

    def feed() -> None:
        try:
            for item in items:
                line.put((item, submit(item) if isinstance(item, Subject) else None))
            line.put(None)
        except BaseException as error:
            line.put(error)  # it belongs to whoever waits for the next finding

    threading.Thread(target=feed, name="kiebitz-feeder", daemon=True).start()
    while (entry := line.get()) is not None:
        if isinstance(entry, BaseException):
            raise entry
        item, promise = entry
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


class Desk:
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

    def ask(self, subject: Subject) -> Finding:
        """Let the next analyst look at a position.

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
            return analyst.analyse(subject)
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
        self._desk = Desk(setup, processes)
        self._threads = ThreadPoolExecutor(processes, "kiebitz-analyst")

    def findings(self, items: Iterable[Subject | Failure]) -> Iterator[Outcome]:
        """See `Pool`."""
        return in_order(items, lambda subject: self._threads.submit(self._desk.ask, subject))

    def close(self) -> None:
        """See `Pool`."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._desk.cancel()
        self._threads.shutdown()
        self._desk.close()

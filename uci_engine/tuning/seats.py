"""Does tasks in parallel: each seat, a thread, takes the next task when it has finished one.

A seat's work is done by processes of its own, so threads suffice.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator
from typing import Generic, Protocol, TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")
TaskIn = TypeVar("TaskIn", contravariant=True)
ResultOut = TypeVar("ResultOut", covariant=True)


class Seat(Protocol[TaskIn, ResultOut]):
    """A place where tasks are done one after another."""

    def do(self, task: TaskIn) -> ResultOut:
        """Do a task."""

    def close(self) -> None:
        """End what it has started; a running `do` fails."""


class Seats(Generic[Task, Result]):
    """Seats that do tasks.

    :param count: the number of seats.
    :param make: creates a seat, in the thread that will use it.
    :param tasks: asked for the next task by one thread at a time.
    """

    def __init__(
        self, count: int, make: Callable[[], Seat[Task, Result]], tasks: Iterator[Task]
    ) -> None:
        self._make = make
        self._tasks = tasks
        self._lock = threading.Lock()
        self._is_over = False
        self._seats: list[Seat[Task, Result]] = []
        # An interrupt during `get` of the other kind of queue may leave a lock that nobody holds.
        self._done: queue.SimpleQueue[Result | BaseException | None] = queue.SimpleQueue()
        self._threads = [threading.Thread(target=self._run, daemon=True) for _ in range(count)]

    def results(self) -> Iterator[Result]:
        """Yield the results in the order in which they arrive.

        Closing the iterator closes the seats.

        :raises Exception: what a seat raises.
        """
        try:
            for thread in self._threads:
                thread.start()
            working = len(self._threads)
            while working:
                done = self._done.get()
                if done is None:
                    working -= 1
                elif isinstance(done, BaseException):
                    raise done
                else:
                    yield done
        finally:
            self._close()

    def _close(self) -> None:
        with self._lock:
            self._is_over = True
            seats, self._seats = self._seats, []
        for seat in seats:
            seat.close()
        for thread in self._threads:
            if thread.ident is not None:
                thread.join()

    def _run(self) -> None:
        try:
            seat = self._make()
            with self._lock:
                if not self._is_over:
                    self._seats.append(seat)
            if self._is_over:
                seat.close()
                return
            while True:
                with self._lock:
                    task = None if self._is_over else next(self._tasks, None)
                if task is None:
                    return
                self._done.put(seat.do(task))
        except Exception as error:
            self._done.put(error)
        finally:
            self._done.put(None)

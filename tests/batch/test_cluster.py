"""Chunks on a Dask cluster inside this process, with test doubles as workers."""

from __future__ import annotations

import pickle
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

pytest.importorskip("distributed", reason="distributed (halbzug[cluster]) is not installed")

import distributed

from halbzug.batch import cluster
from halbzug.batch.analysts import AnalystError, StartError
from halbzug.batch.pool_events import Broken, Done, PoolEvent, Wakeup

pytestmark = pytest.mark.any_build


class Doubler:
    """Doubles numbers, or fails in the way that an item of the chunk asks for."""

    def __init__(self, setup: object = None) -> None:
        self.setup = setup
        self.is_started = self.is_cancelled = self.is_closed = False

    def start(self) -> None:
        if self.setup == "unable":
            raise StartError("there is no engine")
        self.is_started = True

    def work_packed(self, chunk: bytes) -> bytes:
        found = []
        for item in pickle.loads(chunk):
            if isinstance(item, Exception):
                raise item
            found.append(item() if callable(item) else 2 * item)
        return pickle.dumps(found)

    def cancel(self) -> None:
        self.is_cancelled = True

    def close(self) -> None:
        self.is_closed = True


# -- on a worker --------------------------------------------------------------------------------


@pytest.fixture
def made() -> list[Doubler]:
    return []


@pytest.fixture
def plugin(made: list[Doubler]) -> cluster._AnalystsPlugin:
    def make() -> Doubler:
        made.append(Doubler())
        return made[-1]

    plugin = cluster._AnalystsPlugin("halbzug-test", make)
    plugin.setup(None)
    return plugin


def test_a_worker_has_as_many_analysts_as_concurrent_tasks(
    plugin: cluster._AnalystsPlugin, made: list[Doubler]
) -> None:
    for number in range(3):
        answers, seconds = plugin.work(pickle.dumps([number]))
        assert pickle.loads(answers) == [2 * number] and seconds >= 0
    assert len(made) == 1 and made[0].is_started

    meeting = threading.Barrier(2, timeout=60)
    made[0].work_packed = lambda chunk: pickle.dumps(meeting.wait())  # type: ignore[method-assign]
    other = threading.Thread(target=plugin.work, args=(b"",))
    other.start()
    while plugin._idle:
        time.sleep(0)
    plugin.work(pickle.dumps([1]))
    meeting.wait()
    other.join()
    assert len(made) == 2
    plugin.teardown(None)
    assert all(one.is_cancelled and one.is_closed for one in made)


def test_a_task_of_a_worker_that_stops_is_rescheduled(
    plugin: cluster._AnalystsPlugin, made: list[Doubler]
) -> None:
    plugin.work(pickle.dumps([1]))
    with pytest.raises(distributed.Reschedule):
        plugin.work(pickle.dumps([AnalystError("stopped")]))
    made[0].work_packed = lambda chunk: plugin.teardown(None) or b""  # type: ignore
    plugin.work(b"")
    assert made[0].is_closed  # it was busy when the run ended
    with pytest.raises(distributed.Reschedule):
        plugin.work(pickle.dumps([1]))


def test_an_engine_that_does_not_start_is_not_tried_on_another_worker(
    plugin: cluster._AnalystsPlugin, made: list[Doubler]
) -> None:
    plugin.work(pickle.dumps([1]))
    made[0].setup = "unable"
    with pytest.raises(StartError, match="there is no engine"):
        plugin.work(pickle.dumps([1]))


# -- the pool -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The address of a scheduler with a two-thread worker in this process."""
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None
    ) as local:
        yield local.scheduler_address


@pytest.fixture
def pool(address: str) -> Iterator[Callable[..., cluster.DaskPool]]:
    """A function that makes a pool of doublers, which ends with the test."""
    pools = []

    def make(setup: object = None) -> cluster.DaskPool:
        pools.append(cluster.DaskPool(setup, address, Doubler))
        return pools[-1]

    yield make
    for one in pools:
        one.close()


def event(pool: cluster.DaskPool) -> PoolEvent:
    found = pool.next_event(waits=True)
    assert found
    return found


def test_every_chunk_is_answered_under_its_number(pool: Any) -> None:
    doublers = pool()
    assert doublers.size == 2 and doublers.wanted == 2 * 1.5 + cluster.AHEAD
    assert doublers.next_event(waits=False) is None
    for number in range(8):
        doublers.submit(number, [number, 10])
    found = [event(doublers) for _ in range(8)]
    assert all(isinstance(one, Done) for one in found)
    assert {one.number: one.answers for one in found} == {n: [2 * n, 20] for n in range(8)}
    doublers.wake()
    assert event(doublers) == Wakeup()


def test_an_engine_that_does_not_start_breaks_the_pool(pool: Any) -> None:
    unable = pool("unable")
    unable.submit(1, [1])
    broken = event(unable)
    assert isinstance(broken, Broken) and str(broken.error) == "there is no engine"


def test_an_error_on_a_worker_breaks_the_pool_with_one_line(pool: Any) -> None:
    doublers = pool()
    doublers.submit(1, [ZeroDivisionError("division by zero")])
    broken = event(doublers)
    assert isinstance(broken, Broken)
    assert str(broken.error) == "a Dask worker failed: ZeroDivisionError: division by zero"


@pytest.mark.parametrize("address", ["nonsense://x", "127.0.0.1"])
def test_an_invalid_scheduler_address_is_reported(address: str) -> None:
    with pytest.raises(StartError, match=f"no Dask scheduler at {address}: "):
        cluster.DaskPool(None, address, Doubler)

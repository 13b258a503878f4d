"""A pool on a Dask cluster whose workers have Halbzug installed.

If a worker dies, the scheduler gives its positions to another one. Only this program writes
results, so none is lost and none is written twice. Needs the extra `halbzug[cluster]`.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from distributed import CancelledError, Client, Future, KilledWorker, Worker, get_worker
from distributed.diagnostics.plugin import WorkerPlugin

from halbzug.analysis.analysts import AnalystError, Setup, StartError
from halbzug.analysis.findings import Finding
from halbzug.analysis.pool import AnalystPool, Promise
from halbzug.analysis.positions import Subject

#: How long to wait for the scheduler, and for the first worker, in seconds.
CONNECT_SECONDS = 10.0
WORKER_SECONDS = 60.0


class _AnalystsPlugin(WorkerPlugin):
    """Keeps a pool of analysts in each worker, one for each of its threads."""

    def __init__(self, setup: Setup, name: str) -> None:
        self.name = name
        self._setup = setup

    def setup(self, worker: Worker) -> None:
        """The worker joins this run."""
        self.analysts = AnalystPool(self._setup, worker.state.nthreads)

    def teardown(self, worker: Worker) -> None:
        """The run or the worker ends."""
        self.analysts.cancel()
        self.analysts.close()


def _ask(name: str, run: Sequence[Subject]) -> list[Finding | AnalystError]:
    """A worker's part of a run: all findings, or those before an error, and the error.

    :raises StartError: if the engine does not start.
    """
    plugin = get_worker().plugins[name]
    assert isinstance(plugin, _AnalystsPlugin)
    found: list[Finding | AnalystError] = []
    try:
        found += plugin.analysts.ask(run)
    except StartError:
        raise
    except AnalystError as error:
        found.append(error)
    return found


class _Run:
    """A future of Dask, with the errors of `pool`."""

    def __init__(self, future: Future) -> None:
        self._future = future
        self._found: list[Finding | AnalystError] = []

    def finding(self, index: int) -> Finding:
        """Wait for the finding of a position of the run.

        :raises AnalystError: if there is none.
        """
        if not self._found:
            self._found = self._wait()
        found = self._found[min(index, len(self._found) - 1)]
        if isinstance(found, AnalystError):
            raise found
        return found

    def _wait(self) -> list[Finding | AnalystError]:
        try:
            found: list[Finding | AnalystError] = self._future.result()
        except KilledWorker as error:
            raise AnalystError(f"gave up after {error.allowed_failures + 1} workers died") from None
        except (CancelledError, OSError) as error:
            raise StartError("the connection to the Dask scheduler was lost") from error
        finally:
            self._future.release()
        return found


@dataclass(frozen=True)
class _Promise:
    """One finding of a run."""

    run: _Run
    index: int

    def result(self) -> Finding:
        """See `pool.Promise`."""
        return self.run.finding(self.index)


class DaskPool:
    """Analysts on a Dask cluster, one for each thread of its workers.

    :param address: of the scheduler, such as `tcp://10.0.0.1:8786`.
    :raises StartError: if there is no scheduler, or no worker.
    """

    def __init__(self, setup: Setup, address: str) -> None:
        for name in (
            "distributed",
            "distributed.client",
        ):  # our errors are enough
            logging.getLogger(name).setLevel(logging.CRITICAL)
        self._name = f"halbzug-{uuid.uuid4().hex}"
        try:
            self._client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
        except (OSError, ValueError) as error:
            reason = " ".join(str(error).split()) or type(error).__name__
            raise StartError(f"no Dask scheduler at {address}: {reason}") from None
        try:
            self._client.wait_for_workers(1, timeout=WORKER_SECONDS)
            self._client.register_plugin(_AnalystsPlugin(setup, self._name))
        except asyncio.TimeoutError:
            self._client.close()
            raise StartError(f"the Dask scheduler at {address} has no workers") from None
        except ImportError as error:
            self._client.close()
            raise StartError(f"a Dask worker cannot import Halbzug: {error}") from None
        self.size = max(sum(self._client.nthreads().values()), 1)

    def submit(self, run: Sequence[Subject]) -> Sequence[Promise]:
        """See `pool.Pool`."""
        work = _Run(self._client.submit(_ask, self._name, run, pure=False))
        return [_Promise(work, index) for index in range(len(run))]

    def close(self) -> None:
        """See `pool.Pool`; the cluster keeps running."""
        with contextlib.suppress(Exception):  # it may have ended already
            self._client.unregister_worker_plugin(self._name)
        with contextlib.suppress(Exception):
            self._client.close()

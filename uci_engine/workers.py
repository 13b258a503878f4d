"""Search processes, seen from the front: start, feed, stop, kill.

The search runs in a child process, because compiled code holds the interpreter lock and a thread
beside it would be deaf. Front and child exchange pickled messages over the child's standard
input and output. The child ends when that pipe closes, so it never outlives the front, however
the front dies.
"""

from __future__ import annotations

import contextlib
import pickle
import queue
import subprocess
import sys
import threading
from dataclasses import dataclass
from typing import Any

from uci_engine.clock import Budget, Limits
from uci_engine.events import Event
from uci_engine.handicap import Handicap

#: How long a child may take to leave by itself, in seconds.
FAREWELL_SECONDS = 0.2

# The child imports from where the front does, and nothing from the folder it is started in.
_START = (
    "import sys; sys.path[:] = sys.argv[1].split('\\n');"
    "from uci_engine.search_process import main; main()"
)


@dataclass(frozen=True)
class Job:
    """Something to do on a position; `number` tells jobs apart."""

    number: int
    kind: str  # "search", "perft" or "bench"
    fen: str
    moves: tuple[str, ...]
    chess960: bool
    limits: Limits
    budget: Budget | None
    elapsed_ms: float  # already gone when the job is sent
    multi_pv: int = 1
    is_analysis: bool = False  # look at a forced move, too, instead of playing it at once
    handicap: Handicap | None = None  # None: full strength


@dataclass(frozen=True)
class Stop:
    """End a job early, with the best that is known."""

    number: int


@dataclass(frozen=True)
class PonderHit:
    """The clock of a pondering job starts."""

    number: int


@dataclass(frozen=True)
class SetHash:
    """Replace the table by an empty one of this size."""

    megabytes: int


@dataclass(frozen=True)
class SetTables:
    """Open these Syzygy tablebases instead of the ones open now."""

    paths: str = ""  # folders besides the shipped ones, separated as in PATH
    probe_depth: int = 4  # plies left at least where the tree is probed
    probe_limit: int = 7  # pieces at most; 0 switches probing off
    fifty_move_rule: bool = True


@dataclass(frozen=True)
class NewGame:
    """Forget the last game."""


@dataclass(frozen=True)
class Ready:
    """The child has started, or has done all that was asked before."""


@dataclass(frozen=True)
class Report:
    """Something a worker said; job number 0 belongs to no job."""

    worker: Worker
    number: int
    event: Event | Ready


@dataclass(frozen=True)
class Death:
    """A worker is gone."""

    worker: Worker


class Worker:
    """One search process.

    :param inbox: where its `Report`s and, at the end, its `Death` arrive.
    :raises OSError: if no process can be started.
    """

    def __init__(
        self, inbox: queue.SimpleQueue[Any], hash_mb: int, tables: SetTables | None = None
    ) -> None:
        self._inbox = inbox
        self._process = subprocess.Popen(
            [sys.executable, "-c", _START, "\n".join(sys.path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self.send(SetHash(hash_mb))
        self.send(tables or SetTables())
        threading.Thread(target=self._listen, name="kiebitz-worker", daemon=True).start()

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    def send(self, message: object) -> None:
        """Send a message; if the worker is gone, its `Death` will say so."""
        assert self._process.stdin is not None
        try:
            pickle.dump(message, self._process.stdin)
            self._process.stdin.flush()
        except (OSError, ValueError):
            pass

    def kill(self) -> None:
        """End the process at once."""
        self._process.kill()

    def close(self) -> None:
        """End the process, politely first."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        try:
            self._process.wait(FAREWELL_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _listen(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            while True:
                number, event = pickle.load(self._process.stdout)
                self._inbox.put(Report(self, number, event))
        except Exception:  # its end, or half a message; either way it is of no more use
            self._process.kill()
            self._process.wait()
            for pipe in (self._process.stdin, self._process.stdout):
                with contextlib.suppress(OSError):
                    pipe.close()
            self._inbox.put(Death(self))

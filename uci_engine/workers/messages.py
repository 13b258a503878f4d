"""The messages between the front and its search processes.

The front sends `Job`, `Stop`, `PonderHit`, `SetHash`, `SetTablebases` and, to the process of an
engine file, `SetFileOptions`. A child answers with pairs of a job number (0 for none) and an event
or `Ready`.
"""

from __future__ import annotations

import errno
from typing import NamedTuple

from ..base.limits import Limits
from ..base.os_errors import reason_of
from ..eval.network_file import TERMS
from ..search.strength import Handicap
from ..search.time_management import MoveTime
from .shared_memory import Handle

#: Sizes in MiB to try if there is not enough memory for the requested hash table.
SMALLER_HASH_MB = (16, 1)

#: The last message of a child that is not allowed to start a thread.
NO_THREADS = reason_of(OSError(errno.EAGAIN, ""))


class Job(NamedTuple):
    """A task on a position; `number` identifies it."""

    number: int
    kind: str  # "search", "perft" or "bench"
    fen: str
    moves: tuple[str, ...]
    chess960: bool
    limits: Limits
    move_time: MoveTime | None
    multi_pv: int
    is_analysis: bool  # search a forced move, too, instead of playing it at once
    handicap: Handicap | None  # None: full strength
    eval_file: str = TERMS  # see `halbzug.eval.network_file.named`
    elapsed_ms: float = 0.0  # already spent when the job was sent
    earlier_nodes: int = 0  # nodes counted by a worker that died on this job
    earlier_hits: int = 0


class Stop(NamedTuple):
    """End a job early, with the best result so far."""

    number: int


class PonderHit(NamedTuple):
    """Start the clock of a pondering job."""

    number: int


class PoolSlot(NamedTuple):
    """A worker's slot in the pool; the two blocks of memory are handed over separately."""

    number: int  # 0 is the main worker
    workers: int  # total number
    tt: Handle
    counters: Handle


class SetHash(NamedTuple):
    """Forget everything learnt, and use an empty table of this size.

    With a slot, the table is shared with the pool; otherwise it is the worker's own.
    """

    megabytes: int
    slot: PoolSlot | None = None


class SetTablebases(NamedTuple):
    """Open these Syzygy tablebases instead of the current ones."""

    paths: str  # folders in addition to the shipped ones, separated as in PATH
    probe_depth: int  # minimum remaining plies for probing in the tree
    probe_limit: int  # maximum number of pieces; 0 switches probing off
    fifty_move_rule: bool


class SetFileOptions(NamedTuple):
    """Set options declared by the engine file, by name."""

    values: tuple[tuple[str, int | str | bool], ...]


class Ready(NamedTuple):
    """The child has finished a task, and continues or is idle."""

    settings_done: int = 0  # number of `SetHash`, `SetTablebases`, `SetFileOptions`

"""The messages between the front and its search processes.

The front sends `Job`, `Stop`, `PonderHit`, `SetHash`, `SetTablebases` and, to one that plays what a
file says, `SetFileOptions`. A child answers with pairs of the number of a job (0 for none) and an
event or `Ready`.
"""

from __future__ import annotations

import errno
from dataclasses import dataclass

from ..base.limits import Limits
from ..base.os_errors import reason_of
from ..eval.network_file import TERMS
from ..search.strength import Handicap
from ..search.time_management import MoveTime
from .shared_memory import Handle

#: Sizes in MiB to try where there is no memory for the hash table that was wanted.
SMALLER_HASH_MB = (16, 1)

#: What a child that may not start a thread says at its end.
NO_THREADS = reason_of(OSError(errno.EAGAIN, ""))


@dataclass(frozen=True, kw_only=True)
class Job:
    """Something to do on a position; `number` tells jobs apart."""

    number: int
    kind: str  # "search", "perft" or "bench"
    fen: str
    moves: tuple[str, ...]
    chess960: bool
    limits: Limits
    move_time: MoveTime | None
    multi_pv: int
    is_analysis: bool  # look at a forced move, too, instead of playing it at once
    handicap: Handicap | None  # None: full strength
    eval_file: str = TERMS  # see `halbzug.eval.network_file.named`
    elapsed_ms: float = 0.0  # already spent when the job is sent
    earlier_nodes: int = 0  # what a worker that died over this job has counted
    earlier_hits: int = 0


@dataclass(frozen=True)
class Stop:
    """End a job early, with the best that is known."""

    number: int


@dataclass(frozen=True)
class PonderHit:
    """The clock of a pondering job starts."""

    number: int


@dataclass(frozen=True)
class PoolSlot:
    """A worker's slot in the pool; the two blocks of memory are handed over beside it."""

    number: int  # 0 is the main worker
    workers: int  # in all
    tt: Handle
    counters: Handle


@dataclass(frozen=True)
class SetHash:
    """Forget all that was learnt, and have an empty table of this size.

    It is shared with the pool, or the worker's own without a slot.
    """

    megabytes: int
    slot: PoolSlot | None = None


@dataclass(frozen=True)
class SetTablebases:
    """Open these Syzygy tablebases instead of the ones open now."""

    paths: str  # folders besides the shipped ones, separated as in PATH
    probe_depth: int  # plies left at least where the tree is probed
    probe_limit: int  # pieces at most; 0 switches probing off
    fifty_move_rule: bool


@dataclass(frozen=True)
class SetFileOptions:
    """Set options that the file of the engine has declared, by their names."""

    values: tuple[tuple[str, int | str | bool], ...]


@dataclass(frozen=True)
class Ready:
    """The child has done something and goes on, or is idle."""

    settings_done: int = 0  # `SetHash`, `SetTablebases`, `SetFileOptions`, since its start

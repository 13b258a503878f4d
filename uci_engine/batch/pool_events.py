"""Pools of analysts take chunks of runs, and report what happens to them as it happens.

`sharing.py` makes the chunks, and puts the answers in order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from .analysts import StartError
from .questions import Answer, Run

#: The runs that one analyst takes at a time.
Chunk = Sequence[Run]


@dataclass(frozen=True)
class Done:
    """A chunk is done: the answers to each of its runs, and the time it took."""

    number: int
    answers: Sequence[Sequence[Answer]]
    seconds: float


@dataclass(frozen=True)
class PoolStep:
    """Another position of a run is done; its answer comes once more with the chunk."""

    number: int
    run: int
    answer: Answer


@dataclass(frozen=True)
class Lost:
    """A chunk is lost because its analyst died."""

    number: int
    reason: str


@dataclass(frozen=True)
class Broken:
    """The pool cannot continue."""

    error: StartError


@dataclass(frozen=True)
class Wakeup:
    """`wake` was called."""


PoolEvent = Done | PoolStep | Lost | Broken | Wakeup


class Pool(Protocol):
    """Analysts that work on chunks.

    :ivar chunk_seconds: the intended time for a chunk.
    """

    chunk_seconds: float

    @property
    def size(self) -> int:
        """The current number of chunks that can be worked on in parallel."""

    @property
    def wanted(self) -> int:
        """The number of chunks to submit so that no analyst has to wait."""

    def submit(self, number: int, chunk: Chunk) -> None:
        """Submit a chunk; events about it carry its number."""

    def next_event(self, *, waits: bool) -> PoolEvent | None:
        """The next event; None if there is none and `waits` is false."""

    def wake(self) -> None:
        """Make `next_event` return. Any thread may call it."""

    def close(self) -> None:
        """End all processes of the pool, even during a search."""

"""Pools of analysts: they take chunks of runs, and tell what becomes of them, as that happens.

`sharing.py` makes the chunks, and puts the answers into order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from .analysts import StartError
from .questions import Answer, Run

#: Runs that one analyst takes at a time.
Chunk = Sequence[Run]


@dataclass(frozen=True)
class Done:
    """A chunk is done: the answers to each of its runs, and how long it took."""

    number: int
    answers: Sequence[Sequence[Answer]]
    seconds: float


@dataclass(frozen=True)
class PoolStep:
    """More positions of a run are done; their answers come with the chunk."""

    number: int
    run: int
    positions: int


@dataclass(frozen=True)
class Lost:
    """A chunk is lost because of what happened to those who worked on it."""

    number: int
    reason: str


@dataclass(frozen=True)
class Broken:
    """The pool cannot go on."""

    error: StartError


@dataclass(frozen=True)
class Wakeup:
    """Somebody called `wake`."""


PoolEvent = Done | PoolStep | Lost | Broken | Wakeup


class Pool(Protocol):
    """Analysts that work on chunks.

    :ivar chunk_seconds: how long they should work on a chunk.
    """

    chunk_seconds: float

    @property
    def size(self) -> int:
        """How many chunks can be worked on at the same time, at present."""

    @property
    def wanted(self) -> int:
        """How many chunks should be submitted, so that nobody waits for the next one."""

    def submit(self, number: int, chunk: Chunk) -> None:
        """Let an analyst work on a chunk; the events about it have its number."""

    def next_event(self, *, waits: bool) -> PoolEvent | None:
        """The next event; None if there is none and it is not waited for."""

    def wake(self) -> None:
        """Let `next_event` return. Any thread may call it."""

    def close(self) -> None:
        """End all processes of the pool, even during a search."""

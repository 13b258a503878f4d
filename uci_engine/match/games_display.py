"""What shows games that are played, and what it shows: a match, a rating."""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import AbstractContextManager
from typing import Any, Protocol

from ..display.document import Part
from ..display.sheet import Sheet
from .game import FinishedGame
from .match_record import GameRecord


class GamesDisplay(Protocol):
    """Is told how games go on."""

    def watching(self) -> AbstractContextManager[None]:
        """A context in which games are played."""

    def say(self, text: str) -> None:
        """Show a message."""

    def note(self, record: GameRecord, reason: str) -> None:
        """Show a game that has just been counted, and why it ended."""


class MistakeReporter:
    """Tells what engines do wrong: each kind once an engine; the result counts all.

    :param names: of the engines of which it is told.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._names = set(names)
        self._told: set[tuple[str, str]] = set()

    def tell(self, finished: FinishedGame, display: GamesDisplay) -> None:
        """Tell what is new in a game."""
        number = finished.game.headers["Round"]
        for name, mistake in finished.mistakes:
            if name in self._names and (name, mistake.kind) not in self._told:
                self._told.add((name, mistake.kind))
                display.say(f"Game {number}: {name}: {mistake}")


#: The place in the file of an engine, as tracebacks and messages of ours have it.
_PLACE = re.compile(r", line \d+")


def fault_kind(termination: str, reason: str) -> tuple[str, str]:
    """What faults that are the same have in common, whatever the move, the position or the delay.

    :param termination: as PGN's tag has it.
    :param reason: the referee's words.
    """
    place = _PLACE.search(reason)
    return termination, place[0] if place else ""


class NewFaults:
    """Knows which faults of engines have been told: each kind once an engine."""

    def __init__(self) -> None:
        self._told: set[tuple[str, tuple[str, str]]] = set()

    def add(self, record: GameRecord, reason: str) -> bool:
        """Whether the fault by which a game was lost is to be told: it is new."""
        fault = record.loser, fault_kind(record.termination, reason)
        is_new = fault not in self._told
        self._told.add(fault)
        return is_new


class GamesState(Protocol):
    """What a display shows of games that are played."""

    heading: str

    @property
    def games(self) -> int:
        """Games that were counted, earlier runs included."""

    def line(self) -> str:
        """The state in one line."""

    def progress(self, played: int, seconds: float) -> str:
        """How many games there are, from those of this run and the seconds since it began."""

    def live_sheet(self) -> Sheet:
        """The state as a table."""

    def live_note(self) -> str:
        """What else stands below the table."""

    def result(self) -> Iterable[Part]:
        """What is shown at the end."""

    def json(self) -> dict[str, Any]:
        """The result for programs."""

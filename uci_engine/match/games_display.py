"""The interface between running games (a match, a rating) and their display."""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import AbstractContextManager
from typing import Any, Protocol

from ..base.events import FILE_FAULTS, GUESSED
from ..base.language import local, say
from ..display.document import Part
from ..display.sheet import Sheet
from .game import FinishedGame
from .match_record import GameRecord


class GamesDisplay(Protocol):
    """Shows how games progress."""

    def watching(self) -> AbstractContextManager[None]:
        """A context in which games are played."""

    def say(self, text: str) -> None:
        """Show a message."""

    def note(self, record: GameRecord, reason: str) -> None:
        """Show a game that was just finished, and why it ended."""


class MistakeReporter:
    """Reports faults of engines: each kind once for each engine; the result counts all.

    :param names: the engines whose faults are reported.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._names = set(names)
        self._told: set[tuple[str, str]] = set()

    def tell(self, finished: FinishedGame, display: GamesDisplay) -> None:
        """Report the new faults in a game."""
        number = finished.game.headers["Round"]
        for name, mistake in finished.mistakes:
            if name in self._names and (name, mistake.kind) not in self._told:
                self._told.add((name, mistake.kind))
                words = {"number": number, "name": name, "what": fault_text(str(mistake))}
                display.say(say("Game {number}: {name}: {what}", **words))


#: How the rules, the referee and the clock end a game, in the PGN file.
_ENDS = (
    *("White mates", "Black mates", "White resigns", "Black resigns"),
    *("White wins by tablebase", "Black wins by tablebase", "Draw by tablebase"),
    *("Draw by stalemate", "Draw by insufficient material", "Draw by threefold repetition"),
    *("Draw by the fifty-move rule", "Draw by agreement"),
    *("White loses on time", "Black loses on time"),
)


def end_text(reason: str) -> str:
    """The end of a game in the reader's language."""
    if found := re.fullmatch(r"Draw: no end after ([\d,]+) moves?", reason):
        return say("Draw: no end after {n} moves", n=local(found[1]))
    return say(reason) if reason in _ENDS else fault_text(reason)


#: Who did something, and what the referee says that it was.
_WHO = r"(?:(White|Black) (\(.*?\)) )?"
_DEEDS = ("ended with exit code {n}", "oversteps its time by {n} ms")


def fault_text(message: str) -> str:
    """A message about a fault, in the reader's language.

    Names of engines and what their files said stay as they are.
    """
    for deed in _DEEDS:
        pattern = deed.replace("{n}", r"(\d+)")
        if found := re.fullmatch(f"{_WHO}{pattern}(?:: (.*))?", message):
            side, name, number, said = found.groups()
            who = f"{say(side)} {name} " if side else ""
            return who + say(deed, n=number) + (f": {_mistake_text(said)}" if said else "")
    if found := re.fullmatch(f"{_WHO}(.*)", message):
        side, name, said = found.groups()
        return f"{say(side)} {name} {said}" if side else _mistake_text(said)
    return message


def _mistake_text(message: str) -> str:
    """What an engine said of a mistake, which may begin with its kind."""
    kind, colon, said = message.partition(": ")
    if colon and kind in FILE_FAULTS:
        return f"{say(kind)}: {_mistake_text(said) if said == GUESSED else said}"
    return say(message) if message == GUESSED else message


#: A place in an engine's file, as written in tracebacks and in our messages.
_PLACE = re.compile(r", (?:line|Zeile) \d+")


def fault_kind(termination: str, reason: str) -> tuple[str, str]:
    """The kind of a fault, independent of the move, the position and the delay.

    :param termination: the value of the PGN tag.
    :param reason: the referee's words.
    """
    place = _PLACE.search(reason)
    return termination, place[0] if place else ""


class NewFaults:
    """Remembers which faults have been reported: each kind once for each engine."""

    def __init__(self) -> None:
        self._told: set[tuple[str, tuple[str, str]]] = set()

    def add(self, record: GameRecord, reason: str) -> bool:
        """Whether the fault that lost a game is new and should be reported."""
        fault = record.loser, fault_kind(record.termination, reason)
        is_new = fault not in self._told
        self._told.add(fault)
        return is_new


class GamesState(Protocol):
    """The state of running games, as a display shows it."""

    heading: str = ""

    @property
    def games(self) -> int:
        """The number of finished games, including those of earlier runs."""

    def line(self) -> str:
        """The state in one line."""

    def progress(self, played: int, seconds: float) -> str:
        """The progress, from the games of this run and the seconds since it began."""

    def live_sheet(self) -> Sheet:
        """The state as a table."""

    def live_note(self) -> str:
        """A note to show below the table, if there is more than the progress."""
        return ""

    def result(self) -> Iterable[Part]:
        """The final result."""

    def json(self) -> dict[str, Any]:
        """The result for programs."""

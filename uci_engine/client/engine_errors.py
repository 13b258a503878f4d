"""The ways in which an engine can fail."""

from __future__ import annotations

import enum
import re
from collections.abc import Iterable
from dataclasses import dataclass

from ..base.events import FILE_FAULTS, ILLEGAL_MOVE, TOO_LATE
from ..base.text import on_one_line

#: How the engine of a file reports the file's mistakes; see `halbzug.uci.session`.
_MISTAKE = re.compile(rf"({'|'.join(FILE_FAULTS)}): (.+)")


class Fault(enum.Enum):
    """The kinds of failure; their values are those of PGN's tag Termination."""

    TIME = "time forfeit"
    ILLEGAL = "rules infraction"
    CRASH = "abandoned"


class UciError(Exception):
    """A failure of an engine. The text is one line: the engine, and what it did.

    :param name: the engine's name.
    :param reason: what it did, in words that follow its name: `ended with exit code 1`.
    """

    def __init__(self, name: str, fault: Fault, reason: str) -> None:
        self.reason = _one_line(reason)
        super().__init__(f"{name} {self.reason}")
        self.name = name
        self.fault = fault

    def __reduce__(self) -> tuple[type[UciError], tuple[str, Fault, str]]:
        return type(self), (self.name, self.fault, self.reason)


@dataclass(frozen=True)
class EngineMistake:
    """A mistake of an engine file, whose engine plays on.

    :ivar kind: one of `halbzug.base.events.FILE_FAULTS`.
    """

    kind: str
    text: str

    @property
    def fault(self) -> Fault:
        """The fault by which it loses a game if the file is run strictly."""
        return _FAULTS.get(self.kind, Fault.CRASH)

    def __str__(self) -> str:
        return f"{self.kind}: {self.text}"


_FAULTS = {TOO_LATE: Fault.TIME, ILLEGAL_MOVE: Fault.ILLEGAL}


def mistakes_in(notices: Iterable[str]) -> list[EngineMistake]:
    """The mistakes among the `info string` lines of an engine."""
    found = map(_MISTAKE.fullmatch, map(_one_line, notices))
    return [EngineMistake(match[1], match[2]) for match in found if match]


def _one_line(text: str) -> str:
    return " ".join(on_one_line(text).split())

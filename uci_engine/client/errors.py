"""How an engine fails."""

from __future__ import annotations

import enum


class Fault(enum.Enum):
    """The kinds of failure; the values are those of PGN's tag Termination."""

    TIME = "time forfeit"
    ILLEGAL = "rules infraction"
    CRASH = "abandoned"


class UciError(Exception):
    """A failure of an engine. The text is one line: the engine, and what it did.

    :param name: of the engine.
    :param reason: what it did, in words that follow its name: `ended with exit code 1`.
    """

    def __init__(self, name: str, fault: Fault, reason: str) -> None:
        words = " ".join(reason.split())
        self.reason = "".join(char if char.isprintable() else "?" for char in words)
        super().__init__(f"{name} {self.reason}")
        self.name = name
        self.fault = fault

    def __reduce__(self) -> tuple[type[UciError], tuple[str, Fault, str]]:
        return type(self), (self.name, self.fault, self.reason)

"""How an engine loses without being mated."""

from __future__ import annotations

import enum


class Fault(enum.Enum):
    """What an engine did; the values are the words of the PGN tag Termination for it."""

    TIME = "time forfeit"
    ILLEGAL = "rules infraction"
    CRASH = "abandoned"


class ForfeitError(Exception):
    """An engine cannot or may not go on.

    :param reason: what it did, in words that follow its name: `ended with exit code 1`.
    """

    def __init__(self, fault: Fault, reason: str) -> None:
        super().__init__(reason)
        self.fault = fault
        self.reason = " ".join(reason.split())

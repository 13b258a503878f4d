"""What a file did wrong in a game that it lost by a fault, according to the referee's message."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..base.events import DIED, FILE_FAULTS, ILLEGAL_MOVE, TOO_LATE
from ..client.engine_errors import Fault as UciFault

#: All kinds, in the order in which they are shown.
KINDS = FILE_FAULTS

#: How the referee quotes the last message of an engine that ended under `halbzug run --strict`.
_SAID = re.compile(rf"ended with exit code 1: ({'|'.join(KINDS)}): (.*)")

#: The player that a message is about, who is known anyway.
_WHO = re.compile(r"(?:White|Black) \(.*?\) ")


@dataclass(frozen=True)
class FileFault:
    """A fault: one of `KINDS`, and the message with the line of the file."""

    kind: str
    text: str


def fault_in(termination: str, reason: str) -> FileFault | None:
    """The fault by which a game was lost; None if it was lost on the board.

    :param termination: the value of the PGN tag.
    :param reason: the referee's words.
    """
    if termination not in {fault.value for fault in UciFault}:
        return None
    if said := _SAID.search(reason):
        return FileFault(said[1], said[2].strip())
    text = _WHO.sub("", reason, count=1)
    if termination == UciFault.CRASH.value:
        return FileFault(DIED, text)
    if termination == UciFault.TIME.value:
        return FileFault(TOO_LATE, text)
    return FileFault(ILLEGAL_MOVE, text)

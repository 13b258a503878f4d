"""What a search tells the outside: data that crosses the rooms, without behaviour.

Scores are centipawns from the side to move; a forced mate is `MATE - plies` (negative when being
mated). Moves are UCI text, in the castling form of the position they belong to.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Info:
    """One line of analysis."""

    depth: int
    selective_depth: int
    multipv: int
    score: int
    bound: int  # EXACT_BOUND, LOWER_BOUND or UPPER_BOUND of `halbzug.scores`
    nodes: int
    time_ms: int
    hashfull: int  # per mille
    pv: tuple[str, ...]
    wdl: tuple[int, int, int] | None = None  # win, draw, loss per mille
    tablebase_hits: int = 0

    @property
    def nodes_per_second(self) -> int:
        """Nodes per second so far; a first millisecond counts as a whole one."""
        return self.nodes * 1000 // max(self.time_ms, 1)


@dataclass(frozen=True)
class CurrentMove:
    """The root move a long search is looking at."""

    depth: int
    move: str
    number: int


@dataclass(frozen=True)
class BestMove:
    """The answer to a `go`; `move` is None when there is no legal move."""

    move: str | None
    ponder: str | None = None


@dataclass(frozen=True)
class Notice:
    """A message for the user, `info string` in UCI."""

    text: str
    option: str = ""  # the UCI option whose value it complains about, if it does


def shown(word: str) -> str:
    """A word from outside, fit for a notice: its beginning, in ASCII."""
    return ascii(word[:30])[1:-1]


@dataclass(frozen=True)
class Output:
    """Text that a customary command (perft, bench) was asked to print."""

    text: str


Event = Info | CurrentMove | BestMove | Notice | Output

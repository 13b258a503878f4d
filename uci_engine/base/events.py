"""What a search reports: plain data that every room uses.

Scores are centipawns from the side to move; a forced mate is `MATE - plies`, negative if the side
to move is mated. Moves are UCI text; castling is written as the position's mode has it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Info:
    """One line of analysis."""

    depth: int
    selective_depth: int
    multipv: int
    score: int
    bound: int  # of `halbzug.base.scores`; with NO_BOUND there is no score
    nodes: int
    time_ms: int
    hashfull: int  # per mille
    pv: tuple[str, ...]
    wdl: tuple[int, int, int] | None = None  # win, draw, loss per mille
    tablebase_hits: int = 0

    @property
    def nodes_per_second(self) -> int:
        """Nodes per second so far; a time below one millisecond counts as one."""
        return self.nodes * 1000 // max(self.time_ms, 1)

    def counting_on(self, last: Info | None) -> Info:
        """The same line, its counters at least as high as in the last one."""
        if last is None or (
            self.nodes >= last.nodes
            and self.time_ms >= last.time_ms
            and self.tablebase_hits >= last.tablebase_hits
        ):
            return self
        return replace(
            self,
            nodes=max(self.nodes, last.nodes),
            time_ms=max(self.time_ms, last.time_ms),
            tablebase_hits=max(self.tablebase_hits, last.tablebase_hits),
        )


@dataclass(frozen=True)
class CurrentMove:
    """The root move that a long search is at."""

    depth: int
    move: str
    number: int


@dataclass(frozen=True)
class BestMove:
    """The answer to a `go`; `move` is None when there is not a legal move."""

    move: str | None
    ponder: str | None = None


#: What the file of an engine may do wrong, in words.
EXCEPTION, ILLEGAL_MOVE, TOO_LATE, DIED = "exception", "illegal move", "too late", "crash"
FILE_FAULTS = (EXCEPTION, ILLEGAL_MOVE, TOO_LATE, DIED)


@dataclass(frozen=True)
class Notice:
    """A message for the user, `info string` in UCI."""

    text: str
    option: str = ""  # the UCI option whose value is wrong; empty if it is about something else
    fault: str = ""  # what the file of an engine did wrong, such as EXCEPTION; empty if nothing


@dataclass(frozen=True)
class Source:
    """Where the move comes from, if not from the search."""

    name: str


#: Sources, as lichess-bot calls its own.
BOOK_SOURCE = Source("Opening Book")
TABLEBASE_SOURCE = Source("Syzygy EGTB")


def shown(word: str) -> str:
    """The first 30 characters of a word from outside, as ASCII, for use in a notice."""
    return ascii(word[:30])[1:-1]


@dataclass(frozen=True)
class Output:
    """Text that `perft` or `bench` prints."""

    text: str


@dataclass(frozen=True)
class FileOption:
    """An option that the file of an engine declares; only a number has a range."""

    name: str
    default: int | str | bool
    minimum: int = 0
    maximum: int = 0


@dataclass(frozen=True)
class Introduction:
    """Who plays, in a process that plays what a file says; nothing where the file is of no use."""

    name: str
    author: str
    options: tuple[FileOption, ...] = ()


Event = Info | CurrentMove | BestMove | Notice | Source | Output | Introduction

"""The events that a search reports: plain data used by every room.

Scores are centipawns from the side to move; a forced mate is `MATE - plies`, negative if the side
to move is mated. Moves are in UCI notation, with castling as in the position's mode.

What every start of the engine defines is a named tuple, because defining a dataclass takes several
times as long.
"""

from __future__ import annotations

from typing import NamedTuple


class Info(NamedTuple):
    """One line of analysis."""

    depth: int
    selective_depth: int
    multipv: int
    score: int
    bound: int  # from `halbzug.base.scores`; NO_BOUND means that there is no score
    nodes: int
    time_ms: int
    hashfull: int  # in per mille
    pv: tuple[str, ...]
    wdl: tuple[int, int, int] | None = None  # win, draw, loss in per mille
    tablebase_hits: int = 0

    @property
    def nodes_per_second(self) -> int:
        """Nodes per second so far; a time of less than one millisecond counts as one."""
        return self.nodes * 1000 // max(self.time_ms, 1)

    def counting_on(self, last: Info | None) -> Info:
        """The same line, with counters no lower than in `last`."""
        if last is None or (
            self.nodes >= last.nodes
            and self.time_ms >= last.time_ms
            and self.tablebase_hits >= last.tablebase_hits
        ):
            return self
        return self._replace(
            nodes=max(self.nodes, last.nodes),
            time_ms=max(self.time_ms, last.time_ms),
            tablebase_hits=max(self.tablebase_hits, last.tablebase_hits),
        )


class CurrentMove(NamedTuple):
    """The root move that a long search is currently searching."""

    depth: int
    move: str
    number: int


class BestMove(NamedTuple):
    """The answer to a `go`; `move` is None if there is no legal move."""

    move: str | None
    ponder: str | None = None


#: What an engine file may do wrong.
EXCEPTION, ILLEGAL_MOVE, TOO_LATE, DIED = "exception", "illegal move", "too late", "crash"
FILE_FAULTS = (EXCEPTION, ILLEGAL_MOVE, TOO_LATE, DIED)

#: What the engine says when the time is over before a search has found a move.
GUESSED = "no search in time: this move is a guess"


class Notice(NamedTuple):
    """A message for the user, `info string` in UCI."""

    text: str
    option: str = ""  # the UCI option with a wrong value; empty if it is about something else
    fault: str = ""  # what the engine file did wrong, such as EXCEPTION; empty if nothing


class Source(NamedTuple):
    """The source of the move, if not the search."""

    name: str


#: Sources, as named by lichess-bot.
BOOK_SOURCE = Source("Opening Book")
TABLEBASE_SOURCE = Source("Syzygy EGTB")


def shown(word: str) -> str:
    """The first 30 characters of an external word, as ASCII, for use in a notice."""
    return ascii(word[:30])[1:-1]


class Output(NamedTuple):
    """Text that `perft` or `bench` prints."""

    text: str


class FileOption(NamedTuple):
    """An option declared by an engine file; only numbers have a range."""

    name: str
    default: int | str | bool
    minimum: int = 0
    maximum: int = 0


class Introduction(NamedTuple):
    """The name and author of an engine file, sent by its process; empty if the file is unusable."""

    name: str
    author: str
    options: tuple[FileOption, ...] = ()


Event = Info | CurrentMove | BestMove | Notice | Source | Output | Introduction

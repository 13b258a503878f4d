"""The options of the engine, each once: name, default, range, what it does, and what it renews.

A new option is one field of `Options`, and the line of the engine that reads it. The protocol's
declarations, the defaults, the table in the documentation, the fuzzer and the tests are made from
here.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from enum import Enum
from typing import Any

from halbzug.search.smp_counters import MAX_THREADS
from halbzug.search.strength import HIGHEST_SKILL, STRONGEST_ELO, WEAKEST_ELO

#: Largest table offered, in MiB.
MAX_HASH_MB = 65536


class Part(Enum):
    """A part of the engine that begins anew at once when one of its options is set."""

    HASH = "hash"
    BOOK = "book"
    TABLEBASES = "tablebases"


@dataclass(frozen=True)
class Spin:
    """A number within a range.

    :param help: what it does, as a row of the documentation's table.
    :param renews: what begins anew when it is set; None if it counts from the next `go`.
    """

    name: str
    default: int
    least: int
    most: int
    help: str
    renews: Part | None = None


@dataclass(frozen=True)
class Check:
    """True or false."""

    name: str
    default: bool
    help: str
    renews: Part | None = None


@dataclass(frozen=True)
class Text:
    """Any text.

    :param values: what the text is, for people, such as `path`.
    """

    name: str
    default: str
    values: str
    help: str
    renews: Part | None = None


@dataclass(frozen=True)
class Button:
    """Something to do; it has no value, and setting it does it."""

    name: str
    help: str
    renews: Part | None = None
    default: None = None


Option = Spin | Check | Text | Button


def _option(option: Option) -> Any:
    return field(default=option.default, metadata={"option": option})


@dataclass(frozen=True)
class Options:
    """What the engine is set to; the defaults are those of UCI."""

    hash_mb: int = _option(
        Spin(
            "Hash",
            16,
            1,
            MAX_HASH_MB,
            "MiB for the transposition table of all threads; the whole engine needs this, at most"
            " 150 MiB more, and 50 MiB for each thread after the first",
            renews=Part.HASH,
        )
    )
    clear_hash: None = _option(Button("Clear Hash", "empties the table", renews=Part.HASH))
    threads: int = _option(
        Spin(
            "Threads",
            1,
            1,
            MAX_THREADS,
            "processes that search together; more than the machine has cores make it weaker",
            renews=Part.HASH,
        )
    )
    multi_pv: int = _option(Spin("MultiPV", 1, 1, 500, "how many best lines to show"))
    can_ponder: bool = _option(
        Check(
            "Ponder",
            False,
            "the GUI lets the engine think on the opponent's time: it spends a little more of its"
            " own",
        )
    )
    move_overhead_ms: int = _option(
        Spin(
            "Move Overhead",
            30,
            0,
            5000,
            "milliseconds kept back each move for lag and the pipe, at most a third of the time"
            " there is",
        )
    )
    uses_book: bool = _option(
        Check(
            "OwnBook",
            True,
            "play known openings from the book in games, with a clock or a move time (not in"
            " analysis mode, with MultiPV above 1, or where `depth`, `nodes`, `mate`, `infinite` or"
            " `searchmoves` ask for a search)",
        )
    )
    book_path: str = _option(
        Text(
            "BookFile",
            "",
            "path",
            "another Polyglot book than the one that comes with Halbzug",
            renews=Part.BOOK,
        )
    )
    book_depth: int = _option(  # full moves of the game
        Spin("BookDepth", 255, 1, 255, "leave the book after this move of the game")
    )
    book_variety: int = _option(  # per cent, see OpeningBook.choose
        Spin(
            "BookVariety",
            50,
            0,
            100,
            "0: always the book's first choice; 100: by its weights",
        )
    )
    tablebase_paths: str = _option(  # separated as in PATH
        Text(
            "SyzygyPath",
            "",
            "folders",
            "more tablebases besides those of three and four pieces that come with Halbzug",
            renews=Part.TABLEBASES,
        )
    )
    tablebase_probe_depth: int = _option(
        Spin(
            "SyzygyProbeDepth",
            4,
            1,
            100,
            "probe in the tree with at least so many plies to go",
            renews=Part.TABLEBASES,
        )
    )
    tablebase_probe_limit: int = _option(
        Spin(
            "SyzygyProbeLimit",
            7,
            0,
            7,
            "probe with at most so many pieces; 0: never",
            renews=Part.TABLEBASES,
        )
    )
    tablebase_fifty_move_rule: bool = _option(
        Check(
            "Syzygy50MoveRule",
            True,
            "a win that needs longer than fifty moves is a draw",
            renews=Part.TABLEBASES,
        )
    )
    skill_level: int = _option(
        Spin(
            "Skill Level",
            HIGHEST_SKILL,
            0,
            HIGHEST_SKILL,
            f"{HIGHEST_SKILL} is full strength; the rest divides the range of `UCI_Elo` evenly",
        )
    )
    limits_strength: bool = _option(
        Check("UCI_LimitStrength", False, "play at `UCI_Elo`; Skill Level does not count then")
    )
    elo: int = _option(
        Spin(
            "UCI_Elo",
            STRONGEST_ELO,
            WEAKEST_ELO,
            STRONGEST_ELO,
            "on the scale of Stockfish 15.1 at 10+0.1: looks less far, has odd opinions about where"
            " pieces belong, knows less theory and no tablebases, but how a bare king is beaten",
        )
    )
    chess960: bool = _option(
        Check("UCI_Chess960", False, "Fischer random chess: castling is king takes rook")
    )
    is_analysing: bool = _option(
        Check(
            "UCI_AnalyseMode",
            False,
            "look at a forced move, too, instead of playing it at once",
        )
    )
    shows_wdl: bool = _option(
        Check("UCI_ShowWDL", False, "add win, draw and loss chances to each line")
    )


#: The options by the names of their fields, in the order in which they are declared.
ENGINE_OPTIONS: dict[str, Option] = {
    field.name: field.metadata["option"] for field in fields(Options)
}

"""The options of the engine: name, default, range, meaning, and what each renews.

A new option needs a field in `Options`, and code in the engine that reads it. The UCI declarations,
also those of engine files, the defaults, the table in the documentation, the fuzzer and the tests
use these records.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from enum import Enum
from typing import Any, NamedTuple

from ..search.smp_counters import MAX_THREADS
from ..search.strength import MAX_ELO, MAX_SKILL_LEVEL, MIN_ELO

#: Maximum table size, in MiB.
MAX_HASH_MB = 65536


class OptionPart(Enum):
    """A part of the engine that is renewed when one of its options is set."""

    HASH = "hash"
    BOOK = "book"
    TABLEBASES = "tablebases"


class Spin(NamedTuple):
    """A number within a range.

    :param help: its meaning, as in the documentation's table.
    :param renews: the part that is renewed when it is set; None if it applies from the next `go`.
    :param is_own_only: whether engines from users' files lack it.
    """

    name: str
    default: int
    minimum: int
    maximum: int
    help: str
    renews: OptionPart | None = None
    is_own_only: bool = False


class Check(NamedTuple):
    """True or false."""

    name: str
    default: bool
    help: str
    renews: OptionPart | None = None
    is_own_only: bool = False


class Text(NamedTuple):
    """Any text.

    :param values: a word for its content, such as `path`.
    """

    name: str
    default: str
    values: str
    help: str
    renews: OptionPart | None = None
    is_own_only: bool = False


class Button(NamedTuple):
    """An action without a value, carried out when it is set."""

    name: str
    help: str
    renews: OptionPart | None = None
    is_own_only: bool = False
    default: None = None


Option = Spin | Check | Text | Button


def _option(option: Option) -> Any:
    return field(default=option.default, metadata={"option": option})


@dataclass(frozen=True)
class Options:
    """The values of all options; the defaults are UCI's."""

    hash_mb: int = _option(
        Spin(
            "Hash",
            16,
            1,
            MAX_HASH_MB,
            "MiB for the transposition table, which all threads share; the whole engine needs this,"
            " at most 150 MiB more, and 50 MiB for each thread after the first",
            renews=OptionPart.HASH,
        )
    )
    clear_hash: None = _option(Button("Clear Hash", "empties the table", renews=OptionPart.HASH))
    threads: int = _option(
        Spin(
            "Threads",
            1,
            1,
            MAX_THREADS,
            "processes that search together; more processes than cores make the engine weaker",
            renews=OptionPart.HASH,
            is_own_only=True,
        )
    )
    multi_pv: int = _option(Spin("MultiPV", 1, 1, 500, "the number of best lines to show"))
    can_ponder: bool = _option(
        Check(
            "Ponder",
            False,
            "the GUI lets the engine think on the opponent's time; the engine then uses a little"
            " more of its own time",
        )
    )
    move_overhead_ms: int = _option(
        Spin(
            "Move Overhead",
            30,
            0,
            5000,
            "milliseconds reserved in each move for lag, at most a third of the time left",
        )
    )
    uses_book: bool = _option(
        Check(
            "OwnBook",
            True,
            "play known openings from the book in games, that is, with a clock or a move time (not"
            " in analysis mode, with MultiPV above 1, or with `depth`, `nodes`, `mate`, `infinite`"
            " or `searchmoves`)",
        )
    )
    book_path: str = _option(
        Text(
            "BookFile",
            "",
            "path",
            "a Polyglot book to use instead of the one that comes with Halbzug",
            renews=OptionPart.BOOK,
        )
    )
    eval_file: str = _option(
        Text(
            "EvalFile",
            "",
            "path",
            "how to evaluate positions: a file with a network, `network` for the one that comes"
            " with Halbzug, or `terms`; empty: `network`, but `terms` in plain Python and for"
            " limited strength",
            renews=OptionPart.HASH,
            is_own_only=True,
        )
    )
    book_depth: int = _option(  # full moves of the game
        Spin("BookDepth", 255, 1, 255, "the last move of the game to play from the book")
    )
    book_variety: int = _option(  # per cent; see OpeningBook.choose
        Spin(
            "BookVariety",
            50,
            0,
            100,
            "0: always play the book's first choice; 100: choose according to its weights",
        )
    )
    tablebase_paths: str = _option(  # separated as in PATH
        Text(
            "SyzygyPath",
            "",
            "folders",
            "more tablebases, in addition to those of three and four pieces that come with Halbzug",
            renews=OptionPart.TABLEBASES,
            is_own_only=True,
        )
    )
    tablebase_probe_depth: int = _option(
        Spin(
            "SyzygyProbeDepth",
            4,
            1,
            100,
            "probe in the tree only at this remaining depth, in plies, or more",
            renews=OptionPart.TABLEBASES,
            is_own_only=True,
        )
    )
    tablebase_probe_limit: int = _option(
        Spin(
            "SyzygyProbeLimit",
            7,
            0,
            7,
            "probe positions with at most this many pieces; 0: never",
            renews=OptionPart.TABLEBASES,
            is_own_only=True,
        )
    )
    tablebase_fifty_move_rule: bool = _option(
        Check(
            "Syzygy50MoveRule",
            True,
            "treat a win that takes longer than fifty moves as a draw",
            renews=OptionPart.TABLEBASES,
            is_own_only=True,
        )
    )
    skill_level: int = _option(
        Spin(
            "Skill Level",
            MAX_SKILL_LEVEL,
            0,
            MAX_SKILL_LEVEL,
            f"{MAX_SKILL_LEVEL} is full strength; the others divide the range of `UCI_Elo` evenly",
            is_own_only=True,
        )
    )
    limits_strength: bool = _option(
        Check(
            "UCI_LimitStrength",
            False,
            "play at `UCI_Elo` and ignore Skill Level",
            is_own_only=True,
        )
    )
    elo: int = _option(
        Spin(
            "UCI_Elo",
            MAX_ELO,
            MIN_ELO,
            MAX_ELO,
            "the Elo, on the scale of Stockfish 15.1 at 10+0.1; a weaker level searches less"
            " deeply, makes errors in its evaluation, leaves the book earlier and uses no"
            " tablebases, but still wins against a bare king",
            is_own_only=True,
        )
    )
    chess960: bool = _option(
        Check(
            "UCI_Chess960",
            False,
            "Fischer random chess, where castling is written as king takes rook",
        )
    )
    is_analysing: bool = _option(
        Check(
            "UCI_AnalyseMode",
            False,
            "search even if there is only one legal move, instead of playing it at once",
        )
    )
    shows_wdl: bool = _option(
        Check("UCI_ShowWDL", False, "add the chances of a win, draw and loss to each line")
    )


#: The options by field name, in declaration order.
ENGINE_OPTIONS: dict[str, Option] = {
    field.name: field.metadata["option"] for field in fields(Options)
}

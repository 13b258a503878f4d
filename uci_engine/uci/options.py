"""The option table: every UCI option declared once, with its type, range and effect."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from halbzug.search.smp_counters import MAX_THREADS
from halbzug.search.strength import HIGHEST_SKILL, STRONGEST_ELO, WEAKEST_ELO
from halbzug.uci.parser import to_int
from halbzug.version import __version__

if TYPE_CHECKING:
    from halbzug.uci.session import Session

#: Largest table offered, in MiB.
LARGEST_HASH_MB = 65536

ABOUT = f"Halbzug {__version__}, a chess engine on python-chess (GPL-3.0-or-later)"


@dataclass(frozen=True)
class Spin:
    """A number within a range."""

    name: str
    default: int
    least: int
    most: int
    apply: Callable[[Session, int], None]

    def declaration(self) -> str:
        """The option as the GUI is told of it."""
        return f"type spin default {self.default} min {self.least} max {self.most}"

    def set(self, session: Session, value: str | None) -> None:
        """:raises ValueError: if the value is not a number in range."""
        number = to_int(value or "")
        if number is None:
            raise ValueError(f"{self.name} needs a number")
        if not self.least <= number <= self.most:
            raise ValueError(f"{self.name} must be from {self.least} to {self.most}")
        self.apply(session, number)


@dataclass(frozen=True)
class Check:
    """True or false."""

    name: str
    default: bool
    apply: Callable[[Session, bool], None]

    def declaration(self) -> str:
        """The option as the GUI is told of it."""
        return f"type check default {str(self.default).lower()}"

    def set(self, session: Session, value: str | None) -> None:
        """:raises ValueError: if the value is neither true nor false."""
        if (value or "").lower() not in ("true", "false"):
            raise ValueError(f"{self.name} must be true or false")
        self.apply(session, (value or "").lower() == "true")


@dataclass(frozen=True)
class Text:
    """Any text; UCI writes the empty one as <empty>."""

    name: str
    default: str
    apply: Callable[[Session, str], None]

    def declaration(self) -> str:
        """The option as the GUI is told of it."""
        return f"type string default {self.default or '<empty>'}"

    def set(self, session: Session, value: str | None) -> None:
        """:raises ValueError: if the effect refuses the value."""
        self.apply(session, "" if value in (None, "<empty>") else str(value))


@dataclass(frozen=True)
class Button:
    """Something to do."""

    name: str
    apply: Callable[[Session], None]

    def declaration(self) -> str:
        """The option as the GUI is told of it."""
        return "type button"

    def set(self, session: Session, value: str | None) -> None:
        """Do it; a value makes no difference."""
        self.apply(session)


Option = Spin | Check | Text | Button


def _set_multi_pv(session: Session, lines: int) -> None:
    session.engine.multi_pv = lines


def _set_ponder(session: Session, on: bool) -> None:
    session.engine.can_ponder = on


def _set_overhead(session: Session, milliseconds: int) -> None:
    session.engine.move_overhead_ms = milliseconds


def _set_chess960(session: Session, on: bool) -> None:
    session.engine.chess960 = on


def _set_analysing(session: Session, on: bool) -> None:
    session.engine.is_analysing = on


def _set_wdl(session: Session, on: bool) -> None:
    session.engine.shows_wdl = on


def _set_own_book(session: Session, on: bool) -> None:
    session.engine.uses_book = on


def _set_book_depth(session: Session, moves: int) -> None:
    session.engine.book_depth = moves


def _set_book_variety(session: Session, percent: int) -> None:
    session.engine.book_variety = percent


def _set_limits_strength(session: Session, on: bool) -> None:
    session.engine.limits_strength = on


def _set_elo(session: Session, elo: int) -> None:
    session.engine.elo = elo


def _set_skill(session: Session, level: int) -> None:
    session.engine.skill_level = level


def _set_tables(session: Session, **changes: Any) -> None:
    session.engine.set_tables(replace(session.engine.tables, **changes))


def _set_about(session: Session, text: str) -> None:
    """The text is for the GUI to show; it cannot be changed."""
    if text != ABOUT:
        raise ValueError("UCI_EngineAbout cannot be changed")


OPTIONS: tuple[Option, ...] = (
    Spin("Hash", 16, 1, LARGEST_HASH_MB, lambda session, mb: session.engine.set_hash(mb)),
    Button("Clear Hash", lambda session: session.engine.clear_hash()),
    Spin("Threads", 1, 1, MAX_THREADS, lambda session, n: session.engine.set_threads(n)),
    Spin("MultiPV", 1, 1, 500, _set_multi_pv),
    Check("Ponder", False, _set_ponder),
    Spin("Move Overhead", 30, 0, 5000, _set_overhead),
    Check("OwnBook", True, _set_own_book),
    Text("BookFile", "", lambda session, path: session.engine.set_book(path or None)),
    Spin("BookDepth", 255, 1, 255, _set_book_depth),
    Spin("BookVariety", 50, 0, 100, _set_book_variety),
    Text("SyzygyPath", "", lambda session, paths: _set_tables(session, paths=paths)),
    Spin("SyzygyProbeDepth", 4, 1, 100, lambda session, n: _set_tables(session, probe_depth=n)),
    Spin("SyzygyProbeLimit", 7, 0, 7, lambda session, n: _set_tables(session, probe_limit=n)),
    Check("Syzygy50MoveRule", True, lambda session, on: _set_tables(session, fifty_move_rule=on)),
    Spin("Skill Level", HIGHEST_SKILL, 0, HIGHEST_SKILL, _set_skill),
    Check("UCI_LimitStrength", False, _set_limits_strength),
    Spin("UCI_Elo", STRONGEST_ELO, WEAKEST_ELO, STRONGEST_ELO, _set_elo),
    Check("UCI_Chess960", False, _set_chess960),
    Check("UCI_AnalyseMode", False, _set_analysing),
    Check("UCI_ShowWDL", False, _set_wdl),
    Text("UCI_Opponent", "", lambda session, text: session.note_opponent(text)),
    Text("UCI_EngineAbout", ABOUT, _set_about),
    Text("Debug Log File", "", lambda session, path: session.log_to(path)),
)

_BY_NAME = {option.name.lower(): option for option in OPTIONS}


def declarations() -> list[str]:
    """The `option` lines of the answer to `uci`."""
    return [f"option name {option.name} {option.declaration()}" for option in OPTIONS]


def set_option(session: Session, name: str, value: str | None) -> None:
    """Set an option by its name, in any case.

    :raises ValueError: in one line, if there is no such option or the value does not suit it;
        the old value stays.
    """
    option = _BY_NAME.get(name.lower())
    if option is None:
        raise ValueError(f"unknown option: {ascii(name[:40])[1:-1]}")
    option.set(session, value)

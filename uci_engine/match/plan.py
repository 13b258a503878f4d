"""The plan of a match, the same for every program that plays it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from .adjudication import Rules
from .players import EngineSpec


@dataclass(frozen=True)
class MatchPlan:
    """A match, before it is played."""

    engines: tuple[EngineSpec, ...]
    openings: Path | None  # None: the 960 starting positions of Chess960
    games: int  # between two engines, an even number
    is_gauntlet: bool  # the first engine plays all others; otherwise all play all
    chess960: bool
    seed: int  # of the order of openings
    concurrency: int  # games at a time
    rules: Rules
    tablebase_folders: str | None  # adjudicate by tables here and in the usual folders, if not None
    margin_seconds: float  # seconds by which an engine may exceed its time
    patience_seconds: float  # seconds to wait for a move without a clock
    sprt: tuple[float, float] | None  # elo0, elo1
    pgn: Path | None
    meetings: tuple[tuple[int, int], ...] = ()  # instead of all that `is_gauntlet` means
    rounds: tuple[tuple[tuple[int, int], ...], ...] = ()  # who meets in which, if not all in each
    sources: tuple[str, ...] = ()  # with `meetings`: digests of the programs
    absent: frozenset[int] = frozenset()  # engines whose games are not played, by index
    is_checked: bool = False  # whether it is known that the engines start

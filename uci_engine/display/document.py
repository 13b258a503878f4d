"""What a command shows, in parts that rooms below the commands can make: text, tables, a board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import chess

from .sheet import Sheet


@dataclass(frozen=True)
class Remark:
    """A paragraph, and its emphasis: good or bad news, a doubt, or the most important one."""

    text: str
    tone: Literal["plain", "good", "doubt", "bad", "strong"] = "plain"


@dataclass(frozen=True)
class Glossary:
    """Words, each with an explanation beside it."""

    entries: Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Listing:
    """A table whose lines are whole: too wide for the terminal, it is wrapped there."""

    sheet: Sheet


Part = str | Remark | Glossary | Sheet | Listing | chess.Board

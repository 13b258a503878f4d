"""A command's output in parts that lower rooms can create: text, tables, a board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import chess

from .sheet import Sheet


@dataclass(frozen=True)
class Remark:
    """A paragraph with its emphasis: good news, bad news, a doubt, or the main point."""

    text: str
    tone: Literal["plain", "good", "doubt", "bad", "strong"] = "plain"


@dataclass(frozen=True)
class Glossary:
    """Words, each with an explanation beside it."""

    entries: Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Listing:
    """A table whose lines are not cut: one that is too wide is wrapped by the terminal."""

    sheet: Sheet


Part = str | Remark | Glossary | Sheet | Listing | chess.Board

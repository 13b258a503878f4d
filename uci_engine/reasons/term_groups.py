"""Compares the evaluation of two positions by groups of terms."""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

import chess

from ..api.breakdown import break_down
from ..board.fen import engine_board


class TermChange(NamedTuple):
    """A group of evaluation terms, in centipawns from the player's side."""

    group: str
    kept: int  # at the end of the better line
    left: int  # at the end of the refutation

    @property
    def loss(self) -> int:
        """The cost of the move in this group."""
        return self.kept - self.left


def term_changes(
    better: chess.Board, worse: chess.Board, color: chess.Color
) -> tuple[TermChange, ...]:
    """The groups in two positions from one side, greatest loss first."""
    kept, left = _groups(better, color), _groups(worse, color)
    changes = [
        TermChange(group, round(kept[group]), round(left[group])) for group in {**kept, **left}
    ]
    return tuple(sorted(changes, key=lambda change: -change.loss))


def _groups(board: chess.Board, color: chess.Color) -> dict[str, float]:
    """The evaluation by groups of terms, in centipawns from one side."""
    sums: dict[str, float] = defaultdict(float)
    for term in break_down(engine_board(board)).terms:
        sums[term.group] += float(term.contribution) * (1 if color else -1)
    return sums

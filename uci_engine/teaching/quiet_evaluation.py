"""What the engine thinks of a position once all captures are over: its quiescence search alone."""

from __future__ import annotations

import math

import chess

from ..base.limits import Limits
from ..base.scores import MATE
from ..search.position import Position
from ..search.settings import Settings
from ..search.smp_counters import SharedCounters
from ..search.time_management import Clock
from ..search.transposition import TranspositionTable
from ..search.tree import Tree

#: Centipawns that make the odds e to 1.
ODDS_SCALE = 250


class QuietEvaluation:
    """Evaluates positions without searching quiet moves."""

    def __init__(self) -> None:
        self._settings, self._limits = Settings(), Limits()
        self._clock, self._counters = Clock(), SharedCounters()
        self._tree = Tree(TranspositionTable(1), self._settings)

    def centipawns(self, board: chess.Board) -> int:
        """The value for the side to move.

        :param board: of Halbzug, as engines in files are given it; it is left as it was.
        """
        tree, position = self._tree, Position(board.copy(stack=False))
        tree.begin(position, self._settings, self._limits, self._clock, self._counters)
        value: int = tree.search(-MATE, MATE, 0, tree.root_frame, False, False)
        return value

    def expected_points(self, board: chess.Board) -> float:
        """The expected points of the side to move, from 0 to 1."""
        return 1 / (1 + math.exp(-max(-3000, min(3000, self.centipawns(board))) / ODDS_SCALE))

"""Value in place of playouts: Monte Carlo tree search that asks the evaluation of quiet positions.

A random playout takes as long as twenty evaluations, and says less. Here Halbzug follows captures
until the position is quiet and evaluates it (`halbzug.teaching.quiet_evaluation`), and a logistic
function converts centipawns into the points that a side may expect. Moves are selected as before
(UCT).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

import chess

from halbzug.teaching.engines import monte_carlo
from halbzug.teaching.quiet_evaluation import QuietEvaluation

if TYPE_CHECKING:
    from halbzug.teaching.clock import Clock

name = "Quiet value"


@cache
def quiet_evaluation() -> QuietEvaluation:
    """The evaluation, made when it is first needed."""
    return QuietEvaluation()


#: Evaluations vary less than results, so a move need not be tried often to be known.
EXPLORATION = 0.03


class Node(monte_carlo.Node):
    """A position in the tree, judged by the evaluation."""

    def urgency(self, parent_visits: int, exploration: float = EXPLORATION) -> float:
        """The upper confidence bound, with a smaller constant."""
        return super().urgency(parent_visits, exploration)

    def judge(self, board: chess.Board) -> float:
        """The expected points of the side that moved before."""
        return 1 - quiet_evaluation().expected_points(board)


def choose(board: chess.Board, clock: Clock, root: Node | None = None) -> Iterator[chess.Move]:
    """The most visited move, each time it changes; `root` may already have visits."""
    return monte_carlo.choose(board, clock, root or Node())

"""Policy and quiet value: the tree search of AlphaZero with an evaluation that sees captures.

The network of `policy_value` says where to look. Its value of a position is only a guess, because
it overlooks what is captured next; the value of `quiet_value` does not. The policy was learned from
Halbzug's own games (`halbzug.teaching.training`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import chess

from halbzug.teaching.engines import policy_value
from halbzug.teaching.engines.basics import leaders
from halbzug.teaching.engines.quiet_value import quiet_evaluation

if TYPE_CHECKING:
    from halbzug.teaching.clock import Clock

name = "Policy and quiet value"

#: As in `policy_value`, and the power of each probability: the value is to be trusted more here.
EXPLORATION, DOUBT, FLATNESS = 0.4, 0.05, 0.3


class Node(policy_value.Node):
    """A position in the tree, with the network's policy and the evaluation's value."""

    exploration = EXPLORATION

    def __init__(self, prior: float, doubt: float = DOUBT) -> None:
        super().__init__(prior, doubt)

    def judge(self, board: chess.Board) -> tuple[float, dict[chess.Move, float]]:
        """The value, from -1 to 1 for the side to move, and the probability of each legal move."""
        _, priors = super().judge(board)
        shares = {move: prior**FLATNESS for move, prior in priors.items()}
        total = sum(shares.values())
        value = 2 * quiet_evaluation().expected_points(board) - 1
        return value, {move: share / total for move, share in shares.items()}


def root_node() -> Node:
    """A root, at which every move is tried once."""
    return Node(1.0, doubt=-2.0)


def choose(board: chess.Board, clock: Clock, root: Node | None = None) -> Iterator[chess.Move]:
    """The most visited move, each time it changes; `root` may already have visits."""
    return leaders(root or root_node(), policy_value.visit, board, clock)

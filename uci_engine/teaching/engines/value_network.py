"""Value network: Monte Carlo tree search in which a network's judgement replaces the playouts.

A game played out by chance says little about a position, and takes long. A network that was trained
on games says what its side may expect, at once. Which moves are tried is decided as before (UCT).
It is half of what `policy_value` does. Source: https://www.chessprogramming.org/AlphaGo
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import chess

from halbzug.teaching.engines import monte_carlo
from halbzug.teaching.engines.network import trained

if TYPE_CHECKING:
    from halbzug.teaching.clock import Clock

name = "Value network"


class Node(monte_carlo.Node):
    """A position in the tree, judged by the network."""

    def judge(self, board: chess.Board) -> float:
        """The points that the side that moved before may expect."""
        value, _ = trained().judge(board)  # from -1 to 1, for the side to move
        return (1 - value) / 2


def choose(board: chess.Board, clock: Clock, root: Node | None = None) -> Iterator[chess.Move]:
    """The move with the most visits, whenever that is another one; `root` may have some."""
    return monte_carlo.choose(board, clock, root or Node())

"""Value network: Monte Carlo tree search in which a network's estimate replaces the playouts.

A random playout says little about a position and takes long. A network trained on games immediately
says what its side may expect. Moves are selected as before (UCT). This is half of `policy_value`.
Source: https://www.chessprogramming.org/AlphaGo
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
    """A position in the tree, evaluated by the network."""

    def judge(self, board: chess.Board) -> float:
        """The expected points of the side that moved before."""
        value, _ = trained().judge(board)  # from -1 to 1, for the side to move
        return (1 - value) / 2


def choose(board: chess.Board, clock: Clock, root: Node | None = None) -> Iterator[chess.Move]:
    """The most visited move, each time it changes; `root` may already have visits."""
    return monte_carlo.choose(board, clock, root or Node())

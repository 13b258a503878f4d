"""The search of `quiet_policy`, compiled: a Monte Carlo engine that can play.

The same formula, the same value and the same policy visit fifty times as many positions in the
compiled tree of `halbzug.teaching.puct_tree`. Only what happens once per move is done here.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

import chess
import numpy as np

from halbzug.board.movegen import decode
from halbzug.teaching.engines.basics import leaders
from halbzug.teaching.engines.network import trained
from halbzug.teaching.puct_tree import UNIT, PuctPolicy, PuctTree

if TYPE_CHECKING:
    from halbzug.teaching.clock import Clock

name = "Compiled PUCT"

#: Visits between two looks at the clock: a millisecond of work.
VISITS = 32


@cache
def tree() -> PuctTree:
    """The tree, made when it is first needed."""
    weights = trained().weights
    parts = ("hidden", "hidden_bias", "policy", "policy_bias")
    arrays = [weights[part].T if part == "policy" else weights[part] for part in parts]
    words = [np.rint(UNIT * part).astype(np.int16).tobytes() for part in arrays]
    return PuctTree(PuctPolicy(*(array("h", part) for part in words)))


def best_move(root: PuctTree) -> chess.Move | None:
    """The move with the most visits."""
    move = root.best_move()
    return decode(move) if move else None


def choose(board: chess.Board, clock: Clock) -> Iterator[chess.Move]:
    """The move with the most visits, each time it changes."""
    root = tree()
    root.begin(board)

    def visit(root: PuctTree, _: chess.Board) -> None:
        root.grow(VISITS if clock.nodes is None else min(VISITS, clock.nodes - root.visits))

    return leaders(root, visit, board, clock, best_move)

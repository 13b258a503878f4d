"""Opponents for weak engines: a short search that sometimes plays random moves.

`halbzug rate` needs opponents of known strength below Halbzug's own levels. This one looks one ply
ahead with quiescence; the option sets the percentage of random moves. It uses the same time at
every time control, so it is equally strong at each. `halbzug.lab.levels` has the measured
strengths.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import chess

from halbzug.teaching.engines.basics import until_time_is_up
from halbzug.teaching.engines.quiescence import Quiescence

if TYPE_CHECKING:
    from halbzug.teaching.clock import Clock

name = "Weakened"

SHARE = "Random Share"
OPTIONS: dict[str, Any] = {SHARE: (50, 0, 100)}


def choose(board: chess.Board, clock: Clock) -> Iterator[chess.Move]:
    """A random move as often as the option says, otherwise that of a search."""
    if random.randrange(100) < OPTIONS[SHARE]:
        yield random.choice(list(board.legal_moves))
    else:
        yield from until_time_is_up(board, Quiescence(clock).root(board, 1))

"""Random: any legal move, all equally likely.

Nothing that follows the rules is much weaker, so every idea is first measured against this.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import chess

    from halbzug.teaching.clock import Clock

name = "Random"


def choose(board: chess.Board, clock: Clock) -> chess.Move:
    """Any legal move."""
    return random.choice(list(board.legal_moves))

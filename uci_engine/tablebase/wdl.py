"""Win, draw and loss, as in the tables and as scores."""

from __future__ import annotations

from ..base.scores import TB_WIN
from ..board.movegen import Ply, Score

#: The score of a win that the fifty-move rule turns into a draw: slightly above a draw.
CURSED_WIN = 2

#: WDL as in the tables, from the side to move.
LOSS, BLESSED_LOSS, DRAW, CURSED, WIN = -2, -1, 0, 1, 2


def wdl_score(wdl: int, ply: Ply) -> Score:
    """The score of a WDL value found `ply` plies from the root."""
    if wdl == WIN:
        return TB_WIN - ply
    if wdl == LOSS:
        return ply - TB_WIN
    return CURSED_WIN * wdl

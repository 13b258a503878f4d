"""Win, draw and loss probabilities of a score, for GUIs that show them (UCI_ShowWDL).

A logistic model in the score alone. Its two parameters are a first estimate: a hundred
centipawns, a clean pawn, win half of the games between equal players at short time controls.
"""

from __future__ import annotations

import math

from halbzug.scores import is_mate

#: The score at which half of the games are won, and the spread around it, in centipawns.
EVEN_CHANCE = 100.0
SPREAD = 70.0


def win_draw_loss(score: int) -> tuple[int, int, int]:
    """Per mille of wins, draws and losses for the side with `score`; they sum to 1000.

    >>> win_draw_loss(0)
    (193, 614, 193)
    """
    if is_mate(score):
        return (1000, 0, 0) if score > 0 else (0, 0, 1000)
    win = round(1000 / (1 + math.exp((EVEN_CHANCE - score) / SPREAD)))
    loss = round(1000 / (1 + math.exp((EVEN_CHANCE + score) / SPREAD)))
    return win, 1000 - win - loss, loss

"""Scores: mates, tablebase wins, bounds, and win/draw/loss probabilities.

Scores are centipawns from the side to move; a forced mate is `MATE - plies` (negative when being
mated).
"""

from __future__ import annotations

import math

#: The score of a mate on the board; a mate in n plies scores `MATE - n`.
MATE = 32000

#: Maximum depth of a line in the search, in plies.
MAX_PLY = 128

#: Scores beyond this in either direction are forced mates.
MATE_BOUND = MATE - 2 * MAX_PLY

#: The score of a tablebase win, minus the plies to the probed position. As in Stockfish, it is far
#: above any material and far below a mate.
TB_WIN = 20_000

#: Scores beyond this in either direction are tablebase wins or mates.
TB_BOUND = TB_WIN - MAX_PLY

#: Greater than every score.
INFINITE = MATE + 1

#: What a score says about the value: nothing, an upper bound, a lower bound, or the exact value.
#: The transposition table stores it in two bits.
NO_BOUND, UPPER_BOUND, LOWER_BOUND, EXACT_BOUND = range(4)

#: The score at which half of the games are won, and the spread around it, in centipawns.
EVEN_CHANCE = 100.0
SPREAD = 70.0


def is_mate(score: int) -> bool:
    """Whether a score announces a forced mate, for either side."""
    return abs(score) >= MATE_BOUND


def mate_in_moves(score: int) -> int:
    """Full moves to mate of a mate score, from the same side as the score.

    Negative when the opponent mates, 0 when mate is on the board.
    """
    moves = (MATE - abs(score) + 1) // 2
    return moves if score > 0 else -moves


def win_draw_loss(score: int) -> tuple[int, int, int]:
    """The chances of win, draw and loss for the side with `score`, in per mille; sum 1000.

    The model is for games between equal engines. `halbzug.reasons.accuracy.winning_chances` is the
    model for human players, and `halbzug.tuning.descent.expected_result` is fitted to the tuner's
    own games.

    >>> win_draw_loss(0)
    (193, 614, 193)
    """
    if is_mate(score):
        return (1000, 0, 0) if score > 0 else (0, 0, 1000)
    win = round(1000 / (1 + math.exp((EVEN_CHANCE - score) / SPREAD)))
    loss = round(1000 / (1 + math.exp((EVEN_CHANCE + score) / SPREAD)))
    return win, 1000 - win - loss, loss

"""Scores: mates, tablebase wins, bounds, and the chances to win, draw and lose.

Scores are centipawns from the side to move; a forced mate is `MATE - plies` (negative when being
mated).
"""

from __future__ import annotations

import math

#: The score of a mate on the board; a mate in n plies scores `MATE - n`.
MATE = 32000

#: The deepest line the search can follow, in plies.
MAX_PLY = 128

#: Scores beyond this are forced mates.
MATE_BOUND = MATE - 2 * MAX_PLY

#: The score of a win that the tablebases promise, less the plies to where they do. As Stockfish
#: says it: far above what material is worth, and far from a mate.
TB_WIN = 20_000

#: Scores beyond this are decided: a win by the tablebases, or a mate.
TB_BOUND = TB_WIN - MAX_PLY

#: Above every score.
INFINITE = MATE + 1

#: What a score says of the value: nothing, that it is at most, at least, or exactly this. The
#: transposition table keeps it in two bits.
NO_BOUND, UPPER_BOUND, LOWER_BOUND, EXACT_BOUND = range(4)

#: The score at which half of the games are won, and the spread around it, in centipawns.
EVEN_CHANCE = 100.0
SPREAD = 70.0


def is_mate(score: int) -> bool:
    """Whether a score announces a forced mate, for either side."""
    return abs(score) >= MATE_BOUND


def mate_in_moves(score: int) -> int:
    """Full moves to mate of a mate score, whoever's view it is.

    Negative when the opponent mates, 0 when it is on the board.
    """
    moves = (MATE - abs(score) + 1) // 2
    return moves if score > 0 else -moves


def win_draw_loss(score: int) -> tuple[int, int, int]:
    """Per mille of wins, draws and losses for the side with `score`; they sum to 1000.

    This is about games between equal engines. What people make of a score is another model,
    `halbzug.analysis.accuracy.winning_chances`, and tuning fits a third one to its own games,
    `halbzug.tuning.descent.expected_result`.

    >>> win_draw_loss(0)
    (193, 614, 193)
    """
    if is_mate(score):
        return (1000, 0, 0) if score > 0 else (0, 0, 1000)
    win = round(1000 / (1 + math.exp((EVEN_CHANCE - score) / SPREAD)))
    loss = round(1000 / (1 + math.exp((EVEN_CHANCE + score) / SPREAD)))
    return win, 1000 - win - loss, loss

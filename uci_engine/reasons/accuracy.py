"""Winning chances, judgements of moves, and the accuracy of moves and games.

The formulas are lichess.org's, fitted to games of its players: https://lichess.org/page/accuracy
for winning chances and move accuracy, and its source (https://github.com/lichess-org/lila:
`AccuracyPercent.gameAccuracy`) for game accuracy. A move is judged by the winning chances it loses.

The formulas are for Stockfish's scores, and Halbzug's own are on another scale: far from equality
they grow faster. So own scores are first translated, and those of other engines taken as they are.
"""

from __future__ import annotations

import math
import statistics
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

import chess

from ..base.scores import is_mate

#: Scores are limited to this many centipawns; a forced mate counts as the limit.
CEILING = 1000

_STEEPNESS = 0.00368208

#: Halbzug's scores, and Stockfish 15.1's for the same positions: medians over 770 positions of
#: amateurs' and masters' games, at 40,000 and 80,000 nodes, smoothed. Straight lines join them.
_OWN = (0, 100, 150, 250, 400, 500, 600, 800, 1000, 1500, 1700)
_STOCKFISH = (0, 100, 160, 280, 440, 505, 550, 610, 670, 900, CEILING)

#: Windows for the volatility of a game: a tenth of its positions, from 2 to 8.
_MIN_WINDOW, _MAX_WINDOW = 2, 8
_LEAST_WEIGHT, _GREATEST_WEIGHT = 0.5, 12.0


@dataclass(frozen=True)
class Judgement:
    """The judgement of a move that loses winning chances."""

    name: str
    symbol: str
    nag: int  # the NAG in PGN
    loss: float  # minimum loss of winning chances, in percentage points


#: Worst first.
JUDGEMENTS = BLUNDER, MISTAKE, INACCURACY = (
    Judgement("blunder", "??", 4, 30.0),
    Judgement("mistake", "?", 2, 20.0),
    Judgement("inaccuracy", "?!", 6, 10.0),
)

#: For good moves: a sound sacrifice, and the only move that is not a mistake.
BRILLIANT = Judgement("brilliant move", "!!", 3, 0.0)
ONLY_MOVE = Judgement("only move", "!", 1, 0.0)

#: A move that loses this many percentage points gets a second look before it is judged.
DOUBTFUL = 7.0


def winning_chances(score: int, *, is_own: bool = False) -> float:
    """The winning chances of the side with this score, in per cent; 50 in an even position.

    :param is_own: whether it is a score of Halbzug's own search.

    >>> round(winning_chances(100), 1)
    59.1
    """
    if is_mate(score):
        score = CEILING if score > 0 else -CEILING
    elif is_own:
        score = on_stockfishs_scale(score)
    return 100 / (1 + math.exp(-_STEEPNESS * max(-CEILING, min(score, CEILING))))


def on_stockfishs_scale(score: int) -> int:
    """Translate a score of Halbzug's own search, in centipawns, to what Stockfish would say.

    >>> on_stockfishs_scale(-800)
    -610
    """
    size = min(abs(score), _OWN[-1])
    end = min(bisect_right(_OWN, size), len(_OWN) - 1)
    part = (size - _OWN[end - 1]) / (_OWN[end] - _OWN[end - 1])
    found = round(_STOCKFISH[end - 1] + part * (_STOCKFISH[end] - _STOCKFISH[end - 1]))
    return found if score > 0 else -found


def _loss(before: int, after: int, is_own: bool) -> float:
    return winning_chances(before, is_own=is_own) - winning_chances(after, is_own=is_own)


def judge(before: int, after: int, *, is_own: bool = False) -> Judgement | None:
    """Judge a move by its change of the player's score; None if it is not bad.

    :param before: the player's score in centipawns with the best move; mates as in events.py.
    :param after: the player's score after the move.
    :param is_own: whether they are scores of Halbzug's own search.
    """
    loss = _loss(before, after, is_own)
    return next((judgement for judgement in JUDGEMENTS if loss >= judgement.loss), None)


def may_be_judged(before: int, after: int, *, is_own: bool = False) -> bool:
    """Whether a longer search may judge a move; parameters as in `judge`."""
    return _loss(before, after, is_own) >= DOUBTFUL


def move_accuracy(before: float, after: float) -> float:
    """The accuracy of a move in per cent, from its player's chances before and after it.

    >>> move_accuracy(50, 50)
    100.0
    >>> round(move_accuracy(60, 40))
    41
    """
    if after >= before:
        return 100.0
    raw = 103.1668100711649 * math.exp(-0.04354415386753951 * (before - after)) - 3.166924740191411
    return max(0.0, min(raw + 1, 100.0))  # one per cent for the engine's uncertainty


def game_accuracy(chances: Sequence[float], is_white_first: bool) -> dict[chess.Color, float]:
    """Both players' accuracy over a game, in per cent; none for a player without moves.

    The mean of two means over a player's moves: one is weighted by how much the chances varied in
    the window of positions around the move, the other is the harmonic mean, in which single bad
    moves count more.

    :param chances: White's, in per cent, before the first move and after each.
    :param is_white_first: whether White made the first move.
    """
    moves = len(chances) - 1
    size = max(_MIN_WINDOW, min(moves // 10, _MAX_WINDOW))
    ends = [max(size, number + 2) for number in range(moves)]
    weights = [
        max(_LEAST_WEIGHT, min(_deviation(chances[end - size : end]), _GREATEST_WEIGHT))
        for end in ends
    ]
    accuracies: dict[chess.Color, float] = {}
    for color in (chess.WHITE, chess.BLACK):
        first = 0 if color == is_white_first else 1
        own = range(first, moves, 2)
        if not own:
            continue
        values = [
            move_accuracy(*(_seen(chances[ply + step], color) for step in (0, 1))) for ply in own
        ]
        own_weights = [weights[ply] for ply in own]
        weighted = sum(map(float.__mul__, values, own_weights)) / sum(own_weights)
        accuracies[color] = (weighted + _harmonic_mean(values)) / 2
    return accuracies


def _seen(chances: float, color: chess.Color) -> float:
    return chances if color else 100 - chances


def _deviation(values: Sequence[float]) -> float:
    return statistics.pstdev(values) if len(values) > 1 else 0.0


def _harmonic_mean(values: Sequence[float]) -> float:
    # A value near zero would determine the mean by itself.
    return statistics.harmonic_mean([max(value, 1.0) for value in values])

"""Winning chances, judgements of moves, and the accuracy of moves and games.

The formulas are those of lichess.org, fitted to games of people there:
https://lichess.org/page/accuracy for the chances and the accuracy of a move, and its sources
(https://github.com/lichess-org/lila: `AccuracyPercent.gameAccuracy`, and `Advice` in
modules/tree/src/main/Advice.scala) for the game and the judgements.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

import chess

from ..base.scores import is_mate

#: Scores are limited to this many centipawns; a forced mate counts as the limit.
CEILING = 1000

_STEEPNESS = 0.00368208

#: A player who allows a forced mate may have been lost before, and one who misses a mate may still
#: be winning. Beyond the first number of centipawns that is an inaccuracy, beyond the second a
#: mistake.
_HOPELESS, _LOST = 999, 700

#: Windows for the volatility of a game: a tenth of its positions, from 2 to 8.
_MIN_WINDOW, _MAX_WINDOW = 2, 8
_LEAST_WEIGHT, _GREATEST_WEIGHT = 0.5, 12.0


@dataclass(frozen=True)
class Judgement:
    """The judgement of a move that loses winning chances."""

    name: str
    symbol: str
    nag: int  # the number in PGN
    loss: float  # the least loss of winning chances, in percentage points


#: In order, the worst first.
JUDGEMENTS = BLUNDER, MISTAKE, INACCURACY = (
    Judgement("blunder", "??", 4, 15.0),
    Judgement("mistake", "?", 2, 10.0),
    Judgement("inaccuracy", "?!", 6, 5.0),
)


def winning_chances(score: int) -> float:
    """The chances of the side with this score, in per cent: 50 in an even position.

    >>> round(winning_chances(100), 1)
    59.1
    """
    if is_mate(score):
        score = CEILING if score > 0 else -CEILING
    return _uncapped_chances(max(-CEILING, min(score, CEILING)))


def judge(before: int, after: int) -> Judgement | None:
    """The judgement of a move that changes its player's score; None if it is not bad.

    The rules are those of lichess's `Advice`:

    - Without mates, a loss of 15, 10 or 5 percentage points of the winning chances is a blunder, a
    mistake or an inaccuracy. Here large scores are not capped. - A mate is created: the player is
    mated by force now, and was not before. That is an inaccuracy if the score before was below -999
    centipawns, a mistake if it was below -700, else a blunder. - A mate is lost: the player had a
    forced mate and has none now. That is an inaccuracy if the score is still above 999, a mistake
    if it is above 700, else, and where the opponent has a mate now, a blunder. - A mate that is
    delayed or escaped from is not judged.

    :param before: the player's score in centipawns with the best move, mates as in events.py.
    :param after: the player's score after the move.
    """
    if is_mate(before) or is_mate(after):
        return _judge_mate(before, after)
    loss = _uncapped_chances(before) - _uncapped_chances(after)
    return next((judgement for judgement in JUDGEMENTS if loss >= judgement.loss), None)


def _judge_mate(before: int, after: int) -> Judgement | None:
    mates_before = is_mate(before) and before > 0
    if mates_before and not (is_mate(after) and after > 0):
        excuse = 0 if is_mate(after) else after
    elif not is_mate(before) and after < 0:
        excuse = -before
    else:
        return None
    if excuse > _HOPELESS:
        return INACCURACY
    return MISTAKE if excuse > _LOST else BLUNDER


def _uncapped_chances(score: int) -> float:
    return 100 / (1 + math.exp(-_STEEPNESS * score))


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
    return max(0.0, min(raw + 1, 100.0))  # one per cent for the uncertainty of the engine


def game_accuracy(chances: Sequence[float], is_white_first: bool) -> dict[chess.Color, float]:
    """The accuracy of both players over a game, in per cent; a player without moves has none.

    The mean of two means over a player's moves: one is weighted by how much the chances changed in
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
    # Near zero a single move would determine the mean.
    return statistics.harmonic_mean([max(value, 1.0) for value in values])

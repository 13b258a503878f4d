"""How well a move, and a game, was played: winning chances, judgements, accuracy.

The formulas are those of lichess.org, fitted to games of people on that site:
https://lichess.org/page/accuracy for the chances and the accuracy of a move, and its sources
(lila, `AccuracyPercent.gameAccuracy` and `Advice`) for the game and the judgements.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

import chess

from uci_engine.events import is_mate

#: Chances are taken from scores within this many centipawns; a forced mate counts as the bound.
CEILING = 1000

_STEEPNESS = 0.00368208

#: Windows of moves tell how volatile a game was: from 2 to 8 positions, a tenth of the game.
_SHORTEST_WINDOW, _LONGEST_WINDOW = 2, 8
_LEAST_WEIGHT, _GREATEST_WEIGHT = 0.5, 12.0


@dataclass(frozen=True)
class Judgement:
    """What a move is called that throws chances away."""

    name: str
    symbol: str
    nag: int  # as PGN numbers it
    loss: float  # the least loss of winning chances, in percentage points


#: The worst first.
JUDGEMENTS = (
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
    score = max(-CEILING, min(score, CEILING))
    return 100 / (1 + math.exp(-_STEEPNESS * score))


def judge(before: float, after: float) -> Judgement | None:
    """What a move is called that changes its player's chances so; None if nothing is wrong.

    :param before: chances in per cent with the best move.
    :param after: chances in per cent after the move.
    """
    for judgement in JUDGEMENTS:
        if before - after >= judgement.loss:
            return judgement
    return None


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
    return max(0.0, min(raw + 1, 100.0))  # one per cent for the engine's own uncertainty


def game_accuracy(chances: Sequence[float], is_white_first: bool) -> dict[chess.Color, float]:
    """The accuracy of both players over a game, in per cent; a player without moves has none.

    The mean of two means over a player's moves: one weighted by how much the chances swung in the
    window of positions around the move, and the harmonic one, which is strict with single lapses.

    :param chances: White's, in per cent, before the first move and after each.
    :param is_white_first: whether White made the first move.
    """
    moves = len(chances) - 1
    size = max(_SHORTEST_WINDOW, min(moves // 10, _LONGEST_WINDOW))
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
    # Near zero a single move would be the whole mean.
    return statistics.harmonic_mean([max(value, 1.0) for value in values])

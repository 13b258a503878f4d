"""The Elo of one player from games against opponents of known Elo, with its 95 % interval.

The expected score of a game is the logistic function of the difference of Elo, as in
`halbzug.match.elo`. The estimate maximises the likelihood of the points, with a weak normal prior,
so that even a player who lost all games has an Elo. Draws make the points vary less than wins and
losses alone would, so the likelihood is tempered by their actual variance (a quasi-likelihood);
otherwise the interval would be too wide. Its ends are the 2.5th and 97.5th percentile of the
posterior, which is not symmetric after few games.

Sources: https://www.chessprogramming.org/Match_Statistics; McCullagh and Nelder, Generalized Linear
Models (1989), chapter 9; and for the choice of an opponent by its Fisher information, van der
Linden and Glas, Computerized Adaptive Testing (2000), chapter 1.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ..match.elo import expected_score

#: The prior: its mean, its standard deviation, and the range of Elo that is searched.
PRIOR_ELO, PRIOR_DEVIATION, LOWEST, HIGHEST = 1200.0, 1000.0, -3000.0, 5000.0

#: Points of the posterior on each side of its maximum, and how many standard deviations they cover.
POINTS, REACH = 60, 6.0

#: Games of full variance added to the observed ones, so that a few draws have little effect.
CAUTION = 8.0

#: The share of the best information that the next opponent must give.
GOOD_ENOUGH = 0.9


@dataclass(frozen=True)
class RatedGame:
    """The points of a game (0, 0.5 or 1) against an opponent of known Elo."""

    opponent: float
    points: float


@dataclass(frozen=True)
class Rating:
    """An Elo, and the interval in which it lies with 95 %."""

    elo: float
    low: float
    high: float

    @property
    def error(self) -> float:
        """Half the width of the interval, in Elo."""
        return (self.high - self.low) / 2

    def difference(self, other: Rating) -> Rating:
        """How much stronger this player is; the difference is certain if the interval excludes 0.

        The two were rated by different games, so their errors are independent.
        """
        elo = self.elo - other.elo
        below = math.hypot(self.elo - self.low, other.high - other.elo)
        above = math.hypot(self.high - self.elo, other.elo - other.low)
        return Rating(elo, elo - below, elo + above)

    @property
    def is_certain(self) -> bool:
        """Whether the interval of a difference excludes 0."""
        return not self.low <= 0 <= self.high


def rate(games: Sequence[RatedGame]) -> Rating:
    """The Elo of a player after these games; without games, that of the prior."""
    results: dict[float, tuple[int, float]] = {}  # games and points by opponent
    for game in games:
        count, points = results.get(game.opponent, (0, 0.0))
        results[game.opponent] = count + 1, points + game.points
    elo = _maximum(results, 1.0)
    dispersion = _dispersion(games, elo)
    elo = _maximum(results, dispersion)
    return _with_interval(results, dispersion, elo)


def information(elo: float, opponent: float) -> float:
    """How much a game against an opponent reveals about an Elo: Fisher information, at most 1/4.

    It is the variance of its points, in units of (ln 10 / 400)^2 per Elo^2.
    """
    score = expected_score(elo - opponent)
    return score * (1 - score)


def next_opponent(elo: float, opponents: Sequence[float], played: Sequence[int]) -> int:
    """The index of the opponent to play next.

    Among the opponents whose games are nearly as informative as the best, it chooses the one played
    least, so that no single opponent decides.

    :param elo: the player's, as far as it is known.
    :param opponents: the Elo of each opponent.
    :param played: how many games were played against each.
    """
    told = [information(elo, opponent) for opponent in opponents]
    enough = GOOD_ENOUGH * max(told)
    good = [index for index, value in enumerate(told) if value >= enough]
    return min(good, key=lambda index: (played[index], -told[index]))


def _log_posterior(results: dict[float, tuple[int, float]], dispersion: float, elo: float) -> float:
    total = -(((elo - PRIOR_ELO) / PRIOR_DEVIATION) ** 2) / 2
    for opponent, (count, points) in results.items():
        logit = (elo - opponent) * math.log(10) / 400
        # The logarithm of 1 + exp(logit), which would overflow.
        softplus = max(logit, 0.0) + math.log1p(math.exp(-abs(logit)))
        total += (points * logit - count * softplus) / dispersion
    return total


def _maximum(results: dict[float, tuple[int, float]], dispersion: float) -> float:
    """The Elo with the greatest posterior, by bisection of its derivative, which decreases."""
    low, high = LOWEST, HIGHEST
    while high - low > 0.01:
        middle = (low + high) / 2
        slope = -(middle - PRIOR_ELO) / PRIOR_DEVIATION**2
        for opponent, (count, points) in results.items():
            surplus = points - count * expected_score(middle - opponent)
            slope += surplus * math.log(10) / 400 / dispersion
        low, high = (middle, high) if slope > 0 else (low, middle)
    return (low + high) / 2


def _dispersion(games: Sequence[RatedGame], elo: float) -> float:
    """The variance of the points, as a share of their variance without draws; at most 1."""
    seen = expected = CAUTION / 4
    for game in games:
        score = expected_score(elo - game.opponent)
        seen += (game.points - score) ** 2
        expected += score * (1 - score)
    return min(1.0, seen / expected)


def _with_interval(
    results: dict[float, tuple[int, float]], dispersion: float, elo: float
) -> Rating:
    """The percentiles of the posterior, from its values on a grid."""
    told = 1 / PRIOR_DEVIATION**2
    for opponent, (count, _) in results.items():
        unit = math.log(10) / 400
        told += count * information(elo, opponent) * unit**2 / dispersion
    step = REACH / math.sqrt(told) / POINTS
    points = [elo + step * number for number in range(-POINTS, POINTS + 1)]
    top = _log_posterior(results, dispersion, elo)
    weights = [math.exp(_log_posterior(results, dispersion, point) - top) for point in points]
    total, passed = sum(weights), 0.0
    low = high = elo
    is_below = True
    for point, weight in zip(points, weights, strict=True):
        passed += weight
        if is_below and passed >= 0.025 * total:
            low, is_below = point, False
        if passed >= 0.975 * total:
            high = point
            break
    return Rating(elo, min(low, elo), max(high, elo))

"""The Elo of all players of a tournament at once, from the games between them.

As in `halbzug.lab.rating`, the expected score of a game is the logistic function of the Elo
difference, a weak normal prior keeps the Elo finite for players who won or lost all games, and
draws temper the likelihood. Here all unknown Elo are fitted together by Newton's method. The
intervals come from the inverse of the Hessian, so they include the uncertainty about the opponents.

If some Elo are known, they determine the scale. A game between two players of unknown Elo is then
weighted by how much it tells about them, judging by their games against known opponents. Otherwise,
games between players who are far apart would change both, although the logistic function does not
predict such results well (a player who cannot mate draws even with a random mover).

Sources: https://www.chessprogramming.org/Match_Statistics; Bradley and Terry, Rank Analysis of
Incomplete Block Designs (1952); McCullagh and Nelder, Generalized Linear Models (1989), chapter 9.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..match.elo import DEVIATIONS_95, expected_score
from ..match.standings import Score
from .rating import CAUTION, PRIOR_DEVIATION, PRIOR_ELO, Rating, information

_UNIT = math.log(10) / 400

#: The maximum step of Newton's method, in Elo, and the length below which a step is the last.
MAX_STEP, SMALL_STEP = 300.0, 0.01
MAX_STEPS = 100


@dataclass(frozen=True)
class Results:
    """Games between two players, from the first one's point of view, each counted by its weight."""

    wins: float
    draws: float
    losses: float

    @property
    def games(self) -> float:
        """The number of games."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """The points: 1 for a win, 0.5 for a draw."""
        return self.wins + self.draws / 2

    def weighted(self, weight: float) -> Results:
        """The same with another weight."""
        return Results(weight * self.wins, weight * self.draws, weight * self.losses)


Scores = Mapping[tuple[int, int], Results]


def rate_field(
    count: int, scores: Mapping[tuple[int, int], Score], known: Mapping[int, float]
) -> list[Rating]:
    """The Elo of each player, with its 95 % interval.

    :param count: how many players there are.
    :param scores: the results of pairs of players, by index, from the first one's point of view.
    :param known: the known Elo. If there are none, the mean of all is that of the prior, and the
        intervals are for the distance from it.
    """
    elos = [known.get(player, PRIOR_ELO) for player in range(count)]
    unknown = [player for player in range(count) if player not in known]
    played = {
        pair: Results(score.wins, score.draws, score.losses)
        for pair, score in scores.items()
        if score.games
    }
    if known:
        anchors = {pair: results for pair, results in played.items() if known.keys() & set(pair)}
        _maximise(elos, unknown, anchors, 1.0)
        played = {
            pair: results if pair in anchors else results.weighted(_weight(elos, pair))
            for pair, results in played.items()
        }
    _maximise(elos, unknown, played, 1.0)
    dispersion = _dispersion(elos, played)
    _maximise(elos, unknown, played, dispersion)
    covariance = _inverse(_hessian(elos, unknown, played, dispersion))
    variances = _variances(covariance, is_relative=not known)
    ratings = [Rating(elo, elo, elo) for elo in elos]
    for place, player in enumerate(unknown):
        error = DEVIATIONS_95 * math.sqrt(max(variances[place], 0.0))
        ratings[player] = Rating(elos[player], elos[player] - error, elos[player] + error)
    return ratings


def _weight(elos: Sequence[float], pair: tuple[int, int]) -> float:
    """The information in a game, as a fraction of that in a game between equals."""
    return information(elos[pair[0]], elos[pair[1]]) / information(0, 0)


def _maximise(elos: list[float], unknown: Sequence[int], scores: Scores, dispersion: float) -> None:
    """Move the Elo to the maximum of the posterior, which is unique."""
    for _ in range(MAX_STEPS):
        slopes = dict.fromkeys(unknown, 0.0)
        for player in unknown:
            slopes[player] = -(elos[player] - PRIOR_ELO) / PRIOR_DEVIATION**2
        for (one, other), score in scores.items():
            surplus = score.points - score.games * expected_score(elos[one] - elos[other])
            for player, sign in ((one, 1), (other, -1)):
                if player in slopes:
                    slopes[player] += sign * surplus * _UNIT / dispersion
        inverse = _inverse(_hessian(elos, unknown, scores, dispersion))
        gradient = [slopes[player] for player in unknown]
        steps = [sum(a * b for a, b in zip(row, gradient, strict=True)) for row in inverse]
        longest = max(map(abs, steps), default=0.0)
        share = min(1.0, MAX_STEP / longest) if longest else 1.0
        for player, step in zip(unknown, steps, strict=True):
            elos[player] += share * step
        if longest < SMALL_STEP:
            return


def _hessian(
    elos: Sequence[float], unknown: Sequence[int], scores: Scores, dispersion: float
) -> list[list[float]]:
    """The negative second derivatives of the logarithm of the posterior."""
    place = {player: index for index, player in enumerate(unknown)}
    rows = [[0.0] * len(unknown) for _ in unknown]
    for index in range(len(unknown)):
        rows[index][index] = 1 / PRIOR_DEVIATION**2
    for (one, other), score in scores.items():
        share = expected_score(elos[one] - elos[other])
        told = score.games * share * (1 - share) * _UNIT**2 / dispersion
        first, second = place.get(one), place.get(other)
        if first is not None:
            rows[first][first] += told
        if second is not None:
            rows[second][second] += told
        if first is not None and second is not None:
            rows[first][second] -= told
            rows[second][first] -= told
    return rows


def _inverse(matrix: list[list[float]]) -> list[list[float]]:
    """The inverse of a positive definite matrix, by Gauss and Jordan."""
    size = len(matrix)
    rows = [[*row, *(float(i == j) for j in range(size))] for i, row in enumerate(matrix)]
    for column in range(size):
        pivot = rows[column][column]
        rows[column] = [value / pivot for value in rows[column]]
        for index, row in enumerate(rows):
            factor = row[column]
            if index != column and factor:
                pairs = zip(row, rows[column], strict=True)
                rows[index] = [value - factor * other for value, other in pairs]
    return [row[size:] for row in rows]


def _variances(covariance: list[list[float]], *, is_relative: bool) -> list[float]:
    size = len(covariance)
    variances = [covariance[index][index] for index in range(size)]
    if not is_relative:
        return variances
    whole = sum(map(sum, covariance)) / size**2 if size else 0.0
    pairs = zip(variances, covariance, strict=True)
    return [variance - 2 * sum(row) / size + whole for variance, row in pairs]


def _dispersion(elos: Sequence[float], scores: Scores) -> float:
    """The variance of the points, as a share of their variance without draws; at most 1."""
    seen = expected = CAUTION / 4
    for (one, other), score in scores.items():
        share = expected_score(elos[one] - elos[other])
        seen += score.wins * (1 - share) ** 2
        seen += score.draws * (0.5 - share) ** 2
        seen += score.losses * share**2
        expected += score.games * share * (1 - share)
    return min(1.0, seen / expected)

"""The Elo of all players of a tournament, compared with the rating of one player and with the
truth.
"""

from __future__ import annotations

import random
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halbzug.lab.field_rating import rate_field
from halbzug.lab.rating import RatedGame, rate
from halbzug.match.elo import expected_score
from halbzug.match.standings import Score

pytestmark = pytest.mark.any_build


def test_one_player_against_known_ones_is_rated_as_by_rate() -> None:
    games = [RatedGame(1000, points) for points in (1, 1, 0.5, 1, 0, 1) * 5]
    games += [RatedGame(1400, points) for points in (0, 1, 0.5, 0) * 5]
    alone = rate(games)
    scores = {(0, 1): Score(20, 5, 5), (0, 2): Score(5, 5, 10)}
    rating = rate_field(3, scores, {1: 1000.0, 2: 1400.0})[0]
    assert rating.elo == pytest.approx(alone.elo, abs=0.1)
    assert rating.error == pytest.approx(alone.error, rel=0.1)


def test_without_games_the_rating_is_the_prior() -> None:
    for rating in rate_field(3, {}, {2: 1500.0})[:2]:
        assert rating.elo == pytest.approx(1200) and rating.error > 1900


@given(st.lists(st.tuples(*[st.integers(0, 6)] * 3), min_size=6, max_size=6))
def test_any_results_have_finite_ratings_with_the_mean_of_the_prior(
    counts: list[tuple[int, int, int]],
) -> None:
    pairs = combinations(range(4), 2)
    scores = {pair: Score(*count) for pair, count in zip(pairs, counts, strict=True)}
    ratings = rate_field(4, scores, {})
    assert sum(rating.elo for rating in ratings) / 4 == pytest.approx(1200, abs=0.5)
    assert all(abs(rating.elo) < 10_000 for rating in ratings)
    mirrored = {pair[::-1]: score.mirrored() for pair, score in scores.items()}
    for one, other in zip(ratings, rate_field(4, mirrored, {}), strict=True):
        assert one.elo == pytest.approx(other.elo, abs=0.1)


def test_the_truth_is_in_the_interval_as_often_as_promised() -> None:
    """95 % of 400 ratings would be 380; a third of the games are drawn."""
    generator = random.Random(5)
    known = {10: 600.0, 11: 1300.0}
    hits = 0
    for _ in range(40):
        truth = [generator.gauss(1000, 350) for _ in range(10)] + list(known.values())
        scores = {}
        for one, other in combinations(range(12), 2):
            if one < 10:
                scores[one, other] = score = Score()
                for _ in range(4):
                    share = expected_score(truth[one] - truth[other])
                    draws = min(share, 1 - share) * 2 / 3
                    point = generator.random()
                    score.add(0.5 if point < draws else float(point < draws / 2 + share))
        for rating, elo in zip(rate_field(12, scores, known)[:10], truth, strict=False):
            hits += rating.low <= elo <= rating.high
    assert 364 <= hits <= 396

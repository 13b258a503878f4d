"""The statistics of ratings: simulated players of known Elo, and laws that estimates obey."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halbzug.lab.rating import RatedGame, Rating, information, next_opponent, rate
from halbzug.match.elo import expected_score

pytestmark = pytest.mark.any_build

OPPONENTS = [-100, 150, 400, 600, 800, 1000, 1200, 1400, 1600, 1800, 2000, 2200, 2400]

scores = st.sampled_from((0.0, 0.5, 1.0))
some_games = st.lists(st.builds(RatedGame, st.sampled_from(OPPONENTS), scores), max_size=60)


def play(generator: random.Random, elo: float, opponent: float, draws: float) -> float:
    """The points of one game; a share of games is drawn, as far as the expected score allows."""
    score = expected_score(elo - opponent)
    drawn = draws * 2 * min(score, 1 - score)
    number = generator.random()
    return 0.5 if number < drawn else float(number < drawn + score - drawn / 2)


def simulate(
    generator: random.Random, elo: float, games: int, draws: float, without: float = 0
) -> tuple[Rating, list[RatedGame]]:
    """A rating as by `halbzug rate`; opponents within `without` Elo are left out."""
    opponents = [float(o) for o in OPPONENTS if abs(o - elo) >= without]
    played, found = [0] * len(opponents), list[RatedGame]()
    rating = rate(found)
    for _ in range(games):
        index = next_opponent(rating.elo, opponents, played)
        played[index] += 1
        found.append(RatedGame(opponents[index], play(generator, elo, opponents[index], draws)))
        rating = rate(found)
    return rating, found


@pytest.mark.slow
@pytest.mark.parametrize("draws", [0.0, 0.3, 0.7])
def test_the_interval_covers_the_truth_in_95_percent_of_200_ratings(draws: float) -> None:
    generator = random.Random(7)
    covered = 0
    for _ in range(200):
        elo = generator.uniform(0, 2400)
        rating, _ = simulate(generator, elo, 60, draws)
        covered += rating.low <= elo <= rating.high
    assert 182 <= covered <= 198  # 190, give or take 2.6 standard deviations


def test_a_rating_covers_the_truth_without_bias() -> None:
    generator = random.Random(3)
    ratings = [simulate(generator, 1150, 40, 0.3)[0] for _ in range(30)]
    assert sum(rating.low <= 1150 <= rating.high for rating in ratings) >= 26
    assert abs(sum(rating.elo for rating in ratings) / 30 - 1150) < 40


def test_distant_levels_are_enough() -> None:
    """Even if all opponents within 200 Elo are left out."""
    generator = random.Random(5)
    ratings = [simulate(generator, 1100, 60, 0.2, without=200)[0] for _ in range(20)]
    assert sum(rating.low <= 1100 <= rating.high for rating in ratings) >= 17


@given(some_games)
def test_a_rating_is_finite_and_inside_its_interval(found: list[RatedGame]) -> None:
    rating = rate(found)
    assert -4000 < rating.low <= rating.elo <= rating.high < 6000


@given(some_games, st.sampled_from(OPPONENTS))
def test_a_win_never_costs_and_a_loss_never_gains(found: list[RatedGame], opponent: float) -> None:
    """The dispersion changes with a game, too, but counts much less than its points."""
    won, lost = (rate([*found, RatedGame(opponent, points)]).elo for points in (1.0, 0.0))
    assert lost < won


@given(some_games)
def test_the_order_of_games_does_not_matter(found: list[RatedGame]) -> None:
    one, other = rate(found), rate(found[::-1])
    assert (one.low, one.elo, one.high) == pytest.approx((other.low, other.elo, other.high))


@given(st.sampled_from(OPPONENTS), st.integers(1, 40))
def test_losing_every_game_is_rated_far_below_and_more_losses_are_rated_lower(
    opponent: float, games: int
) -> None:
    fewer, more = (rate([RatedGame(opponent, 0.0)] * count) for count in (games, 2 * games))
    assert more.elo < fewer.elo < max(opponent, 1200)


def test_more_games_narrow_the_interval() -> None:
    errors = [
        rate([RatedGame(1000, 1.0), RatedGame(1000, 0.0)] * count).error
        for count in (2, 8, 32, 128)
    ]
    assert errors == sorted(errors, reverse=True)
    assert errors[-1] < 50


def test_draws_narrow_it_more() -> None:
    wins = rate([RatedGame(1000, 1.0), RatedGame(1000, 0.0)] * 20)
    draws = rate([RatedGame(1000, 0.5)] * 40)
    assert draws.error < 0.7 * wins.error
    assert draws.elo == pytest.approx(wins.elo, abs=5)


@given(st.floats(-500, 3000), st.sampled_from(OPPONENTS))
def test_information_is_greatest_between_equals(elo: float, opponent: float) -> None:
    assert information(elo, opponent) <= information(elo, elo) == 0.25


def test_the_next_opponent_is_close_and_no_single_one_decides() -> None:
    opponents = [float(o) for o in OPPONENTS]
    played = [0] * len(opponents)
    for _ in range(30):
        played[next_opponent(1100, opponents, played)] += 1
    chosen = {opponents[index]: count for index, count in enumerate(played) if count}
    assert chosen == {1000: 15, 1200: 15}


def test_a_difference_is_certain_if_its_interval_excludes_0() -> None:
    low, high = Rating(1000, 950, 1050), Rating(1060, 1010, 1110)
    assert not high.difference(low).is_certain
    assert high.difference(low).elo == 60
    assert Rating(1200, 1150, 1250).difference(low).is_certain

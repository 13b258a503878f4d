"""A sequential test errs as rarely as it promises."""

from __future__ import annotations

import math
import random

import pytest

from halbzug.match.elo import Sprt, expected_score, moments

pytestmark = pytest.mark.any_build

#: How often pairs of equal players score 0, 0.5, 1, 1.5 and 2 points; and with many draws.
SHAPES = ([0.07, 0.23, 0.40, 0.23, 0.07], [0.01, 0.12, 0.74, 0.12, 0.01])

RUNS = 250


def tilted(shape: list[float], score: float) -> list[float]:
    """A distribution of pairs shaped like the given one, but with this score per game."""
    low, high = -50.0, 50.0
    while high - low > 1e-9:
        middle = (low + high) / 2
        weights = [share * math.exp(middle * index / 4) for index, share in enumerate(shape)]
        found = sum(index / 4 * weight for index, weight in enumerate(weights)) / sum(weights)
        low, high = (middle, high) if found < score else (low, middle)
    return [weight / sum(weights) for weight in weights]


def share_of_gains(test: Sprt, pairs: list[float], seed: int) -> float:
    """The fraction of many tests that accept H1."""
    chooser = random.Random(seed)
    gains = 0
    for _ in range(RUNS):
        pentanomial, verdict = [0] * 5, None
        while verdict is None:
            for index in chooser.choices(range(5), pairs, k=4):
                pentanomial[index] += 1
            verdict = test.verdict(pentanomial)
        gains += verdict == "H1"
    return gains / RUNS


@pytest.mark.parametrize("shape", SHAPES, ids=["few draws", "many draws"])
def test_errors_are_as_rare_as_promised(shape: list[float]) -> None:
    test = Sprt(0, 40)
    # Of 250 tests with an error of 0.05 each, more than 22 err in one case of a hundred.
    assert share_of_gains(test, tilted(shape, expected_score(0)), 1) <= 22 / RUNS
    assert share_of_gains(test, tilted(shape, expected_score(40)), 2) >= 1 - 22 / RUNS


def normalised(elo: float, shape: list[float]) -> list[float]:
    """A distribution of pairs with this normalised Elo."""
    score = 0.5
    for _ in range(30):
        _, variance = moments([round(1e6 * share) for share in tilted(shape, score)])
        score = 0.5 + elo * math.log(10) / 800 * math.sqrt(2 * variance)
    return tilted(shape, score)


@pytest.mark.parametrize("shape", SHAPES, ids=["few draws", "many draws"])
def test_normalised_bounds_need_as_many_games_with_many_draws(shape: list[float]) -> None:
    test = Sprt(0, 50, is_normalised=True)
    assert share_of_gains(test, normalised(0, shape), 3) <= 22 / RUNS
    assert share_of_gains(test, normalised(50, shape), 4) >= 1 - 22 / RUNS
    pairs = [round(400 * share) for share in normalised(50, shape)]
    assert math.isclose(test.log_likelihood_ratio(pairs), 400 * 0.5 * 2 * 0.1439**2, rel_tol=0.15)

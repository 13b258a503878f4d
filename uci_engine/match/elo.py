"""Elo with error bars, and the sequential probability ratio test.

Two games with the same opening and swapped colours make a pair. Its score is 0, 0.5, 1, 1.5 or 2,
and the five counts (the pentanomial) have less noise than wins, draws and losses. Sources:
https://www.chessprogramming.org/Match_Statistics and
https://www.chessprogramming.org/Sequential_Probability_Ratio_Test (the generalised test, with a
normal approximation of the pair score). The correction of the error bar for few pairs follows
Student, The Probable Error of a Mean (1908), with the approximation of Abramowitz and Stegun,
Handbook of Mathematical Functions (1964), 26.7.8.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

#: With fewer pairs the variance is too uncertain to accept a hypothesis.
FEWEST_PAIRS = 16

#: Scores of 0 and 1 have no Elo difference; this value is shown for them.
MAX_ELO = 1200.0

#: Normalised Elo of a standard deviation: the slope of the logistic curve at equal strength.
_NORMALISED = 800 / math.log(10)


def expected_score(elo: float) -> float:
    """The expected score per game (0 .. 1) at an Elo difference (logistic model)."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of(score: float) -> float:
    """The Elo difference of a score per game (0 .. 1)."""
    if score <= 0 or score >= 1:
        return -MAX_ELO if score <= 0 else MAX_ELO
    return max(-MAX_ELO, min(MAX_ELO, 400 * math.log10(score / (1 - score))))


@dataclass(frozen=True)
class Verdict:
    """The estimate after the games so far, from the first engine's point of view.

    :ivar error: half the width of the 95 % interval, in Elo; None if it is unknown, because all
        pairs have the same score or the interval is infinite.
    :ivar superiority: likelihood that the first engine is the stronger one, 0 .. 1; None if all
        pairs have the same score.
    """

    pairs: int
    score: float  # per game, 0 .. 1
    elo: float
    error: float | None
    superiority: float | None


def moments(pentanomial: Sequence[float]) -> tuple[float, float]:
    """Mean and variance of the score per game over the pairs.

    :param pentanomial: how many pairs scored 0, 0.5, 1, 1.5 and 2 points.
    """
    pairs = sum(pentanomial)
    mean = sum(count * index / 4 for index, count in enumerate(pentanomial)) / pairs
    variance = (
        sum(count * (index / 4 - mean) ** 2 for index, count in enumerate(pentanomial)) / pairs
    )
    return mean, variance


def judge(pentanomial: Sequence[int]) -> Verdict:
    """Elo with its error bar, and the likelihood of superiority."""
    pairs = sum(pentanomial)
    mean, variance = moments(pentanomial) if pairs else (0.5, 0.0)
    if not variance:
        return Verdict(pairs, mean, elo_of(mean), None, None)
    freedom = pairs - 1
    deviation = math.sqrt(variance / freedom)
    margin = student_quantile(freedom) * deviation
    low, high = mean - margin, mean + margin
    error = (elo_of(high) - elo_of(low)) / 2 if low > 0 and high < 1 else None
    superiority = NormalDist().cdf(_normal_deviate((mean - 0.5) / deviation, freedom))
    return Verdict(pairs, mean, elo_of(mean), error, superiority)


#: 95 % of a normal distribution are within this many standard deviations.
DEVIATIONS_95 = 1.96


def _normal_deviate(value: float, freedom: int) -> float:
    """The value of the normal distribution with the same probability as a value of Student's t."""
    return value * (1 - 1 / (4 * freedom)) / math.sqrt(1 + value * value / (2 * freedom))


def student_quantile(freedom: int) -> float:
    """The number of standard deviations that contain 95 %; infinite if the approximation fails."""
    share = (1 - 1 / (4 * freedom)) ** 2 - DEVIATIONS_95**2 / (2 * freedom)
    return DEVIATIONS_95 / math.sqrt(share) if share > 0 else math.inf


@dataclass(frozen=True)
class Sprt:
    """A test of "at most elo0" against "at least elo1".

    Normalised Elo measures the difference in standard deviations of a game, so that a test takes
    equally long with drawish and with sharp openings. Source:
    https://www.chessprogramming.org/Match_Statistics (normalized Elo).
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    is_normalised: bool = False  # whether elo0 and elo1 are normalised Elo

    @property
    def lower(self) -> float:
        """Below this log-likelihood ratio elo0 is accepted."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """Above this log-likelihood ratio elo1 is accepted."""
        return math.log((1 - self.beta) / self.alpha)

    def log_likelihood_ratio(self, pentanomial: Sequence[int]) -> float:
        """The log-likelihood ratio so far; 0 if all pairs have the same score."""
        if sum(pentanomial) == 0:
            return 0.0
        # A prior of a thousandth of a pair for each score keeps the variance above zero.
        counts = [count + 1e-3 for count in pentanomial]
        mean, variance = moments(counts)
        low, high = self._scores(variance)
        return sum(counts) * (high - low) * (2 * mean - low - high) / (2 * variance)

    def _scores(self, variance: float) -> tuple[float, float]:
        """The scores per game that the bounds mean.

        :param variance: of the score per game over the pairs.
        """
        if not self.is_normalised:
            return expected_score(self.elo0), expected_score(self.elo1)
        # A pair is two games, and has half the variance of one.
        deviation = math.sqrt(2 * variance)
        low, high = (0.5 + elo / _NORMALISED * deviation for elo in (self.elo0, self.elo1))
        return low, high

    def verdict(self, pentanomial: Sequence[int]) -> str | None:
        """The hypothesis accepted, "H1" (elo1) or "H0" (elo0), or None while it is open."""
        if sum(pentanomial) < FEWEST_PAIRS:
            return None
        ratio = self.log_likelihood_ratio(pentanomial)
        if ratio >= self.upper:
            return "H1"
        if ratio <= self.lower:
            return "H0"
        return None

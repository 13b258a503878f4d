"""The state of a rating: in one line, as a table, and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING, Any

from ..display.document import Listing, Part
from ..display.quantities import seconds_text
from ..display.sheet import Column, Sheet
from .rating import Rating

if TYPE_CHECKING:
    from .rating_run import Candidate, RatingRun

#: With a larger part of games than this that were lost by forfeit, a rating means little.
MANY_FORFEITS = 0.1


class RatingSummary:
    """A rating as a report shows it; see `halbzug.match.report.GamesState`.

    :param pace: the time control in words.
    """

    def __init__(self, run: RatingRun, pace: str) -> None:
        self._run = run
        self._pace = pace
        self.heading = f"Rating at {pace}"

    @property
    def games(self) -> int:
        """Games that were counted."""
        return self._run.games

    def line(self) -> str:
        """The state in one line."""
        return ", ".join(f"{one.spec.name} {rating_text(one.rating)}" for one in self._candidates)

    def progress(self, played: int, seconds: float) -> str:
        """The number of games, and how long each took.

        :param played: games of this run.
        :param seconds: since it began.
        """
        each = f", {seconds_text(seconds / played)} each" if played else ""
        return f"{self.games} games{each}, {self._pace}"

    def live_sheet(self) -> Sheet:
        """The engines, the best first."""
        has_mistakes = any(one.mistakes for one in self._candidates)
        columns = ["Games", "Score", "Elo", "95 %", "Forfeits", *(["Mistakes"] * has_mistakes)]
        sheet = Sheet(
            [Column("Engine"), *(Column(title, True) for title in columns), Column("Last loss")]
        )
        for one in self._ranking():
            sheet.add(
                *(one.spec.name, str(len(one.games)), f"{100 * one.score:.0f} %"),
                *(f"{one.rating.elo:.0f}", f"{one.rating.low:.0f} .. {one.rating.high:.0f}"),
                *(str(one.forfeits), *([str(one.mistakes)] * has_mistakes)),
                one.last_loss,
            )
        return sheet

    def live_note(self) -> str:
        """Nothing stands below the table but the progress."""
        return ""

    def result(self) -> Iterator[Part]:
        """The ratings, and which differences are certain."""
        yield Listing(self.live_sheet())
        yield f"Elo on the scale of UCI_Elo, at {self._pace}"
        for one in self._ranking():
            if one.forfeits > MANY_FORFEITS * len(one.games):
                yield (
                    f"{one.spec.name} lost {one.forfeits} of {len(one.games)} games by forfeit: "
                    "its rating says more about time than about chess; try --time-margin or a "
                    "longer --st"
                )
        for one, other in combinations(self._ranking(), 2):
            difference = one.rating.difference(other.rating)
            word = "certain" if difference.is_certain else "not certain"
            yield f"{one.spec.name} - {other.spec.name}: {rating_text(difference)}, {word}"

    def json(self) -> dict[str, Any]:
        """The ratings for programs."""
        ranking, pgn = self._ranking(), self._run.plan.pgn
        return {
            "pace": self._pace,
            "engines": [
                {
                    "name": one.spec.name,
                    "games": len(one.games),
                    "score": round(one.score, 4),
                    **rating_json(one.rating),
                    "forfeits": one.forfeits,
                    "mistakes": one.mistakes,
                    "opponents": dict(one.played),
                    "last_loss": one.last_loss or None,
                }
                for one in ranking
            ],
            "differences": [
                {
                    "engines": [one.spec.name, other.spec.name],
                    **rating_json(one.rating.difference(other.rating)),
                    "certain": one.rating.difference(other.rating).is_certain,
                }
                for one, other in combinations(ranking, 2)
            ],
            "pgn": str(pgn) if pgn else None,
        }

    @property
    def _candidates(self) -> list[Candidate]:
        return self._run.candidates

    def _ranking(self) -> list[Candidate]:
        return sorted(self._candidates, key=lambda one: one.rating.elo, reverse=True)


def rating_text(rating: Rating) -> str:
    """An Elo with its error: `1234 +/- 50`."""
    return f"{rating.elo:.0f} +/- {rating.error:.0f}"


def rating_json(rating: Rating) -> dict[str, Any]:
    """An Elo for programs."""
    return {
        "elo": round(rating.elo, 1),
        "low": round(rating.low, 1),
        "high": round(rating.high, 1),
        "error": round(rating.error, 1),
    }

"""The state of a rating: in one line, as a table, and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING, Any

from ..base.language import local, say
from ..base.time_control import TimeControl
from ..display.document import Listing, Part
from ..display.quantities import seconds_text
from ..display.sheet import Column, Sheet
from ..match.games_display import GamesState, end_text
from ..match.match_summary import forfeit_remarks, forfeits_text, games_text, pace_text
from .rating import Rating

if TYPE_CHECKING:
    from .rating_run import Candidate, RatingRun


class RatingSummary(GamesState):
    """A rating as a report shows it.

    :param control: of the games.
    """

    def __init__(self, run: RatingRun, control: TimeControl) -> None:
        self._run = run
        self._control = control
        self._pace = pace_text(control)
        self.heading = say("Rating at {pace}", pace=self._pace)

    @property
    def games(self) -> int:
        """Games that were counted."""
        return self._run.games

    def line(self) -> str:
        """The state in one line."""
        return ", ".join(
            f"{one.spec.name} {rating_text(one.rating, len(one.games))}" for one in self._candidates
        )

    def progress(self, played: int, seconds: float) -> str:
        """The number of games, and how long each took.

        :param played: games of this run.
        :param seconds: since it began.
        """
        each = say(", {time} each", time=local(seconds_text(seconds / played))) if played else ""
        return f"{games_text(self.games)}{each}, {self._pace}"

    def live_sheet(self) -> Sheet:
        """The engines, best first."""
        has_mistakes = any(one.mistakes for one in self._candidates)
        columns = [say("Games"), say("Score"), "Elo", "95 %"]
        if has_mistakes:
            columns.append(say("Late"))
        sheet = Sheet(
            [
                *(Column(say("Engine")), *(Column(title, True) for title in columns)),
                *(Column(say("Forfeits")), Column(say("Last loss"))),
            ]
        )
        for one in self._ranking():
            elo, low, high = (f"{n:.0f}" for n in (one.rating.elo, one.rating.low, one.rating.high))
            numbers = (
                (f"{100 * one.score:.0f} %", elo, f"{low} .. {high}") if one.games else [""] * 3
            )
            opponent, colon, reason = one.last_loss.partition(": ")
            sheet.add(
                *(one.spec.name, str(len(one.games)), *numbers),
                *([str(one.mistakes)] if has_mistakes else []),
                *(forfeits_text(one.forfeits), opponent + colon + end_text(reason)),
            )
        return sheet

    def result(self) -> Iterator[Part]:
        """The ratings, and which differences are certain."""
        yield Listing(self.live_sheet())
        yield say("Elo on the scale of UCI_Elo, at {pace}", pace=self._pace)
        yield from forfeit_remarks(
            (one.spec.name, one.forfeits, len(one.games)) for one in self._ranking()
        )
        for one, other in self._pairs():
            difference = one.rating.difference(other.rating)
            word = say("certain" if difference.is_certain else "not certain")
            text = f"{difference.elo:.0f} +/- {difference.error:.0f}"
            yield f"{one.spec.name} - {other.spec.name}: {text}, {word}"

    def json(self) -> dict[str, Any]:
        """The ratings for programs."""
        ranking, pgn = self._ranking(), self._run.plan.pgn
        return {
            "pace": str(self._control),
            "engines": [
                {
                    "name": one.spec.name,
                    "games": len(one.games),
                    "score": round(one.score, 4),
                    **rating_json(one.rating, len(one.games)),
                    "forfeits": one.forfeits.total(),
                    "mistakes": one.mistakes,
                    "opponents": dict(one.played),
                    "last_loss": one.last_loss or None,
                }
                for one in ranking
            ],
            "differences": [
                {
                    "engines": [one.spec.name, other.spec.name],
                    **rating_json(one.rating.difference(other.rating), 1),
                    "certain": one.rating.difference(other.rating).is_certain,
                }
                for one, other in self._pairs()
            ],
            "pgn": str(pgn) if pgn else None,
        }

    @property
    def _candidates(self) -> list[Candidate]:
        return self._run.candidates

    def _ranking(self) -> list[Candidate]:
        return sorted(self._candidates, key=lambda one: (not one.games, -one.rating.elo))

    def _pairs(self) -> Iterator[tuple[Candidate, Candidate]]:
        """The pairs that can be compared, the better engine first."""
        return combinations([one for one in self._ranking() if one.games], 2)


def rating_text(rating: Rating, games: int) -> str:
    """An Elo with its error, `1234 +/- 50`, or `?` before the first game."""
    return f"{rating.elo:.0f} +/- {rating.error:.0f}" if games else "?"


def rating_json(rating: Rating, games: int) -> dict[str, float | None]:
    """An Elo for programs; nothing before the first game."""
    numbers = {name: getattr(rating, name) for name in ("elo", "low", "high", "error")}
    return {name: round(number, 1) if games else None for name, number in numbers.items()}

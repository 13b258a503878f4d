"""The state of a tournament: in one line, as a table, and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..base.language import local, say
from ..display.document import Listing, Part
from ..display.sheet import Column, Sheet
from ..match.games_display import GamesState
from ..match.match_summary import forfeit_remarks, games_text, pace_text, progress_text
from .faults import KINDS
from .file_tournament import Tournament
from .rating_summary import rating_json, rating_text


class TournamentSummary(GamesState):
    """A tournament as a report shows it.

    :param page: the file of the page.
    """

    def __init__(self, tournament: Tournament, page: Path) -> None:
        self._tournament = tournament
        self._page = page
        games, pace = games_text(tournament.match.planned), pace_text(tournament.plan.control)
        self.heading = say("{games} at {pace}", games=games, pace=pace)

    @property
    def games(self) -> int:
        """Games that were counted."""
        return self._tournament.standings.games

    def line(self) -> str:
        """The leader."""
        first = self._tournament.places()[0]
        if not first.score.games:
            return say("nobody has played")
        name, score = first.entrant.spec.name, f"{first.score.points:g}/{first.score.games}"
        return say("{name} leads with {score}", name=name, score=local(score))

    def progress(self, played: int, seconds: float) -> str:
        """The number of games, and the remaining time.

        :param played: games of this run.
        :param seconds: since it began.
        """
        return progress_text(self.games, self._tournament.match.planned, played, seconds)

    def live_sheet(self) -> Sheet:
        """The engines, best first."""
        places = self._tournament.places()
        has_mistakes = any(place.mistakes for place in places)
        columns = ["Elo", say("Points"), say("Games"), say("Faults")]
        if has_mistakes:
            columns.append(say("Late"))
        names = Column("", True), Column(say("Engine"))
        sheet = Sheet([*names, *(Column(one, True) for one in columns)])
        for number, place in enumerate(places, start=1):
            known = place.entrant.known
            sheet.add(
                *(str(number), place.entrant.spec.name),
                rating_text(place.rating, place.score.games) if known is None else f"{known:.0f}",
                *(local(f"{place.score.points:g}"), str(place.score.games)),
                str(place.forfeits.total() or ""),
                *([str(place.mistakes or "")] if has_mistakes else []),
            )
        return sheet

    def result(self) -> Iterator[Part]:
        """The table, how reliable it is, and where to find the rest."""
        yield Listing(self.live_sheet())
        yield from forfeit_remarks(
            (place.entrant.spec.name, place.forfeits, place.score.games)
            for place in self._tournament.places()
        )
        pgn = self._tournament.plan.pgn
        yield say("The page is {page}, the games are in {pgn}", page=self._page, pgn=pgn)

    def json(self) -> dict[str, Any]:
        """The result for programs, best engine first."""
        tournament = self._tournament
        faults = Counter(
            (game.record.loser, game.fault.kind) for game in tournament.games() if game.fault
        )
        return {
            "pace": str(tournament.plan.control),
            "games": self.games,
            "planned": tournament.match.planned,
            "engines": [
                {
                    "name": place.entrant.spec.name,
                    "is_level": place.entrant.known is not None,
                    **rating_json(place.rating, place.score.games),
                    "games": place.score.games,
                    "wins": place.score.wins,
                    "draws": place.score.draws,
                    "losses": place.score.losses,
                    "points": place.score.points,
                    "mistakes": place.mistakes,
                    "faults": {kind: faults[place.entrant.spec.name, kind] for kind in KINDS},
                }
                for place in tournament.places()
            ],
            "left_out": [
                {"name": one.spec.name, "reason": one.trouble} for one in tournament.left_out
            ],
            "pgn": str(tournament.plan.pgn),
            "html": str(self._page),
        }

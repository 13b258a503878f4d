"""The result of a tournament for programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from halbzug.lab.faults import KINDS
from halbzug.lab.rating import rating_json
from halbzug.lab.tournament import Tournament
from halbzug.lab.tournament_games import PlayedGame


def result_json(tournament: Tournament, games: Sequence[PlayedGame], page: Path) -> dict[str, Any]:
    """The result, the best engine first.

    :param games: all that were played.
    :param page: the file of the page.
    """
    faults = Counter((game.record.loser, game.fault.kind) for game in games if game.fault)
    return {
        "pace": str(tournament.plan.control),
        "games": tournament.standings.games,
        "planned": tournament.match.planned,
        "engines": [
            {
                "name": place.entrant.spec.name,
                "is_level": place.entrant.known is not None,
                **rating_json(place.rating),
                "games": place.score.games,
                "wins": place.score.wins,
                "draws": place.score.draws,
                "losses": place.score.losses,
                "points": place.score.points,
                "faults": {kind: faults[place.entrant.spec.name, kind] for kind in KINDS},
            }
            for place in tournament.places()
        ],
        "left_out": [{"name": one.spec.name, "reason": one.trouble} for one in tournament.left_out],
        "pgn": str(tournament.plan.pgn),
        "html": str(page),
    }

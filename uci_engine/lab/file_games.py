"""How and where files play, as the options of `rate` and `tournament` say."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..display.game_options import GameOptions
    from ..match.tournament import Venue


def file_games(how: GameOptions) -> dict[str, Any]:
    """What a `RatingPlan` and a `TournamentPlan` have of these, but the time control."""
    from ..match.adjudication import Rules
    from ..match.openings import shipped_openings

    return {
        "openings": shipped_openings(),
        "seed": how.seed,
        "rules": Rules(longest_game=how.max_moves),
        "margin_seconds": how.margin_seconds,
    }


def venue_of(jobs: int | None, dask: str | None) -> Venue:
    """Where games are played.

    :param jobs: games at a time on this machine; None: as many as it has cores.
    :param dask: the address of the Dask cluster that is used instead.
    """
    from ..match.tournament import Here

    if dask:
        from .cluster_games import ClusterVenue

        return ClusterVenue(dask)
    return Here(jobs or os.cpu_count() or 1)

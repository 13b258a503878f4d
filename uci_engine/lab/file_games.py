"""How and where files play, in a rating as in a tournament, so that their Elo are on one scale.

Opponents of known strength are chosen alike, too; see `halbzug.lab.tournament_opponents`.

A file runs strictly: an exception, an illegal move or the end of its process loses its game. A move
that comes too late is replaced: lost games would make an Elo of how late an engine is, which does
not depend on the opponent. Tablebases end the games that they decide, and a game that an opponent
of known strength lost by a fault does not count: on a busy machine it may be slow, which is
nobody's merit.
"""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..base.launch import own_command

if TYPE_CHECKING:
    from ..display.game_options import GameOptions
    from ..match.game_runners import GameRunner
    from ..match.players import EngineSpec

#: Adjudicate by the tables that Halbzug has anyway; see `halbzug.match.plan.MatchPlan`.
TABLEBASE_FOLDERS = ""

#: Seconds that an engine without a clock, as the opponents are, may take for a move.
PATIENCE_SECONDS = 60.0


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


def strictly(engine: EngineSpec) -> EngineSpec:
    """An engine that runs strictly if it is a file of ours; see `halbzug.uci.session.Session`."""
    head = own_command("halbzug.__main__", "run")
    if list(engine.command[: len(head)]) != head:
        return engine
    return replace(engine, command=(*head, "--strict", *engine.command[len(head) :]))


def game_runner(jobs: int | None, dask: str | None) -> GameRunner:
    """Where games are played.

    :param jobs: games at a time on this machine; None: as many as it has cores.
    :param dask: the address of the Dask cluster that is used instead.
    """
    from ..match.game_runners import LocalRunner

    if dask:
        from .cluster_games import ClusterRunner

        return ClusterRunner(dask, TABLEBASE_FOLDERS)
    return LocalRunner(jobs or os.cpu_count() or 1)

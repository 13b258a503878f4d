"""How and where files play in ratings and tournaments, so that their Elo is on one scale.

Opponents of known strength are also chosen in the same way; see `halbzug.lab.tournament_opponents`.

A file runs strictly: an exception, an illegal move or the end of its process loses the game. A move
that comes too late is replaced, because otherwise the Elo would measure how often an engine is
late, which does not depend on the opponent. Tablebases end games that they decide. A game that an
opponent of known strength lost by a fault does not count: on a busy machine the opponent may be
slow.
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
    """The settings shared by `RatingPlan` and `TournamentPlan`, except for the time control."""
    from ..match.adjudication import Rules
    from ..match.openings import shipped_openings

    return {
        "openings": shipped_openings(),
        "seed": how.seed,
        "rules": Rules(longest_game=how.max_moves),
        "margin_seconds": how.margin_seconds,
    }


def strictly(engine: EngineSpec) -> EngineSpec:
    """The engine, made strict if it is an engine file; see `halbzug.uci.session.Session`."""
    head = own_command("halbzug.__main__", "run")
    if list(engine.command[: len(head)]) != head:
        return engine
    return replace(engine, command=(*head, "--strict", *engine.command[len(head) :]))


def game_runner(jobs: int | None, dask: str | None) -> GameRunner:
    """Where games are played.

    :param jobs: simultaneous games on this machine; None: one for each core.
    :param dask: the address of a Dask cluster to use instead.
    """
    from ..match.game_runners import LocalRunner

    if dask:
        from .cluster_games import ClusterRunner

        return ClusterRunner(dask, TABLEBASE_FOLDERS)
    return LocalRunner(jobs or os.cpu_count() or 1)

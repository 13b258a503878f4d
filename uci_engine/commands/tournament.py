"""`halbzug tournament`: plays all Python files of a folder against each other.

The command line is read into a `TournamentPlan`, which `halbzug.lab` plays.
"""

from __future__ import annotations

from pathlib import Path

import click

from ..display.drawing_options import JSON, LANGUAGE
from ..display.errors import one_line_errors
from ..display.game_options import GameOptions, file_game_options, runner_options
from ..display.paths import PathName, output_option
from .lectures import refuse_lectures

EXAMPLES = """\b
Examples:
  halbzug tournament engines/
  halbzug tournament engines/ --st 0.5 --html class.html --pgn class.pgn
  halbzug tournament engines/ --dask tcp://10.0.0.1:8786
"""


@click.command(epilog=EXAMPLES)
@click.argument("folder", type=PathName(file_okay=False), callback=refuse_lectures)
@file_game_options()
@click.option(
    "--games",
    type=click.IntRange(1),
    default=2,
    show_default=True,
    metavar="N",
    help="Games between each two engines; they come in pairs.",
)
@click.option(
    "--ladder/--no-ladder", "has_levels", default=True, help="Also play opponents of known Elo."
)
@runner_options
@output_option("--pgn", help="Save the games in this file.  [default: tournament.pgn]")
@output_option(
    "--html",
    help="Write the page with the table and the games to this file.  [default: tournament.html]",
)
@LANGUAGE
@JSON
def tournament(
    folder: Path,
    how: GameOptions,
    games: int,
    has_levels: bool,
    jobs: int | None,
    dask: str | None,
    pgn: Path | None,
    html: Path | None,
    as_json: bool,
) -> int:
    """Let all Python files of a folder play each other and opponents of known strength.

    The table shows the Elo of each file with its error bar, on the scale of UCI_Elo, and the page
    has all games. A file that fails or plays an illegal move loses the game, and the page says why;
    a move that comes too late is replaced. A file that cannot be loaded is left out. The files are
    executed, so run only files that you trust.

    A tournament may be interrupted in any way, and the same command continues it.
    """
    from ..base.whole_file import write_whole
    from ..lab.file_games import file_games, game_runner
    from ..lab.file_tournament import Tournament, TournamentPlan
    from ..lab.levels import levels
    from ..lab.tournament_page import render
    from ..lab.tournament_summary import TournamentSummary
    from ..match.engines import read_control
    from ..match.match_files import MatchError
    from .games_report import GamesReport

    with one_line_errors(ValueError, MatchError):
        plan = TournamentPlan(
            folder=folder,
            pgn=pgn or Path("tournament.pgn"),
            games=games,
            levels=tuple(levels()) if has_levels else (),
            control=read_control(how.limits()),
            **file_games(how),
        )
        page = html or Path("tournament.html")
        with Tournament(plan, game_runner(jobs, dask)) as run:
            run.check_page(page)
            write_whole(page, render(run))  # so that it can be written is known before the games
            report = GamesReport(TournamentSummary(run, page), is_quiet=as_json)
            is_complete = run.play(report)
            write_whole(page, render(run))
    report.finish(is_complete, plan.pgn)
    return 0

"""`halbzug rate`: the Elo of engines, from games against opponents of known strength.

The command line is read into a `RatingPlan`, which `halbzug.lab` plays.
"""

from __future__ import annotations

from pathlib import Path

import click

from ..display.drawing_options import JSON, LANGUAGE
from ..display.errors import one_line_errors
from ..display.game_options import GameOptions, file_game_options, runner_options
from ..display.paths import output_option
from .lectures import refuse_lectures

EXAMPLES = """\b
Examples:
  halbzug rate my_engine.py
  halbzug rate my_engine.py other.py --error 30 --pgn games.pgn
  halbzug rate "stockfish; UCI_LimitStrength=true; UCI_Elo=1500" --st 0.2 --json
"""


@click.command(epilog=EXAMPLES)
@click.argument("engines", metavar="ENGINE...", nargs=-1, required=True, callback=refuse_lectures)
@click.option(
    "--error",
    type=click.FloatRange(5, 1000),
    default=50.0,
    show_default=True,
    metavar="ELO",
    help="Play until the error bar is this small.",
)
@file_game_options()
@click.option(
    "--games",
    type=click.IntRange(2),
    default=1000,
    show_default=True,
    metavar="N",
    help="Play at most this many games with each engine.",
)
@runner_options
@output_option(
    "--pgn", help="Save the games in this file, and continue from it after an interruption."
)
@LANGUAGE
@JSON
def rate(
    engines: tuple[str, ...],
    error: float,
    how: GameOptions,
    games: int,
    jobs: int | None,
    dask: str | None,
    pgn: Path | None,
    as_json: bool,
) -> int:
    """Measure the Elo of Python files or UCI engines.

    Each engine plays against opponents of known strength, from a random mover to strong levels of
    Halbzug, until the error bar (95 %) is small enough. The next opponent is always the one whose
    game tells the most. The Elo is on the scale of UCI_Elo and is valid for the given time for a
    move, which does not affect the opponents. The games are played as in a tournament: a Python
    file that fails or plays an illegal move loses the game, and a move that comes too late is
    replaced.

    With --pgn, a rating may be interrupted in any way, and the same command continues it.
    """
    from ..lab.file_games import file_games, game_runner, strictly
    from ..lab.levels import levels
    from ..lab.rating_run import RatingPlan, RatingRun
    from ..lab.rating_summary import RatingSummary
    from ..match.engines import read_control, read_specs
    from ..match.game_runners import GamesStartError
    from ..match.match_files import MatchError
    from .games_report import GamesReport

    with one_line_errors(ValueError):
        control = read_control(how.limits())
        specs = tuple(map(strictly, read_specs(engines, control)))
    plan = RatingPlan(
        candidates=specs,
        levels=tuple(levels()),
        error=error,
        max_games=games,
        pgn=pgn,
        **file_games(how),
    )
    runner = game_runner(jobs, dask)
    with one_line_errors(MatchError, GamesStartError), RatingRun(plan, runner) as run:
        report = GamesReport(RatingSummary(run, control), is_quiet=as_json)
        is_complete = run.play(report)
        report.finish(is_complete, run.file.path if run.file else None)
    return 0

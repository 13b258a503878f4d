"""`halbzug rate`: the Elo of engines, by games against opponents of known strength.

The command line is read into a `RatingPlan`, which `halbzug.lab` plays.
"""

from __future__ import annotations

import os
from pathlib import Path

import click

from halbzug.console.errors import one_line_errors
from halbzug.console.paths import output_option

EXAMPLES = """\b
Examples:
  halbzug rate my_engine.py
  halbzug rate my_engine.py other.py --error 30 --pgn games.pgn
  halbzug rate "stockfish; UCI_LimitStrength=true; UCI_Elo=1500" --st 0.2 --json
"""


@click.command(epilog=EXAMPLES)
@click.argument("engines", metavar="ENGINE...", nargs=-1, required=True)
@click.option(
    "--error",
    type=click.FloatRange(5, 1000),
    default=50.0,
    show_default=True,
    metavar="ELO",
    help="Play until the error bar is as small as this.",
)
@click.option(
    "--st",
    type=click.FloatRange(0.001, 86400),
    metavar="SECONDS",
    help="Time for each move.  [default: 0.1]",
)
@click.option("--tc", metavar="CLOCK", help="[MOVES/]SECONDS[+INCREMENT], instead of --st.")
@click.option("--nodes", type=click.IntRange(1), metavar="N", help="Nodes for each move.")
@click.option("--depth", type=click.IntRange(1), metavar="PLIES", help="Depth of each move.")
@click.option(
    "--games",
    type=click.IntRange(2),
    default=1000,
    show_default=True,
    metavar="N",
    help="At most this many games of each engine.",
)
@click.option("--seed", default=1, show_default=True, metavar="N", help="Order of the openings.")
@click.option(
    "-j",
    "--jobs",
    type=click.IntRange(1, 1024),
    metavar="N",
    help="Games at a time.  [default: the number of cores]",
)
@click.option(
    "--max-moves",
    type=click.IntRange(1),
    default=150,
    show_default=True,
    metavar="N",
    help="After this many moves of each side it is a draw.",
)
@click.option(
    "--time-margin",
    type=click.IntRange(0),
    default=100,
    show_default=True,
    metavar="MS",
    help="Milliseconds by which an engine may exceed its time.",
)
@output_option("--pgn", help="Save the games here, and go on from here after an interruption.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as a JSON object.")
def rate(
    engines: tuple[str, ...],
    error: float,
    st: float | None,
    tc: str | None,
    nodes: int | None,
    depth: int | None,
    games: int,
    seed: int,
    jobs: int | None,
    max_moves: int,
    time_margin: int,
    pgn: Path | None,
    as_json: bool,
) -> int:
    """Measure the Elo of engines, Python files or UCI engines.

    Each plays against opponents of known strength, from a random mover to strong levels of Halbzug,
    and always against those from whom most is learnt, until the error bar (95 %) is small enough.
    The Elo is on the scale of UCI_Elo, and holds for the time of a move, on which the opponents do
    not depend.

    With --pgn a rating may be interrupted in any way, and the same command continues it.
    """
    from halbzug import books
    from halbzug.commands.games_report import GamesReport
    from halbzug.lab.levels import levels
    from halbzug.lab.rating_run import RatingError, RatingPlan, RatingRun
    from halbzug.lab.rating_summary import RatingSummary
    from halbzug.match.adjudication import Rules
    from halbzug.match.engines import read_control, read_specs
    from halbzug.match.tournament import StartError

    limits: dict[str, object] = {"tc": tc, "st": st, "nodes": nodes, "depth": depth}
    if all(limit is None for limit in limits.values()):
        limits["st"] = 0.1
    with one_line_errors(ValueError):
        control = read_control(limits)
        specs = read_specs(engines, control)
    plan = RatingPlan(
        candidates=specs,
        levels=tuple(levels()),
        openings=Path(books.__file__).parent / "openings.epd",
        error=error,
        max_games=games,
        seed=seed,
        concurrency=jobs or os.cpu_count() or 1,
        rules=Rules(longest_game=max_moves),
        margin_seconds=time_margin / 1000,
        pgn=pgn,
    )
    with one_line_errors(RatingError, StartError), RatingRun(plan) as run:
        report = GamesReport(RatingSummary(run, str(control)), is_quiet=as_json)
        is_complete = run.play(report)
        report.print_result()
        if not is_complete:
            if run.file:
                report.say(f"Interrupted; the same command goes on from {run.file.path}")
            raise KeyboardInterrupt
    return 0

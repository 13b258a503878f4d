"""`halbzug match`: plays UCI engines against each other.

The command line is read into a `MatchPlan`, which `halbzug.match` plays.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..client import PATIENCE_SECONDS
from ..display.drawing_options import LANGUAGE
from ..display.errors import one_line_errors
from ..display.game_options import GameOptions, game_options
from ..display.paths import PathName, output_option
from .lectures import refuse_lectures

if TYPE_CHECKING:
    from ..match.plan import MatchPlan

EXAMPLES = """\b
Examples:
  halbzug match -e halbzug -e stockfish --tc 10+0.1
  halbzug match -e new=./halbzug -e "old=/old/halbzug; Hash=64" --nodes 20000
      --games 1000 --sprt 0 10 --pgn games.pgn
  halbzug match -e halbzug -e "stockfish; Skill Level=3" --tc 40/60+0.6
      --tablebases --resign 4 600 --draw 40 8 10 --concurrency 2
"""


@click.command(epilog=EXAMPLES)
@click.option(
    "-e",
    "--engine",
    "engines",
    multiple=True,
    required=True,
    metavar="ENGINE",
    callback=refuse_lectures,
    help="An engine: [NAME=]COMMAND[; OPTION=VALUE]... Give this option for each engine.",
)
@game_options(
    "[MOVES/]SECONDS[+INCREMENT] for each side.  [default: 10+0.1]",
    "Fixed time for each move.",
    max_moves=200,
)
@click.option(
    "--games",
    type=click.IntRange(1),
    default=100,
    show_default=True,
    metavar="N",
    help="Games between each two engines; they come in pairs.",
)
@click.option("--gauntlet", is_flag=True, help="Play the first engine against each of the others.")
@click.option(
    "--openings",
    type=PathName(dir_okay=False),
    metavar="FILE",
    help="EPD, FEN or PGN file.  [default: Halbzug's own suite]",
)
@click.option("--chess960", is_flag=True, help="Play Chess960.")
@click.option(
    "-c",
    "--concurrency",
    type=click.IntRange(1, 1024),
    default=1,
    show_default=True,
    metavar="N",
    help="Number of simultaneous games.",
)
@output_option(
    "--pgn", help="Save the games in this file, and continue from it after an interruption."
)
@click.option(
    "--sprt",
    nargs=2,
    type=float,
    metavar="ELO0 ELO1",
    help="Stop when one of two Elo differences is accepted (alpha = beta = 0.05).",
)
@click.option(
    "--resign",
    nargs=2,
    type=click.IntRange(1),
    metavar="MOVES CP",
    help="An engine resigns after MOVES moves with a score of -CP centipawns or less.",
)
@click.option(
    "--draw",
    type=(click.IntRange(0), click.IntRange(1), click.IntRange(0)),
    metavar="FROM MOVES CP",
    help="After move FROM, end as a draw if both scores stay within CP centipawns for MOVES moves.",
)
@click.option(
    "--tablebases",
    is_flag=False,
    flag_value="",
    metavar="[FOLDERS]",
    help="End games that Halbzug's tablebases, or those in these folders, decide.",
)
@click.option(
    "--patience",
    type=click.FloatRange(0.1, 86400),
    metavar="SECONDS",
    help="With --nodes or --depth, an engine that takes longer for a move loses."
    f" [default: {PATIENCE_SECONDS:g}]",
)
@click.option(
    "--runner",
    type=click.Choice(["cutechess-cli", "fastchess"]),
    help="Let this program play the match; it must be on the PATH.",
)
@LANGUAGE
@click.option("--json", "as_json", is_flag=True, help="Print the result as a JSON object.")
def match(
    engines: tuple[str, ...],
    how: GameOptions,
    games: int,
    gauntlet: bool,
    openings: Path | None,
    chess960: bool,
    concurrency: int,
    pgn: Path | None,
    sprt: tuple[float, float] | None,
    resign: tuple[int, int] | None,
    draw: tuple[int, int, int] | None,
    tablebases: str | None,
    patience: float | None,
    runner: str | None,
    as_json: bool,
) -> int:
    """Let UCI engines play each other.

    Each engine is a command, followed by its UCI options after semicolons; tc, st, nodes and depth
    given there apply only to this engine. Two engines play a match, more than two a round robin.
    Each opening is played twice with colours swapped; the same seed gives the same openings in the
    same order.

    An engine that crashes, hangs, exceeds its time or plays an illegal move loses the game. It is
    restarted, and the match continues.

    With --pgn, a match may be interrupted in any way, and the same command continues it. A larger
    number of --games continues a finished match.
    """
    from ..base.whole_file import is_read
    from ..match.adjudication import DrawRule, ResignRule, Rules
    from ..match.elo import MAX_ELO
    from ..match.engines import read_control, read_engines
    from ..match.openings import shipped_openings
    from ..match.plan import MatchPlan

    with one_line_errors(ValueError):
        specs = read_engines(engines, read_control(how.limits()))
    plan = MatchPlan(
        engines=specs,
        openings=openings or (None if chess960 else shipped_openings()),
        games=games + games % 2,
        is_gauntlet=gauntlet,
        chess960=chess960,
        seed=how.seed,
        concurrency=concurrency,
        rules=Rules(
            ResignRule(*resign) if resign else None,
            DrawRule(*draw) if draw else None,
            how.max_moves,
        ),
        tablebase_folders=tablebases,
        margin_seconds=how.margin_seconds,
        patience_seconds=patience or PATIENCE_SECONDS,
        sprt=sprt,
        pgn=pgn,
    )
    if sprt and (len(engines) != 2 or not -MAX_ELO <= sprt[0] < sprt[1] <= MAX_ELO):
        raise click.UsageError(
            "--sprt is for two engines, with ELO0 below ELO1, both from "
            f"{-MAX_ELO:g} to {MAX_ELO:g}"
        )
    if pgn and plan.openings and is_read(pgn, plan.openings):
        raise click.UsageError(f"{pgn} is the openings file; choose another name for --pgn")
    if runner is None:
        _play(plan, as_json)
        return 0
    if as_json or patience:
        raise click.UsageError(f"--json and --patience do not work with --runner {runner}")
    from ..match.external_runner import RunnerError, run_match

    with one_line_errors(RunnerError):
        return run_match(plan, runner)


def _play(plan: MatchPlan, as_json: bool) -> None:
    """Play the missing games, and print the result.

    :raises KeyboardInterrupt: passed on, after the result so far has been printed.
    """
    from ..match.game_runners import GamesStartError
    from ..match.match_files import MatchError
    from ..match.match_summary import MatchSummary
    from ..match.running import Match
    from .games_report import GamesReport

    with one_line_errors(MatchError, GamesStartError), Match(plan) as match:
        report = GamesReport(MatchSummary(match), is_quiet=as_json)
        is_complete = match.play(report)
    report.finish(is_complete, match.file.path if match.file else None)

"""`halbzug analyse`: analyses a position, a game, a test suite or many positions.

One position is shown in detail, games are annotated, and many positions are divided among engines;
see `halbzug.games.analysis_request`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..base.scores import MAX_PLY
from ..batch import DEFAULT_SECONDS, DEFAULT_SECONDS_EACH, filters
from ..client import PATIENCE_SECONDS
from ..display.common_options import Seconds, hash_option
from ..display.completion import files
from ..display.drawing_options import language_option
from ..display.errors import one_line_errors, parsed_by
from ..display.paths import output_option

if TYPE_CHECKING:
    from ..batch.positions import GamePart

EXAMPLES = """\b
Examples:
  halbzug analyse startpos --time 5
  halbzug analyse "8/8/1KP5/3r4/8/8/8/k7 w - - 0 1" --multipv 3
  halbzug analyse "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6"
  halbzug analyse game.pgn --html report.html --pgn annotated.pgn
  halbzug analyse suite.epd --time 1 --confirm 2
  halbzug analyse many.fen --nodes 100000 --processes 4 -o results.jsonl
  halbzug analyse games.pgn --all-moves --depth 8 --json
  halbzug analyse month.pgn.zst --rating 2000.. --every 9 --quiet --nodes 1000
  halbzug analyse many.fen -o results.jsonl --dask tcp://10.0.0.1:8786
"""

#: Exit code: something could not be read or analysed.
FAULTY = 1


def _games_option(
    name: str, metavar: str, parse: Callable[[str], filters.GameTest], condition: str
) -> Callable[[Any], Any]:
    """An option that selects games; if given more than once, one of its values must hold."""
    text = f"Games: select those {condition}."
    callback = parsed_by(parse)
    return click.option(name, metavar=metavar, multiple=True, callback=callback, help=text)


@click.command(epilog=EXAMPLES)
@click.argument("position", nargs=-1, required=True, shell_complete=files)
@click.option(
    "-d", "--depth", type=click.IntRange(1, MAX_PLY - 1), metavar="PLIES", help="Plies to search."
)
@click.option(
    "-t",
    "--time",
    "seconds",
    type=Seconds(),
    help=f"Seconds for each position. Without any limit, {DEFAULT_SECONDS:g} for a single position "
    f"and {DEFAULT_SECONDS_EACH:g} for each of many.",
)
@click.option("-n", "--nodes", type=click.IntRange(1), metavar="N", help="Nodes to search.")
@click.option(
    "-k",
    "--multipv",
    type=click.IntRange(1, 256),
    metavar="LINES",
    default=1,
    show_default=True,
    help="Number of best lines to find.",
)
@hash_option(64, "Transposition table of each process.")
@click.option(
    "-e",
    "--engine",
    "command",
    default="",
    metavar="COMMAND",
    help='Another UCI engine: "COMMAND; Option=Value; ...".',
)
@click.option(
    "--patience",
    type=click.FloatRange(0.1, 86400),
    metavar="SECONDS",
    default=PATIENCE_SECONDS,
    show_default=True,
    help="With --depth or --nodes, how long another engine may stay silent.",
)
@output_option("--html", help="Games: write a report for the browser.", takes_stream=True)
@output_option("--pgn", help="Games: write annotated PGN.", takes_stream=True)
@language_option("Games: language of the table.")
@click.option("--all-moves", is_flag=True, help="Games: analyse each position separately.")
@click.option("--last-move", is_flag=True, help="Games: analyse only the final position.")
@_games_option(
    "--rating", "RANGE", filters.rating_test, "with both ratings in this range: 2000..2400"
)
@_games_option(
    "--time-control",
    "LIST",
    filters.time_control_test,
    "with one of these time controls: names from lichess (bullet,blitz), clocks (180+2), or ranges "
    "of the estimated duration in seconds (480..)",
)
@_games_option("--result", "LIST", filters.result_test, "with one of these results: 1-0,0-1,draw")
@_games_option("--date", "DATE", filters.date_test, "of this year, month, day or range")
@_games_option(
    "--opening",
    "TEXT",
    filters.opening_test,
    "whose ECO code begins with this (B9), or whose opening's name contains it (najdorf)",
)
@click.option(
    "--plies",
    metavar="RANGE",
    callback=parsed_by(filters.parse_range),
    help="Games: analyse positions after this many plies: 20..60, 20.. or ..60.",
)
@click.option(
    "--every",
    type=click.IntRange(1),
    metavar="N",
    default=1,
    help="Games: analyse each N-th position; with an odd N, both sides are to move in turn.",
)
@click.option(
    "--quiet",
    is_flag=True,
    help="Games: analyse only quiet positions: no check, no capture that wins material.",
)
@click.option(
    "--confirm",
    type=click.IntRange(0),
    metavar="PLIES",
    help="Test suites: move on to the next position when a right answer has stayed the same for "
    "this many plies of depth.",
)
@click.option(
    "-p",
    "--processes",
    type=click.IntRange(1, 1024),
    metavar="N",
    default=1,
    show_default=True,
    help="How many engines share the positions or games; a single game is cut into as many parts.",
)
@click.option("--dask", metavar="ADDRESS", help="Use this Dask cluster instead.")
@output_option(
    "-o",
    "--output",
    help="Many positions: write JSON lines to this file, in order.",
    takes_stream=True,
)
@click.option("--resume", is_flag=True, help="Continue the output of an interrupted run.")
@click.option("--unordered", is_flag=True, help="Write results as they arrive, with their numbers.")
@click.option("--chess960", is_flag=True, help="Chess960 rules; usually detected.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON lines, for programs.")
def analyse(
    position: tuple[str, ...],
    depth: int | None,
    seconds: float | None,
    nodes: int | None,
    multipv: int,
    hash_mb: int,
    command: str,
    patience: float,
    html: Path | None,
    pgn: Path | None,
    all_moves: bool,
    last_move: bool,
    plies: tuple[int, int | None] | None,
    every: int,
    quiet: bool,
    confirm: int | None,
    processes: int,
    dask: str | None,
    output: Path | None,
    resume: bool,
    unordered: bool,
    chess960: bool,
    as_json: bool,
    **tests: tuple[filters.GameTest, ...],
) -> int:
    """Analyse a position, a game, a test suite or many positions.

    POSITION is a FEN in quotes, `startpos`, moves or PGN in quotes, the path of a PGN, EPD or FEN
    file, or `-` for standard input. Files may be compressed (.zst, .gz, .bz2, .xz). Options select
    games from a database by their tags, and positions from these games; all conditions must hold.

    A game is annotated with the evaluation and the best line of each move, inaccuracies, mistakes
    and blunders, and the accuracy of each side. Answers to an EPD test suite are compared with its
    bm, am and dm operations. For other positions, the best move and line are shown.

    Scores are in pawns: +1.00 is a pawn ahead, #3 mates in three moves, #-2 is mated in two. They
    are for the side to move, or in an annotated game for White.
    """
    from ..base.limits import Limits
    from ..base.whole_file import is_standard_output
    from ..batch.analysts import AnalystError, Setup
    from ..batch.result_lines import ResultFileError
    from ..games.analysis_request import AnalysisRequest, RequestError, carry_out
    from .analysis_display import TerminalDisplay

    if all_moves and last_move:
        raise click.UsageError("--all-moves and --last-move cannot be combined")
    chosen = tuple(_any_of(group) for group in tests.values() if group)
    selection = filters.Selection(chosen, plies or (0, None), every, quiet)
    all_moves = all_moves or (selection.is_of_positions and not last_move)
    if (all_moves or last_move) and (html or pgn):
        raise click.UsageError("--pgn and --html are for whole games, not for single positions")
    if resume and (output is None or is_standard_output(output)):
        raise click.UsageError("--resume needs an --output file to continue")
    milliseconds = None if seconds is None else max(round(seconds * 1000), 1)
    limits = Limits(move_time_ms=milliseconds, depth=depth, nodes=nodes)
    setup = Setup(
        limits,
        multi_pv=multipv,
        hash_mb=hash_mb,
        command=command,
        patience_seconds=patience,
        confirm=confirm,
    )
    part: GamePart = "all" if all_moves else "last" if last_move else "game"
    source = _one_source(position)
    request = AnalysisRequest(
        source=source,
        part=part,
        selection=selection,
        chess960=chess960,
        as_json=as_json,
        processes=processes,
        dask=dask,
        output=output,
        is_resumed=resume,
        in_order=not unordered,
        pgn=pgn,
        html=html,
    )
    try:
        with one_line_errors(AnalystError, ResultFileError):
            faults = carry_out(request, setup, TerminalDisplay())
    except RequestError as error:
        raise click.UsageError(str(error)) from None
    return FAULTY if faults else 0


def _any_of(tests: tuple[filters.GameTest, ...]) -> filters.GameTest:
    """Combine the values of an option that is given more than once."""
    return lambda tags: any(test(tags) for test in tests)


def _one_source(words: tuple[str, ...]) -> str:
    """The source as one text, even without quotes around a FEN or moves.

    :raises click.UsageError: if there is more than one, or none.
    """
    from ..batch.positions import is_game

    text = " ".join(words)
    if not text.strip():
        raise click.UsageError("POSITION is empty")
    if len(words) > 1 and words[0].count("/") != 7 and not is_game(text):
        raise click.UsageError(f"expected one position or file, got {len(words)}")
    return text

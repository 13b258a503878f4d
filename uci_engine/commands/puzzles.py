"""`halbzug puzzles`: exercises from games, as PGN, EPD and a page to solve them."""

from __future__ import annotations

import json
from pathlib import Path

import click

from ..display.completion import files
from ..display.errors import one_line_errors
from ..display.paths import output_option

EXAMPLES = """\b
Examples:
  halbzug puzzles games.pgn
  halbzug puzzles games.pgn -o puzzles.pgn --html puzzles.html
  halbzug puzzles games.pgn -o puzzles.pgn --resume
"""


@click.command(epilog=EXAMPLES)
@click.argument("games", shell_complete=files)
@output_option("-o", "--output", "pgn", help="Write the exercises as PGN.")
@output_option("--epd", help="Write them as EPD, with bm, pv, id, c0 and c1.")
@output_option("--html", help="Write a page for solving them.")
@click.option(
    "-n",
    "--nodes",
    type=click.IntRange(1000),
    default=1_000_000,
    show_default=True,
    metavar="N",
    help="Nodes to confirm that only one move wins.",
)
@click.option("--resume", is_flag=True, help="Continue the --output of an interrupted run.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON lines, for programs.")
def puzzles(
    games: str,
    pgn: Path | None,
    epd: Path | None,
    html: Path | None,
    nodes: int,
    resume: bool,
    as_json: bool,
) -> int:
    """Make exercises from games: positions in which exactly one move wins.

    GAMES is a PGN file, which may be compressed, or `-` for standard input. The easiest exercises
    come first; the difficulty is the lowest UCI_Elo at which Halbzug finds the first move. If you
    interrupt the command, it writes what it has found.
    """
    from ..batch.analysts import AnalystError
    from ..display.document import Listing
    from ..display.printing import show
    from ..puzzles.puzzle_files import PuzzleFileError, puzzle_json, puzzles_sheet
    from ..puzzles.puzzle_run import PuzzleOutputs, PuzzleRun
    from .analysis_display import TerminalDisplay

    if resume and pgn is None:
        raise click.UsageError("--resume needs the --output file to continue")
    display = TerminalDisplay()
    with one_line_errors(PuzzleFileError):
        run = PuzzleRun(games, PuzzleOutputs(pgn, epd, html), nodes, display.complain, resume)
    try:
        with one_line_errors(AnalystError):
            run.run(display.progress(run.counter(), "neither"))
    except KeyboardInterrupt:
        if pgn and run.puzzles:
            display.note(f"interrupted; --resume continues {pgn}")
        raise
    finally:
        if as_json:
            for puzzle in run.puzzles:
                click.echo(json.dumps(puzzle_json(puzzle)))
        elif run.puzzles:
            show([Listing(puzzles_sheet(run.puzzles))])
    if not (run.puzzles or run.faults or as_json):
        click.echo("these games contain no exercises")
    return 1 if run.faults else 0

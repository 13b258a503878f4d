"""`halbzug book`: shows, builds and checks opening books."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from ..base.language import local, say, spelled
from ..base.text import counted, visible
from ..display.common_options import book_option
from ..display.drawing_options import LANGUAGE
from ..display.errors import one_line_errors
from ..display.paths import PathName, output_option
from ..display.progress import progress_shown

_PATH = PathName()
_FAILED = 1

SHOW_EXAMPLES = """\b
Examples:
  halbzug book show
  halbzug book show "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
"""
BUILD_EXAMPLES = """\b
Examples:
  halbzug book build games.pgn -o book.bin
  halbzug book build games.pgn -o book.bin --min-games 3
"""
CHECK_EXAMPLES = """\b
Examples:
  halbzug book check repertoire.pgn --scores scores.epd
  halbzug book check repertoire.pgn --scores scores.epd --report report.md --losses 20
"""
OPENINGS_EXAMPLES = """\b
Examples:
  halbzug book openings repertoire.pgn --scores scores.epd -o suite
"""


@click.group()
def book() -> None:
    """Show, build and check opening books (Polyglot)."""


@book.command(epilog=SHOW_EXAMPLES)
@click.argument("fen", default="startpos")
@book_option("--book", "path", help_text="The book file.  [default: Halbzug's own book]")
@LANGUAGE
@click.option("--json", "as_json", is_flag=True, help="Print one JSON line for each move.")
def show(fen: str, path: Path | None, as_json: bool) -> None:
    """Show the moves a book has for a position.

    FEN is a position in quotes, or `startpos`. Moves of weight 0 are played only if the book has
    no others.
    """
    import chess

    from ..board.fen import fen_of, read_position
    from ..books.opening_book import OpeningBook, default_book_path

    with one_line_errors(ValueError):
        board = chess.Board(read_position(fen_of(fen)).fen())
        with OpeningBook(path or default_book_path()) as opened:
            rows = opened.described(board)
    if as_json:
        for row in rows:
            click.echo(json.dumps(row))
    elif not rows:
        click.echo(say("no move in the book"))
    else:
        click.echo(say("move    weight   share  reply"))
        for row in rows:
            share, san, reply = local(f"{row['share']:.1%}"), row["san"], row["reply"] or ""
            line = f"{spelled(san):8}{row['weight']:6}  {share:>6}  {spelled(reply)}"
            click.echo(line.rstrip())


@book.command(epilog=BUILD_EXAMPLES)
@click.argument("sources", nargs=-1, required=True, type=_PATH)
@output_option("-o", "--output", help="The book to write.", takes_stream=True, required=True)
@click.option(
    "--max-plies",
    type=click.IntRange(1, 1000),
    default=40,
    show_default=True,
    help="Number of plies of each game to use.",
)
@click.option(
    "--min-games",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Minimum number of games in which a move must occur.",
)
@click.option(
    "--score",
    type=click.IntRange(0, 1000),
    nargs=3,
    default=(2, 1, 0),
    show_default=True,
    metavar="WIN DRAW LOSS",
    help="How much a game adds to a move's weight, by its result for the side that moved.",
)
def build(
    sources: tuple[Path, ...],
    output: Path,
    max_plies: int,
    min_games: int,
    score: tuple[int, int, int],
) -> None:
    """Build a book from PGN files, or folders of them.

    The weight of a move is its score in the games. In games with the tag [Repertoire "marks"], all
    variations are used, and the marks determine the weights: ! 100, none 40, !? 10. Moves marked ?!
    or ? are never played, but have replies. A game is used up to the first move that cannot be
    read; if there is one, the exit code is 1.
    """
    from ..base.whole_file import is_standard_output, output_name
    from ..books.builder import BuildOptions
    from ..books.builder import build as build_book

    is_printed = is_standard_output(output)
    if is_printed and sys.stdout.isatty():
        raise click.UsageError("a book is binary; write it to a file or a pipe, not to a terminal")
    with one_line_errors(ValueError):
        options = BuildOptions(max_plies, min_games, *score)
        report = build_book(sources, output, options)
    # Nothing else is written to standard output if the book is.
    click.echo(f"{output_name(output)}: {report.summary}", err=is_printed)
    for note in report.notes():
        click.echo(visible(note), err=True)
    if report.broken:
        click.get_current_context().exit(_FAILED)


@book.command(epilog=CHECK_EXAMPLES)
@click.argument("sources", nargs=-1, required=True, type=_PATH)
@output_option(
    "--scores",
    help="EPD file of scores: known scores are read from it, and new ones are added.",
    required=True,
)
@output_option("--report", help="Write the result to this Markdown file.", takes_stream=True)
@click.option("--engine", default="stockfish", show_default=True, help="The UCI engine to use.")
@click.option(
    "--nodes",
    type=click.IntRange(1),
    help="Nodes for each position; 10000 if not given. Known scores from as many are kept.",
)
@click.option(
    "--losses",
    type=click.IntRange(0),
    default=0,
    metavar="NUMBER",
    help="Also print this many moves that lose the most, compared with the score before them.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, for programs.")
def check(
    sources: tuple[Path, ...],
    scores: Path,
    report: Path | None,
    engine: str,
    nodes: int | None,
    losses: int,
    as_json: bool,
) -> None:
    """Let an engine evaluate every position of a repertoire.

    The exit code is 1 if a move of the book is outside the bounds.
    """
    from ..base.whole_file import is_standard_output, write_whole
    from ..batch.book_check import check_book, refuse_outputs
    from ..client.engine_errors import UciError

    with one_line_errors(ValueError):
        refuse_outputs(sources, scores, report)
    if report and report.absolute() == scores.absolute():
        raise click.UsageError("--report and --scores need different files")
    shown = progress_shown(None, "Positions", 1, may_be_short=True)
    with one_line_errors(ValueError, UciError), shown as advance:
        checked = check_book(sources, scores, engine, nodes, advance)
    if report:
        write_whole(report, f"# What the check found\n\n{checked.text()}")
    if not (report and is_standard_output(report)):
        click.echo(json.dumps(checked.json(losses)) + "\n" if as_json else checked.text(), nl=False)
    for verdict in checked.report.failed:
        click.echo(f"outside the bounds: {verdict}", err=True)
    for verdict in checked.greatest_losses(0 if as_json else losses):
        click.echo(f"loses {verdict.loss / 100:.2f}: {verdict}")
    if checked.report.failed:
        click.get_current_context().exit(_FAILED)


@book.command(epilog=OPENINGS_EXAMPLES)
@click.argument("sources", nargs=-1, required=True, type=_PATH)
@click.option("--scores", type=_PATH, required=True, help="EPD file of scores, from `check`.")
@output_option("-o", "--output", help="The folder to write to.", is_folder=True, required=True)
@click.option(
    "--plies",
    type=click.IntRange(1, 100),
    nargs=2,
    default=(6, 10),
    show_default=True,
    metavar="MIN MAX",
    help="Plies of an opening.",
)
def openings(sources: tuple[Path, ...], scores: Path, output: Path, plies: tuple[int, int]) -> None:
    """Make a suite of balanced openings for matches from a repertoire.

    Writes openings.epd and openings.pgn.
    """
    from ..books import checker, match_openings
    from ..books.builder import pgn_files, refuse_to_replace

    with one_line_errors(ValueError):
        for path in match_openings.files_in(output):
            refuse_to_replace(path, [*pgn_files(sources), scores])
        chosen = match_openings.select(sources, checker.read_scores(scores), *plies)
        match_openings.write(chosen, output)
    click.echo(f"{counted(len(chosen), 'opening')} in {output / 'openings.epd'} and .pgn")

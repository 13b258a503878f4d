"""`halbzug book`: shows, builds and checks opening books."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from halbzug.console.errors import one_line_errors
from halbzug.console.options import book_option

if TYPE_CHECKING:
    import chess

    from halbzug.books.builder import BuildReport
    from halbzug.books.opening_book import BookMove, OpeningBook

_PATH = click.Path(path_type=Path)
_FAILED = 1


@click.group()
def book() -> None:
    """Show, build and check opening books (Polyglot)."""


@book.command()
@click.argument("fen", default="startpos")
@book_option("--book", "path", help_text="The book; without it, the one of Halbzug.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, one line a move.")
def show(fen: str, path: Path | None, as_json: bool) -> None:
    """Show the moves a book has for a position.

    FEN is a position in quotes, or `startpos`. A move of weight 0 is played only if there is no
    other.
    """
    import chess

    from halbzug.board.fen import fen_of, read_position
    from halbzug.books.opening_book import OpeningBook, default_book_path

    with one_line_errors(ValueError):
        board = chess.Board(read_position(fen_of(fen)).fen())
        with OpeningBook(path or default_book_path()) as opened:
            rows = [_row(opened, board, offer) for offer in opened.entries(board)]
    if as_json:
        for row in rows:
            click.echo(json.dumps(row))
    elif not rows:
        click.echo("no move in the book")
    else:
        click.echo(f"{'move':8}{'weight':>6}  {'share':>6}  reply")
        for row in rows:
            share, reply = f"{row['share']:.1%}", row["reply"] or ""
            click.echo(f"{row['san']:8}{row['weight']:6}  {share:>6}  {reply}".rstrip())


def _row(opened: OpeningBook, board: chess.Board, offer: BookMove) -> dict[str, object]:
    after = board.copy(stack=False)
    after.push(offer.move)
    replies = opened.entries(after)
    return {
        "move": offer.move.uci(),
        "san": board.san(offer.move),
        "weight": offer.weight,
        "share": round(offer.share, 4),
        "reply": after.san(replies[0].move) if replies else None,
    }


@book.command()
@click.argument("sources", nargs=-1, required=True, type=_PATH)
@click.option("-o", "--output", type=_PATH, required=True, help="The book to write.")
@click.option(
    "--max-plies",
    type=click.IntRange(1, 1000),
    default=40,
    show_default=True,
    help="Half-moves of each game that count.",
)
@click.option(
    "--min-games",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Games a move must occur in.",
)
@click.option(
    "--score",
    type=click.IntRange(0, 1000),
    nargs=3,
    default=(2, 1, 0),
    show_default=True,
    metavar="WIN DRAW LOSS",
    help="What a game adds to a move's weight, by its result for the side that moved.",
)
def build(
    sources: tuple[Path, ...],
    output: Path,
    max_plies: int,
    min_games: int,
    score: tuple[int, int, int],
) -> None:
    """Build a book from PGN files, or folders of them.

    A move weighs what it scored. Games with the tag [Repertoire "marks"] count otherwise: all
    their variations are used, and the marks give the weights: ! 100, none 40, !? 10; moves
    marked ?! or ? are only answered.
    """
    from halbzug.books.builder import BuildOptions
    from halbzug.books.builder import build as build_book

    with one_line_errors(ValueError):
        options = BuildOptions(max_plies, min_games, *score)
        report = build_book(sources, output, options)
    _print_build(output, report)


def _print_build(output: Path, report: BuildReport) -> None:
    from halbzug.whole_file import is_same_file

    # A book that goes to standard output has it to itself.
    is_printed = is_same_file(output, Path("/dev/stdout"))
    used = f"{report.games} games, {report.repertoires} repertoire chapters"
    summary = f"{output}: {report.entries} moves in {report.positions} positions from {used}"
    click.echo(summary, err=is_printed)
    if report.broken:
        click.echo(f"{report.broken} of them end early, at a move that is not legal", err=True)
    if report.skipped:
        click.echo(f"{report.skipped} games of other variants were left out", err=True)


@book.command()
@click.argument("sources", nargs=-1, required=True, type=_PATH)
@click.option(
    "--scores",
    type=_PATH,
    required=True,
    help="EPD file of scores: known ones are taken from there, new ones added.",
)
@click.option("--report", type=_PATH, help="Write the result to this Markdown file.")
@click.option("--engine", default="stockfish", show_default=True, help="The UCI engine to ask.")
@click.option(
    "--nodes",
    type=click.IntRange(1),
    help="For each position; 10000 if not given. Known scores of as many are kept.",
)
@click.option(
    "--losses",
    type=click.IntRange(0),
    default=0,
    metavar="NUMBER",
    help="Also print so many moves that lose most against the score before them.",
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
    """Have an engine judge every position of a repertoire.

    The exit code is 1 if a move of the book is outside the bounds.
    """
    from halbzug.analysis.book_check import check_book, refuse_outputs
    from halbzug.client.errors import UciError
    from halbzug.whole_file import write_whole

    with one_line_errors(ValueError):
        refuse_outputs(sources, scores, report)
    if report and report.absolute() == scores.absolute():
        raise click.UsageError("--report and --scores need a file each")
    with one_line_errors(ValueError, UciError), _progress() as advance:
        checked = check_book(sources, scores, engine, nodes, advance)
    if report:
        write_whole(report, f"# What the check found\n\n{checked.text()}")
    click.echo(json.dumps(checked.json(losses)) + "\n" if as_json else checked.text(), nl=False)
    for verdict in checked.report.failed:
        click.echo(f"outside the bounds: {verdict}", err=True)
    for verdict in checked.greatest_losses(0 if as_json else losses):
        click.echo(f"loses {verdict.loss / 100:.2f}: {verdict}")
    if checked.report.failed:
        click.get_current_context().exit(_FAILED)


@contextmanager
def _progress() -> Iterator[Callable[[int, int], None]]:
    """A progress bar on standard error."""
    from rich.progress import Progress

    from halbzug.console.terminal import PlainConsole

    with Progress(console=PlainConsole(stderr=True)) as progress:
        task = progress.add_task("positions", total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)


@book.command()
@click.argument("sources", nargs=-1, required=True, type=_PATH)
@click.option("--scores", type=_PATH, required=True, help="EPD file of scores, from `check`.")
@click.option("-o", "--output", type=_PATH, required=True, help="The folder to write to.")
@click.option(
    "--plies",
    type=click.IntRange(1, 100),
    nargs=2,
    default=(6, 10),
    show_default=True,
    metavar="LEAST MOST",
    help="Half-moves of an opening.",
)
def openings(sources: tuple[Path, ...], scores: Path, output: Path, plies: tuple[int, int]) -> None:
    """Make the suite of balanced openings for matches from a repertoire.

    Writes openings.epd and openings.pgn.
    """
    from halbzug.books import checker, match_openings
    from halbzug.books.builder import pgn_files, refuse_to_replace

    with one_line_errors(ValueError):
        for path in match_openings.files_in(output):
            refuse_to_replace(path, [*pgn_files(sources), scores])
        chosen = match_openings.select(sources, checker.read_scores(scores), *plies)
        match_openings.write(chosen, output)
    click.echo(f"{len(chosen)} openings in {output / 'openings.epd'} and .pgn")

"""`halbzug board`: a board in the browser, with engines beside it."""

from __future__ import annotations

from pathlib import Path

import click

from ..client.engine_command import EngineCommand, parse_engine
from ..display.common_options import book_option, tablebases_option
from ..display.completion import files
from ..display.errors import one_line_errors, parsed_by

EXAMPLES = """\b
Examples:
  halbzug board
  halbzug board "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
  halbzug board games.pgn
  halbzug board my_engine.py
  halbzug board --engine stockfish
  halbzug board --explorer my_games.pgn
"""


@click.command(epilog=EXAMPLES)
@click.argument("what", metavar="[FEN | GAME.pgn | FILE.py]", required=False)
@click.option(
    "-e",
    "--engine",
    callback=parsed_by(parse_engine),
    metavar="COMMAND",
    help="Another UCI engine beside Halbzug: COMMAND ARGUMENTS; OPTION=VALUE; ...",
)
@click.option(
    "--explorer",
    "explored",
    multiple=True,
    type=click.Path(path_type=Path),
    shell_complete=files,
    metavar="GAMES.pgn",
    help="Show what was played in each position in these games. May be given several times.",
)
@click.option("--chess960", is_flag=True, help="Read the FEN as a Chess960 position.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    metavar="PORT",
    help="Listen on this port instead of any free one.",
)
@click.option(
    "--linger",
    type=click.FloatRange(1, 86400),
    default=60,
    show_default=True,
    metavar="SECONDS",
    help="How long to keep running after the last page has been closed.",
)
@click.option("--browser/--no-browser", default=True, help="Whether to open the browser.")
@book_option("--book", "book_path", help_text="A Polyglot book to show instead of Halbzug's own.")
@tablebases_option("--syzygy", "Folders with more Syzygy tablebases, separated as in PATH.")
def board(
    what: str | None,
    engine: EngineCommand | None,
    explored: tuple[Path, ...],
    chess960: bool,
    port: int,
    linger: float,
    browser: bool,
    book_path: Path | None,
    tablebase_paths: str,
) -> None:
    """Open a board in the browser: analyse positions and games, and play.

    If a file contains only one game, the game is analysed in the background at once.

    The page is served only to this machine and loads nothing from the network. It needs `pip
    install "halbzug[board]"`. A FILE.py is an engine, as with halbzug run, and is executed.
    """
    from ..web.start_server import BoardPageError, open_board

    with one_line_errors(BoardPageError):
        serve = open_board(
            what,
            engine,
            chess960=chess960,
            port=port,
            linger_seconds=linger,
            book_path=book_path,
            tablebase_paths=tablebase_paths,
            explored=explored,
        )
    serve(browser, lambda url: click.echo(f"The board is at {url}\nCtrl-C ends it."))

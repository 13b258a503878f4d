"""`halbzug play`: a game in the terminal against the engine."""

from __future__ import annotations

import random
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..base.language import say
from ..display.drawing_options import LANGUAGE
from ..display.errors import one_line_errors, parsed_by
from ..display.paths import output_option
from ..search.strength import MAX_ELO, MIN_ELO

if TYPE_CHECKING:
    from ..base.time_control import TimeControl

#: The engine's time for a move without a clock, in seconds.
DEFAULT_SECONDS = 1.0

EXAMPLES = """\b
Examples:
  halbzug play
  halbzug play --black --clock 5+3
  halbzug play --elo 1200
  halbzug play --engine my_engine.py
  halbzug play --engine "my_engine.py; Boldness=50"
  halbzug play --chess960
  halbzug play --fen "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
"""


def _clock(text: str) -> TimeControl:
    from ..base.time_control import parse_minutes

    return parse_minutes(text)


def _start(text: str) -> int:
    from ..board.fen import chess960_number

    return chess960_number(text)


def _engine(text: str) -> tuple[Path, Mapping[str, str]]:
    from ..lab.front import read_player

    return read_player(text)


@click.command(epilog=EXAMPLES)
@click.option(
    "--white", "color", flag_value="white", default=True, help="You play White (the default)."
)
@click.option("--black", "color", flag_value="black", help="You play Black.")
@click.option("--random", "color", flag_value="random", help="Play a random side.")
@click.option(
    "--elo",
    type=click.IntRange(MIN_ELO, MAX_ELO),
    metavar="ELO",
    help=f"Halbzug's strength, {MIN_ELO} to {MAX_ELO}.  [default: full strength]",
)
@click.option(
    "-e",
    "--engine",
    "file",
    callback=parsed_by(_engine),
    metavar="FILE.py",
    help="Play against the engine in a Python file, with its options after semicolons.",
)
@click.option(
    "--clock", callback=parsed_by(_clock), metavar="MINUTES+SECONDS", help="Play with a clock."
)
@click.option(
    "-t",
    "--time",
    "seconds",
    type=click.FloatRange(0.01, 3600),
    default=DEFAULT_SECONDS,
    show_default=True,
    metavar="SECONDS",
    help="How long the engine thinks without a clock.",
)
@click.option("--fen", help="Start from this position.")
@click.option(
    "--chess960",
    callback=parsed_by(_start),
    is_flag=False,
    flag_value="random",
    metavar="[NUMBER]",
    help="Start from a Chess960 position: a random one, or number 0 to 959.",
)
@click.option("--name", metavar="NAME", help="Your name in the saved game.  [default: You]")
@output_option("--pgn", help="Append the game to this file.  [default: halbzug-games.pgn]")
@LANGUAGE
def play(
    color: str,
    elo: int | None,
    file: tuple[Path, Mapping[str, str]] | None,
    clock: TimeControl | None,
    seconds: float,
    fen: str | None,
    chess960: int | None,
    name: str | None,
    pgn: Path | None,
) -> None:
    """Play a game against Halbzug in the terminal.

    Type moves in algebraic notation (Nf3, exd5, O-O) or as coordinates (g1f3); `help` lists the
    other commands, such as back, hint, draw and resign. The game is saved as PGN when it ends, and
    when you quit or close the terminal.
    """
    from ..display.terminal import PlainConsole
    from ..match.terminal_game import (
        DEFAULT_PGN,
        SaveError,
        TerminalGame,
        check_writable,
        start_board,
    )
    from ..match.terminal_opponent import Opponent, OpponentStartError

    if fen is not None and chess960 is not None:
        raise click.UsageError("--fen and --chess960 cannot be combined")
    if file is not None and elo is not None:
        raise click.UsageError("--elo is for Halbzug itself, not for a file")
    with one_line_errors(ValueError):
        board = start_board(fen, chess960)
    human = random.random() < 0.5 if color == "random" else color == "white"
    pgn = pgn or DEFAULT_PGN
    with one_line_errors(SaveError, OpponentStartError):
        check_writable(pgn)
        if file is None:
            opponent = Opponent(seconds, elo)
        else:
            from ..lab.front import player

            opponent = Opponent(seconds, None, player(*file))
    with one_line_errors(SaveError), closing(opponent):
        name = name or say("You")
        TerminalGame(board, human, opponent, clock, name, PlainConsole()).run(pgn)

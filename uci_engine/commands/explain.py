"""`halbzug explain`: shows the theory in the real engine, on the user's own position."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from halbzug.console.errors import one_line_errors
from halbzug.console.paths import output_option

if TYPE_CHECKING:
    import chess

    from halbzug.explain.ablation import Measurement

TREE_EXAMPLES = """\b
Examples:
  halbzug explain tree
  halbzug explain tree "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1" --depth 5
  halbzug explain tree startpos --plot nodes.svg
"""
HORIZON_EXAMPLES = """\b
Examples:
  halbzug explain horizon
  halbzug explain horizon promotion
  halbzug explain horizon "3r2k1/pp3ppp/8/8/4q3/1P3N2/P1Q2PPP/3R2K1 b - - 0 1"
"""
EVAL_EXAMPLES = """\b
Examples:
  halbzug explain eval "8/5k2/8/8/1B6/8/3K2P1/6b1 w - - 0 1"
  halbzug explain eval startpos --all
"""

#: The default depth in plies; the pure build is some seventy times slower.
COMPILED_DEPTH, PURE_DEPTH = 4, 3

#: The greatest depth that is accepted.
DEEPEST = 30

#: The number of nodes after which a search of the ablation is given up.
NODE_LIMIT = 10_000_000

PICTURES = (".svg", ".png")

_CHESS960 = click.option("--chess960", is_flag=True, help="Chess960 rules.")
_JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON object, for programs.")
_DEPTH = click.IntRange(1, DEEPEST)


@click.group()
def explain() -> None:
    """Show the ideas behind the engine.

    They are minimax and what makes it fast, the horizon effect, and the evaluation. Each is shown
    with the real engine, and with numbers from your own position.
    """


def _board(fen: str, chess960: bool) -> chess.Board:
    """Read a position.

    :raises ValueError: in one line, if it cannot be read.
    """
    import chess

    from halbzug.board.fen import fen_of, read_position

    board = read_position(fen_of(fen), chess960)
    return chess.Board(board.fen(shredder=chess960, en_passant="fen"), chess960=chess960)


# -- tree ---------------------------------------------------------------------------------------


@explain.command(epilog=TREE_EXAMPLES)
@click.argument("fen", default="startpos")
@click.option(
    "-d",
    "--depth",
    type=_DEPTH,
    metavar="PLIES",
    help=f"Plies to search.  [{COMPILED_DEPTH}; in pure Python {PURE_DEPTH}]",
)
@click.option(
    "--nodes",
    type=click.IntRange(1),
    default=NODE_LIMIT,
    show_default=True,
    metavar="N",
    help="Each search is given up after this many.",
)
@output_option("--plot", help="Also draw nodes over depth, as .svg or .png.")
@_CHESS960
@_JSON
def tree(
    fen: str, depth: int | None, nodes: int, plot: Path | None, chess960: bool, as_json: bool
) -> int:
    """Search one position eight times, from minimax to the full engine.

    Each row of the table is the engine with one more technique switched on than the row above. The
    first six must find the same value, and differ only in the number of nodes. FEN is a position in
    quotes, or `startpos`.
    """
    from halbzug.board.rules import BUILD
    from halbzug.commands import explain_report
    from halbzug.explain import report

    draw = _drawer(plot)
    plies = depth or (COMPILED_DEPTH if BUILD == "compiled" else PURE_DEPTH)
    with one_line_errors(ValueError):
        board = _board(fen, chess960)
        depths = range(1, plies + 1) if plot else (plies,)
        by_depth = {plies: _measure(board, plies, nodes) for plies in depths}
    measurements = by_depth[plies]
    if as_json:
        click.echo(json.dumps(report.tree_as_json(board, by_depth)))
    else:
        explain_report.print_tree(board, measurements)
    if plot:
        draw([one for measurements in by_depth.values() for one in measurements], board.fen(), plot)
        if not as_json:
            click.echo(f"\nThe plot is in {plot}.")
    return 0 if report.agrees(measurements) else 1


def _measure(board: chess.Board, depth: int, nodes: int) -> list[Measurement]:
    """Search with every technique, and show the progress at a terminal."""
    from halbzug.console.terminal import PlainConsole
    from halbzug.explain import ablation

    console = PlainConsole(stderr=True)
    measurements: list[Measurement] = []
    with console.status("") as status:
        steps = ablation.run_all(board, depth, nodes)
        for technique in ablation.TECHNIQUES:
            status.update(f"Depth {depth}: {technique.name}")
            measurements.append(next(steps))
    return measurements


def _drawer(path: Path | None) -> Callable[[list[Measurement], str, Path], None]:
    """The function that draws the plot; a missing package is reported before the search.

    :raises click.ClickException: if the plot cannot be drawn.
    """
    if path is None:
        return lambda measurements, title, path: None
    if path.suffix.lower() not in PICTURES:
        raise click.UsageError(f"--plot draws {' and '.join(PICTURES)} files, not {path.name}")
    # No window is opened, so the user's choice of a backend does not matter.
    os.environ.pop("MPLBACKEND", None)
    try:
        from halbzug.explain.plot import draw
    except ImportError:
        raise click.ClickException(
            "--plot needs the package matplotlib: pip install matplotlib"
        ) from None
    return draw


# -- horizon ------------------------------------------------------------------------------------


@explain.command(epilog=HORIZON_EXAMPLES)
@click.argument("position", metavar="[FEN|NAME]", default="")
@click.option(
    "-d",
    "--depth",
    type=_DEPTH,
    metavar="PLIES",
    help="Plies to search.  [default: that of a named position, or the first with the effect]",
)
@click.option("--list", "is_list", is_flag=True, help="List the named positions.")
@_CHESS960
@_JSON
def horizon(position: str, depth: int | None, is_list: bool, chess960: bool, as_json: bool) -> int:
    """Show the horizon effect: what a search of fixed depth does not see.

    A position is searched twice to the same depth, without quiescence search and extensions and
    with them. The two lines are shown side by side, with the material after each ply. FEN is a
    position in quotes; NAME is a position that comes with Halbzug.
    """
    from halbzug.commands import explain_report
    from halbzug.explain import horizon as effect
    from halbzug.explain import report
    from halbzug.explain.examples import EXAMPLES

    if is_list:
        explain_report.print_examples(as_json)
        return 0
    example = next((one for one in EXAMPLES if one.name == (position or EXAMPLES[0].name)), None)
    with one_line_errors(ValueError):
        board = _board(example.fen, False) if example else _own_board(position, chess960)
        plies = depth or (example.depth if example else None)
        if plies:
            comparison = effect.compare(board, plies)
        else:
            comparison = effect.find(board) or effect.compare(board, effect.DEPTHS[-1])
    if as_json:
        click.echo(json.dumps(report.horizon_as_json(board, comparison, example)))
    else:
        explain_report.print_horizon(board, comparison, example, is_searched=not plies)
    return 0


def _own_board(text: str, chess960: bool) -> chess.Board:
    """The user's position.

    :raises click.ClickException: if the text looks like a name, but is not one.
    :raises ValueError: if it is not a position.
    """
    from halbzug.explain.examples import EXAMPLES

    if "/" not in text and text != "startpos":
        names = ", ".join(example.name for example in EXAMPLES)
        raise click.ClickException(f"{text!r} is neither a position nor one of {names}")
    return _board(text, chess960)


# -- eval ---------------------------------------------------------------------------------------


@explain.command("eval", epilog=EVAL_EXAMPLES)
@click.argument("fen", default="startpos")
@click.option("--all", "is_all", is_flag=True, help="Also show terms that cancel.")
@_CHESS960
@_JSON
def evaluate(fen: str, is_all: bool, chess960: bool, as_json: bool) -> int:
    """Show the evaluation of a position as a weighted sum.

    Each term is shown with its counts, its weights in the middlegame and in the endgame, and its
    contribution; the sum is the engine's evaluation. FEN is a position in quotes, or `startpos`.
    """
    from halbzug.api.breakdown import break_down
    from halbzug.board.rules import new_board
    from halbzug.commands import explain_report
    from halbzug.explain import report
    from halbzug.search.position import Position

    with one_line_errors(ValueError):
        board = _board(fen, chess960)
    position = Position(new_board(board.fen(shredder=chess960), (), chess960))
    breakdown = break_down(position)
    if as_json:
        click.echo(json.dumps(report.eval_as_json(board, breakdown)))
    else:
        explain_report.print_eval(board, breakdown, is_all)
    return 0

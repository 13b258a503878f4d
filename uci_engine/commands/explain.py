"""`halbzug explain`: shows the theory in the real engine, on the user's own position."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from halbzug.console.errors import one_line_errors
from halbzug.console.paths import output_option
from halbzug.explain import COMPILED_DEPTH, NODE_LIMIT, PURE_DEPTH

if TYPE_CHECKING:
    import chess

    from halbzug.explain.plot import Plot

TREE_EXAMPLES = """\b
Examples:
  halbzug explain tree
  halbzug explain tree "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1" --depth 5
  halbzug explain tree startpos --plot nodes.svg
"""
HORIZON_EXAMPLES = """\b
Examples:
  halbzug explain horizon
  halbzug explain horizon promotion --plot promotion.svg
  halbzug explain horizon "3r2k1/pp3ppp/8/8/4q3/1P3N2/P1Q2PPP/3R2K1 b - - 0 1"
"""
EVAL_EXAMPLES = """\b
Examples:
  halbzug explain eval "8/5k2/8/8/1B6/8/3K2P1/6b1 w - - 0 1"
  halbzug explain eval startpos --all
"""

#: The greatest depth that is accepted.
DEEPEST = 30

_CHESS960 = click.option("--chess960", is_flag=True, help="Chess960 rules.")
_JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON object, for programs.")
_PLOT = output_option("--plot", help="Also draw a picture, as .svg or .png.")
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
@_PLOT
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
    from halbzug.console.printing import show
    from halbzug.explain import documents, questions, report

    _check_plot(plot)
    with one_line_errors(ValueError):
        found = questions.tree(_board(fen, chess960), depth, nodes=nodes)
    picture = found.plot() if plot else None
    if as_json:
        click.echo(json.dumps(report.tree_as_json(found.board, found.by_depth)))
    else:
        show(documents.tree_document(found))
    _save(picture, plot, as_json)
    return 0 if found.agrees else 1


def _check_plot(path: Path | None) -> None:
    """Make sure that the plot can be drawn, before minutes are spent on what is in it.

    :raises click.ClickException: if it cannot.
    """
    if path is None:
        return
    from halbzug.explain.plotting import PICTURES, load_plot

    if path.suffix.lower() not in PICTURES:
        raise click.UsageError(f"--plot draws {' and '.join(PICTURES)} files, not {path.name}")
    try:
        load_plot()
    except ImportError:
        raise click.ClickException(
            "--plot needs the package matplotlib: pip install matplotlib"
        ) from None


def _save(picture: Plot | None, path: Path | None, as_json: bool) -> None:
    if picture and path:
        picture.save(path)
        if not as_json:
            click.echo(f"\nThe plot is in {path}.")


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
@_PLOT
@_CHESS960
@_JSON
def horizon(
    position: str,
    depth: int | None,
    is_list: bool,
    plot: Path | None,
    chess960: bool,
    as_json: bool,
) -> int:
    """Show the horizon effect: what a search of fixed depth does not see.

    A position is searched twice to the same depth, without quiescence search and extensions and
    with them. The two lines are shown side by side, with the material after each ply. FEN is a
    position in quotes; NAME is a position that comes with Halbzug.
    """
    from halbzug.console.printing import show
    from halbzug.explain import documents, questions, report

    if is_list:
        if as_json:
            for example in report.examples_as_json():
                click.echo(json.dumps(example))
        else:
            show(documents.examples_document())
        return 0
    _check_plot(plot)
    is_named = not position or questions.named(position)
    with one_line_errors(ValueError):
        asked = position if is_named else _own_board(position, chess960)
        found = questions.horizon(asked, depth)
    if as_json:
        click.echo(json.dumps(report.horizon_as_json(found.board, found.comparison, found.example)))
    else:
        show(documents.horizon_document(found))
    _save(found.plot() if plot else None, plot, as_json)
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
@_PLOT
@_CHESS960
@_JSON
def evaluate(fen: str, is_all: bool, plot: Path | None, chess960: bool, as_json: bool) -> int:
    """Show the evaluation of a position as a weighted sum.

    Each term is shown with its counts, its weights in the middlegame and in the endgame, and its
    contribution; the sum is the engine's evaluation. FEN is a position in quotes, or `startpos`.
    """
    from halbzug.console.printing import show
    from halbzug.explain import documents, questions, report

    _check_plot(plot)
    with one_line_errors(ValueError):
        found = questions.terms(_board(fen, chess960))
    if as_json:
        click.echo(json.dumps(report.eval_as_json(found.board, found.breakdown)))
    else:
        show(documents.eval_document(found, is_all))
    _save(found.plot() if plot else None, plot, as_json)
    return 0

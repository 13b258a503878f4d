"""`halbzug explain`: shows the theory in the real engine, on the user's own position."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from halbzug.display.errors import one_line_errors
from halbzug.display.paths import output_option
from halbzug.explain import COMPILED_DEPTH, NODE_LIMIT, PURE_DEPTH, usage

if TYPE_CHECKING:
    from halbzug.display.document import Part
    from halbzug.explain.game_trees import Order
    from halbzug.explain.plot import Plot
    from halbzug.explain.results import Drawn

Command = Callable[..., Any]

#: The greatest depth that is accepted.
DEEPEST = 30

_CHESS960 = click.option("--chess960", is_flag=True, help="Chess960 rules.")
_JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON object, for programs.")
_PLOT = output_option("--plot", help="Also draw a picture, as .svg or .png.")
_DEPTH = click.IntRange(1, DEEPEST)
_ORDER = click.option(
    "--order",
    type=click.Choice(["given", "best", "worst"]),
    default="given",
    show_default=True,
    help="Which moves are searched first.",
)
_LANGUAGE = click.option(
    "--language",
    type=click.Choice(["en", "de"]),
    default="en",
    show_default=True,
    help="Of the page and the drawing.",
)


def _drawn(command: Command) -> Command:
    """The options of what is written as a page or as a drawing."""
    html = output_option("--html", help="Write a page, for any browser.", takes_stream=True)
    svg = output_option("--svg", help="Write a drawing, for slides.", takes_stream=True)
    options: Command = html(svg(_LANGUAGE(command)))
    return options


def _tree_size(depth: int, width: int) -> Callable[[Command], Command]:
    """The options of the tree of a position, with their defaults."""

    def size(*names: str, most: int, default: int, help: str) -> Callable[[Command], Command]:
        kind = click.IntRange(1, most)
        return click.option(
            *names, type=kind, default=default, show_default=True, metavar="N", help=help
        )

    wide = size("--width", most=218, default=width, help="Of a position: moves of each node.")
    deep = size("-d", "--depth", most=8, default=depth, help="Of a position: plies of the tree.")
    return lambda command: deep(wide(command))


def _write(found: Drawn, html: Path | None, svg: Path | None, language: str) -> bool:
    """Write what is drawn; say whether standard output is taken."""
    from halbzug.whole_file import is_standard_output, write_whole

    if html:
        write_whole(html, found.html(language))
    if svg:
        write_whole(svg, found.svg(language=language))
    return any(path and is_standard_output(path) for path in (html, svg))


@click.group()
def explain() -> None:
    """Show the ideas behind the engine.

    They are minimax and what makes it fast, the horizon effect, and the evaluation. Each is shown
    with the real engine, and with numbers from your own position.
    """


# -- tree ---------------------------------------------------------------------------------------


@explain.command(epilog=usage.TREE_EXAMPLES)
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
    from halbzug.explain import documents, questions, report

    _check_plot(plot)
    with one_line_errors(ValueError):
        found = questions.tree(questions.read_board(fen, chess960), depth, nodes=nodes)
    picture = found.plot() if plot else None
    _tell(report.tree_as_json(found.board, found.by_depth), documents.tree_document(found), as_json)
    _save(picture, plot, as_json)
    return 0 if found.agrees else 1


def _tell(data: object, document: Iterable[Part], as_json: bool, is_taken: bool = False) -> None:
    """Print a result, for programs or for people, unless standard output is taken."""
    from halbzug.display.printing import show

    if as_json:
        click.echo(json.dumps(data))
    elif not is_taken:
        show(document)


def _check_plot(path: Path | None) -> None:
    """See `plotting.check_picture`."""
    from halbzug.explain.plotting import NEEDS_MATPLOTLIB, PictureKindError, check_picture

    try:
        check_picture(path)
    except PictureKindError as error:
        raise click.UsageError(f"--plot {error}") from None
    except ImportError:
        raise click.ClickException(f"--plot {NEEDS_MATPLOTLIB}") from None


def _save(picture: Plot | None, path: Path | None, as_json: bool) -> None:
    if picture and path:
        picture.save(path)
        if not as_json:
            click.echo(f"\nThe plot is in {path}.")


# -- horizon ------------------------------------------------------------------------------------


@explain.command(epilog=usage.HORIZON_EXAMPLES)
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
@_drawn
@_CHESS960
@_JSON
def horizon(
    position: str, depth: int | None, is_list: bool, plot: Path | None, html: Path | None,
    svg: Path | None, language: str, chess960: bool, as_json: bool,
) -> int:  # fmt: skip
    """Show the horizon effect: what a search of fixed depth does not see.

    A position is searched twice to the same depth, without quiescence search and extensions and
    with them. The two lines are shown side by side, with the material after each ply. FEN is a
    position in quotes; NAME is a position that comes with Halbzug.
    """
    from halbzug.explain import documents, questions, report

    if is_list and not as_json:
        _tell(None, documents.examples_document(), as_json)
    if is_list and as_json:
        click.echo("\n".join(map(json.dumps, report.examples_as_json())))
    if is_list:
        return 0
    _check_plot(plot)
    with one_line_errors(ValueError):
        found = questions.horizon(questions.named_or_read(position, chess960), depth)
    is_taken = _write(found, html, svg, language)
    data, document = (
        report.horizon_as_json(found.board, found.comparison, found.example),
        documents.horizon_document(found),
    )
    _tell(data, document, as_json, is_taken)
    _save(found.plot() if plot else None, plot, as_json or is_taken)
    return 0


# -- eval ---------------------------------------------------------------------------------------


@explain.command("eval", epilog=usage.EVAL_EXAMPLES)
@click.argument("fen", default="startpos")
@click.option("--all", "is_all", is_flag=True, help="Also show terms that cancel.")
@click.option("--compare", metavar="FEN", help="Of the page: another position beside the first.")
@_PLOT
@_drawn
@_CHESS960
@_JSON
def evaluate(
    fen: str, is_all: bool, compare: str | None, plot: Path | None, html: Path | None,
    svg: Path | None, language: str, chess960: bool, as_json: bool,
) -> int:  # fmt: skip
    """Show the evaluation of a position as a weighted sum.

    Each term is shown with its counts, its weights in the middlegame and in the endgame, and its
    contribution; the sum is the engine's evaluation. The page has the board as a heat map, with
    what each square contributes. FEN is a position in quotes, or `startpos`.
    """
    from halbzug.explain import documents, questions, report

    _check_plot(plot)
    with one_line_errors(ValueError):
        found = questions.terms(questions.read_board(fen, chess960))
        if compare:
            found = found.beside(questions.terms(questions.read_board(compare, chess960)))
    is_taken = _write(found, html, svg, language)
    data, document = (
        report.eval_as_json(found.board, found.breakdown),
        documents.eval_document(found, is_all),
    )
    _tell(data, document, as_json, is_taken)
    _save(found.plot() if plot else None, plot, as_json or is_taken)
    return 0


# -- alpha-beta -----------------------------------------------------------------------------------


@explain.command("alpha-beta", epilog=usage.ALPHA_BETA_EXAMPLES)
@click.argument("source", metavar="[TREE|NAME|FEN]", default="two-plies")
@_tree_size(depth=3, width=3)
@_ORDER
@click.option("--min", "is_min", is_flag=True, help="MIN, not MAX, is to move at the root.")
@_drawn
@_CHESS960
@_JSON
def alpha_beta(
    source: str,
    depth: int,
    width: int,
    order: Order,
    is_min: bool,
    html: Path | None,
    svg: Path | None,
    language: str,
    chess960: bool,
    as_json: bool,
) -> int:
    """Search a game tree step by step, by minimax and by alpha-beta.

    The tree is one in brackets, whose leaves are integers; or one of the lectures: two-plies,
    matches, noughts-and-crosses; or that of a position, a FEN in quotes or `startpos`. The page
    shows every step, and asks which leaves are cut off.
    """
    from halbzug.explain import documents, questions, report

    with one_line_errors(ValueError):
        is_position = source == "startpos" or source.count("/") >= 7
        found = questions.alpha_beta(
            questions.read_board(source, chess960) if is_position else source,
            depth=depth,
            width=width,
            order=order,
            player="min" if is_min else "max",
        )
    is_taken = _write(found, html, svg, language)
    _tell(report.drawing_as_json(found), documents.drawing_document(found), as_json, is_taken)
    return 0


# -- transpositions -------------------------------------------------------------------------------


@explain.command(epilog=usage.TRANSPOSITIONS_EXAMPLES)
@click.argument("position", metavar="[NAME|FEN]", default="pawn")
@_tree_size(depth=5, width=2)
@_ORDER
@_drawn
@_CHESS960
@_JSON
def transpositions(
    position: str, depth: int, width: int, order: Order, html: Path | None, svg: Path | None,
    language: str, chess960: bool, as_json: bool,
) -> int:  # fmt: skip
    """Show what a transposition table saves in the drawn tree of a position.

    The page shows how each move changes the Zobrist key, which nodes are one position, and which
    only look the same. NAME is pawn or kings; FEN is a position in quotes, or `startpos`.
    """
    from halbzug.explain import documents, questions, report

    with one_line_errors(ValueError):
        found = questions.transpositions(
            questions.named_or_read(position, chess960, questions.TRANSPOSITIONS),
            depth=depth, width=width, order=order,
        )  # fmt: skip
    is_taken = _write(found, html, svg, language)
    data, document = report.transpositions_as_json(found), documents.transpositions_document(found)
    _tell(data, document, as_json, is_taken)
    return 0


# -- move ---------------------------------------------------------------------------------------


@explain.command(epilog=usage.MOVE_EXAMPLES)
@click.argument("fen")
@click.argument("move")
@click.option("-d", "--depth", type=_DEPTH, metavar="PLIES", help="Plies to search.  [no limit]")
@click.option(
    "-t", "--time", "seconds", type=click.FloatRange(0.001, 86400), help="Seconds.  [default: 1]"
)
@_CHESS960
@_JSON
def move(
    fen: str, move: str, depth: int | None, seconds: float | None, chess960: bool, as_json: bool
) -> None:
    """Say why a move is bad: what it loses or misses, and how.

    The refutation is played out, and facts are checked on the board: a fork, a pin, a piece that
    nothing defends. What is not certain is not said. FEN is a position in quotes, or `startpos`;
    MOVE is a move such as Nf3 or g1f3. Scores are from the side that moves.
    """
    from halbzug.explain import documents, questions, report

    with one_line_errors(ValueError):
        found = questions.move(questions.read_board(fen, chess960), move, depth=depth, time=seconds)
    _tell(report.move_as_json(found.reason), documents.move_document(found), as_json)

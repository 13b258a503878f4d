"""`halbzug explain`: shows the theory at work in the real engine, on the user's own position."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..display.drawing_options import (
    JSON,
    LANGUAGE,
    ORDER,
    SVG,
    Drawn,
    DrawnQuiz,
    drawn,
    drawn_quiz,
    drawn_search,
    drawn_tree,
    tree_size,
)  # fmt: skip
from ..display.errors import one_line_errors
from ..display.output import put_out
from ..display.paths import PathName, output_option
from ..explain import usage

if TYPE_CHECKING:
    from ..teaching.game_trees import Order

#: The greatest depth that is accepted.
DEEPEST = 30

_CHESS960 = click.option("--chess960", is_flag=True, help="Chess960 rules.")
_PLOT = output_option("--plot", help="Also draw a picture, as .svg or .png.")
_DEPTH = click.IntRange(1, DEEPEST)


@click.group()
def explain() -> None:
    """Show the ideas behind the engine.

    These are minimax and the techniques that make it fast, the horizon effect, the evaluation, and
    Monte Carlo tree search, shown in the real engine, with numbers from your own position.
    """


# -- tree ---------------------------------------------------------------------------------------


@explain.command(epilog=usage.TREE_EXAMPLES)
@click.argument("fen", default="startpos")
@click.option(
    "-d",
    "--depth",
    type=_DEPTH,
    metavar="PLIES",
    help=f"Plies to search.  [{usage.COMPILED_DEPTH}; in pure Python {usage.PURE_DEPTH}]",
)
@click.option(
    "--nodes",
    type=click.IntRange(1),
    default=usage.NODE_LIMIT,
    show_default=True,
    metavar="N",
    help="Stop each search after this many nodes.",
)
@_PLOT
@_CHESS960
@LANGUAGE
@JSON
def tree(
    fen: str, depth: int | None, nodes: int, plot: Path | None, chess960: bool, as_json: bool
) -> int:
    """Search one position eight times, from minimax to the full engine.

    Each row of the table has one more technique switched on than the row above. The first six must
    find the same value; they differ only in the number of nodes. FEN is a position in quotes, or
    `startpos`.
    """
    from ..explain import experiments as questions

    check_plot(plot)
    with one_line_errors(ValueError):
        found = questions.tree(questions.read_board(fen, chess960), depth, nodes=nodes)
    put_out(found, as_json, plot)
    return 0 if found.agrees else 1


def check_plot(path: Path | None) -> None:
    """Make sure that `--plot` can be drawn; see `plotting.check_picture`.

    :raises click.ClickException: if not, in one line.
    """
    from ..explain.plotting import NEEDS_MATPLOTLIB, PictureKindError, check_picture

    try:
        check_picture(path)
    except PictureKindError as error:
        raise click.UsageError(f"--plot {error}") from None
    except ImportError:
        raise click.ClickException(f"--plot {NEEDS_MATPLOTLIB}") from None


# -- horizon ------------------------------------------------------------------------------------


@explain.command(epilog=usage.HORIZON_EXAMPLES)
@click.argument("position", metavar="[FEN|NAME]", default="")
@click.option(
    "-d",
    "--depth",
    type=_DEPTH,
    metavar="PLIES",
    help="Plies to search.  [default: the depth of a named position, or the first with the effect]",
)
@click.option("--list", "is_list", is_flag=True, help="List the named positions.")
@_PLOT
@drawn
@_CHESS960
@JSON
def horizon(
    position: str, depth: int | None, is_list: bool, plot: Path | None, drawn: Drawn,
    chess960: bool, as_json: bool,
) -> int:  # fmt: skip
    """Show the horizon effect: what a search to a fixed depth does not see.

    A position is searched twice to the same depth: without and with quiescence search and
    extensions. The two lines are shown side by side, with the material after each ply. FEN is a
    position in quotes; NAME is a position that comes with Halbzug.
    """
    from ..display.printing import show
    from ..explain import experiments as questions
    from ..explain.search_results import examples_as_json, examples_document

    if is_list:
        if as_json:
            for example in examples_as_json():
                click.echo(json.dumps(example))
        else:
            show(examples_document())
        return 0
    check_plot(plot)
    with one_line_errors(ValueError):
        found = questions.horizon(questions.named_or_read(position, chess960), depth)
        pages = drawn.files(found)
    return put_out(found, as_json, plot, pages)


# -- eval ---------------------------------------------------------------------------------------


@explain.command("eval", epilog=usage.EVAL_EXAMPLES)
@click.argument("fen", default="startpos")
@click.option("--all", "is_all", is_flag=True, help="Also show terms that cancel.")
@click.option("--compare", metavar="FEN", help="Another position to draw beside the first.")
@_PLOT
@drawn
@_CHESS960
@JSON
def evaluate(
    fen: str, is_all: bool, compare: str | None, plot: Path | None, drawn: Drawn,
    chess960: bool, as_json: bool,
) -> int:  # fmt: skip
    """Show the evaluation of a position as a weighted sum.

    Each term is shown with its counts, its weights in the middlegame and in the endgame, and its
    contribution; the sum is the evaluation by terms. Below it is the evaluation by the network,
    with each piece's part. The page has the board as a heat map of what each square contributes, or
    of what each piece is worth to the network. FEN is a position in quotes, or `startpos`.
    """
    from ..explain import experiments as questions

    check_plot(plot)
    with one_line_errors(ValueError):
        found = questions.terms(questions.read_board(fen, chess960))
        if compare:
            found = found.beside(questions.terms(questions.read_board(compare, chess960)))
        pages = drawn.files(found)
    return put_out(found, as_json, plot, pages, is_all=is_all)


# -- alpha-beta -----------------------------------------------------------------------------------


@explain.command("alpha-beta", epilog=usage.ALPHA_BETA_EXAMPLES)
@click.argument("source", metavar="[TREE|NAME|FEN]", default="two-plies")
@tree_size(depth=3, width=3)
@ORDER
@click.option("--min", "is_min", is_flag=True, help="MIN, not MAX, is to move at the root.")
@drawn_search
@_CHESS960
@JSON
def alpha_beta(
    source: str, depth: int, width: int, order: Order, is_min: bool, drawn: Drawn,
    chess960: bool, as_json: bool,
) -> int:  # fmt: skip
    """Search a game tree step by step, with minimax and alpha-beta.

    TREE is written in brackets, with integers as leaves. NAME is one of the trees from lectures:
    two-plies, matches (or "matches 7"), noughts-and-crosses, "uniform 3 2". For a FEN in quotes, or
    `startpos`, the tree of the position is searched. The page shows every step and asks which
    leaves are cut off.
    """
    from ..explain import experiments as questions

    with one_line_errors(ValueError):
        is_position = source == "startpos" or source.count("/") >= 7
        found = questions.alpha_beta(
            questions.read_board(source, chess960) if is_position else source,
            depth=depth,
            width=width,
            order=order,
            player="min" if is_min else "max",
        )
        pages = drawn.files(found)
    return put_out(found, as_json, pages=pages)


# -- transpositions -------------------------------------------------------------------------------


@explain.command(epilog=usage.TRANSPOSITIONS_EXAMPLES)
@click.argument("position", metavar="[NAME|FEN]", default="pawn")
@tree_size(depth=5, width=2)
@ORDER
@drawn
@_CHESS960
@JSON
def transpositions(
    position: str, depth: int, width: int, order: Order, drawn: Drawn, chess960: bool,
    as_json: bool,
) -> int:  # fmt: skip
    """Show what a transposition table saves in the drawn tree of a position.

    The page shows how each move changes the Zobrist key, which nodes are the same position, and
    which only look the same. NAME is pawn or kings; FEN is a position in quotes, or `startpos`.
    """
    from ..explain import experiments as questions

    with one_line_errors(ValueError):
        start = questions.named_or_read(position, chess960, questions.TRANSPOSITIONS)
        found = questions.transpositions(start, depth=depth, width=width, order=order)
        pages = drawn.files(found)
    return put_out(found, as_json, pages=pages)


# -- draw and questions ---------------------------------------------------------------------------


@explain.command(epilog=usage.DRAW_EXAMPLES)
@click.argument("source", metavar="[TREE|NAME]", default="coin")
@click.option("--min", "is_min", is_flag=True, help="MIN, not MAX, is to move at the root.")
@drawn_tree
@JSON
def draw(source: str, is_min: bool, drawn: Drawn, as_json: bool) -> int:
    """Search the tree of a game: with chance, three players, hidden cards, or a puzzle.

    NAME is coin, backgammon, backgammon-slide, bearing-off, three-players, queens, five-queens,
    knapsack, nim, connect-four, kuhn or database. TREE is written in brackets, with chance nodes in
    [ ], as in (3 [1/3:6 2/3:0]), or with three numbers at each leaf, as in 1,2,6.
    """
    from ..explain import experiments as questions

    with one_line_errors(ValueError):
        found = questions.draw(source, player="min" if is_min else "max")
        pages = drawn.files(found)
    return put_out(found, as_json, pages=pages)


@explain.command(epilog=usage.FIGURE_EXAMPLES)
@click.argument("name", default="")
@SVG
@LANGUAGE
def figure(name: str, svg: Path | None) -> None:
    """Draw a figure of the course that is not a tree.

    NAME is battleships, evaluations, symmetries, zobrist, mailbox, bitboard, magic, ending, sizes
    or elo. Without a name, the command lists them.
    """
    from ..base.language import reader_language
    from ..base.whole_file import STANDARD_STREAM, write_whole
    from ..teaching.course_figures import FIGURES, draw_figure

    if not name:
        click.echo("\n".join(FIGURES))
        return
    with one_line_errors(ValueError):
        drawing = draw_figure(name, reader_language())
    write_whole(svg or STANDARD_STREAM, drawing)


@explain.command(epilog=usage.GAME_EXAMPLES)
@click.argument("name", metavar="[GAME|FEN]", default="")
@click.argument("moves", default="")
@click.option("-s", "--search", default="", help="Which of the game's searches to use.")
@click.option(
    "-d",
    "--depth",
    type=click.IntRange(-1),
    metavar="PLIES",
    help="Plies to search; -1 searches to the end of the game.",
)
@LANGUAGE
@JSON
def game(name: str, moves: str, search: str, depth: int | None, as_json: bool) -> int:
    """Search a small game, and show what each move is worth.

    GAME is the name of a game, which may be followed by numbers, as in "connect-four 4 4". Without
    a name, the command lists all games with their searches. MOVES, separated by spaces, lead to the
    position.
    """
    from ..display.printing import show
    from ..explain import experiments as questions
    from ..explain.solved_display import games_document

    if not name:
        show(games_document())
        return 0
    with one_line_errors(ValueError):
        found = questions.game(name, moves, search=search, depth=depth)
    return put_out(found, as_json)


# -- match ---------------------------------------------------------------------------------------


@explain.command("match", epilog=usage.MATCH_EXAMPLES)
@click.argument("name", metavar="GAME")
@click.argument("players", metavar="PLAYER...", nargs=-1, required=True)
@click.option(
    "--games",
    type=click.IntRange(1),
    default=100,
    show_default=True,
    help="Games to play; each opening is played once for each seat.",
)
@click.option("--seed", type=int, default=1, show_default=True, help="Determines the openings.")
@LANGUAGE
@JSON
def play_match(name: str, players: tuple[str, ...], games: int, seed: int, as_json: bool) -> int:
    """Let players play a match on a small game.

    GAME is a name, as in `halbzug explain game`. A PLAYER is "random", one of the game's searches
    with a number of plies or simulations, such as "alpha-beta 4" or "uct 50", or a Python file. A
    file defines choose(game, state, moves), which returns one of the moves, or evaluate(game,
    state), the value for player 0, and perhaps DEPTH, the plies to look ahead. Each game begins
    with two random moves, unless dice are rolled first.
    """
    from ..explain import experiments as questions
    from ..lab.game_file import file_player
    from ..teaching.solved_games import read_game

    with one_line_errors(ValueError):
        game = read_game(name)[2]
        chosen = [file_player(Path(one), game) if one.endswith(".py") else one for one in players]
        found = questions.match(name, *chosen, games=games, seed=seed)
    return put_out(found, as_json)


# -- questions -----------------------------------------------------------------------------------


@explain.command("questions", epilog=usage.QUESTIONS_EXAMPLES)
@click.argument("file", required=False)
@drawn_quiz
@JSON
def ask(file: str | None, drawn: DrawnQuiz, as_json: bool) -> int:
    """Write a page that asks questions about game trees and checks the answers.

    FILE contains your own questions, in lines such as "ask: cut" and "tree: ((3 5) (2 9))".
    """
    from ..explain import experiments as questions

    with one_line_errors(ValueError):
        found = questions.quiz_of_file(file)
    return put_out(found, as_json, pages=drawn.files(found))


# -- monte-carlo ---------------------------------------------------------------------------------


@explain.command("monte-carlo", epilog=usage.MONTE_CARLO_EXAMPLES)
@click.argument("position", metavar="[FEN|NAME]", default="trap")
@click.option(
    "-n",
    "--simulations",
    type=click.IntRange(2),
    default=1000,
    show_default=True,
    metavar="N",
    help="Number of simulations of each search.",
)
@click.option("-d", "--depth", default=4, show_default=True, help="Depth of alpha-beta, in plies.")
@click.option("--seed", default=1, show_default=True, help="Seed of the playouts.")
@_PLOT
@drawn
@_CHESS960
@JSON
def monte_carlo(
    position: str, simulations: int, depth: int, seed: int, plot: Path | None, drawn: Drawn,
    chess960: bool, as_json: bool,
) -> int:  # fmt: skip
    """Watch the tree of a Monte Carlo search grow, compared with alpha-beta.

    Three searches look at a position: one plays games out at random, one uses a network instead of
    the games, and the network of the third also says where to look. FEN is a position in quotes;
    NAME is trap, promotion or legal, positions that come with Halbzug. This command needs numpy.
    """
    from ..explain import experiments as questions
    from ..explain.monte_carlo_searches import POSITIONS

    check_plot(plot)
    with one_line_errors(ValueError, ImportError):
        start = questions.named_or_read(position, chess960, POSITIONS)
        found = questions.monte_carlo(start, simulations=simulations, depth=depth, seed=seed)
        pages = drawn.files(found)
    return put_out(found, as_json, plot, pages)


# -- learn ---------------------------------------------------------------------------------------


@explain.command(epilog=usage.LEARN_EXAMPLES)
@click.argument("file", metavar="FILE", type=PathName(dir_okay=False))
@click.option(
    "--game", help='"connect-four 5 4" (default), "connect-four 4 4", noughts-and-crosses.'
)
@click.option("--seed", type=click.IntRange(0), help="Seed of all random numbers.  [default: 1]")
@click.option(
    "--minutes",
    type=click.FloatRange(0),
    default=60,
    show_default=True,
    help="Learn until the whole run has taken this much processor time.",
)
@click.option(
    "--show", "moves", metavar="MOVES", help="Show what it thinks of each move after these."
)
@click.option(
    "--beside",
    type=PathName(dir_okay=False),
    multiple=True,
    metavar="FILE",
    help="Also draw the curve of another run; may be given several times.",
)
@output_option("--plot", help="Draw the curve at each examination, as .svg or .png.")
@LANGUAGE
@JSON
def learn(
    file: Path, game: str | None, seed: int | None, minutes: float, moves: str | None,
    beside: tuple[Path, ...], plot: Path | None, as_json: bool,
) -> int:  # fmt: skip
    """Let a network learn a small game by playing against itself, as AlphaZero does.

    The run is kept in FILE. Stop it with Ctrl-C; the same command continues from the last
    examination, exactly as if it had not been stopped. Every 20 seconds, an examination asks for a
    best move in 1,000 positions, whose right answers are known because the game is solved, and the
    network plays a match against the network of the previous examination (Arena). With --show,
    nothing is learned. This command needs numpy.
    """
    from ..display.printing import show
    from ..explain import experiments as questions

    check_plot(plot)
    with one_line_errors(ValueError, OSError, ImportError):
        found = questions.learn(file, game=game, seed=seed)
        others = [questions.learn(one) for one in beside]
        if moves is not None:
            show([found.judged(moves)])
            return 0
        drawn = (plot, others) if plot else None
        found.learn(minutes, None if as_json else click.echo, drawn)
    return put_out(found, as_json)


# -- move ---------------------------------------------------------------------------------------


@explain.command(epilog=usage.MOVE_EXAMPLES)
@click.argument("fen")
@click.argument("move")
@click.option("-d", "--depth", type=_DEPTH, metavar="PLIES", help="Plies to search.  [no limit]")
@click.option(
    "-t",
    "--time",
    "seconds",
    type=click.FloatRange(0.001, 86400),
    metavar="SECONDS",
    help="Seconds for the first search.  [default: 1]",
)
@_CHESS960
@LANGUAGE
@JSON
def move(
    fen: str, move: str, depth: int | None, seconds: float | None, chess960: bool, as_json: bool
) -> int:
    """Say why a move is bad: what it loses or misses, and how.

    The refutation is played out, and facts are checked on the board: a fork, a pin, an undefended
    piece. Only what is certain is reported. FEN is a position in quotes, or `startpos`; MOVE is a
    move such as Nf3 or g1f3. Scores are for the side that moves.
    """
    from ..explain import experiments as questions

    with one_line_errors(ValueError):
        found = questions.move(questions.read_board(fen, chess960), move, depth=depth, time=seconds)
    return put_out(found, as_json)

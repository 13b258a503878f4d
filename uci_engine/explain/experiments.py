"""The experiments as Python functions; see `halbzug.explain`."""

from __future__ import annotations

import os
from collections.abc import Collection
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import chess
from chess.engine import SimpleEngine

from ..api.arguments import check_board, check_chess, check_count
from ..api.breakdown import break_down
from ..api.one_liners import own_board
from ..base.text import open_text
from ..board.epd import shorten
from ..board.fen import fen_of, read_position
from ..board.movegen import BUILD
from ..display.progress import Report
from ..games.reason_search import reason_of
from ..teaching import game_trees, horizon_effect
from ..teaching.engines.basics import points_of_end
from ..teaching.examples import EXAMPLES, Example
from ..teaching.game_protocol import Game
from ..teaching.game_trees import GameTree, Order, Player
from ..teaching.marked_tree import POSITIONS as TRANSPOSED
from ..teaching.quiz_file import MAX_CHARACTERS, named_tree, own_questions, read_questions
from ..teaching.searched_trees import SEARCHED, bracket_tree, own_game
from .drawn import Quiz, SearchDrawing
from .experiment_results import Drawing, Mistake, Terms, Transpositions
from .match_display import GamePlayer, MatchResult
from .monte_carlo_result import MonteCarlo
from .monte_carlo_searches import MAX_SIMULATIONS, POSITIONS
from .search_results import Horizon, Tree, measure
from .solved_display import GameAnswer
from .usage import COMPILED_DEPTH, NODE_LIMIT, PURE_DEPTH

if TYPE_CHECKING:
    from .learning import Learning

_EXAMPLE_NAMES = tuple(map(attrgetter("name"), EXAMPLES))

#: Names of the positions that `transpositions` knows.
TRANSPOSITIONS = tuple(TRANSPOSED)


def tree(
    board: chess.Board | None = None,
    depth: int | None = None,
    *,
    nodes: int = NODE_LIMIT,
    progress: bool | Report | None = None,
) -> Tree:
    """Search a position eight times, from minimax to the full engine.

    :param board: the position; by default the start position.
    :param depth: in plies; by default 4, in pure Python 3.
    :param nodes: node limit at which each search gives up.
    :param progress: None shows progress in notebooks and terminals, True also elsewhere, as lines,
        False never; a callable receives the number of searches done and the total.
    :raises TypeError: if something has the wrong type.
    :raises ValueError: if the position is impossible, the game is over, or a number is out of
        range.

    >>> tree(chess.Board("8/8/8/3k4/8/8/8/2BNK3 w - - 0 1"), 2).agrees
    True
    """
    board = _position(chess.Board() if board is None else board)
    if depth is None:
        depth = COMPILED_DEPTH if BUILD == "compiled" else PURE_DEPTH
    check_count("depth", depth, "plies")
    check_count("nodes", nodes, "nodes")
    return Tree(board, measure(board, depth, nodes, progress), nodes)


def horizon(position: chess.Board | str | None = None, depth: int | None = None) -> Horizon:
    """Show what a search misses when it simply stops at its depth.

    :param position: a position, or the name of one that comes with Halbzug, such as `promotion`; by
        default the first of these. `halbzug.teaching.examples` has all.
    :param depth: in plies; by default a named position's own depth, and for others the first depth
        up to 6 that shows the effect.
    :raises TypeError: if something has the wrong type.
    :raises ValueError: if there is no such name, the position is impossible, the game is over, or
        the depth is less than 1.

    >>> horizon("hidden").is_mistake
    True
    """
    example = None
    if position is None or isinstance(position, str):
        example = named(position or EXAMPLES[0].name)
        if example is None:
            names = ", ".join(one.name for one in EXAMPLES)
            raise ValueError(f"{position!r} is none of {names}; a position is a chess.Board")
        position = chess.Board(example.fen)
    board = _position(position)
    if depth is None and example:
        depth = example.depth
    if depth is not None:
        check_count("depth", depth, "plies")
        return Horizon(board, horizon_effect.compare(board, depth), example, False)
    found = horizon_effect.find(board)
    comparison = found or horizon_effect.compare(board, horizon_effect.DEPTHS[-1])
    return Horizon(board, comparison, None, True)


def named(name: str) -> Example | None:
    """The example with this name, if there is one."""
    return next((example for example in EXAMPLES if example.name == name), None)


def named_or_read(
    text: str,
    chess960: bool = False,
    names: Collection[str] = _EXAMPLE_NAMES,
) -> chess.Board | str:
    """Read an argument of `horizon` or `monte_carlo` on the command line: a name, or a position.

    :param names: the known names; an empty text stands for one of them.
    :raises ValueError: if it is neither; the message is one line.
    """
    if not text or text in names:
        return text
    if "/" not in text and text != "startpos":
        raise ValueError(f"{text!r} is neither a position nor one of {', '.join(names)}")
    return read_board(text, chess960)


def read_board(fen: str, chess960: bool = False) -> chess.Board:
    """Read a position given on the command line.

    :param fen: a FEN or EPD record, or `startpos`.
    :raises ValueError: if it cannot be read; the message is one line.
    """
    board = read_position(fen_of(fen), chess960)
    return chess.Board(board.fen(shredder=chess960, en_passant="fen"), chess960=chess960)


def terms(board: chess.Board | None = None) -> Terms:
    """Show the evaluation of a position as a weighted sum.

    :param board: the position; by default the start position.
    :raises TypeError: if the board is not a `chess.Board`.
    :raises ValueError: if the position is impossible.

    >>> terms(chess.Board("4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1"))["queen"] > 1000
    True
    """
    board = _position(chess.Board() if board is None else board)
    return Terms(board, break_down(own_board(board)))


def alpha_beta(
    source: chess.Board | str = "two-plies",
    *,
    depth: int = 3,
    width: int = 3,
    order: Order = "given",
    player: Player = "max",
) -> Drawing:
    """Search a game tree step by step with minimax and alpha-beta, and draw it.

    :param source: a position; a bracketed tree such as `((3 12 8) (2 4 6) (14 5 2))`; or the name
        of a tree from the lectures: `two-plies`, `matches` or `matches 7`, `noughts-and-crosses`,
        `uniform 3 2`.
    :param depth: depth of a position's tree, in plies, 1 to 8.
    :param width: maximum number of moves per node; those the evaluation prefers are kept.
    :param order: `given`, `best` (each player's best move is searched first) or `worst`.
    :param player: the player to move at the root of a bracketed tree, `max` or `min`.
    :raises TypeError: if something has the wrong type.
    :raises ValueError: if there is no such name, the tree cannot be read, or it is too large.

    >>> alpha_beta("((3 12 8) (2 4 6) (14 5 2))").runs["alpha-beta"].nodes
    11
    """
    if order not in ("given", "best", "worst"):
        raise ValueError(f"order is given, best or worst, not {order!r}")
    if player not in ("max", "min"):
        raise ValueError(f"player is max or min, not {player!r}")
    if isinstance(source, str):
        tree = _named_tree(source, player)
    else:
        check_count("depth", depth, "plies")
        check_count("width", width, "moves")
        tree = game_trees.chess_tree(_position(source), depth, width)
    return Drawing(tree, order)


def transpositions(
    position: chess.Board | str = "pawn", *, depth: int = 5, width: int = 2, order: Order = "given"
) -> Transpositions:
    """Draw the tree of a position, and show what a transposition table saves in it.

    :param position: a position, or one of the examples `pawn` and `kings`.
    :param depth: depth of the tree, in plies, 1 to 8.
    :param width: maximum number of moves per node; those the evaluation prefers are kept.
    :param order: `given`, `best` (each player's best move is searched first) or `worst`.
    :raises TypeError: if something has the wrong type.
    :raises ValueError: if there is no such name, the game is over, or the tree is too large.

    >>> transpositions("kings").runs["minimax-table"].nodes
    51
    """
    if order not in ("given", "best", "worst"):
        raise ValueError(f"order is given, best or worst, not {order!r}")
    if isinstance(position, str):
        if position not in TRANSPOSED:
            raise ValueError(f"{position!r} is none of {', '.join(TRANSPOSED)}")
        position = chess.Board(TRANSPOSED[position])
    check_count("depth", depth, "plies")
    check_count("width", width, "moves")
    board = _position(position)
    return Transpositions(board, game_trees.chess_tree(board, depth, width), order)


def _named_tree(text: str, player: Player) -> GameTree:
    """:raises ValueError: if it is neither a name nor a tree."""
    if tree := named_tree(text):
        return tree
    if "(" not in text:
        names = ", ".join([*game_trees.LECTURES, "matches 7", "uniform 3 2"])
        raise ValueError(f"{text!r} is neither a tree, such as ((3 5) (2 9)), nor one of {names}")
    return game_trees.read_tree(text, player)


def draw(
    source: str | Game[Any, Any] = "coin", *, player: Player = "max", plies: int = -1
) -> SearchDrawing:
    """Search a game tree, and draw it step by step.

    :param source: the name of a tree from the lectures: `coin`, `backgammon`, `backgammon-slide`,
        `bearing-off`, `three-players`, `queens`, `five-queens`, `knapsack`, `nim`, `connect-four`,
        `kuhn`, `database`; or a bracketed tree, with chance nodes in square brackets, such as `(3
        [1/3:6 2/3:0])`, or with three numbers per leaf, such as `(1,2,6 4,2,3)`; or a game of
        `halbzug.teaching.game_protocol` for two or three players.
    :param player: the player to move at the root of a MAX/MIN tree.
    :param plies: for a game, the depth to draw; negative values draw to its end.
    :raises ValueError: if there is no such name, or the tree cannot be read or is too large.

    >>> draw("(3 [1/3:6 2/3:0])").values
    {'expectiminimax': '3', 'star1': '3'}
    """
    if player not in ("max", "min"):
        raise ValueError(f"player is max or min, not {player!r}")
    if isinstance(source, Game):
        return SearchDrawing(own_game(source, plies))
    if source in SEARCHED:
        return SearchDrawing(SEARCHED[source]())
    if "(" not in source and "[" not in source:
        names = ", ".join(SEARCHED)
        raise ValueError(
            f"{shorten(source, 40)!r} is neither a tree, such as (3 [6 0]), nor one of {names}"
        )
    return SearchDrawing(bracket_tree(source, player))


def game(name: str, moves: str = "", *, search: str = "", depth: int | None = None) -> GameAnswer:
    """Search a small game, and find the value of each move.

    :param name: of the game, followed by its numbers: `noughts-and-crosses`, `connect-four 5 4`,
        `nim 3 4 5`, `take-away 7`, `three-players`, `backgammon`, `backgammon-slide`, `kuhn-poker`,
        `battleships`, `queens 6`, `knapsack`; or a FEN of chess.
    :param moves: the moves that lead to the position, separated by spaces.
    :param search: one of the game's searches; by default its usual one.
    :param depth: in plies; by default the game's own; -1 searches to the end.
    :raises ValueError: if there is no such game, search or move.

    >>> game("take-away 5").found
    '1 is worth 1'
    """
    return GameAnswer(name, moves, search, depth)


def match(
    name: str,
    *players: GamePlayer,
    games: int = 100,
    seed: int = 1,
    progress: bool | Report | None = None,
) -> MatchResult:
    """Let players play a match on a small game.

    After two random moves, each opening is played once for each seat.

    :param name: of the game, as for `game`.
    :param players: as many as the game has. Each is a name (`random`, or a search of the game and a
        number of plies or simulations, such as `alpha-beta 4` or `uct 50`), or a function:
        `choose(game, state, moves)`, which returns one of the moves, or `evaluate(game, state)`,
        which returns the value for player 0 and is asked two plies ahead, with dice one ply. Where
        something is hidden, `choose` receives in place of the state what the player sees.
    :param games: rounded up to whole openings.
    :param progress: see `tree`.
    :raises ValueError: if there is no such game or player, their number is wrong, or a player
        chooses an impossible move.

    >>> match("take-away 6", "alpha-beta 9", "random", games=20).counts[0][2] < 10
    True
    """
    check_count("games", games, "games")
    return MatchResult(name, players, games, seed, progress)


def learn(
    path: str | os.PathLike[str], *, game: str | None = None, seed: int | None = None
) -> Learning:
    """A network that learns a small game by playing against itself, as AlphaZero does.

    Of the result, `learn(minutes)` continues, `plot()` draws the curve, and `judged(moves)` says
    what the network thinks.

    :param path: the file that keeps the run; an existing run continues.
    :param game: of a new run: `connect-four 5 4`, unless another is named, `connect-four 4 4` or
        `noughts-and-crosses`.
    :param seed: of a new run; 1 by default.
    :raises ValueError: if there is no such game, or the file contains another run, or none.
    :raises OSError: if the file cannot be read.
    :raises ImportError: if numpy is missing.
    """
    from .learning import Learning

    return Learning(Path(path), game, seed)


def quiz(text: str | None = None) -> Quiz:
    r"""Quiz questions about trees, with computed solutions.

    :param text: the questions, in the format of `halbzug.teaching.quiz_file`; by default those of
        the lectures.
    :raises ValueError: if a question is invalid; the message has its number.

    >>> quiz("ask: value\ntree: ((3 5) (2 9))")[0].is_right("3")
    True
    """
    return Quiz(own_questions() if text is None else read_questions(text))


def quiz_of_file(name: str | None) -> Quiz:
    """Read quiz questions from a file, for the command line.

    :param name: `-` is standard input; an empty name stands for the lectures' questions.
    :raises ValueError: if a question is invalid.
    :raises OSError: if the file cannot be read.
    """
    if name is None:
        return quiz()
    with open_text(0 if name == "-" else Path(name)) as file:
        return quiz(file.read(MAX_CHARACTERS))


def monte_carlo(
    position: chess.Board | str = "trap",
    *,
    simulations: int = 1000,
    depth: int = 4,
    seed: int = 1,
    progress: bool | Report | None = None,
) -> MonteCarlo:
    """Search a position with three Monte Carlo tree searches and with alpha-beta.

    The three evaluate positions by random playouts, by a network, and by a network that also
    proposes moves. They are engines of `halbzug.teaching.engines`.

    :param position: a position, or the name of one that comes with Halbzug: `trap`, `promotion` or
        `legal`.
    :param simulations: of each search, 2 to 10,000.
    :param depth: of alpha-beta, in plies, 2 to 8.
    :param seed: for the playouts; the same seed gives the same games.
    :param progress: see `tree`.
    :raises ImportError: if numpy is missing, which the network needs.
    :raises TypeError: if something has the wrong type.
    :raises ValueError: if there is no such name, the position is impossible, the game is over, or a
        number is out of range.

    >>> monte_carlo(simulations=100).verdict.move
    'f6f8'
    """
    check_count("simulations", simulations, "simulations", 2)
    check_count("depth", depth, "plies", 2)
    if simulations > MAX_SIMULATIONS or depth > 8:
        raise ValueError(f"at most {MAX_SIMULATIONS:,} simulations, and a depth of 8 plies")
    name = position if isinstance(position, str) else ""
    if name and name not in POSITIONS:
        raise ValueError(f"{name!r} is none of {', '.join(POSITIONS)}; or give a position")
    board = chess.Board(POSITIONS[name]) if isinstance(position, str) else _position(position)
    if points_of_end(board) is not None:
        raise ValueError("the game is over in this position")
    return MonteCarlo(
        board, name, simulations=simulations, depth=depth, seed=seed, progress=progress
    )


def move(
    board: chess.Board,
    move: chess.Move | str,
    *,
    time: float | None = None,
    depth: int | None = None,
    nodes: int | None = None,
    engine: SimpleEngine | None = None,
) -> Mistake:
    """Explain why a move is bad: what it loses or misses, and how.

    If there is a better move, both positions are searched again, for twice as long or a ply deeper,
    and if the two searches do not agree on a reason, a third time, for four times as long.

    :param board: the position before the move.
    :param move: a move, or its text in SAN or UCI notation.
    :param time: first search time for both positions, in seconds; 1 by default.
    :param depth: first search depth, in plies.
    :param nodes: first node limit.
    :param engine: the engine to use, which may be another program, instead of the shared one.
    :raises TypeError: if something has the wrong type.
    :raises ValueError: if the position is impossible, the move is not legal, or a number is out of
        range.

    >>> move(chess.Board("7k/8/8/8/8/8/6q1/K6R b - - 0 1"), "Qg8", depth=6).reason.claim is None
    True
    """
    check_board(board)
    if isinstance(move, str):
        move = _move(board, move)
    return Mistake(reason_of(board, move, time=time, depth=depth, nodes=nodes, engine=engine))


def _move(board: chess.Board, text: str) -> chess.Move:
    """Parse a move.

    :raises ValueError: if it is not a legal move; the message is one line.
    """
    for parse in (board.parse_uci, board.parse_san):
        try:
            return parse(text)
        except ValueError:
            continue
    raise ValueError(f"{shorten(text, 20)!r} is not a legal move in this position")


def _position(board: chess.Board) -> chess.Board:
    """A copy of the position, without its move stack.

    :raises TypeError: if it is not a board.
    :raises ValueError: if the position is impossible.
    """
    check_board(board)
    check_chess(board)
    return board.copy(stack=False)

"""Game trees that can be drawn: the lectures' trees, a user's own, and a position's.

A leaf has a value for MAX. The other nodes have a player, MAX or MIN, and a child for each of the
player's moves. In a chess tree, White is MAX, and values are in centipawns.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import chess

from ..api.one_liners import own_board
from ..base.scores import MATE
from ..eval.evaluation import Evaluator
from ..search.position import Position
from .game_protocol import MAX, Game, State, canonical
from .games.nim import take_away
from .games.noughts_and_crosses import Grid, NoughtsAndCrosses, open_lines
from .numbered_tree import DrawnNode

Player = Literal["max", "min"]

#: The order of moves: as given, or the player's best (or worst) move first.
Order = Literal["given", "best", "worst"]

ORDERS: tuple[Order, ...] = ("given", "best", "worst")

#: A larger tree is not built: nobody would read it, and its page would be slow.
MAX_NODES = 50_000

#: Limit of the absolute values in a user's tree.
MAX_VALUE = 1_000_000

_TOKEN = re.compile(r"\s*([()]|-?\d+|[^\s()]+)")
_OTHER: dict[Player, Player] = {"max": "min", "min": "max"}


@dataclass(frozen=True, eq=False)
class TreeNode(DrawnNode):
    """A state of a game.

    :ivar name: a short text to draw in it or beside it.
    :ivar player: the player to move; None at a leaf.
    :ivar moves: the name of each move, with the node it leads to.
    :ivar value: a leaf's value for MAX.
    :ivar fen: of a chess position.
    """

    name: str = ""
    player: Player | None = None
    moves: tuple[tuple[str, TreeNode], ...] = ()
    value: int | None = None
    fen: str = ""


@dataclass(frozen=True)
class GameTree:
    """A tree with its description.

    :ivar kind: the name of its title and note in `html/texts.json`.
    :ivar values: values for the placeholders in these texts.
    """

    kind: str
    root: TreeNode
    values: Mapping[str, int] = field(default_factory=dict)


# -- a user's own tree --------------------------------------------------------------------------


#: The error message for `(5)`.
ONE_LEAF = "a tree has two leaves or more, such as ((3 5) (2 9)): with one there is no choice"


def read_tree(text: str, player: Player = "max") -> GameTree:
    """Read a bracketed tree: leaves are integers, and a node is its children in brackets.

    :param player: the player to move at the root.
    :raises ValueError: if it is not such a tree, or too large.

    >>> read_tree("((3 12 8) (2 4 6) (14 5 2))").root.size
    13
    """
    # Without recursion, because brackets may be nested more deeply than Python's stack allows.
    levels: list[list[TreeNode]] = [[]]
    nodes = leaves = 0
    for token in _tokens(text):
        if token == "(":
            levels.append([])
        elif token == ")":
            if len(levels) == 1:
                raise ValueError("a tree has a ) for each (, and not more")
            children = levels.pop()
            if not children:
                raise ValueError("a node in brackets needs children: ()")
            mover = player if len(levels) % 2 else _OTHER[player]
            moves = tuple((str(number), child) for number, child in enumerate(children, 1))
            levels[-1].append(TreeNode(player=mover, moves=moves))
        else:
            levels[-1].append(TreeNode(value=_leaf_value(token)))
            leaves += 1
        nodes += token != ")"
        if nodes > MAX_NODES:
            raise ValueError(f"a tree has at most {MAX_NODES:,} nodes")
    if len(levels) > 1:
        raise ValueError("a tree has a ) for each (")
    if len(levels[0]) != 1 or not levels[0][0].moves:
        raise ValueError("a tree is one pair of brackets around everything, such as ((3 5) (2 9))")
    if leaves < 2:
        raise ValueError(ONE_LEAF)
    return GameTree("own", _named(levels[0][0]))


def _tokens(text: str) -> Iterator[str]:
    plain = text.strip().replace("\N{MINUS SIGN}", "-")  # as the pages print it
    return (match[1] for match in _TOKEN.finditer(plain))


def _leaf_value(token: str) -> int:
    """Read a leaf's value.

    :raises ValueError: if it is not one.
    """
    if not re.fullmatch(r"-?\d{1,7}", token) or abs(int(token)) > MAX_VALUE:
        raise ValueError(
            f"a leaf is an integer from -{MAX_VALUE:,} to {MAX_VALUE:,}, not {quoted(token)}"
        )
    return int(token)


def quoted(text: str, length: int = 20) -> str:
    """The beginning of a text in quotes, for messages."""
    return repr(text if len(text) <= length else text[:length] + "...")


def _named(root: TreeNode) -> TreeNode:
    """The tree with letters at its inner nodes, level by level."""
    names: dict[int, str] = {}
    level = [root]
    while level:
        for node in level:
            if node.moves:
                names[id(node)] = letter(len(names))
        level = [child for node in level for _, child in node.moves]
    return _rebuilt(root, lambda node, moves: TreeNode(names.get(id(node), ""), node.player, moves))


def letter(number: int) -> str:
    """The name of a node, given how many have one: A, B, ... Z, A1, ..."""
    turn, place = divmod(number, 26)
    return chr(65 + place) + (str(turn) if turn else "")


Moves = tuple[tuple[str, TreeNode], ...]


def _rebuilt(root: TreeNode, make: Callable[[TreeNode, Moves], TreeNode]) -> TreeNode:
    """A tree of the same shape, whose inner nodes are rebuilt, children first."""
    made: dict[int, TreeNode] = {}
    for node in reversed(list(root.walk())):
        if node.moves:
            moves = tuple((name, made[id(child)]) for name, child in node.moves)
            made[id(node)] = make(node, moves)
        else:
            made[id(node)] = node
    return made[id(root)]


# -- the lectures' trees ------------------------------------------------------------------------


def two_plies() -> GameTree:
    """Three moves with three replies each: the leaves 3 12 8, 2 4 6, 14 5 2."""
    return GameTree("two-plies", read_tree("((3 12 8) (2 4 6) (14 5 2))").root)


def matches(number: int = 5) -> GameTree:
    """Players take one or two matches in turn; the one who takes the last match loses.

    :param number: of matches at the start.
    :raises ValueError: if there are none, or too many to draw.
    """
    if not 1 <= number <= 12:
        raise ValueError(f"from 1 to 12 matches, not {number}")

    game = take_away(number)
    return GameTree("matches", _of_game(game, game.start()), {"number": number})


def noughts_and_crosses(plies: int = 2) -> GameTree:
    """The first plies of noughts and crosses; symmetrical positions are counted once.

    A leaf's value is the number of lines still open for crosses minus those open for noughts; a
    finished game is 9 for the winner.

    :param plies: number of plies, 1 to 4.
    :raises ValueError: if it is out of range.
    """
    if not 1 <= plies <= 4:
        raise ValueError(f"from 1 to 4 plies, not {plies}")
    game = NoughtsAndCrosses()

    def worth(state: Grid) -> int:
        return 9 * game.result(state)[0] or open_lines(state)

    root = _of_game(game, game.start(), plies, worth, is_folded=True)
    return GameTree("noughts-and-crosses", root, {"plies": plies})


def _of_game(
    game: Game[State, Any],
    state: State,
    plies: int = -1,
    worth: Callable[[State], int] | None = None,
    is_folded: bool = False,
) -> TreeNode:
    """The tree of a two-player game; its leaves have the results for MAX.

    :param plies: the depth to draw; negative values draw to the end.
    :param worth: the value of a leaf, in place of its result.
    :param is_folded: draw moves to symmetrical states once.
    """
    player = game.player(state)
    if player is None or plies == 0:
        value = worth(state) if worth else int(game.result(state)[MAX])
        return TreeNode(game.text(state), value=value)
    moves: dict[Any, tuple[str, TreeNode]] = {}
    for move in game.moves(state):
        after = game.apply(state, move)
        key = canonical(game, after) if is_folded else move
        if key not in moves:
            below = _of_game(game, after, plies - 1, worth, is_folded)
            moves[key] = game.move_text(state, move), below
    return TreeNode(game.text(state), "max" if player == MAX else "min", tuple(moves.values()))


# -- chess --------------------------------------------------------------------------------------


def chess_tree(board: chess.Board, depth: int, width: int) -> GameTree:
    """The tree of a position, in which each player considers only a few moves.

    These are the moves after which the evaluation is best for the player. A leaf's value is its
    evaluation in centipawns for White, without quiescence search.

    :param depth: plies, 1 to 8.
    :param width: moves per node, 1 to 218.
    :raises ValueError: if the tree would be too large, or the game is over.
    """
    if not (1 <= depth <= 8 and 1 <= width <= 218):
        raise ValueError("a tree has a depth of 1 to 8 plies, and a width of 1 to 218 moves")
    if not any(board.legal_moves):
        raise ValueError("the game is over in this position")
    built = 0

    def node(depth: int) -> TreeNode:
        nonlocal built
        built += 1
        if built > MAX_NODES:
            raise ValueError(
                f"more than {MAX_NODES:,} nodes: choose a smaller depth, or a smaller --width"
            )
        moves = [] if depth == 0 else _considered(board, width)
        fen = board.fen()
        if not moves:
            return TreeNode(value=value_for_white(board), fen=fen)
        children = []
        for move in moves:
            name = board.san(move)
            board.push(move)
            children.append((name, node(depth - 1)))
            board.pop()
        return TreeNode(player="max" if board.turn else "min", moves=tuple(children), fen=fen)

    board = board.copy(stack=False)
    return GameTree("chess", node(depth), {"depth": depth, "width": width})


def _considered(board: chess.Board, width: int) -> list[chess.Move]:
    """The moves that the evaluation prefers for the side to move, best first."""
    rated = []
    sign = 1 if board.turn else -1
    for move in board.legal_moves:
        board.push(move)
        rated.append((-sign * value_for_white(board), move.uci(), move))
        board.pop()
    return [move for _, _, move in sorted(rated)[:width]]


def value_for_white(board: chess.Board) -> int:
    """The evaluation of a position in centipawns for White; for a finished game, its value."""
    if not any(board.legal_moves):
        if not board.is_check():
            return 0
        return -MATE if board.turn else MATE
    position = Position(own_board(board))
    value = Evaluator().evaluate(position.board, position.accumulator)
    return value if board.turn else -value


# -- order --------------------------------------------------------------------------------------


def ordered(tree: GameTree, order: Order) -> GameTree:
    """The same tree, with each player's best (or worst) move on the left."""
    if order == "given":
        return tree
    values: dict[int, int] = {}
    sign = 1 if order == "worst" else -1

    def make(node: TreeNode, moves: Moves) -> TreeNode:
        towards = sign if node.player == "max" else -sign
        sorted_moves = tuple(sorted(moves, key=lambda move: towards * values[id(move[1])]))
        best = [values[id(child)] for _, child in moves]
        new = TreeNode(node.name, node.player, sorted_moves, None, node.fen)
        values[id(new)] = max(best) if node.player == "max" else min(best)
        return new

    for node in tree.root.walk():
        if node.value is not None:
            values[id(node)] = node.value
    return GameTree(tree.kind, _rebuilt(tree.root, make), tree.values)


#: The lectures' trees, by the names used in the command.
LECTURES: dict[str, Callable[[], GameTree]] = {
    "two-plies": two_plies,
    "matches": matches,
    "noughts-and-crosses": noughts_and_crosses,
}

"""Game trees that can be drawn: those of the lectures, a user's own, and a position's.

A leaf has a value for MAX. The other nodes have a player, MAX or MIN, and a child for each of the
player's moves. In a tree of chess White is MAX, and the values are centipawns.
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

Player = Literal["max", "min"]

#: The order of the moves: as the tree has them, or the best (or the worst) for the player first.
Order = Literal["given", "best", "worst"]

#: A larger tree is not built: nobody reads it, and its page would be slow.
MAX_NODES = 50_000

#: Values of a user's tree lie between this and its negative.
MAX_VALUE = 1_000_000

_TOKEN = re.compile(r"\s*([()]|-?\d+|[^\s()]+)")
_OTHER: dict[Player, Player] = {"max": "min", "min": "max"}


@dataclass(frozen=True, eq=False)
class TreeNode:
    """A state of a game.

    :ivar name: a short text to be drawn in it or beside it.
    :ivar player: whose turn it is; None in a leaf.
    :ivar moves: the name of each move, with the node behind it.
    :ivar value: of a leaf, for MAX.
    :ivar fen: of a chess position.
    """

    name: str = ""
    player: Player | None = None
    moves: tuple[tuple[str, TreeNode], ...] = ()
    value: int | None = None
    fen: str = ""

    def walk(self) -> Iterator[TreeNode]:
        """Yield it and all below, parents before their children, from left to right."""
        pending = [self]
        while pending:
            node = pending.pop()
            yield node
            pending += [child for _, child in reversed(node.moves)]

    @property
    def size(self) -> int:
        """How many nodes there are, this one included."""
        return sum(1 for _ in self.walk())


@dataclass(frozen=True)
class GameTree:
    """A tree, and what it is.

    :ivar kind: the name of its title and its note in `html/texts.json`.
    :ivar values: what these say about this one, by the names in their braces.
    """

    kind: str
    root: TreeNode
    values: Mapping[str, int] = field(default_factory=dict)


# -- a user's own -------------------------------------------------------------------------------


#: What is wrong with `(5)`.
ONE_LEAF = "a tree has two leaves or more, such as ((3 5) (2 9)): with one there is no choice"


def read_tree(text: str, player: Player = "max") -> GameTree:
    """Read a tree in brackets: leaves are integers, and a node is its children in brackets.

    :param player: whose turn it is at the root.
    :raises ValueError: if that is no such tree, or it is too large.

    >>> read_tree("((3 12 8) (2 4 6) (14 5 2))").root.size
    13
    """
    # Without recursion, because brackets may be nested more deeply than Python's stack.
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
        raise ValueError("a tree is one pair of brackets with all in it, such as ((3 5) (2 9))")
    if leaves < 2:
        raise ValueError(ONE_LEAF)
    return GameTree("own", _named(levels[0][0]))


def _tokens(text: str) -> Iterator[str]:
    plain = text.strip().replace("\N{MINUS SIGN}", "-")  # as the pages print it
    return (match[1] for match in _TOKEN.finditer(plain))


def _leaf_value(token: str) -> int:
    """:raises ValueError: if it is no value of a leaf."""
    if not re.fullmatch(r"-?\d{1,7}", token) or abs(int(token)) > MAX_VALUE:
        shown = token if len(token) <= 20 else token[:20] + "..."
        raise ValueError(
            f"a leaf is an integer from -{MAX_VALUE:,} to {MAX_VALUE:,}, not {shown!r}"
        )
    return int(token)


def _named(root: TreeNode) -> TreeNode:
    """The tree with letters at its inner nodes, level by level: A, B, ... Z, A1, ..."""
    names: dict[int, str] = {}
    level = [root]
    while level:
        for node in level:
            if node.moves:
                turn, letter = divmod(len(names), 26)
                names[id(node)] = chr(65 + letter) + (str(turn) if turn else "")
        level = [child for node in level for _, child in node.moves]
    return _rebuilt(root, lambda node, moves: TreeNode(names.get(id(node), ""), node.player, moves))


Moves = tuple[tuple[str, TreeNode], ...]


def _rebuilt(root: TreeNode, make: Callable[[TreeNode, Moves], TreeNode]) -> TreeNode:
    """A tree of the same form, whose inner nodes are made anew, children first."""
    made: dict[int, TreeNode] = {}
    for node in reversed(list(root.walk())):
        if node.moves:
            moves = tuple((name, made[id(child)]) for name, child in node.moves)
            made[id(node)] = make(node, moves)
        else:
            made[id(node)] = node
    return made[id(root)]


# -- those of the lectures ----------------------------------------------------------------------


def two_plies() -> GameTree:
    """Three moves with three replies each: the leaves 3 12 8, 2 4 6, 14 5 2."""
    return GameTree("two-plies", read_tree("((3 12 8) (2 4 6) (14 5 2))").root)


def matches(number: int = 5) -> GameTree:
    """One or two matches are taken in turn; who takes the last one loses.

    :param number: of matches at the start.
    :raises ValueError: if there are none, or too many to be drawn.
    """
    if not 1 <= number <= 12:
        raise ValueError(f"from 1 to 12 matches, not {number}")

    game = take_away(number)
    return GameTree("matches", _of_game(game, game.start()), {"number": number})


def noughts_and_crosses(plies: int = 2) -> GameTree:
    """The first plies of noughts and crosses, with positions that look alike counted once.

    A leaf is worth the lines that are still open for crosses less those open for noughts; a
    finished game 9 for the winner.

    :param plies: how many, 1 to 4.
    :raises ValueError: if it is another number.
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
    """The tree of a game of two players; its leaves have the results for MAX.

    :param plies: how many are drawn; below 0 to the end.
    :param worth: of a leaf, in place of its result.
    :param is_folded: moves to symmetrical states are drawn once.
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
    """The tree of a position, in which each player considers a number of moves only.

    These are the moves after which the evaluation likes the position best for the player. A leaf
    is worth its evaluation in centipawns for White, without quiescence search.

    :param depth: plies, 1 to 8.
    :param width: moves of each node, 1 to 218.
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
    """The moves that the evaluation likes best for the side to move, the best first."""
    rated = []
    sign = 1 if board.turn else -1
    for move in board.legal_moves:
        board.push(move)
        rated.append((-sign * value_for_white(board), move.uci(), move))
        board.pop()
    return [move for _, _, move in sorted(rated)[:width]]


def value_for_white(board: chess.Board) -> int:
    """The evaluation of a position in centipawns for White; of a finished game its value."""
    if not any(board.legal_moves):
        if not board.is_check():
            return 0
        return -MATE if board.turn else MATE
    position = Position(own_board(board))
    value = Evaluator().evaluate(position.board, position.accumulator)
    return value if board.turn else -value


# -- order --------------------------------------------------------------------------------------


def ordered(tree: GameTree, order: Order) -> GameTree:
    """The same tree, with each player's best (or worst) move at the left."""
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


#: The trees of the lectures, by the names that the command knows.
LECTURES: dict[str, Callable[[], GameTree]] = {
    "two-plies": two_plies,
    "matches": matches,
    "noughts-and-crosses": noughts_and_crosses,
}

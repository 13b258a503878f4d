"""The trees of the lectures with chance, with three players, of queens, and of a database."""

from __future__ import annotations

from collections.abc import Callable

from ..tablebase.probing import Tablebase
from .bearing_off import backgammon_tree
from .bracket_trees import is_party, read_bracket_tree
from .chance_search import expectiminimax
from .game_trees import Player
from .lookup_search import ending_tree, search_ending
from .party_search import ALLIANCES, max_n, take_away_for_three
from .queens_search import COSTS, backtracking, branch_and_bound, queens_tree
from .recorded import RecordedNode, SearchedTree


def bracket_tree(text: str, player: Player = "max") -> SearchedTree:
    """A tree in brackets, of three players if its leaves have three numbers.

    :raises ValueError: if it is none.
    """
    root = read_bracket_tree(text, player)
    return party("party", root) if is_party(text) else chance("chance", root)


def chance(kind: str, root: RecordedNode) -> SearchedTree:
    """A tree of MAX, MIN and CHANCE with its search."""
    return SearchedTree(kind, root, {"expectiminimax": expectiminimax(root)})


def party(kind: str, root: RecordedNode) -> SearchedTree:
    """A tree of three players with its searches: without an alliance, and with each."""
    return SearchedTree(kind, root, {name: max_n(root, name) for name in ALLIANCES})


def coin() -> SearchedTree:
    """A safe move, and one that a coin decides."""
    return bracket_tree("(3 [(8 12) (-6 2)] [1/3:(10 15) 2/3:(0 6)])")


def backgammon() -> SearchedTree:
    """A roll is to be played, and then the other player rolls once."""
    return chance("backgammon", backgammon_tree((4, 6), (1, 1, 1), 1, (1, 2)))


def bearing_off() -> SearchedTree:
    """Two checkers are to be borne off in two rolls, each of 21."""
    return chance("bearing-off", backgammon_tree((2, 5), (6,), 2))


def three_players() -> SearchedTree:
    """The game of five matches for three."""
    return party("three-players", take_away_for_three())


def queens(size: int = 4) -> SearchedTree:
    """Queens on a board whose squares have costs.

    :param size: of the board, 4 or 5.
    """
    costs = COSTS[size]
    root = queens_tree(costs)
    runs = {
        "backtracking": backtracking(root, costs),
        "branch-and-bound": branch_and_bound(root, costs),
    }
    board = " / ".join(" ".join(map(str, row)) for row in costs[::-1])
    return SearchedTree("queens", root, runs, {"size": size, "costs": board})


def database() -> SearchedTree:
    """A pawn ending of two plies, judged by material and looked up in the tablebases."""
    root = ending_tree()
    tablebase = Tablebase(fifty_move_rule=False)
    runs = {
        "by-material": search_ending(root, None),
        "looked-up": search_ending(root, tablebase),
    }
    tablebase.close()
    return SearchedTree("database", root, runs, {"fen": root.name})


#: By the names that the command knows.
SEARCHED: dict[str, Callable[[], SearchedTree]] = {
    "coin": coin,
    "backgammon": backgammon,
    "bearing-off": bearing_off,
    "three-players": three_players,
    "queens": queens,
    "five-queens": lambda: queens(5),
    "database": database,
}

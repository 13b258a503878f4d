"""The lectures' games as trees with their searches, by name."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from ..tablebase.probing import Tablebase
from .bracket_trees import is_max_n, read_bracket_tree
from .drawn_game import DrawnGame, game_tree, record
from .game_protocol import Game
from .game_trees import Player
from .games.backgammon import SLIDE, Backgammon, BackgammonState, rolled, side_of
from .games.connect_four import ConnectFour
from .games.knapsack import Knapsack
from .games.kuhn_poker import KuhnPoker
from .games.nim import Nim, take_away
from .games.queens import COSTS, Queens
from .lookup_search import ending_tree, search_ending
from .recorded import RecordedNode, Recording, SearchedTree, StepRecorder, exact
from .searches.alpha_beta import alpha_beta
from .searches.branch_and_bound import backtracking, branch_and_bound
from .searches.counterfactual_regret import CounterfactualRegret
from .searches.expectiminimax import expectiminimax
from .searches.max_n import max_n, paranoid
from .searches.minimax import minimax
from .searches.negamax import negamax
from .searches.puct import puct
from .searches.star1 import star1
from .searches.uct import uct
from .told import Listener, nobody

#: Who helps whom among equally good moves; the keys are the names of the runs.
ALLIANCES: dict[str, dict[int, int]] = {
    "max-n": {},
    "max-n-12": {0: 1, 1: 0},
    "max-n-13": {0: 2, 2: 0},
    "max-n-23": {1: 2, 2: 1},
}

#: Rounds of counterfactual regret: two are shown, many played silently, and one is shown.
ROUNDS = 300


def bracket_tree(text: str, player: Player = "max") -> SearchedTree:
    """A bracketed tree, for three players if its leaves have three numbers.

    :raises ValueError: if it is not one.
    """
    root = read_bracket_tree(text, player)
    return max_n_tree("max_n", root) if is_max_n(text) else chance("chance", root)


def chance(kind: str, root: RecordedNode) -> SearchedTree:
    """A tree of MAX, MIN and CHANCE with its searches."""
    leaves = [node.worth for node in root.walk() if isinstance(node.worth, Fraction)]
    low, high = min(leaves), max(leaves)
    runs = {
        "expectiminimax": record(root, lambda g, tell: expectiminimax(g, root, tell=tell).value),
        "star1": record(root, lambda g, tell: star1(g, root, low, high, tell=tell).value),
    }
    return SearchedTree(kind, root, runs, {}, "expectiminimax")


def max_n_tree(kind: str, root: RecordedNode) -> SearchedTree:
    """A tree of three players: without an alliance, with each, and with all against the first."""

    def run(alliance: dict[int, int]) -> Recording:
        return record(root, lambda g, tell: max_n(g, root, -1, alliance, tell).value)

    runs = {name: run(alliance) for name, alliance in ALLIANCES.items()}
    runs["paranoid"] = record(root, lambda g, tell: paranoid(g, root, 0, tell=tell).value)
    return SearchedTree(kind, root, runs, {}, "max-n")


def own_game(game: Game[Any, Any], plies: int = -1) -> SearchedTree:
    """Any game from its start, with the searches that suit it.

    :param plies: the depth to draw; negative values draw to the end.
    :raises ValueError: if it is a puzzle for one player, or its tree has more than 5,000 nodes.
    """
    if game.players == 1:
        raise ValueError("a game that is drawn has two or three players")
    root = game_tree(game, game.start(), plies)
    if game.players > 2:
        return max_n_tree("max_n", root)
    if any(node.figure == "chance" for node in root.walk()):
        return chance("chance", root)
    return two_players("own-game", game, root)


def coin() -> SearchedTree:
    """A safe move, and one decided by a coin."""
    return bracket_tree("(3 [(8 12) (-6 2)] [1/3:(10 15) 2/3:(0 6)])")


def backgammon() -> SearchedTree:
    """A roll to be played, after which the other player rolls once."""
    return chance("backgammon", backgammon_tree((4, 6), (1, 1, 1), 3, (1, 2)))


def bearing_off() -> SearchedTree:
    """Two checkers to be borne off in two rolls, each one of 21."""
    return chance("bearing-off", backgammon_tree((2, 5), (6,), 4))


def backgammon_slide() -> SearchedTree:
    """The position from the slides: four plays, the other's rolls, and the lead in the race."""
    return chance("backgammon-slide", game_tree(Backgammon(), SLIDE, 2))


def backgammon_tree(
    home: tuple[int, ...],
    other: tuple[int, ...],
    plies: int,
    roll: tuple[int, int] | None = None,
) -> RecordedNode:
    """The end of a game; a leaf's value is MAX's probability of being off first, solved to the end.

    :param home: the points of MAX's checkers; MAX is to move.
    :param other: those of MIN's.
    :param plies: the rolls and plays to draw.
    :param roll: MAX's roll, if already made.
    """
    sides = [side_of({point: points.count(point) for point in points}) for points in (home, other)]
    state = BackgammonState((sides[0], sides[1]), 0, None)
    table: dict[Any, Any] = {}

    def worth(state: BackgammonState) -> Fraction:
        value = expectiminimax(Backgammon(), state, table=table).value
        return Fraction(value + 1) / 2

    return game_tree(_BearingOff(), rolled(state, *roll) if roll else state, plies, worth)


class _BearingOff(Backgammon):
    """Backgammon without contact, whose states are written as their homes: 64|111."""

    def text(self, state: BackgammonState) -> str:
        homes = ("".join(str(at) * side[at] for at in range(6, 0, -1)) for side in state.sides)
        return "" if state.roll else "|".join(home or "0" for home in homes)


def three_players() -> SearchedTree:
    """The game of five matches for three players."""
    game = take_away(players=3)
    return max_n_tree("three-players", game_tree(game, game.start()))


def queens(size: int = 4) -> SearchedTree:
    """Queens on a board whose squares have costs.

    :param size: of the board, 4 or 5.
    """
    game = Queens(size, COSTS[size])
    board = " / ".join(" ".join(map(str, row)) for row in COSTS[size][::-1])
    root = game_tree(
        game, game.start(), figure="queens", note=lambda a, b: f"+{game.cost(b) - game.cost(a)}"
    )
    return SearchedTree("queens", root, _puzzle_runs(game, root, "queens"),
                        {"size": size, "costs": board})  # fmt: skip


def knapsack() -> SearchedTree:
    """Four items, not all of which can be carried."""
    game = Knapsack(((60, 10), (100, 20), (120, 30), (30, 12)), 50)
    root = game_tree(game, game.start())
    things = ", ".join(f"{value} ({weight})" for value, weight in game.things)
    return SearchedTree("knapsack", root, _puzzle_runs(game, root, "knapsack"),
                        {"things": things, "capacity": game.capacity})  # fmt: skip


def _puzzle_runs(game: Queens | Knapsack, root: RecordedNode, words: str) -> dict[str, Recording]:
    """Backtracking, and branch and bound, described in the words of the puzzle.

    Costs, which are negative values in the search, are shown as positive numbers.
    """
    sign = -1 if isinstance(game, Queens) else 1

    def tell(recorder: StepRecorder) -> Listener:
        def listen(sentence: str, node: RecordedNode, *rest: Any, **values: Any) -> None:
            told = {name: sign * value for name, value in values.items()}
            name = sentence.replace("puzzle", words)
            if isinstance(game, Queens):
                told["cost"] = game.cost(node.state)
                told["column"] = chr(97 + min(len(node.state), game.size - 1))
            else:
                told |= {"weight": node.state.weight, "worth": node.state.value}
            if "bound" in told:
                told["limit"] = f"{'≥' if sign < 0 else '≤'} {exact(told['bound'])}"
                told["rest"] = told["bound"] - told.get("cost", told.get("worth", 0))
            recorder(name, node, *rest, **told)

        return listen

    def found(value: Any) -> str:
        return "" if value == float("-inf") else str(sign * value)

    return {
        "backtracking": record(
            root, lambda g, listen: found(backtracking(g, root, listen).value), game, tell
        ),
        "branch-and-bound": record(
            root, lambda g, listen: found(branch_and_bound(g, root, listen).value), game, tell
        ),
    }


def two_players(kind: str, game: Game[Any, Any], root: RecordedNode, **values: str) -> SearchedTree:
    """A tree of two players: minimax, alpha-beta, negamax with a table, UCT, PUCT."""
    runs = {
        "minimax": record(root, lambda g, tell: minimax(g, root, tell=tell).value),
        "alpha-beta": record(root, lambda g, tell: alpha_beta(g, root, tell=tell).value),
        "negamax-table": record(root, lambda g, tell: negamax(g, root, tell=tell).value, game),
        "uct": record(
            root, lambda g, tell: _grown(g, uct(g, root, 30, random.Random(1), tell=tell)[0])
        ),
        "puct": record(root, lambda g, tell: _grown(g, puct(g, root, 30, tell=tell)[0])),
    }
    return SearchedTree(kind, root, runs, values, "negamax-table")


def _grown(game: DrawnGame, solution: Any) -> str:
    """The move chosen by Monte Carlo tree search."""
    return game.move_text(game.start(), solution.move)


def nim() -> SearchedTree:
    """Two heaps; the player who takes the last match wins."""
    game = Nim((1, 3))
    return two_players("nim", game, game_tree(game, game.start()))


def connect_four() -> SearchedTree:
    """The end of a game on a four-by-four board."""
    game = ConnectFour(4, 4)
    state = game.read("1223121323")
    return two_players("connect-four", game, game_tree(game, state), position=game.text(state))


def kuhn() -> SearchedTree:
    """Kuhn poker, and how two players learn to bluff in it."""
    game = KuhnPoker()
    root = game_tree(game, game.start())

    def learn(drawn: DrawnGame, listen: Listener) -> str:
        learner = CounterfactualRegret(drawn, listen)
        learner.play(2)
        learner.tell = nobody
        learner.play(ROUNDS - 3)
        learner.tell = listen
        learner.play(1, ROUNDS)
        return f"{learner.value():.4f}".replace("-", "\N{MINUS SIGN}")

    return SearchedTree("kuhn", root, {"regret": record(root, learn, game)}, {"rounds": ROUNDS})


def database() -> SearchedTree:
    """A pawn endgame of two plies, judged by material and by tablebases."""
    root = ending_tree()
    tablebase = Tablebase(fifty_move_rule=False)
    runs = {
        "by-material": search_ending(root, None),
        "looked-up": search_ending(root, tablebase),
    }
    tablebase.close()
    return SearchedTree("database", root, runs, {"fen": root.name})


#: By the names used in the command.
SEARCHED: dict[str, Callable[[], SearchedTree]] = {
    "coin": coin,
    "backgammon": backgammon,
    "bearing-off": bearing_off,
    "backgammon-slide": backgammon_slide,
    "three-players": three_players,
    "queens": queens,
    "five-queens": lambda: queens(5),
    "knapsack": knapsack,
    "nim": nim,
    "connect-four": connect_four,
    "kuhn": kuhn,
    "database": database,
}

"""UCT: Monte Carlo tree search that treats each choice as a multi-armed bandit.

A simulation goes down the tree, taking the move with the highest upper confidence bound (its
average result, plus a bonus for seldom tried moves), adds one state, finishes the game randomly,
and adds the result to all states on its path. The most visited move is played.

Sources: Kocsis and Szepesvari, Bandit Based Monte-Carlo Planning (2006); Coulom, Efficient
Selectivity and Backup Operators in Monte-Carlo Tree Search (2006).
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ..game_protocol import CHANCE, Game, Move, Number, State, draw_lot, play_out
from ..told import Listener, Solution, nobody


@dataclass
class UctNode:
    """A state in the tree.

    :ivar total: the sum of results, for the player who moved here.
    """

    state: Any
    children: dict[Any, UctNode] = field(default_factory=dict)
    visits: int = 0
    total: float = 0.0

    @property
    def mean(self) -> float:
        """The average result for the player who moved here."""
        return self.total / max(self.visits, 1)


def uct(
    game: Game[State, Move],
    state: State,
    simulations: int,
    chooser: random.Random,
    exploration: float = math.sqrt(2),
    tell: Listener = nobody,
) -> tuple[Solution[Move], UctNode]:
    """Search a game of any number of players, with or without chance; also returns the tree.

    :param chooser: for the playouts, and for chance.
    :param exploration: the weight of seldom tried moves, in the unit of the results.
    """
    root = UctNode(state)
    nodes = 1
    for number in range(1, simulations + 1):
        tell("uct_start", state, number=number)
        path = _descend(game, root, chooser, exploration, tell)
        leaf = path[-1][0]
        nodes += leaf.visits == 0 and leaf is not root
        result = play_out(game, leaf.state, chooser)
        tell("uct_playout", leaf.state, value=result[0])
        back_up(path, result, tell)
    choice = most_visited(root)
    value = root.children[choice].mean if choice is not None else 0.0
    return Solution(value, choice, nodes), root


def _descend(
    game: Game[State, Move],
    root: UctNode,
    chooser: random.Random,
    exploration: float,
    tell: Listener,
) -> list[tuple[UctNode, int | None]]:
    """The path to a new state, or to the end of a game, with the player who moved at each step."""
    path: list[tuple[UctNode, int | None]] = [(root, None)]
    node = root
    while (player := game.player(node.state)) is not None:
        is_new = False
        if player == CHANCE:
            move = draw_lot(game, node.state, chooser)
            is_new = move not in node.children
        else:
            untried = [move for move in game.moves(node.state) if move not in node.children]
            is_new = bool(untried)
            move = untried[0] if untried else _best_arm(node, exploration)
        if is_new:
            node.children[move] = UctNode(game.apply(node.state, move))
        child = node.children[move]
        tell("uct_new" if is_new else "uct_select", node.state, child.state)
        path.append((child, player))
        node = child
        if is_new:
            break
    return path


def _best_arm(node: UctNode, exploration: float) -> Any:
    """UCB1: the mean, plus sqrt(ln(visits of the parent) / visits)."""
    logarithm = math.log(node.visits)

    def bound(move: Any) -> float:
        child = node.children[move]
        return child.mean + exploration * math.sqrt(logarithm / child.visits)

    return max(node.children, key=bound)


def back_up(
    path: Sequence[tuple[Any, int | None]], result: Sequence[Number], tell: Listener
) -> None:
    """Add a result to all nodes of a path, last one first."""
    for node, mover in reversed(path):
        node.visits += 1
        if mover is not None and mover != CHANCE:
            node.total += float(result[mover])
            tell("uct_visited", node.state, number=node.visits, mean=round(node.mean, 2))
        else:
            tell("root_visited", node.state, number=node.visits)


def most_visited(root: Any) -> Any:
    """The first of the most visited moves; None if there are none."""
    return max(root.children, key=lambda move: root.children[move].visits, default=None)

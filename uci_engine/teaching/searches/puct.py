"""PUCT: a tree search guided by a policy and a value, as in AlphaZero.

A policy gives each untried move a probability, and a value estimates what a state is worth, in
place of a playout. A simulation takes the move with the highest sum of its mean and c * p *
sqrt(visits of the parent) / (1 + visits of the move).

Sources: Rosin, Multi-armed Bandits with Episode Context (2011); Silver and others, Mastering the
Game of Go without Human Knowledge (2017).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..game_protocol import CHANCE, Game, Move, Number, State
from ..told import Listener, Solution, nobody
from .uct import back_up, most_visited

#: For a state with its moves: the probability of each, and the state's value for each player.
Judgement = tuple[Sequence[float], Sequence[Number]]


@dataclass
class PuctNode:
    """A state in the tree.

    :ivar prior: the probability that the policy gave to its move.
    :ivar total: the sum of values, for the player who moved here.
    """

    state: Any
    prior: float
    children: dict[Any, PuctNode] = field(default_factory=dict)
    visits: int = 0
    total: float = 0.0

    @property
    def mean(self) -> float:
        """The average value for the player who moved here; 0 before the first visit."""
        return self.total / max(self.visits, 1)


def puct(
    game: Game[State, Move],
    state: State,
    simulations: int,
    judge: Callable[[Game[State, Move], State], Judgement] | None = None,
    exploration: float = 1.5,
    tell: Listener = nobody,
) -> tuple[Solution[Move], PuctNode]:
    """Search a game of several players without chance; also returns the tree.

    :param judge: policy and value; by default equal probabilities and the game's estimate.
    :param exploration: the constant c, in the unit of the results.
    """
    root = PuctNode(state, 1.0)
    nodes = 0
    for number in range(1, simulations + 1):
        tell("uct_start", state, number=number)
        path: list[tuple[PuctNode, int | None]] = [(root, None)]
        node = root
        while node.children:
            player = game.player(node.state)
            move = _best_move(node, exploration)
            tell("puct_select", node.state, node.children[move].state)
            node = node.children[move]
            path.append((node, player))
        nodes += node.visits == 0
        if (player := game.player(node.state)) is None:
            result: Sequence[Number] = game.result(node.state)
            tell("puct_over", node.state, value=result[0])
        else:
            assert player != CHANCE, "PUCT is for games without chance"
            priors, result = (judge or judge_evenly)(game, node.state)
            tell("puct_judge", node.state, value=result[0])
            for move, prior in zip(game.moves(node.state), priors, strict=True):
                node.children[move] = PuctNode(game.apply(node.state, move), prior)
        back_up(path, result, tell)
    choice = most_visited(root)
    value = root.children[choice].mean if choice is not None else 0.0
    return Solution(value, choice, nodes), root


def judge_evenly(game: Game[State, Move], state: State) -> Judgement:
    """Equal probabilities, and the game's own estimate."""
    number = len(game.moves(state))
    return [1 / number] * number, game.evaluate(state)


def _best_move(node: PuctNode, exploration: float) -> Any:
    root_of_visits = math.sqrt(node.visits)

    def bound(move: Any) -> float:
        child = node.children[move]
        return child.mean + exploration * child.prior * root_of_visits / (1 + child.visits)

    return max(node.children, key=bound)

"""PUCT on many boards at once: each simulation calls the network once for all of them.

This is the search of `halbzug.teaching.searches.puct`, written for speed: a simulation goes down
all trees in step, and the new states at their ends are judged together. The trees are arrays, with
a row for each node and a column for each move.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .line_game import Array, LineBoards, LineGame
from .policy_value_net import softmax

#: Turns inputs into the scores of the moves, and the values for the side to move.
Judge = Callable[[Array], tuple[Array, Array]]

#: The weight of exploration, in the unit of the results.
PUCT_EXPLORATION = 1.5


class BatchedPuct:
    """Trees that grow together, one for each board.

    :param boards: the roots; none of these games may be over.
    :ivar visits: of shape trees x nodes x moves; the root is node 0.
    """

    def __init__(
        self, game: LineGame, judge: Judge, boards: LineBoards, simulations: int,
        exploration: float = PUCT_EXPLORATION,
    ) -> None:  # fmt: skip
        self._game, self._judge, self._exploration = game, judge, exploration
        self._trees = np.arange(len(boards.own))
        shape = (len(boards.own), simulations + 1)
        self._own, self._other = np.zeros((2, *shape), np.uint64)
        self._is_over = np.zeros(shape, bool)
        self._values = np.zeros(shape, np.float32)
        self._children = np.zeros((*shape, game.moves), np.int32)
        self.visits, self._totals, self._priors = np.zeros((3, *shape, game.moves), np.float32)
        self._add(self._trees, 0, boards)

    def add_noise(self, generator: np.random.Generator, share: float, alpha: float) -> None:
        """Mix Dirichlet noise into the roots' priors, so that each move is tried now and then."""
        noise = generator.gamma(alpha, size=self._priors[:, 0].shape)
        noise = noise * (self._priors[:, 0] >= 0) + 1e-12
        noise = noise / noise.sum(axis=1, keepdims=True)
        priors = self._priors[:, 0]
        self._priors[:, 0] = np.where(priors < 0, priors, (1 - share) * priors + share * noise)

    def run(self) -> None:
        """Run all simulations."""
        for number in range(1, self.visits.shape[1]):
            self._simulate(number)

    def root_values(self) -> Array:
        """The expected result for the side to move at each root, -1 to 1."""
        values: Array = self._totals[:, 0].sum(axis=1) / self.visits[:, 0].sum(axis=1)
        return values

    def _simulate(self, number: int) -> None:
        """Go down each tree to a new node, judge all of them at once, and go back up."""
        node = np.zeros(len(self._trees), np.int32)
        trees, path = self._trees, []
        while len(trees):
            at = node[trees]
            moves = self._choose(trees, at)
            path.append((trees, at, moves))
            below = self._children[trees, at, moves]
            node[trees] = below
            is_new = below == 0
            new = trees[is_new]
            if len(new):
                self._children[new, at[is_new], moves[is_new]] = number
                parents = LineBoards(self._own[new, at[is_new]], self._other[new, at[is_new]])
                self._add(new, number, self._game.play(parents, moves[is_new]))
                node[new] = number
            trees = trees[~is_new & ~self._is_over[trees, node[trees]]]
        values = self._values[self._trees, node]
        for trees, at, moves in reversed(path):
            values[trees] *= -1
            self.visits[trees, at, moves] += 1
            self._totals[trees, at, moves] += values[trees]

    def _choose(self, trees: Array, at: Array) -> Array:
        """The moves with the highest sum of mean and c * p * sqrt(parent's visits) / (1 + visits).

        The mean of a move that was never tried is the network's value of the node itself.
        """
        visits, priors = self.visits[trees, at], self._priors[trees, at]
        mean = self._totals[trees, at] / np.maximum(visits, 1)
        mean = np.where(visits > 0, mean, self._values[trees, at][:, None])
        root = np.sqrt(visits.sum(axis=1) + 1)[:, None]
        bound = mean + self._exploration * priors * root / (1 + visits)
        chosen: Array = np.where(priors < 0, -np.inf, bound).argmax(axis=1)
        return chosen

    def _add(self, trees: Array, number: int, boards: LineBoards) -> None:
        """Add new nodes to trees, with their values and the priors of their moves."""
        self._own[trees, number], self._other[trees, number] = boards
        is_over, values = self._game.over(boards)
        self._is_over[trees, number] = is_over
        going = ~is_over
        if going.any():
            alive = boards.rows(going)
            scores, values[going] = self._judge(self._game.inputs(alive))
            legal = self._game.legal(alive)
            shares = softmax(np.where(legal, scores, -np.inf))
            self._priors[trees[going], number] = np.where(legal, shares, -1)
        self._values[trees, number] = values

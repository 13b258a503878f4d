"""How a tree grows: Monte Carlo tree searches of the lectures' engines, simulation by simulation.

The searches are those of `halbzug.teaching.engines`. They are run one simulation at a time, and
what has changed in their tree is written down.
"""

from __future__ import annotations

import importlib
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any, Literal, NamedTuple

import chess

from ..board.public_board import Board
from .clock import Clock
from .engines import monte_carlo

Method = Literal["playouts", "value-network", "policy-value"]

#: The module of each search, in the order in which they are taught.
MODULES: dict[Method, str] = {
    "playouts": "monte_carlo",
    "value-network": "value_network",
    "policy-value": "policy_value",
}

NEEDS_NUMPY = 'the network needs the package numpy: pip install "halbzug[lab]"'


class GrownNode(NamedTuple):
    """A position that was visited.

    :ivar parent: its number; -1 of the root.
    :ivar move: that leads here, UCI; empty at the root.
    :ivar prior: the probability that the policy gave the move; None where there is no policy.
    :ivar moves: how many legal ones there are here.
    """

    parent: int
    move: str
    san: str
    fen: str
    prior: float | None
    moves: int


class Simulation(NamedTuple):
    """What one simulation has changed.

    :ivar leaf: the number of the node at which it ended.
    :ivar points: what it brought there to the side that has moved there, in the engine's own
        measure: from 0 to 1, or with a policy from -1 to 1.
    :ivar leader: the move that the engine would play now, UCI; empty as long as it has none.
    """

    leaf: int
    points: float
    leader: str


@dataclass
class Growth:
    """A tree from its first simulation to the last.

    :ivar nodes: in the order in which they were visited first; a parent stands before its children.
    :ivar root: the engine's own tree.
    :ivar constants: the engine's: `exploration`, and with a policy `doubt` and `root_doubt`.
    """

    method: Method
    root: Any
    constants: dict[str, float]
    nodes: list[GrownNode] = field(default_factory=list)
    simulations: list[Simulation] = field(default_factory=list)

    @property
    def has_policy(self) -> bool:
        """Whether moves are chosen by a policy (PUCT), not by their visits alone (UCT)."""
        return "doubt" in self.constants

    @property
    def move(self) -> str:
        """The engine's choice at the end, UCI."""
        return self.simulations[-1].leader

    def at(self, number: int) -> tuple[list[int], list[float]]:
        """The visits of each node after a number of simulations, and the sums of its points.

        The points are of the side that has moved to the node, in the engine's own measure.
        """
        visits, totals = [0] * len(self.nodes), [0.0] * len(self.nodes)
        for leaf, points, _ in self.simulations[:number]:
            node = leaf
            while node >= 0:
                visits[node] += 1
                totals[node] += points
                points = -points if self.has_policy else 1 - points
                node = self.nodes[node].parent
        return visits, totals

    def expectation(self, visits: int, total: float) -> float:
        """The mean of some visits as points from 0 to 1, in whatever measure the engine has."""
        mean = total / visits
        return (mean + 1) / 2 if self.has_policy else mean

    def first_moves(self) -> list[int]:
        """The root's child through which each simulation went; 0 if it ended at the root."""
        found = []
        for leaf, *_ in self.simulations:
            node = leaf
            while self.nodes[node].parent > 0:
                node = self.nodes[node].parent
            found.append(node)
        return found


def grow(
    method: Method,
    board: chess.Board,
    simulations: int,
    seed: int,
    tell: Callable[[int], object] = lambda number: None,
) -> Growth:
    """Search a position.

    :param simulations: how many, at least 2.
    :param seed: of the playouts.
    :param tell: is called with the number of simulations that are done.
    :raises ImportError: if the search needs numpy, and it is missing.
    """
    recorder = _Recorder(method, load_engine(method), Board.from_board(board, stack=False))
    with _seeded(seed):
        for number in range(1, simulations + 1):
            recorder.simulate(number)
            tell(number)
    return recorder.growth


def load_engine(method: Method) -> ModuleType:
    """The engine that searches.

    :raises ImportError: if it needs numpy, and it is missing.
    """
    try:
        return importlib.import_module(f"halbzug.teaching.engines.{MODULES[method]}")
    except ImportError as error:
        raise ImportError(NEEDS_NUMPY) from error


@contextmanager
def _seeded(seed: int) -> Iterator[None]:
    """The engines play by chance; the caller's own chance is left as it was."""
    state = random.getstate()
    random.seed(seed)
    try:
        yield
    finally:
        random.setstate(state)


class _Recorder:
    """Runs a search, and compares its tree with what it was."""

    def __init__(self, method: Method, engine: Any, board: Board) -> None:
        if method == "policy-value":
            root = engine.root_node()
            constants = {"doubt": engine.DOUBT, "root_doubt": root.doubt}
            constants["exploration"] = engine.EXPLORATION
        else:
            root, constants = engine.Node(), {"exploration": monte_carlo.EXPLORATION}
        self._engine, self._board = engine, board
        self.growth = Growth(method, root, constants)
        # Of each node, by its number: its board, and what the engine's node said last.
        self._boards: list[chess.Board] = []
        self._visits: list[int] = []
        self._totals: list[float] = []
        self._numbers: dict[int, int] = {}
        self._add(root, -1, None)

    def simulate(self, number: int) -> None:
        """Run one simulation, the `number`-th one."""
        root = self.growth.root
        # The engine adds what is missing to so many simulations, here one.
        played = list(self._engine.choose(self._board.copy(), Clock(nodes=number), root))
        path = [(root, 0)]
        while step := self._step(*path[-1]):
            path.append(step)
        leaf, place = path[-1]
        points = self._total(leaf) - self._totals[place]
        leader = played[-1].uci() if root.children else ""  # else it is a guess
        self.growth.simulations.append(Simulation(place, points, leader))
        for node, place in path:
            self._visits[place], self._totals[place] = node.visits, self._total(node)

    def _step(self, node: Any, number: int) -> tuple[Any, int] | None:
        """The child through which the last simulation went; None if it ended here."""
        for move, child in node.children.items():
            place = self._numbers.get(id(child))
            if child.visits and place is None:
                return child, self._add(child, number, move)
            if place is not None and child.visits > self._visits[place]:
                return child, place
        return None

    def _add(self, node: Any, parent: int, move: chess.Move | None) -> int:
        """Write down a node that was visited for the first time; its number."""
        board: chess.Board = self._board
        san = ""
        if move:
            before = self._boards[parent]
            san, board = before.san(move), before.copy(stack=False)
            board.push(move)
        number = self._numbers[id(node)] = len(self._boards)
        self._boards.append(board)
        self._visits.append(0)
        self._totals.append(0.0)
        self.growth.nodes.append(
            GrownNode(
                parent,
                move.uci() if move else "",
                san,
                board.fen(),
                getattr(node, "prior", None),
                board.legal_moves.count(),
            )
        )
        return number

    def _total(self, node: Any) -> float:
        """The sum of the points of a node, which the engines call by two names."""
        return float(node.total if self.growth.has_policy else node.points)

"""Records how Monte Carlo trees of the lectures' engines grow, simulation by simulation.

The searches are those of `halbzug.teaching.engines`. They run one simulation at a time, and the
changes in their tree are recorded.
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

#: The module of each search, in teaching order.
MODULES: dict[Method, str] = {
    "playouts": "monte_carlo",
    "value-network": "value_network",
    "policy-value": "policy_value",
}

NEEDS_NUMPY = 'the network needs the package numpy: pip install "halbzug[lab]"'


class GrownNode(NamedTuple):
    """A position that was visited.

    :ivar parent: its number; -1 at the root.
    :ivar move: the UCI move that leads here; empty at the root.
    :ivar prior: the probability that the policy gave to the move; None without a policy.
    :ivar moves: the number of legal moves here.
    """

    parent: int
    move: str
    san: str
    fen: str
    prior: float | None
    moves: int


class Simulation(NamedTuple):
    """The changes made by one simulation.

    :ivar leaf: the number of the node at which it ended.
    :ivar points: its result there for the side that moved there, on the engine's scale: 0 to 1, or
        with a policy -1 to 1.
    :ivar leader: the move that the engine would play now, in UCI notation; empty while there is
        none.
    """

    leaf: int
    points: float
    leader: str


@dataclass
class Growth:
    """A tree from its first simulation to the last.

    :ivar nodes: in the order of their first visit; a parent comes before its children.
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
        """Whether moves are chosen with a policy (PUCT), not by visits alone (UCT)."""
        return "doubt" in self.constants

    @property
    def move(self) -> str:
        """The engine's final choice, in UCI notation."""
        return self.simulations[-1].leader

    def at(self, number: int) -> tuple[list[int], list[float]]:
        """Each node's visits after a number of simulations, and its sum of points.

        The points are those of the side that moved to the node, on the engine's scale.
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
        """The average of some visits as points from 0 to 1, whatever the engine's scale."""
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

    :param simulations: at least 2.
    :param seed: for the playouts.
    :param tell: called with the number of simulations done.
    :raises ImportError: if the search needs numpy and it is missing.
    """
    recorder = _Recorder(method, load_engine(method), Board.from_board(board, stack=False))
    with _seeded(seed):
        for number in range(1, simulations + 1):
            recorder.simulate(number)
            tell(number)
    return recorder.growth


def load_engine(method: Method) -> ModuleType:
    """The engine that searches.

    :raises ImportError: if it needs numpy and it is missing.
    """
    try:
        return importlib.import_module(f"halbzug.teaching.engines.{MODULES[method]}")
    except ImportError as error:
        raise ImportError(NEEDS_NUMPY) from error


@contextmanager
def _seeded(seed: int) -> Iterator[None]:
    """Seeds the engines' random choices, and restores the caller's random state."""
    state = random.getstate()
    random.seed(seed)
    try:
        yield
    finally:
        random.setstate(state)


class _Recorder:
    """Runs a search, and records the changes in its tree."""

    def __init__(self, method: Method, engine: Any, board: Board) -> None:
        if method == "policy-value":
            root = engine.root_node()
            constants = {"doubt": engine.DOUBT, "root_doubt": root.doubt}
            constants["exploration"] = engine.EXPLORATION
        else:
            root, constants = engine.Node(), {"exploration": monte_carlo.EXPLORATION}
        self._engine, self._board = engine, board
        self.growth = Growth(method, root, constants)
        # For each node, by number: its board, and the engine's node's last state.
        self._boards: list[chess.Board] = []
        self._visits: list[int] = []
        self._totals: list[float] = []
        self._numbers: dict[int, int] = {}
        self._add(root, -1, None)

    def simulate(self, number: int) -> None:
        """Run simulation number `number`."""
        root = self.growth.root
        # The engine runs only the missing simulations, which is one here.
        played = list(self._engine.choose(self._board.copy(), Clock(nodes=number), root))
        path = [(root, 0)]
        while step := self._step(*path[-1]):
            path.append(step)
        leaf, place = path[-1]
        points = self._total(leaf) - self._totals[place]
        leader = played[-1].uci() if root.children else ""  # otherwise it is a guess
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
        """Record a node on its first visit; return its number."""
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
        """A node's sum of points, which the engines store under two names."""
        return float(node.total if self.growth.has_policy else node.points)

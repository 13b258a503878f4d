"""The drawn tree of any game, which is a game itself, so that a search of it records its steps.

`game_tree` draws the states of a game to some depth. `DrawnGame` plays on such a tree, whose nodes
are its states, so that every search in `searches` can run on it, with a `StepRecorder` listening.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from typing import Any

from .game_protocol import CHANCE, Game, Number, State, canonical
from .recorded import Figure, RecordedNode, Recording, StepRecorder, Worth, exact
from .told import Listener

#: The figures for two players, and for three.
PLAYERS: tuple[Figure, ...] = ("first", "second", "third")
SIDES: tuple[Figure, ...] = ("max", "min")

#: Larger trees are not drawn.
MAX_NODES = 5000


def game_tree(
    game: Game[State, Any],
    state: State,
    plies: int = -1,
    worth: Callable[[State], Worth] | None = None,
    figure: Figure | None = None,
    note: Callable[[State, State], str] | None = None,
) -> RecordedNode:
    """The tree of a state.

    :param plies: the depth to draw; negative values draw to the end of the game.
    :param worth: the value of a leaf; by default its result, or the game's estimate.
    :param figure: the figure of all nodes, including leaves; by default that of the player.
    :param note: the text beside a move, given the states before and after it.
    :raises ValueError: if the tree has more than 5,000 nodes.
    """
    built = 0

    def node(state: State, left: int, chance: Fraction, note_text: str) -> RecordedNode:
        nonlocal built
        built += 1
        if built > MAX_NODES:
            raise ValueError(f"a drawn tree has at most {MAX_NODES:,} nodes: draw fewer plies")
        player = game.player(state)
        if player is None or left == 0:
            value = worth(state) if worth else leaf_worth(game, state)
            return RecordedNode(
                figure or "leaf", game.text(state), (), value, chance, note_text, state=state
            )
        chances = dict(game.chances(state)) if player == CHANCE else {}
        moves: list[tuple[str, RecordedNode]] = []
        for move in game.moves(state):
            after = game.apply(state, move)
            share = chances.get(move, Fraction(1))
            words = note(state, after) if note else "" if share == 1 else str(share)
            moves.append((game.move_text(state, move), node(after, left - 1, share, words)))
        own = figure or _figure(game, player)
        return RecordedNode(
            own, game.text(state), tuple(moves), None, chance, note_text, state=state
        )

    return node(state, plies, Fraction(1), "")


def _figure(game: Game[Any, Any], player: int) -> Figure:
    if player == CHANCE:
        return "chance"
    return {1: ("solo",), 2: SIDES}.get(game.players, PLAYERS)[player]


def leaf_worth(game: Game[State, Any], state: State) -> Worth:
    """The result, or the game's estimate: for MAX, or for each of three players."""
    over = game.player(state) is None
    values = game.result(state) if over else game.evaluate(state)
    if game.players > 2:
        return tuple(int(value) for value in values)
    value = values[0]
    return None if value == float("-inf") else Fraction(value)


class DrawnGame(Game[RecordedNode, int]):
    """A drawn tree as a game; a move is the index of a child.

    :param root: of the tree.
    :param game: the game it shows, which defines what is hidden, bounds and symmetries.
    """

    def __init__(self, root: RecordedNode, game: Game[Any, Any] | None = None) -> None:
        self._root, self._game = root, game
        if game:
            self.players = game.players
        elif any(node.figure in PLAYERS for node in root.walk()):
            self.players = 3

    def start(self) -> RecordedNode:
        """The root."""
        return self._root

    def player(self, state: RecordedNode) -> int | None:
        """As the node is drawn."""
        if not state.moves:
            return None
        if state.figure == "chance":
            return CHANCE
        for figures in (SIDES, PLAYERS):
            if state.figure in figures:
                return figures.index(state.figure)
        return 0

    def moves(self, state: RecordedNode) -> range:
        """The children."""
        return range(len(state.moves))

    def apply(self, state: RecordedNode, move: int) -> RecordedNode:
        """The child."""
        return state.moves[move][1]

    def result(self, state: RecordedNode) -> Sequence[Number]:
        """The value drawn at a leaf."""
        if isinstance(state.worth, tuple):
            return state.worth
        value: Number = float("-inf") if state.worth is None else state.worth
        return [value, -value][: self.players]

    def chances(self, state: RecordedNode) -> list[tuple[int, Fraction]]:
        """The probabilities of the children."""
        return [(number, child.chance) for number, (_, child) in enumerate(state.moves)]

    def sees(self, state: RecordedNode, player: int) -> Hashable:
        """What a player sees in the drawn game."""
        return self._game.sees(state.state, player) if self._game else id(state)

    def key(self, state: RecordedNode) -> Hashable:
        """Equal for symmetrical states of the drawn game."""
        return canonical(self._game, state.state) if self._game else id(state)

    def bound(self, state: RecordedNode) -> Number:
        """How much the drawn puzzle can still gain."""
        bound: Number = self._game.bound(state.state)  # type: ignore[union-attr]
        return bound

    def move_text(self, state: RecordedNode, move: int) -> str:
        """The text at the edge."""
        return state.moves[move][0]


def record(
    root: RecordedNode,
    search: Callable[[DrawnGame, Listener], Any],
    game: Game[Any, Any] | None = None,
    tell: Callable[[StepRecorder], Listener] = lambda recorder: recorder,
) -> Recording:
    """Run a search on a drawn tree, and record its steps.

    :param search: receives the tree as a game, and a listener; returns the result, a value or a
        text.
    :param tell: wraps the recorder in another listener, which may add more.
    """
    recorder = StepRecorder(root)
    found = search(DrawnGame(root, game), tell(recorder))
    return recorder.recording(found if isinstance(found, str) else exact(found))

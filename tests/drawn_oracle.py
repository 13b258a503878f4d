"""The values of drawn trees by definition, and a drawn tree as a game that records searches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from halbzug.teaching.game_protocol import Game

PLAYERS = ("first", "second", "third")


def _side(node: Any) -> str:
    return str(getattr(node, "figure", None) or node.player or "leaf")


def leaf_value(node: Any) -> Any:
    return node.value if hasattr(node, "value") else node.worth


def value(node: Any) -> Any:
    """The value of a tree of MAX, MIN and CHANCE."""
    if not node.moves:
        return leaf_value(node)
    if _side(node) == "chance":
        return sum(child.chance * value(child) for _, child in node.moves)
    return (max if _side(node) == "max" else min)(value(child) for _, child in node.moves)


def values(node: Any, alliance: Mapping[int, int]) -> Any:
    """The values of a three-player tree: players maximize their own value, then their friend's."""
    if not node.moves:
        return node.worth
    player = PLAYERS.index(_side(node))
    friend = alliance.get(player, player)
    found = [values(child, alliance) for _, child in node.moves]
    return max(found, key=lambda one: (one[player], one[friend]))


class WatchedGame(Game[Any, int]):
    """A drawn tree as a game that records the leaves whose values are asked for.

    :ivar seen: the identities of these leaves.
    """

    def __init__(self, root: Any) -> None:
        self.root = root
        self.seen: set[int] = set()

    def start(self) -> Any:
        return self.root

    def player(self, state: Any) -> int | None:
        return int(_side(state) == "min") if state.moves else None

    def moves(self, state: Any) -> range:
        return range(len(state.moves))

    def apply(self, state: Any, move: int) -> Any:
        return state.moves[move][1]

    def result(self, state: Any) -> tuple[Any, Any]:
        self.seen.add(id(state))
        return leaf_value(state), -leaf_value(state)

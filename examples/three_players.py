"""Minimax for three players: max^n. A value is three numbers, and each player wants his own.

Two players of a zero-sum game have nothing to offer each other. Among three, a player may have
several moves that are equally good for himself and not for the others. Which of them he chooses
may decide the game: that is how alliances come about.
Source: Luckhardt and Irani, An Algorithmic Solution of N-Person Games (1986).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol

from game import Move, State

#: What a state is worth for each player.
Values = tuple[int, ...]

#: Whom a player helps among moves that are equal for himself; by default nobody.
Alliance = Mapping[int, int]

MATCHES = 5


class MaxNGame(Protocol[State, Move]):
    """A game of several players, who are called 0, 1, 2, and see everything."""

    def player(self, state: State) -> int:
        """Whose turn it is."""

    def moves(self, state: State) -> Sequence[Move]:
        """What the player may do; nothing if the game is over."""

    def after(self, state: State, move: Move) -> State:
        """The state after a move."""

    def values(self, state: State) -> Values:
        """What a finished game is worth for each."""


@dataclass(frozen=True)
class MaxNSolution(Generic[Move]):
    """What the search found out about a state."""

    values: Values
    move: Move | None
    nodes: int


def max_n(
    game: MaxNGame[State, Move], state: State, alliance: Alliance | None = None
) -> MaxNSolution[Move]:
    """Solve a game from this state on. Of moves that are equal in every respect, the first."""
    moves = game.moves(state)
    if not moves:
        return MaxNSolution(game.values(state), None, 1)
    player = game.player(state)
    friend = (alliance or {}).get(player, player)
    nodes = 1
    best = None
    for move in moves:
        reply = max_n(game, game.after(state, move), alliance)
        nodes += reply.nodes
        worth = reply.values[player], reply.values[friend]
        if best is None or worth > (best.values[player], best.values[friend]):
            best = MaxNSolution(reply.values, move, nodes)
    assert best is not None
    return MaxNSolution(best.values, best.move, nodes)


class TakeAwayForThree:
    """Who takes the last match pays one to each other. A state: matches left, and the player."""

    def player(self, state: tuple[int, int]) -> int:
        """Whose turn it is."""
        return state[1]

    def moves(self, state: tuple[int, int]) -> list[int]:
        """How many matches can be taken."""
        return [number for number in (1, 2) if number <= state[0]]

    def after(self, state: tuple[int, int], move: int) -> tuple[int, int]:
        """Take some."""
        return state[0] - move, (state[1] + 1) % 3

    def values(self, state: tuple[int, int]) -> Values:
        """The one before has taken the last match."""
        return tuple(-2 if player == (state[1] + 2) % 3 else 1 for player in range(3))


if __name__ == "__main__":
    for friends in ((), (0, 1), (0, 2), (1, 2)):
        alliance = dict(zip(friends, reversed(friends), strict=True))
        solution = max_n(TakeAwayForThree(), (MATCHES, 0), alliance)
        names = " and ".join(str(friend) for friend in friends) or "nobody"
        print(f"Allied: {names:8} take {solution.move}, and the values are {solution.values}")

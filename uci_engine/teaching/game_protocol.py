"""The protocol of games: what searches, drawings, quizzes and engines require of every game.

A game has one player (a puzzle), two, or several; it may have chance and hidden information. States
are immutable: `apply` returns a new one. A search is written once for all games, and a game is
complete with the first five methods.

>>> class Countdown(Game[int, int]):  # 1 or 2 less in turn; who says 0 wins
...     def start(self): return (4, MAX)
...     def player(self, state): return state[1] if state[0] else None
...     def moves(self, state): return [1, 2][: state[0]]
...     def apply(self, state, move): return state[0] - move, 1 - state[1]
...     def result(self, state): return (1, -1) if state[1] == MIN else (-1, 1)
>>> game = Countdown()
>>> read_moves(game, "1 2")
(1, 0)

The terms are those of Russell and Norvig, Artificial Intelligence: A Modern Approach, chapter 5.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Sequence
from fractions import Fraction
from typing import Generic, TypeVar

State = TypeVar("State")
Move = TypeVar("Move")

#: The value of a state for a player. Fractions keep games with chance exact.
Number = int | float | Fraction

#: In place of a player: dice are rolled, or cards are dealt.
CHANCE = -1

#: The players of a two-player game, as in minimax.
MAX, MIN = 0, 1


class Game(ABC, Generic[State, Move]):
    """The rules of a game."""

    #: The number of players, who are called 0, 1, 2.
    players = 2

    @abstractmethod
    def start(self) -> State:
        """The first state."""

    @abstractmethod
    def player(self, state: State) -> int | None:
        """The player to move, or CHANCE; None once the game is over."""

    @abstractmethod
    def moves(self, state: State) -> Sequence[Move]:
        """The moves of the player, or of chance; at least one while the game lasts."""

    @abstractmethod
    def apply(self, state: State, move: Move) -> State:
        """The state after a move."""

    @abstractmethod
    def result(self, state: State) -> Sequence[Number]:
        """The value of a finished game for each player. With two players, the sum is zero."""

    def chances(self, state: State) -> Sequence[tuple[Move, Fraction]]:
        """At CHANCE's turn, each outcome with its probability."""
        equal = Fraction(1, len(self.moves(state)))
        return [(move, equal) for move in self.moves(state)]

    def sees(self, state: State, player: int) -> Hashable:
        """What a player knows about a state: everything, unless something is hidden."""
        return self.key(state)

    def evaluate(self, state: State) -> Sequence[Number]:
        """An estimate of the result for each player, for searches that stop before the end."""
        return [0] * self.players

    def key(self, state: State) -> Hashable:
        """Equal for states from which the game continues in the same way."""
        return state

    def symmetries(self, state: State) -> Iterable[State]:
        """The states that can be rotated or mirrored into this one, including itself."""
        return (state,)

    def text(self, state: State) -> str:
        """A state in a few characters, as shown at a node of a drawn tree."""
        return str(state)

    def move_text(self, state: State, move: Move) -> str:
        """A move in a few characters, as shown at an edge of a drawn tree."""
        return str(move)


def canonical(game: Game[State, Move], state: State) -> Hashable:
    """A key shared by all states that are symmetrical to each other."""
    return min(game.key(one) for one in game.symmetries(state))  # type: ignore[type-var]


def read_moves(game: Game[State, Move], text: str) -> State:
    """The state after some moves, written as by `move_text` and separated by spaces.

    :raises ValueError: if one of them is not possible; the message lists those that are.
    """
    state = game.start()
    for word in text.split():
        names = {game.move_text(state, move).replace(" ", ""): move for move in game.moves(state)}
        if word not in names:
            possible = " ".join(list(names)[:40]) or "none, because the game is over"
            raise ValueError(f"{word[:20]!r} is not a move here; possible moves: {possible}")
        state = game.apply(state, names[word])
    return state


def play_out(game: Game[State, Move], state: State, chooser: random.Random) -> Sequence[Number]:
    """The result of a random playout."""
    while (player := game.player(state)) is not None:
        state = game.apply(state, draw_lot(game, state, chooser) if player == CHANCE
                           else chooser.choice(game.moves(state)))  # fmt: skip
    return game.result(state)


def draw_lot(game: Game[State, Move], state: State, chooser: random.Random) -> Move:
    """A random outcome of chance, by its probability."""
    moves, chances = zip(*game.chances(state), strict=True)
    move: Move = chooser.choices(moves, [float(chance) for chance in chances])[0]
    return move

"""Counterfactual regret minimisation: how to play when something is hidden.

With hidden cards, no single move is right: players must mix their moves, or they can be exploited.
Each information set, that is, all states that look the same to a player, has a strategy. Round by
round, each move is rated by how much better it would have been than the strategy (its regret,
weighted by how often the others let the state occur), and is then played in proportion to its
cumulative regret. In two-player zero-sum games, the average of all rounds' strategies tends to an
equilibrium.

Source: Zinkevich, Johanson, Bowling and Piccione, Regret Minimization in Games with Incomplete
Information (2007).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..game_protocol import CHANCE, Game
from ..told import Listener, nobody


@dataclass
class InformationSet:
    """The data shared by states that look the same.

    :ivar names: of the moves.
    :ivar regrets: the sum over all rounds, for each move.
    :ivar played: the sum of all rounds' strategies, for each move.
    """

    names: list[str]
    regrets: list[float] = field(default_factory=list)
    played: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.regrets = [0.0] * len(self.names)
        self.played = [0.0] * len(self.names)

    def strategy(self) -> list[float]:
        """Regret matching: in proportion to positive regrets; uniform if there are none."""
        return _shares([max(regret, 0.0) for regret in self.regrets])

    def mean(self) -> list[float]:
        """The average strategy of all rounds."""
        return _shares(self.played)


class CounterfactualRegret:
    """Learns a two-player game by playing against itself.

    :ivar sets: the information sets, by player and what the player sees.
    """

    def __init__(self, game: Game[Any, Any], tell: Listener = nobody) -> None:
        self.game, self.tell = game, tell
        self.sets: dict[tuple[int, Hashable], InformationSet] = {}

    def play(self, rounds: int, first: int = 1) -> None:
        """Walk through all states of the game, round by round.

        :param first: the number of the first round.
        """
        for number in range(first, first + rounds):
            start = self.game.start()
            self.tell("regret_start", start, number=number)
            self._walk(start, (1.0, 1.0), 1.0)

    def value(self) -> float:
        """The value of the game for player 0 if both play their average strategies."""
        return self._value(self.game.start())

    def _walk(self, state: Any, reach: tuple[float, float], chance: float) -> float:
        """Play a round from a state; return its value for player 0 with the current strategies.

        :param reach: the probability with which each player's moves lead here.
        :param chance: the probability of the cards.
        """
        game = self.game
        self.tell("search_enter", state)
        player = game.player(state)
        if player is None:
            value = float(game.result(state)[0])
            self.tell("search_leaf", state, value=value)
            return value
        if player == CHANCE:
            value = sum(
                float(share) * self._walk(game.apply(state, move), reach, chance * float(share))
                for move, share in game.chances(state)
            )
            self.tell("search_return", state, value=value)
            return value
        known = self._set(state, player)
        strategy = known.strategy()
        values = []
        for move, share in zip(game.moves(state), strategy, strict=True):
            further = (reach[0] * share, reach[1]) if player == 0 else (reach[0], reach[1] * share)
            values.append(self._walk(game.apply(state, move), further, chance))
        value = sum(share * one for share, one in zip(strategy, values, strict=True))
        others = chance * reach[1 - player]
        sign = 1 if player == 0 else -1
        for number, one in enumerate(values):
            known.regrets[number] += others * sign * (one - value)
            known.played[number] += reach[player] * strategy[number]
        if self.tell is not nobody:
            last, new = known.names[-1], known.strategy()[-1]
            told = {"name": last, "share": f"{strategy[-1]:.0%}", "next": f"{last} {new:.0%}"}
            self.tell("regret_set", state, value=value, **told)
        return value

    def _value(self, state: Any) -> float:
        player = self.game.player(state)
        if player is None:
            return float(self.game.result(state)[0])
        if player == CHANCE:
            shares: Sequence[float] = [float(share) for _, share in self.game.chances(state)]
        else:
            shares = self._set(state, player).mean()
        moves = self.game.moves(state)
        return sum(
            share * self._value(self.game.apply(state, move))
            for move, share in zip(moves, shares, strict=True)
        )

    def _set(self, state: Any, player: int) -> InformationSet:
        place = (player, self.game.sees(state, player))
        if place not in self.sets:
            names = [self.game.move_text(state, move) for move in self.game.moves(state)]
            self.sets[place] = InformationSet(names)
        return self.sets[place]


def _shares(weights: list[float]) -> list[float]:
    total = sum(weights)
    if total <= 0:
        return [1 / len(weights)] * len(weights)
    return [weight / total for weight in weights]

"""How well a network plays: how often it chooses a best move of the solved game."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np

from ..game_protocol import Game
from ..games.connect_four import ConnectFour
from ..games.noughts_and_crosses import NoughtsAndCrosses
from ..searches.uct import uct
from .batched_puct import BatchedPuct
from .learner import Learner, random_boards
from .line_game import Array, LineBoards, LineGame
from .policy_value_net import PolicyValueNet
from .solved_table import solved

#: The number of positions in an examination, and the seed that draws them, the same for every run.
EXAM_POSITIONS, EXAM_SEED = 1000, 1

#: Games in the arena; each opening is played twice.
ARENA_GAMES = 200

#: A player: boards in, moves out.
LinePlayer = Callable[[LineBoards], Array]


class Exam:
    """Different positions in which at least one legal move gives value away.

    They are drawn at random: first the number of plies, then the moves.

    :param name: the name of a game.
    :param count: the number of positions; a small game may have fewer.
    :ivar boards: the positions.
    """

    def __init__(self, name: str, count: int = EXAM_POSITIONS, seed: int = EXAM_SEED) -> None:
        table = solved(name)
        self.game = table.game
        generator = np.random.default_rng(seed)
        plies = generator.integers(self.game.squares, size=20 * count)
        drawn = random_boards(self.game, plies, generator)
        values = table.move_values(drawn)
        best = values.max(axis=1)
        worst = np.where(values > -2, values, 2).min(axis=1)
        is_new = np.zeros(len(best), bool)
        is_new[np.unique(np.stack(drawn, axis=1), axis=0, return_index=True)[1]] = True
        chosen = np.flatnonzero(is_new & (worst < best))[:count]
        self.boards = drawn.rows(chosen)
        self._values = values[chosen]
        self._is_best = self._values == best[chosen, None]

    def agreement(self, player: LinePlayer) -> float:
        """The share of the positions in which a player chooses a best move."""
        moves = player(self.boards)
        return float(self._is_best[np.arange(len(moves)), moves].mean())

    def by_chance(self) -> float:
        """The share of a random mover, on average."""
        return float((self._is_best.sum(axis=1) / (self._values > -2).sum(axis=1)).mean())

    def baselines(self, simulations: int) -> dict[str, float]:
        """The shares of a random mover, and of UCT with this many playouts."""
        uct_share = self.agreement(uct_player(self.game, simulations))
        return {"chance": self.by_chance(), "uct": uct_share}

    def examine(self, learner: Learner) -> dict[str, Any]:
        """A row of a run's log, including the arena against the network of the previous row."""
        game, simulations = self.game, learner.settings.simulations
        player = puct_player(game, learner.net, simulations)
        rival = puct_player(game, learner.rival, simulations)
        # Not the learner's own random numbers: an examination must not change the run.
        generator = np.random.default_rng([learner.settings.seed, learner.rounds])
        openings = learner.openings(ARENA_GAMES // 2, generator)
        return {
            "seconds": round(learner.seconds, 1),
            "games": learner.games,
            "positions": learner.positions,
            "losses": list(learner.losses),
            "policy": self.agreement(policy_player(game, learner.net)),
            "puct": self.agreement(player),
            "arena": arena(game, player, rival, openings),
        }


def policy_player(game: LineGame, net: PolicyValueNet) -> LinePlayer:
    """Chooses the most likely move according to the policy, without a search."""

    def choose(boards: LineBoards) -> Array:
        scores, _ = net.judge(game.inputs(boards))
        moves: Array = np.where(game.legal(boards), scores, -np.inf).argmax(axis=1)
        return moves

    return choose


def puct_player(game: LineGame, net: PolicyValueNet, simulations: int) -> LinePlayer:
    """Chooses the move with the most visits."""

    def choose(boards: LineBoards) -> Array:
        search = BatchedPuct(game, net.judge, boards, simulations)
        search.run()
        moves: Array = search.visits[:, 0].argmax(axis=1)
        return moves

    return choose


def uct_player(game: LineGame, simulations: int, seed: int = 1) -> LinePlayer:
    """Chooses the most visited move of UCT, which plays games out at random."""
    protocol: Game[Any, int] = NoughtsAndCrosses()
    if game.falls:
        protocol = ConnectFour(game.width, game.height)
    chooser = random.Random(seed)

    def choose(boards: LineBoards) -> Array:
        moves = []
        for own, other in zip(boards.own.tolist(), boards.other.tolist(), strict=True):
            state = _protocol_state(game, own, other)
            move = uct(protocol, state, simulations, chooser)[0].move
            moves.append(move if game.falls or move is None else _SQUARES.index(move))
        return np.array(moves)

    return choose


#: The protocol's square for each square of noughts and crosses here (column by column, from below).
_SQUARES = [3 * (2 - row) + column for column in range(3) for row in range(3)]


def _protocol_state(game: LineGame, own: int, other: int) -> tuple[int, int]:
    """The board as a state of `halbzug.teaching.games`: the first player's stones come first."""
    if not game.falls:
        own, other = _squares_of(own), _squares_of(other)
    return (own, other) if own.bit_count() == other.bit_count() else (other, own)


def _squares_of(stones: int) -> int:
    places = [3 * (place // 4) + place % 4 for place in range(12) if stones >> place & 1]
    return sum(1 << _SQUARES[place] for place in places)


def arena(game: LineGame, first: LinePlayer, second: LinePlayer, openings: LineBoards) -> float:
    """The first player's score, 0 to 1, when each player begins once from each opening."""
    points = 0.0
    for begins in (0, 1):
        boards, players, turn = openings, (first, second), begins
        while len(boards.own):
            boards = game.play(boards, players[turn](boards))
            turn = 1 - turn
            is_over, values = game.over(boards)
            # Minus 1 for the side to move: a loss for it.
            sign = 1 if turn == 0 else -1
            points += float((0.5 + sign * values[is_over] / 2).sum())
            boards = boards.rows(~is_over)
    return points / (2 * len(openings.own))

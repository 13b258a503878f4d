"""The loop of AlphaZero: play against yourself, learn from the games, play better.

A round plays some hundreds of games at once, each from a random opening, because two equal games
teach no more than one. Each move is drawn in proportion to its visits by PUCT with the present
network; noise at the root makes sure that every move is tried. Then the network learns from the
positions of the latest rounds: its policy from the visits, its value from the result and from what
the search expected. All random numbers come from one generator, which is saved with the rest, so
that a stopped run continues exactly as if it had not been stopped.
"""

from __future__ import annotations

import io
import json
import os
import time
import zipfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ...base.whole_file import WholeFile
from .batched_puct import BatchedPuct
from .line_game import LINE_GAMES, Array, LineBoards, LineGame
from .policy_value_net import PolicyValueNet


@dataclass(frozen=True)
class LearnerSettings:
    """The settings of a run, which cannot change during the run.

    :ivar game: one of `LINE_GAMES`.
    :ivar simulations: simulations of PUCT for a move, in training and in the examination.
    :ivar games: the number of games in a round.
    :ivar window: the most positions that are remembered; the oldest are dropped.
    :ivar passes: how often each position is learned from, on average.
    :ivar step: Adam's step in the first round; it is a half after `slowing` rounds, then a third.
    :ivar sharpness: a move is drawn in proportion to its visits to this power; 1 explores more,
        infinity less.
    :ivar noise: the share of noise in the priors of a root, and Dirichlet's alpha.
    """

    game: str = "connect-four 5 4"
    seed: int = 1
    hidden: int = 256
    simulations: int = 50
    games: int = 512
    window: int = 400_000
    passes: float = 8.0
    batch: int = 512
    step: float = 1e-3
    slowing: int = 150
    sharpness: float = 3.0
    noise: tuple[float, float] = (0.25, 1.0)


class Memory(NamedTuple):
    """Positions to learn from, a row each.

    :ivar shares: each move's share of the search's visits.
    :ivar results: for the side to move, -1 to 1: the mean of the game's result and the expectation
        of the search.
    """

    own: Array
    other: Array
    shares: Array
    results: Array


class Learner:
    """A run.

    :ivar net: the network.
    :ivar rival: an earlier network, for the arena.
    :ivar rounds: the number of finished rounds; `games` and `positions` count what they played.
    :ivar seconds: the processor time that they took.
    :ivar log: the results of the examinations so far, a row each, for the curve.
    :ivar baselines: the results of players without a network.
    """

    def __init__(self, settings: LearnerSettings | None = None) -> None:
        self.settings = settings or LearnerSettings()
        if self.settings.game not in LINE_GAMES:
            known = ", ".join(LINE_GAMES)
            raise ValueError(f"no game is called {self.settings.game!r}; there are {known}")
        self.game = LINE_GAMES[self.settings.game]
        self._generator = np.random.default_rng(self.settings.seed)
        self.net, self.rival = self._new_net(), self._new_net()
        self._memory = Memory(
            *self.game.start(0), np.zeros((0, self.game.moves), np.float32), np.zeros(0, np.float32)
        )
        self.rounds = self.games = self.positions = 0
        self.seconds = 0.0
        self.losses = (0.0, 0.0)
        self.log: list[dict[str, Any]] = []
        self.baselines: dict[str, float] = {}

    def note(self, row: dict[str, Any]) -> None:
        """Add a row to the log; the next one will meet the present network in the arena."""
        self.log.append(row)
        self.rival.weights = {name: array.copy() for name, array in self.net.weights.items()}

    def _new_net(self) -> PolicyValueNet:
        inputs, hidden = 2 * self.game.squares, self.settings.hidden
        return PolicyValueNet(inputs, self.game.moves, hidden, self._generator)

    def play_round(self) -> None:
        """Play games, and learn from them."""
        began = time.process_time()
        new = self._play()
        window, pairs = self.settings.window, zip(self._memory, new, strict=True)
        self._memory = Memory(*(np.concatenate(pair)[-window:] for pair in pairs))
        self._learn(len(new.own))
        self.rounds += 1
        self.games += self.settings.games
        self.positions += len(new.own)
        self.seconds += time.process_time() - began

    def _play(self) -> Memory:
        """The positions of games against itself, each from a random opening."""
        game, generator = self.game, self._generator
        boards = self.openings(self.settings.games, generator)
        number = np.arange(self.settings.games)
        steps: list[tuple[Array, LineBoards, Array, Array]] = []
        results = np.zeros(self.settings.games, np.float32)
        plies = np.zeros(self.settings.games, int)
        while len(number):
            search = BatchedPuct(game, self.net.judge, boards, self.settings.simulations)
            search.add_noise(generator, *self.settings.noise)
            search.run()
            visits = search.visits[:, 0]
            shares = visits / visits.sum(axis=1, keepdims=True)
            steps.append((number, boards, shares, search.root_values()))
            chances = shares**self.settings.sharpness
            boards = game.play(boards, draw_moves(chances, generator))
            plies[number] += 1
            is_over, values = game.over(boards)
            # For the side that would move next.
            results[number[is_over]] = values[is_over]
            number, boards = number[~is_over], boards.rows(~is_over)
        parts = []
        for ply, (number, boards, shares, expected) in enumerate(steps):
            sign = 1 - 2 * ((plies[number] - ply) % 2).astype(np.float32)
            parts.append((*boards, shares, (sign * results[number] + expected) / 2))
        return Memory(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))

    def openings(self, count: int, generator: np.random.Generator) -> LineBoards:
        """Positions after random moves on up to half of the squares; no game is over."""
        plies = generator.integers(self.game.squares // 2, size=count)
        return random_boards(self.game, plies, generator)

    def _learn(self, new: int) -> None:
        """Make steps of Adam on positions of the memory, half of them mirrored."""
        settings, memory, game = self.settings, self._memory, self.game
        step = settings.step / (1 + self.rounds / settings.slowing)
        count = max(1, round(new * settings.passes / settings.batch))
        losses = np.zeros(2)
        for _ in range(count):
            chosen = self._generator.integers(len(memory.own), size=settings.batch)
            inputs = game.inputs(LineBoards(memory.own[chosen], memory.other[chosen]))
            shares = memory.shares[chosen]
            half = settings.batch // 2
            inputs[:half] = game.mirrored(inputs[:half])
            shares[:half] = shares[:half, game.mirror]
            losses += self.net.train(inputs, shares, memory.results[chosen], step)
        self.losses = tuple(losses / count)

    def save(self, path: Path) -> None:
        """Write everything that is needed to continue.

        :raises WriteError: if the file cannot be written; an old file is then unchanged.
        """
        state = {
            "settings": asdict(self.settings), "log": self.log, "losses": self.losses,
            "generator": self._generator.bit_generator.state, "seconds": self.seconds,
            "counts": [self.rounds, self.games, self.positions], "baselines": self.baselines,
        }  # fmt: skip
        arrays: dict[str, Any] = {"state": np.array(json.dumps(state)), **self.net.arrays()}
        arrays |= {f"memory.{name}": array for name, array in self._memory._asdict().items()}
        arrays |= {f"rival.{name}": array for name, array in self.rival.weights.items()}
        data = io.BytesIO()
        np.savez(data, **arrays)
        with WholeFile(path) as file:
            file.write(data.getvalue())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Learner:
        """Load a saved run.

        :raises OSError: if the file cannot be read.
        :raises ValueError: if it does not contain a run.
        """
        try:
            with np.load(path) as file:
                kept = {name: file[name] for name in file.files}
            state = json.loads(str(kept["state"]))
            settings = state["settings"]
            learner = cls(LearnerSettings(**{**settings, "noise": tuple(settings["noise"])}))
            learner._restore(state, kept)
        except (ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile):
            raise ValueError(f"{path} does not contain a learning run") from None
        return learner

    def _restore(self, state: dict[str, Any], kept: dict[str, Array]) -> None:
        self._generator.bit_generator.state = state["generator"]
        self.rounds, self.games, self.positions = state["counts"]
        self.seconds, self.log, self.baselines = state["seconds"], state["log"], state["baselines"]
        self.losses = tuple(state["losses"])
        self._memory = Memory(*(kept[f"memory.{name}"] for name in Memory._fields))
        self.net.restore(kept)
        self.rival.weights = {name: kept[f"rival.{name}"] for name in self.rival.weights}


def draw_moves(shares: Array, generator: np.random.Generator) -> Array:
    """Draw a move for each row, with these probabilities."""
    limits = np.cumsum(shares, axis=1)
    drawn = generator.random(len(shares))[:, None] * limits[:, -1:]
    moves: Array = (drawn >= limits).sum(axis=1)
    return moves


def random_boards(game: LineGame, plies: Array, generator: np.random.Generator) -> LineBoards:
    """Boards after the given numbers of random moves; a game that ends too early begins again."""
    boards, left = game.start(len(plies)), plies.copy()
    while len(rows := np.flatnonzero(left)):
        now = boards.rows(rows)
        after = game.play(now, draw_moves(game.legal(now).astype(np.float32), generator))
        left[rows] -= 1
        is_over, _ = game.over(after)
        after.own[is_over] = after.other[is_over] = 0
        left[rows[is_over]] = plies[rows[is_over]]
        boards.own[rows], boards.other[rows] = after
    return boards

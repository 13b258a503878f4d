"""Chess for two agents: a PettingZoo environment."""

from __future__ import annotations

from typing import Any, ClassVar

import chess
import numpy as np
from numpy.typing import NDArray

from .environments import check_render_mode, observation_space
from .played_games import PlayedGames, points

try:
    from gymnasium import spaces
    from gymnasium.utils import EzPickle
    from pettingzoo import AECEnv
except ModuleNotFoundError as error:
    message = f'{error.name} is not installed: pip install "halbzug[gym]"'
    raise ImportError(message, name=error.name) from None


class ChessAECEnv(AECEnv[str, dict[str, NDArray[np.int8]], int], EzPickle):
    """A game of chess between two agents: `player_0` is White, and `player_1` is Black.

    Actions, observations and rewards are those of `halbzug.ChessEnv`; with a policy of 4672 moves,
    actions are numbered as in PettingZoo's own `chess_v6`. At the end of a game, `infos` has its
    `result` for both agents. `reset(options={"fen": FEN})` starts from another position, with
    either side to move.

    :param policy: 4672 or 1858.
    :param history: the number of positions of the game in an observation.
    :param fen: the start position of the games.
    :param max_plies: the number of moves after which a game is truncated.
    :raises ValueError: for an impossible position, or a number that is out of range.
    """

    metadata: ClassVar = {
        "name": "halbzug_chess",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(
        self,
        *,
        policy: int = 4672,
        history: int = 1,
        fen: str = chess.STARTING_FEN,
        max_plies: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        EzPickle.__init__(
            self, policy=policy, history=history, fen=fen, max_plies=max_plies,
            render_mode=render_mode,
        )  # fmt: skip
        super().__init__()
        self.render_mode = check_render_mode(render_mode)
        self._games = PlayedGames(1, policy, history, fen, max_plies)
        self.possible_agents = ["player_0", "player_1"]
        self.agents: list[str] = []
        self.observation_spaces = dict.fromkeys(
            self.possible_agents, observation_space(self._games)
        )
        self.action_spaces = dict.fromkeys(self.possible_agents, spaces.Discrete(policy))

    @property
    def board(self) -> chess.Board:
        """The board of the game, which must not be changed."""
        return self._games.boards[0]

    def observation_space(self, agent: str) -> spaces.Dict:
        """An agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """An agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start another game."""
        self._games.begin(0, (options or {}).get("fen"))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._player(self.board.turn)

    def observe(self, agent: str) -> dict[str, NDArray[np.int8]]:
        """An agent's present observation; its mask has no move if the other agent is to move."""
        if agent == self._player(self.board.turn):
            return self._games.observation(0)
        return self._games.waiting_observation(0)

    def step(self, action: int | None) -> None:
        """Make a move."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError("None is not an action while the game goes on")
        self._cumulative_rewards[agent] = 0.0
        result, is_broken_off = self._games.play(0, int(action))
        for one in self.agents:
            self.rewards[one] = points(result, one == "player_0")
            self.terminations[one] = result != "*"
            self.truncations[one] = is_broken_off
            if result != "*":
                self.infos[one] = {"result": result}
        self.agent_selection = self._player(agent != "player_0")
        self._accumulate_rewards()

    def render(self) -> str | None:
        """The board as text."""
        return str(self.board) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Do nothing, because nothing is open."""

    @staticmethod
    def _player(color: chess.Color) -> str:
        return "player_0" if color else "player_1"

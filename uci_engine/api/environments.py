"""Chess for reinforcement learning: Gymnasium environments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import chess
import numpy as np
from numpy.typing import NDArray

from .played_games import PlayedGames, points

try:
    import gymnasium
    from gymnasium import spaces
    from gymnasium.utils import EzPickle
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ModuleNotFoundError as error:
    message = f'{error.name} is not installed: pip install "halbzug[gym]"'
    raise ImportError(message, name=error.name) from None

_Observation = dict[str, NDArray[np.int8]]


def observation_space(games: PlayedGames) -> spaces.Dict:
    """The space of observations: planes, and a mask of the legal moves."""
    return spaces.Dict(
        {
            "observation": spaces.Box(0, 1, games.shape, np.int8),
            "action_mask": spaces.Box(0, 1, games.mask.shape[1:], np.int8),
        }
    )


class ChessEnv(gymnasium.Env[_Observation, np.int64], EzPickle):
    """A game of chess in which the agent makes the moves of both sides, or plays an opponent.

    An action is the number of a move in a policy, see `halbzug.moves_array`. An observation
    consists of the position as planes of zeros and ones, as seen by the side to move, and the mask
    of the legal moves. The planes have the shape `(planes, 8, 8)`; the first rank and the a-file
    come first. With `history` positions there are `13 * history + 6` planes. Those of each
    position, the current one first, are the pawns, knights, bishops, rooks, queens and king of the
    side to move, those of the other side, and whether the position has occurred before. Then come
    the right to castle kingside and queenside, the same for the other side, the square of a legal
    en passant capture, and the halfmove clock: of the 64 squares, as large a share as the plies
    without a capture or pawn move are of 100.

    The reward for a move is 1 if it wins the game, -1 if it loses it, and otherwise 0. A game ends
    by mate, stalemate, insufficient material, the fifty-move rule, or the third occurrence of a
    position. An illegal move loses. At the end, `info["result"]` is `1-0`, `0-1` or `1/2-1/2`.
    `reset(options={"fen": FEN})` starts from another position.

    :param policy: 4672 or 1858.
    :param history: the number of positions of the game in an observation.
    :param opponent: a function that takes the board and returns a move.
    :param color: the agent's color against an opponent; None for a random one in each game.
    :param fen: the start position of the games.
    :param max_plies: the number of moves after which a game is truncated.
    :raises ValueError: for an impossible position, or a number that is out of range.
    """

    metadata: ClassVar = {"render_modes": ["ansi"]}

    def __init__(
        self,
        *,
        policy: int = 4672,
        history: int = 1,
        opponent: Callable[[chess.Board], chess.Move | None] | None = None,
        color: chess.Color | None = None,
        fen: str = chess.STARTING_FEN,
        max_plies: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        EzPickle.__init__(
            self, policy=policy, history=history, opponent=opponent, color=color, fen=fen,
            max_plies=max_plies, render_mode=render_mode,
        )  # fmt: skip
        self.render_mode = check_render_mode(render_mode)
        self._games = PlayedGames(1, policy, history, fen, max_plies)
        self._opponent = opponent
        self._color = color
        self.observation_space = observation_space(self._games)
        self.action_space = spaces.Discrete(policy)

    @property
    def board(self) -> chess.Board:
        """The board of the game, which must not be changed."""
        return self._games.boards[0]

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[_Observation, dict[str, Any]]:
        """Start another game."""
        super().reset(seed=seed)
        self._games.begin(0, (options or {}).get("fen"))
        if self._opponent:
            color = self._color
            if color is None:
                color = bool(self.np_random.integers(2))
            if color != self.board.turn:
                self._answer()
        return self._games.observation(0), {}

    def step(self, action: np.int64) -> tuple[_Observation, float, bool, bool, dict[str, Any]]:
        """Make a move, and the opponent's, if there is one."""
        color = self.board.turn
        result, is_broken_off = self._games.play(0, int(action))
        if self._opponent and result == "*" and not is_broken_off:
            result, is_broken_off = self._answer()
        info = {} if result == "*" else {"result": result}
        observation = self._games.observation(0)
        return observation, points(result, color), result != "*", is_broken_off, info

    def _answer(self) -> tuple[str, bool]:
        """Make the opponent's move.

        :raises ValueError: if it has none, or an illegal one.
        """
        assert self._opponent
        move = self._opponent(self.board)
        if not isinstance(move, chess.Move):
            raise ValueError(f"the opponent must return a chess.Move, not {move!r}")
        return self._games.push(0, move)

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal, in the form that `MaskablePPO` of sb3-contrib requires."""
        mask: NDArray[np.bool_] = self._games.mask[0] != 0
        return mask

    def render(self) -> Any:
        """The board as text."""
        return str(self.board) if self.render_mode == "ansi" else None


class ChessVectorEnv(VectorEnv[_Observation, NDArray[np.int64], NDArray[Any]]):
    """Many games at once in one process, in which the agent makes the moves of both sides.

    Actions, observations and rewards are those of `ChessEnv`, with an additional first dimension.
    A game that is over restarts at the next step (`AutoresetMode.NEXT_STEP`), whatever its action.
    When games end, `infos["result"]` has their results, and `infos["_result"]` says which ended.

    :param num_envs: the number of games.
    :raises ValueError: for an impossible position, or a number that is out of range.
    """

    metadata: ClassVar = {"render_modes": ["ansi"], "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        num_envs: int = 1,
        *,
        policy: int = 4672,
        history: int = 1,
        fen: str = chess.STARTING_FEN,
        max_plies: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        self.render_mode = check_render_mode(render_mode)
        self._games = PlayedGames(num_envs, policy, history, fen, max_plies)
        self.num_envs = num_envs
        self.single_observation_space = observation_space(self._games)
        self.single_action_space = spaces.Discrete(policy)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._is_over = [False] * num_envs

    @property
    def boards(self) -> list[chess.Board]:
        """The boards of the games, which must not be changed."""
        return list(self._games.boards)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[_Observation, dict[str, Any]]:
        """Restart all games.

        :param options: `fen` is the start position, or a list with one for each game.
        """
        super().reset(seed=seed if isinstance(seed, int) else None)
        fen = (options or {}).get("fen")
        fens = [fen] * self.num_envs if fen is None or isinstance(fen, str) else list(fen)
        if len(fens) != self.num_envs:
            raise ValueError(f"{len(fens)} positions for {self.num_envs} games")
        for row, one in enumerate(fens):
            self._games.begin(row, one)
        self._is_over = [False] * self.num_envs
        return self._games.observations(), {}

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[
        _Observation, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]
    ]:
        """Make a move in each game."""
        numbers = np.asarray(actions).tolist()
        if len(numbers) != self.num_envs:
            raise ValueError(f"{len(numbers)} actions for {self.num_envs} games")
        games, is_over = self._games, self._is_over
        rewards = np.zeros(self.num_envs)
        terminations = np.zeros(self.num_envs, np.bool_)
        truncations = np.zeros(self.num_envs, np.bool_)
        infos: dict[str, Any] = {}
        for row, number in enumerate(numbers):
            if is_over[row]:
                games.begin(row)
                is_over[row] = False
                continue
            color = games.boards[row].turn
            result, truncations[row] = games.play(row, number)
            if result != "*":
                terminations[row] = True
                rewards[row] = points(result, color)
                infos.setdefault("result", np.full(self.num_envs, "*", "<U7"))[row] = result
            is_over[row] = bool(terminations[row] or truncations[row])
        if infos:
            infos["_result"] = terminations.copy()
        return games.observations(), rewards, terminations, truncations, infos


def check_render_mode(mode: str | None) -> str | None:
    """Make sure that environments support this mode.

    :raises ValueError: if they do not.
    """
    if mode not in (None, "ansi"):
        raise ValueError(f"render_mode must be 'ansi' or None, not {mode!r}")
    return mode

"""Environments of Gymnasium and PettingZoo: their own checkers, and whole games."""

from __future__ import annotations

import copy
import subprocess
import sys
import warnings
from typing import Any

import chess
import numpy as np
import pytest

import halbzug

pytest.importorskip("gymnasium", reason="the extra gym is not installed")

from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

FOOLS_MATE = ("f2f3", "e7e5", "g2g4", "d8h4")


def number(env: Any, text: str) -> int:
    """The number of the action that plays a move."""
    board = env.board
    moves = list(map(str, board.legal_moves))
    return int(halbzug.moves_array(board, policy=env.action_space.n)[moves.index(text)])


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"policy": 1858, "history": 3, "render_mode": "ansi", "max_plies": 20},
        {"opponent": lambda board: next(iter(board.legal_moves))},
    ],
)
def test_the_checker_of_gymnasium_finds_no_fault(options: dict[str, Any]) -> None:
    check_env(halbzug.ChessEnv(**options), skip_render_check=True)


def test_a_one_player_game() -> None:
    env = halbzug.ChessEnv(policy=1858, history=2, render_mode="ansi")
    observation, _ = env.reset(seed=1)
    assert observation["observation"].shape == (32, 8, 8)
    assert observation["action_mask"].sum() == 20 == env.action_masks().sum()
    for text in FOOLS_MATE:
        assert env.render() == str(env.board)
        assert observation["action_mask"][number(env, text)]
        before = observation["observation"]
        observation, reward, is_over, is_broken_off, info = env.step(np.int64(number(env, text)))
        # The history shows the previous position from the view of the side that now moves.
        assert (observation["observation"][13:19] == before[6:12, ::-1]).all()
    assert (reward, is_over, is_broken_off, info) == (1.0, True, False, {"result": "0-1"})
    observation, _ = env.reset()
    assert env.board.fen() == chess.STARTING_FEN and observation["action_mask"].sum() == 20


def test_an_illegal_move_loses() -> None:
    env = halbzug.ChessEnv()
    env.reset()
    illegal = int(np.flatnonzero(env.action_masks() == 0)[0])
    _, reward, is_over, _, info = env.step(np.int64(illegal))
    assert (reward, is_over, info["result"]) == (-1.0, True, "0-1")


def test_the_planes_are_turned_for_black() -> None:
    env = halbzug.ChessEnv()
    fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
    seen = env.reset(options={"fen": fen})[0]["observation"]
    other = env.reset(options={"fen": chess.Board(fen).mirror().fen()})[0]["observation"]
    assert (seen == other).all()
    assert seen[0, 1].all() and seen[6, 4, 4] == 1  # own pawns on rank 2, theirs on e5


def test_an_opponent_replies() -> None:
    asked = []

    def opponent(board: chess.Board) -> chess.Move:
        asked.append(board.fen())
        return board.parse_uci({0: "e7e5", 1: "d8h4"}[len(asked) - 1])

    env = halbzug.ChessEnv(opponent=opponent, color=chess.WHITE)
    env.reset()
    env.step(np.int64(number(env, "f2f3")))
    assert env.board.turn == chess.WHITE and len(asked) == 1
    _, reward, is_over, _, info = env.step(np.int64(number(env, "g2g4")))
    assert (reward, is_over, info["result"]) == (-1.0, True, "0-1")


def test_an_opponent_moves_first_with_white() -> None:
    env = halbzug.ChessEnv(opponent=lambda board: next(iter(board.legal_moves)), color=chess.BLACK)
    env.reset()
    assert env.board.turn == chess.BLACK
    either = halbzug.ChessEnv(opponent=lambda board: next(iter(board.legal_moves)))
    turns = set()
    for seed in range(8):
        either.reset(seed=seed)
        turns.add(either.board.turn)
    assert turns == {True, False}


@pytest.mark.parametrize(
    "move", [None, "e2e4", chess.Move.null(), chess.Move(0, 0), chess.Move(0, 9)]
)
def test_an_opponent_that_does_not_reply(move: Any) -> None:
    env = halbzug.ChessEnv(opponent=lambda board: move, color=chess.BLACK)
    with pytest.raises(ValueError, match=r"must return a chess\.Move|illegal move"):
        env.reset()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"policy": 1968}, "1858 or 4672"),
        ({"history": 0}, "history must be at least 1"),
        ({"max_plies": 0}, "max_plies must be at least 1"),
        ({"fen": "8/8/8/8/8/8/8/8 w - - 0 1"}, "the board is empty"),
        ({"fen": "k7/2Q5/8/8/8/8/8/K7 b - - 0 1"}, "the game is over"),
        ({"render_mode": "human"}, "render_mode must be 'ansi'"),
    ],
)
def test_invalid_arguments_are_reported(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        halbzug.ChessEnv(**options)


def test_a_vector_environment_plays_the_same_games_as_single_ones() -> None:
    rng = np.random.default_rng(1)
    many = halbzug.ChessVectorEnv(4, policy=1858, history=2, max_plies=30)
    alone = [halbzug.ChessEnv(policy=1858, history=2, max_plies=30) for _ in range(4)]
    assert many.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    observations, _ = many.reset(seed=1)
    for env in alone:
        env.reset()
    was_over = [False] * 4
    for _ in range(70):
        assert many.observation_space.contains(observations)
        mask = observations["action_mask"]
        actions = (mask * rng.random(mask.shape)).argmax(axis=1)
        observations, rewards, terminations, truncations, infos = many.step(actions)
        for row, env in enumerate(alone):
            if was_over[row]:
                seen, found = env.reset()[0], (0.0, False, False)
            else:
                seen, *found, info = env.step(actions[row])  # type: ignore[assignment]
                assert info.get("result", "*") == infos.get("result", ["*"] * 4)[row]
            assert tuple(found) == (rewards[row], terminations[row], truncations[row])
            for name, value in seen.items():
                assert (observations[name][row] == value).all()
            was_over[row] = bool(terminations[row] or truncations[row])
    assert [board.fen() for board in many.boards] == [env.board.fen() for env in alone]


def test_games_of_a_vector_environment_end_and_start_again() -> None:
    games = halbzug.ChessVectorEnv(2)
    games.reset(options={"fen": ["7k/8/5K2/6Q1/8/8/8/8 w - - 0 1", chess.STARTING_FEN]})
    mate = halbzug.moves_array(games.boards[0], policy=4672)[
        list(map(str, games.boards[0].legal_moves)).index("g5g7")
    ]
    first = halbzug.moves_array(games.boards[1], policy=4672)[0]
    _, rewards, terminations, _, infos = games.step(np.array([mate, first]))
    assert rewards.tolist() == [1, 0] and terminations.tolist() == [True, False]
    assert infos["result"].tolist() == ["1-0", "*"] and infos["_result"].tolist() == [True, False]
    _, rewards, terminations, _, infos = games.step(np.array([mate, -1]))
    assert rewards.tolist() == [0, -1] and infos["result"].tolist() == ["*", "1-0"]
    assert games.boards[0].fen() == chess.STARTING_FEN
    with pytest.raises(ValueError, match="1 actions for 2 games"):
        games.step(np.array([1]))
    with pytest.raises(ValueError, match="1 positions for 2 games"):
        games.reset(options={"fen": [chess.STARTING_FEN]})


def test_the_checker_of_pettingzoo_finds_no_fault() -> None:
    testing = pytest.importorskip("pettingzoo.test")
    with warnings.catch_warnings():
        # PettingZoo warns about every dictionary with a mask that is not its own type.
        warnings.filterwarnings("ignore", "Observation")
        testing.api_test(halbzug.ChessAECEnv(max_plies=40), num_cycles=100)
        testing.seed_test(lambda: halbzug.ChessAECEnv(max_plies=10), num_cycles=20)


def test_a_two_player_game() -> None:
    pytest.importorskip("pettingzoo")
    env = halbzug.ChessAECEnv(render_mode="ansi")
    env.reset()
    for index, text in enumerate(FOOLS_MATE):
        agent = env.agent_selection
        assert agent == f"player_{index % 2}" and env.render() == str(env.board)
        seen, waits = env.observe(agent), env.observe(f"player_{1 - index % 2}")
        assert waits["action_mask"].sum() == 0
        assert (waits["observation"][:6] == seen["observation"][6:12, ::-1]).all()
        assert (waits["observation"][13:15] == seen["observation"][15:17]).all()
        env.step(int(halbzug.moves_array(env.board, policy=4672)[
            list(map(str, env.board.legal_moves)).index(text)
        ]))  # fmt: skip
    assert env.rewards == {"player_0": -1.0, "player_1": 1.0}
    assert all(env.terminations.values())
    assert env.infos["player_0"] == env.infos["player_1"] == {"result": "0-1"}
    again = copy.deepcopy(env)
    again.reset()
    assert again.board.fen() == chess.STARTING_FEN
    with pytest.raises(ValueError, match="not an action"):
        again.step(None)


def test_without_the_extra_the_error_names_what_is_missing() -> None:
    program = (
        "import sys; sys.modules['gymnasium'] = None\nimport halbzug\n"
        "try:\n    halbzug.ChessEnv\nexcept ImportError as error:\n    print(error)\n"
    )
    said = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    assert said.stdout == 'gymnasium is not installed: pip install "halbzug[gym]"\n'

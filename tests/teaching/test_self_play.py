"""Learning from self-play: the rules on many boards, the network, the search, the learning."""

from __future__ import annotations

import dataclasses
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from halbzug.teaching.game_protocol import MAX, Game
from halbzug.teaching.games.connect_four import ConnectFour
from halbzug.teaching.searches.negamax import Table, negamax
from halbzug.teaching.searches.puct import puct
from halbzug.teaching.self_play.batched_puct import BatchedPuct
from halbzug.teaching.self_play.exam import Exam, arena, policy_player, puct_player, uct_player
from halbzug.teaching.self_play.learner import Learner, LearnerSettings, draw_moves, random_boards
from halbzug.teaching.self_play.line_game import LINE_GAMES, Array, LineBoards, LineGame
from halbzug.teaching.self_play.policy_value_net import PolicyValueNet, softmax
from halbzug.teaching.self_play.solved_table import solved

pytestmark = pytest.mark.any_build

NOUGHTS = LINE_GAMES["noughts-and-crosses"]
FOUR = LINE_GAMES["connect-four 4 4"]

#: A run that takes seconds.
SMALL = LearnerSettings(
    "noughts-and-crosses", hidden=32, simulations=12, games=100, batch=64, step=3e-3
)


def some_boards(game: LineGame, count: int, seed: int = 1) -> LineBoards:
    generator = np.random.default_rng(seed)
    return random_boards(game, generator.integers(game.squares - 3, size=count), generator)


def protocol_state(boards: LineBoards, row: int) -> tuple[int, int]:
    own, other = int(boards.own[row]), int(boards.other[row])
    return (own, other) if own.bit_count() == other.bit_count() else (other, own)


# -- the rules ----------------------------------------------------------------------------------


def test_many_boards_follow_the_rules_of_the_game_protocol() -> None:
    protocol, boards = ConnectFour(4, 4), some_boards(FOUR, 60)
    legal = FOUR.legal(boards)
    for row in range(60):
        state = protocol_state(boards, row)
        assert protocol.player(state) is not None
        assert sorted(protocol.moves(state)) == np.flatnonzero(legal[row]).tolist()
        for move in protocol.moves(state):
            after = FOUR.play(boards.rows([row]), np.array([move]))
            wanted = protocol.apply(state, move)
            assert protocol_state(after, 0) == wanted
            is_over, values = FOUR.over(after)
            assert is_over[0] == (protocol.player(wanted) is None)
            assert values[0] == -abs(protocol.result(wanted)[0])


def test_the_numbers_of_positions_are_the_known_ones() -> None:
    assert solved("noughts-and-crosses").positions == 5478
    assert solved("connect-four 4 4").positions == 161_029  # https://tromp.github.io/c4/c4.html


@pytest.mark.slow
def test_connect_four_on_5_by_4_is_drawn_and_has_the_known_number_of_positions() -> None:
    table = solved("connect-four 5 4")
    assert table.positions == 3_945_711
    assert table.move_values(table.game.start(1)).max() == 0


def test_the_table_agrees_with_negamax() -> None:
    protocol = ConnectFour(4, 4)
    boards = random_boards(FOUR, np.full(40, 9), np.random.default_rng(1))
    known: Table = {}
    values = solved("connect-four 4 4").move_values(boards)
    for row in range(40):
        state = protocol_state(boards, row)
        assert values[row].max() == negamax(protocol, state, table=known).value


def test_a_mirrored_board_has_the_same_value() -> None:
    boards = some_boards(FOUR, 30)
    inputs = FOUR.mirrored(FOUR.inputs(boards))
    bits = 1 << np.array([5 * column + row for column in range(4) for row in range(4)], np.uint64)
    mirrored = LineBoards(*(half.astype(np.uint64) @ bits for half in np.split(inputs, 2, axis=1)))
    table = solved("connect-four 4 4")
    assert (table.move_values(mirrored)[:, FOUR.mirror] == table.move_values(boards)).all()


def test_moves_are_read_in_the_usual_notation() -> None:
    assert FOUR.read("2 2 3").own.tolist() == [1 << 6]
    assert NOUGHTS.read("b2").other.tolist() == [1 << 5]
    with pytest.raises(ValueError, match="'7' is not a move here; possible moves: 1 2 3 4"):
        FOUR.read("7")
    with pytest.raises(ValueError, match="the game is over"):
        NOUGHTS.read("a1 b1 a2 b2 a3")


# -- the network and the search -----------------------------------------------------------------


def test_the_gradients_agree_with_finite_differences() -> None:
    generator = np.random.default_rng(1)
    net = PolicyValueNet(8, 3, 6, generator)
    net.weights = {name: array.astype(float) for name, array in net.weights.items()}
    inputs = generator.integers(2, size=(5, 8)).astype(float)
    shares, results = softmax(generator.normal(size=(5, 3))), generator.uniform(-1, 1, 5)
    gradients, *_ = net.gradients(inputs, shares, results)
    for name, array in net.weights.items():
        for place in list(np.ndindex(array.shape))[:12]:
            kept, losses = array[place], []
            for change in (1e-6, -1e-6):
                array[place] = kept + change
                losses.append(sum(net.gradients(inputs, shares, results)[1:]))
            array[place] = kept
            slope = (losses[0] - losses[1]) / 2e-6
            assert gradients[name][place] == pytest.approx(slope, abs=1e-6), (name, place)


def test_many_trees_grow_like_the_one_of_the_plain_search() -> None:
    weights = np.random.default_rng(2).normal(size=(2 * FOUR.squares, FOUR.moves))

    def judge(inputs: Array) -> tuple[Array, Array]:
        return inputs @ weights, np.zeros(len(inputs), np.float32)

    def judge_state(game: Game[Any, Any], state: Any) -> tuple[list[float], tuple[int, int]]:
        own, other = state if game.player(state) == MAX else state[::-1]
        boards = LineBoards(np.array([own], np.uint64), np.array([other], np.uint64))
        scores = np.where(FOUR.legal(boards), judge(FOUR.inputs(boards))[0], -np.inf)
        return [float(softmax(scores)[0, move]) for move in game.moves(state)], (0, 0)

    boards = some_boards(FOUR, 12)
    search = BatchedPuct(FOUR, judge, boards, 60)
    search.run()
    for row in range(12):
        _, root = puct(ConnectFour(4, 4), protocol_state(boards, row), 61, judge_state)
        visits = [root.children[move].visits if move in root.children else 0 for move in range(4)]
        assert search.visits[row, 0].tolist() == visits


def test_noise_changes_only_the_priors_of_legal_moves() -> None:
    boards = some_boards(NOUGHTS, 20)
    net = Learner(SMALL).net
    search = BatchedPuct(NOUGHTS, net.judge, boards, 20)
    search.add_noise(np.random.default_rng(1), 0.25, 1.0)
    search.run()
    assert (search.visits[:, 0].sum(axis=1) == 20).all()
    assert not search.visits[:, 0][~NOUGHTS.legal(boards)].any()
    assert (np.abs(search.root_values()) <= 1).all()


# -- learning -----------------------------------------------------------------------------------


def test_it_learns_to_beat_a_random_mover_and_to_find_best_moves() -> None:
    learner, exam = Learner(SMALL), Exam("noughts-and-crosses", 300)
    for _ in range(8):
        learner.play_round()
    assert exam.agreement(policy_player(NOUGHTS, learner.net)) > exam.by_chance() + 0.25
    generator = np.random.default_rng(1)

    def random_player(boards: LineBoards) -> Array:
        return draw_moves(NOUGHTS.legal(boards).astype(float), generator)

    player = puct_player(NOUGHTS, learner.net, 12)
    assert arena(NOUGHTS, player, random_player, NOUGHTS.start(50)) > 0.85
    assert learner.losses[0] > 0 and learner.games == 8 * 100


def test_a_stopped_run_continues_as_if_it_had_not_stopped(tmp_path: Path) -> None:
    settings = dataclasses.replace(SMALL, games=16, simulations=6)
    whole, begun = Learner(settings), Learner(settings)
    for _ in range(4):
        whole.play_round()
    for _ in range(2):
        begun.play_round()
    begun.note({"seconds": 1.0})
    begun.save(tmp_path / "run.npz")
    resumed = Learner.load(tmp_path / "run.npz")
    assert resumed.log == [{"seconds": 1.0}] and resumed.settings == settings
    for _ in range(2):
        resumed.play_round()
    for name, array in whole.net.weights.items():
        assert (resumed.net.weights[name] == array).all(), name
    assert (resumed.positions, resumed.losses) == (whole.positions, whole.losses)


def test_the_exam_asks_difficult_questions_and_marks_correctly() -> None:
    exam = Exam("noughts-and-crosses", 300)
    values = solved("noughts-and-crosses").move_values(exam.boards)
    assert exam.agreement(lambda _: values.argmax(axis=1)) == 1
    assert exam.agreement(lambda _: np.where(values == -2, 2, values).argmin(axis=1)) == 0
    assert len(np.unique(np.stack(exam.boards, axis=1), axis=0)) == 300
    generator = np.random.default_rng(1)
    legal = (values > -2).astype(float)
    drawn = [exam.agreement(lambda _: draw_moves(legal, generator)) for _ in range(20)]
    assert exam.by_chance() == pytest.approx(np.mean(drawn), abs=0.03)


def test_plain_uct_beats_a_random_mover_in_both_games() -> None:
    for name in ("noughts-and-crosses", "connect-four 4 4"):
        exam = Exam(name, 25)
        assert exam.agreement(uct_player(exam.game, 50)) > exam.by_chance() + 0.2


def test_the_arena_is_fair_and_counts_draws_as_halves() -> None:
    chooser = random.Random(1)

    def first_legal(boards: LineBoards) -> Array:
        return NOUGHTS.legal(boards).argmax(axis=1)

    openings = some_boards(NOUGHTS, 40, seed=chooser.randrange(100))
    assert arena(NOUGHTS, first_legal, first_legal, openings) == 0.5


@pytest.mark.parametrize("data", [b"", b"PK\x05\x06" + bytes(18), b"nonsense"])
def test_a_file_without_a_run_is_refused(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "run.npz").write_bytes(data)
    with pytest.raises(ValueError, match="does not contain a learning run"):
        Learner.load(tmp_path / "run.npz")

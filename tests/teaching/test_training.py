"""The network of the engine `policy_value` is trained on judged positions."""

from __future__ import annotations

from pathlib import Path

import chess
import numpy as np
import pytest

from halbzug.teaching import training, training_games
from halbzug.teaching.engines.network import INPUTS, LEFT, Network, inputs

pytestmark = pytest.mark.any_build

WHITE_TO_MOVE = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1"
BLACK_TO_MOVE = "r3k3/8/8/8/8/8/8/4K3 b - - 0 1"  # the same position, mirrored


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "games.txt"
    lines = [
        f"{WHITE_TO_MOVE};a1a8;500",
        f"{BLACK_TO_MOVE};a8a1;500",
        f"{WHITE_TO_MOVE};e1d2;-9999",
    ]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="ascii")
    return path


def test_both_sides_see_the_board_from_their_own_view(file: Path) -> None:
    rows, chances, left, reached = training.read([file, file])
    assert rows.shape == (6, 32) and (rows[:, 3:] == INPUTS).all()
    assert (rows[0] == rows[1]).all() and sorted(rows[0][:3]) == sorted(
        inputs(chess.Board(WHITE_TO_MOVE))
    )
    assert chances[:2] == pytest.approx(1 / (1 + np.exp(-2)))
    assert chances[2] == pytest.approx(1 / (1 + np.exp(12)))
    assert left.tolist()[:3] == [chess.A1, chess.A1, chess.E1]
    assert reached.tolist()[:3] == [
        64 * (chess.ROOK - 1) + chess.A8,
        64 * (chess.ROOK - 1) + chess.A8,
        64 * (chess.KING - 1) + chess.D2,
    ]


def test_the_network_that_plays_is_the_one_that_learns(file: Path) -> None:
    """The losses are the cross entropies of the engine's output with the same weights."""
    fit, samples = training.NetworkFit(seed=3), training.read([file])
    for name in ("value_bias", "policy_bias", "hidden_bias", "value_hidden_bias"):
        fit.weights[name] += np.linspace(-0.1, 0.1, len(fit.weights[name]), dtype=np.float32)
    one = training.Samples(*(array[:1] for array in samples))
    value, moves = Network(fit.weights).judge(chess.Board(WHITE_TO_MOVE))
    chance, wanted = (1 + value) / 2, float(samples.chances[0])
    of_value, of_left, of_reached = fit.losses(one)
    assert of_value == pytest.approx(
        -wanted * np.log(chance) - (1 - wanted) * np.log(1 - chance), rel=1e-4
    )
    # Of two rook moves from a1, the policy can tell only the destinations apart.
    other = training.Samples(*one[:3], one.reached - chess.A8 + chess.A7)
    odds = moves[chess.Move.from_uci("a1a8")] / moves[chess.Move.from_uci("a1a7")]
    assert fit.losses(other)[2] - of_reached == pytest.approx(np.log(odds), rel=1e-3)
    assert 0 < of_left < np.log(LEFT) + 1


def test_training_steps_reduce_the_loss(file: Path) -> None:
    fit, samples = training.NetworkFit(seed=1), training.read([file])
    first = fit.losses(samples)
    assert (fit.losses(samples) == first).all()  # measured without a step
    for _ in range(60):
        fit.losses(samples, 2e-3)
    last = fit.losses(samples)
    assert (last < first).all()
    assert last[1] < 0.7 and last[2] < 0.7  # two moves from each square can be told apart


def test_the_weights_are_written_in_the_form_that_the_engine_reads(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written = file.with_name("weights.npz")
    assert training.main([str(file), "--epochs", "2", "--output", str(written)]) == 0
    first, *epochs = capsys.readouterr().out.splitlines()
    assert first.startswith("3 positions read in ") and len(epochs) == 2
    assert epochs[1].startswith("epoch 2: held out ")
    with np.load(written) as arrays:
        network = Network({name: arrays[name].astype(np.float32) for name in arrays.files})
    assert len(network.weights["hidden"]) == INPUTS
    value, moves = network.judge(chess.Board(WHITE_TO_MOVE))
    assert -1 < value < 1 and sum(moves.values()) == pytest.approx(1)


def test_games_are_judged_and_written_in_the_form_that_training_reads(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "games.txt"
    arguments = [str(path), "--seconds", "0.001", "--nodes", "1", "--seed", "2"]
    assert training_games.main(arguments) == 0
    assert "positions" in capsys.readouterr().out
    lines = path.read_text("utf-8").splitlines()
    assert 0 < len(lines) <= training_games.MAX_GAME_PLIES
    for line in lines:
        fen, move, score = line.split(";")
        assert chess.Move.from_uci(move) in chess.Board(fen).legal_moves and int(score) < 40_000
    assert len(training.read([path]).rows) == len(lines)

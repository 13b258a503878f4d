"""Networks trained by PyTorch, if it is installed, and the engine that plays with them."""

from __future__ import annotations

import random
from pathlib import Path

import chess
import pytest
from recorded_positions import Recorded

from halbzug.eval import network_file

pytest.importorskip("torch")

from halbzug.board.movegen import new_board
from halbzug.search.position import Position
from halbzug.tuning import torch_training

pytestmark = pytest.mark.any_build


@pytest.fixture(scope="module")
def boards() -> list[chess.Board]:
    """Positions of random games."""
    chooser, found = random.Random(1), []
    while len(found) < 300:
        board = chess.Board()
        while not board.is_game_over() and board.ply() < 120:
            board.push(chooser.choice(list(board.legal_moves)))
            if not board.ply() % 7:
                found.append(board.copy(stack=False))
    return found[:300]


@pytest.fixture
def folder(boards: list[chess.Board], tmp_path: Path) -> Path:
    """Two files of positions, scored by half the output of the initial network."""
    worth = {"P": 50, "N": 150, "B": 150, "R": 250, "Q": 450}
    for index in range(2):
        records = []
        for number, board in enumerate(boards[index::2]):
            letters = board.board_fen()
            score = sum(v * (letters.count(k) - letters.count(k.lower())) for k, v in worth.items())
            records.append(Recorded(board, score, 0.5, number).pack())
        (tmp_path / f"games-{index:06}.bin").write_bytes(b"".join(records))
    return tmp_path


def test_the_engine_evaluates_as_the_trainer_does(
    boards: list[chess.Board], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = folder / "some.nnue"
    arguments = ["--neurons", "32", "--places", "4", "--steps", "20", "--batch", "50"]
    assert torch_training.main([str(folder), str(path), *arguments]) == 0
    said = capsys.readouterr().out.splitlines()
    first, last = (float(said[row].split()[5].rstrip(",")) for row in (0, 19))
    assert last < first
    positions = torch_training.DevicePositions([folder / "games-000000.bin"], "cpu")
    weights = network_file.read(path)
    network = torch_training.Network(32, 4)
    torch_training.train(
        network, torch_training.DevicePositions([folder / "games-000001.bin"], "cpu"),
        20, 50, 0.002, 110, 102, tell=lambda line: None,
    )  # fmt: skip
    assert network.weights().pack() == weights.pack()  # the same every time
    network_file.choose(weights)
    try:
        for board, value in zip(
            boards[0::2], torch_training.evaluations(network, positions).tolist(), strict=True
        ):
            position = Position(new_board(board.fen()))
            assert position.accumulator.network.evaluate(position.board) == pytest.approx(
                value, abs=1
            )
    finally:
        network_file.choose(None)


def test_training_continues_from_a_network(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = tmp_path / "first.nnue", tmp_path / "second.nnue"
    few = ["--neurons", "32", "--places", "4", "--batch", "50", "--steps"]
    assert torch_training.main([str(folder), str(first), *few, "20"]) == 0
    weights = network_file.read(first)
    network = torch_training.Network(32, 4)
    network.start_from(weights)
    assert network.weights().pack() == weights.pack()
    capsys.readouterr()
    start = ["--start", str(first)]
    assert torch_training.main([str(folder), str(second), *few, "1", *start]) == 0
    assert network_file.read(second).pack() != weights.pack()
    assert torch_training.main([str(folder), str(second), *few, "1", *start, "--places", "1"]) == 1
    assert "first.nnue: it has a different shape" in capsys.readouterr().err


def test_invalid_training_data_is_reported_in_one_line(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = [str(folder), str(tmp_path / "x"), "--batch", "1000"]
    assert torch_training.main(arguments) == 1
    assert "150 positions are less than a batch" in capsys.readouterr().err
    (folder / "games-000001.bin").unlink()
    assert torch_training.main(arguments) == 1
    assert "has fewer than two files of positions" in capsys.readouterr().err

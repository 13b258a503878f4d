"""`halbzug train`: trains a network from scratch, with which the engine plays."""

from __future__ import annotations

import functools
import re
from pathlib import Path
from typing import Any

import chess
import pytest
from command_line import Command
from recorded_positions import Recorded, unpack

from halbzug.board.movegen import new_board
from halbzug.eval import network_file
from halbzug.eval.network import Network
from halbzug.eval.network_file import Weights
from halbzug.tuning import own_network, own_scores
from halbzug.tuning.own_network import NetworkPlan
from halbzug.tuning.positions_file import COLUMNS, read_columns
from halbzug.tuning.searcher import LabError

np = pytest.importorskip("numpy")
pytest.importorskip("scipy")
training = pytest.importorskip("halbzug.tuning.numpy_training")

FENS = (
    chess.STARTING_FEN,
    "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/3P1N2/PPP2PPP/RNBQK2R w KQkq - 0 5",
    "8/5k2/8/1B6/6P1/3K1P2/8/6b1 b - - 0 1",
    "2kr3r/ppp2ppp/2n5/8/3P4/2P5/P4PPP/R1B2RK1 b - - 0 16",
)
PGN = """[Result "1-0"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 1-0

[Result "0-1"]

1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Bg5 Be7 5. e3 O-O 6. Nf3 h6 7. Bh4 b6 8. cxd5 exd5 0-1

[Result "*"]

1. Nf3 d5 2. g3 c5 3. Bg2 Nc6 4. d4 e6 *
"""


def small(**changes: Any) -> NetworkPlan:
    return NetworkPlan(**{"seconds": 1, "neurons": 32, "file_positions": 40, **changes})


def batch(result_share: float = 0.0) -> Any:
    records = [
        Recorded(chess.Board(fen), score, result, 1).pack()
        for fen, score, result in zip(FENS, (20, 35, -80, 210), (0.5, 1, 0, 1), strict=True)
    ]
    columns = np.frombuffer(b"".join(records), np.dtype(list(COLUMNS)))
    return training.TrainingBatch(columns, result_share)


def trained(neurons: int = 32) -> Any:
    network = training.NumpyNetwork(neurons)
    for _ in range(20):
        network.learn([batch()], 0.01)
    return network


def played(weights: Weights, fen: str) -> int:
    """The output of the engine's own network, for the side to move."""
    board = new_board(fen)
    network = Network(weights)
    for square, piece in board.piece_map().items():
        network.add(piece.color, piece.piece_type, square)
    return int(network.evaluate(board))


def test_the_engine_evaluates_as_the_trainer_does() -> None:
    network = trained()
    found = network.evaluate(batch()) * training.UNIT
    weights = network_file.unpack(network.weights().pack())
    assert [played(weights, fen) for fen in FENS] == pytest.approx(found.tolist(), abs=2)


def test_the_gradient_is_that_of_the_error() -> None:
    network = trained()
    wanted = np.array([0.1, -0.2, 0.3, 0.4], np.float32)
    gradient = network.gradient(batch(), network.rounded(), lambda found: wanted)
    for name, where in (("biases", (3,)), ("outputs", (7, 0, 3)), ("inputs", (8, 35))):
        numbers = network.numbers[name]
        before, around = numbers[where], []
        for change in (0.02, -0.02):  # more than the rounding
            numbers[where] = before + change
            around.append(float(network.evaluate(batch()) @ wanted))
        numbers[where] = before
        slope = (around[0] - around[1]) / 0.04
        assert gradient[name][where] == pytest.approx(slope, rel=0.1, abs=0.01)


def test_scores_and_results_are_learnt_for_the_side_to_move() -> None:
    by_score, by_result = batch().expected, batch(1.0).expected
    assert [value > 0.5 for value in by_score] == [True, True, True, False]
    assert by_result.tolist() == [0.5, 1, 1, 0]


@pytest.mark.any_build
def test_the_results_of_games_in_a_file_are_learnt(tmp_path: Path) -> None:
    games = tmp_path / "games.pgn"
    games.write_text(PGN * 6)
    folder = tmp_path / "work"
    plan = small(seconds=4000, games=str(games), file_positions=400)
    recorded = own_network.record(plan, folder)
    assert recorded < 3000, "the end of the file ends the recording"
    columns = [
        read_columns(path)
        for path in sorted((folder / "positions").glob("games-*.bin"))
        if path.stat().st_size
    ]
    found = np.concatenate(columns)
    assert set(found["result"].tolist()) == {0, 2}
    assert set((found["game"] % 3).tolist()) == {1, 2}


@pytest.mark.any_build
def test_a_few_games_are_enough_but_not_one(tmp_path: Path) -> None:
    games, target = tmp_path / "games.pgn", tmp_path / "my.nnue"
    games.write_text(PGN * 6)
    plan = small(games=str(games), file_positions=400)
    own_network.make_network(plan, target, tmp_path / "work", lambda line: None)
    assert network_file.read(target).neurons == 32
    games.write_text(PGN)
    with pytest.raises(LabError, match=r"has \d positions, which are too few"):
        own_network.make_network(plan, target, tmp_path / "other", lambda line: None)


def test_an_exchange_is_played_to_its_end_before_a_position_is_recorded(tmp_path: Path) -> None:
    games = tmp_path / "games.pgn"
    start = '[FEN "3qk3/8/8/8/8/8/PPP5/3QK3 w - - 0 1"]\n[Result "1-0"]'
    games.write_text(f"{start}\n\n1. Qxd8+ 1-0\n\n" * 40)
    recipe = own_scores.OwnRecipe(nodes=300, games=str(games), file_positions=400)
    found = [unpack(record) for record in own_scores.own_positions(recipe, 0)]
    assert found, "one in four positions is drawn"
    assert all(one.score > 200 and not one.board.queens for one in found)


def write_files(folder: Path, count: int) -> Path:
    """Files of positions as `halbzug.tuning.visits` would write them."""
    folder.mkdir()
    records = b"".join(Recorded(chess.Board(fen), 20, 0.5, 1).pack() for fen in FENS)
    for number in range(count):
        (folder / f"games-{number:06}.bin").write_bytes(records)
    return folder


def learn(folder: Path, first: Path | None = None) -> tuple[Weights, list[Any]]:
    state = folder.with_suffix(".npz")
    return training.train(folder, state, 0.2, 32, first=first, tell=lambda line: None)


def test_more_files_are_learnt_than_a_process_may_open(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    folder = write_files(tmp_path / "positions", 80)
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    open_files = len(list(Path("/dev/fd").iterdir()))
    resource.setrlimit(resource.RLIMIT_NOFILE, (open_files + 40, before[1]))
    try:
        _, looks = learn(folder, first=folder)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
    assert looks


def test_one_file_of_those_learnt_first_is_held_out(tmp_path: Path) -> None:
    positions, first = (write_files(tmp_path / name, 1) for name in ("positions", "first"))
    with pytest.raises(LabError, match="fewer than two files"):
        learn(write_files(tmp_path / "two", 2), first)
    with pytest.raises(LabError, match="too few"):
        learn(positions)


def test_the_visited_positions_depend_only_on_the_seed() -> None:
    recipe = own_scores.OwnRecipe(file_positions=30, nodes=20)
    first = list(own_scores.own_positions(recipe, 3))
    assert len(first) == 30 and first == list(own_scores.own_positions(recipe, 3))
    assert first != list(own_scores.own_positions(recipe, 4))


@pytest.mark.any_build
def test_the_command_trains_draws_and_continues(
    halbzug: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    small_plan = functools.partial(NetworkPlan, file_positions=40)
    monkeypatch.setattr(own_network, "NetworkPlan", small_plan)
    arguments = ("train", "my.nnue", "--neurons", "32", "--plot", "errors.svg")

    def positions(hours: str) -> int:
        said = halbzug.output(*arguments, "--hours", hours).splitlines()[-1]
        found = re.fullmatch(r"my.nnue: 32 neurons, ([\d,]+) positions learnt, error .*", said)
        assert found
        return int(found[1].replace(",", ""))

    first = positions("0.00001")
    files = sorted(halbzug.folder.glob("my.nnue.training/*/games-*.bin"))
    assert {path.parent.name for path in files} == {"static", "positions"}
    known = {path: path.read_bytes() for path in files}
    assert positions("0.0001") >= first > 0
    assert known == {path: path.read_bytes() for path in files}
    assert network_file.read(halbzug.folder / "my.nnue").neurons == 32
    assert "<svg" in (halbzug.folder / "errors.svg").read_text()
    process = halbzug.run("train", "my.nnue", "--neurons", "64")
    assert process.returncode and "belongs to another network" in process.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--neurons", "50"), "--neurons must be a multiple of 32"),
        (("--from", "missing.pgn"), "missing.pgn"),
        (("--from", "a.pgn", "--teacher", "stockfish"), "--from and --teacher cannot be combined"),
        (("--plot", "errors.txt"), "errors.txt"),
        (("--teacher", "no_such_engine"), "no_such_engine"),
    ],
)
def test_invalid_arguments_are_reported_in_one_line(
    halbzug: Command, arguments: tuple[str, ...], message: str
) -> None:
    process = halbzug.run("train", "my.nnue", *arguments)
    assert process.returncode and message in process.stderr
    assert len(process.stderr.splitlines()) <= 3

"""The trainer: its gradient, what it learns, reproducible bytes, and its network in the engine."""

from __future__ import annotations

import base64
import json
import os
import random
import runpy
import shutil
import signal
import subprocess
import sys
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import chess
import pytest
from checkout import ROOT, link_rooms, own_room
from positions import Game

from halbzug.board.movegen import BUILD
from halbzug.eval.network import HIDDEN, MAX_ROW
from halbzug.search.position import Position
from halbzug.tuning.positions_file import COLUMNS, SIZE, Recorded, unpack

pytest.importorskip("numpy")
pytest.importorskip("cython")
import numpy as np

from halbzug.base.whole_file import Claim
from halbzug.tuning import backpropagation, recipe, recording, train, visits
from halbzug.tuning.backpropagation import BLOCK, Backpropagation
from halbzug.tuning.network_data import Positions, load, swings
from halbzug.tuning.quantisation import (
    INPUTS,
    MAX_INPUT,
    MAX_OUTPUT,
    ROWS,
    UNIT,
    IntegerNetwork,
    joined,
    render,
    split,
    views,
)
from halbzug.tuning.recipe import Training
from halbzug.tuning.searcher import LabError
from halbzug.tuning.terms import Terms

pytestmark = [
    pytest.mark.any_build,
    pytest.mark.skipif(BUILD == "pure", reason="the trainer is compiled"),
]

RECIPE = """
[[visits]]
count = 400
engine = "nobody"
depth = 0
file_positions = 200
seed = 1

[training]
neurons = 64
epochs = 3
batch = 64
step = 0.001
decay = 0.01
scale = 130
score_scale = 130
held_out = 10
seed = 1
warm_start = false
mirrored = false
max_swing = 0
"""

PLAN = Training(
    neurons=64, epochs=3, batch=50, step=1e-3, decay=0.01, scale=130.0, score_scale=130.0,
    held_out=10, seed=1, warm_start=False, mirrored=False, max_swing=0,
)  # fmt: skip

SCALE, SCORE_SCALE, LIMIT = 130.0, 115.0, 250.0


def made_up(count: int, seed: int = 1) -> Positions:
    """Positions of random games with random scores and results."""
    chooser = random.Random(seed)
    records, board = [], chess.Board()
    while len(records) < count:
        moves = list(board.legal_moves)
        if not moves or board.ply() > 150:
            board = chess.Board()
            continue
        board.push(chooser.choice(moves))
        if chooser.random() < 0.3:
            score, result = chooser.randint(-800, 800), chooser.choice((0.0, 0.5, 1.0))
            records.append(Recorded(board.copy(stack=False), score, result, len(records)).pack())
    data = b"".join(records)
    return Positions(np.frombuffer(data, np.uint64), np.array(Terms().of(data)))


def fens(positions: Positions) -> list[str]:
    data = positions.records.tobytes()
    return [unpack(data[first : first + SIZE]).board.fen() for first in range(0, len(data), SIZE)]


def loops_of(positions: Positions, weights: Any, size: int = 0) -> Backpropagation:
    moments = np.zeros(2 * len(weights), np.float32)
    size = size or len(positions)
    return Backpropagation(
        positions.records,
        positions.terms,
        weights,
        moments,
        size,
        SCALE,
        SCORE_SCALE,
        LIMIT,
        UNIT,
    )


def forward(
    loops: Backpropagation,
    count: int,
    advantage: float,
    first: int = 0,
    key: int = 0,
    neurons: int = 64,
):
    loops.choose(first, count, key)
    loops.gather(0, count)
    for block in range(neurons // BLOCK):
        loops.forward(block)
    loops.judge(advantage)


def random_weights(seed: int = 1) -> Any:
    """Weights with which some neurons are off, some saturated, and some views beyond the limit."""
    chooser = np.random.default_rng(seed)
    inputs, outputs = chooser.normal(0, 0.2, (INPUTS, 64)), chooser.normal(0, 0.12, (ROWS, 64))
    return joined(inputs, chooser.normal(0.2, 0.1, 64), outputs)


class Oracle:
    """The network and its loss in plain numpy, with 64 bits and without a gradient."""

    def __init__(self, positions: Positions) -> None:
        columns = positions.records.view(np.dtype(list(COLUMNS)))
        self.own, self.other, counts = views(columns)
        self.starts = np.cumsum(counts) - counts
        self.rows = (counts - 1) // 4
        self.terms = positions.terms.astype(float)
        plan = replace(PLAN, scale=SCALE, score_scale=SCORE_SCALE)
        self.targets = train.expected_results(positions, plan)

    def corrections(self, weights: Any) -> Any:
        inputs, biases, outputs = (part.astype(float) for part in split(weights))
        worth = []
        for on, side in zip((self.own, self.other), np.split(outputs, 2), strict=True):
            sums = np.add.reduceat(inputs[on], self.starts, axis=0) + biases
            active = np.clip(sums, 0, 1) ** 2
            worth.append(np.clip(UNIT * (active * side[self.rows]).sum(1), -LIMIT, LIMIT))
        self.is_limited = [bool((np.abs(view) == LIMIT).any()) for view in worth]
        return worth[0] - worth[1]

    def loss(self, weights: Any, advantage: float) -> float:
        total = self.terms + self.corrections(weights) + UNIT * advantage
        return float(((1 / (1 + np.exp(-total / SCALE)) - self.targets) ** 2).mean())


def test_the_gradient_agrees_with_finite_differences() -> None:
    positions, weights = made_up(30), random_weights()
    oracle, loops = Oracle(positions), loops_of(positions, weights)
    advantage = 0.02
    forward(loops, 30, advantage)
    assert loops.squared_error / 30 == pytest.approx(oracle.loss(weights, advantage), rel=1e-5)
    assert np.abs(np.asarray(loops.corrections) - oracle.corrections(weights)).max() < 0.01
    assert all(oracle.is_limited)
    for block in range(2):
        loops.backward(block)
    gradient = np.asarray(loops.gradient).copy()
    # Weights of every kind, most of them with a gradient, which is 0 for inputs that are never on.
    chooser = np.random.default_rng(2)
    rows = np.arange(len(weights)) // BLOCK % backpropagation.ROWS
    kinds = (rows < INPUTS, rows == backpropagation.BIASES, rows >= backpropagation.OUTPUTS)
    exact = weights.astype(float)
    step = 1e-5
    for kind in kinds:
        steep = np.flatnonzero(kind & (np.abs(gradient) > np.abs(gradient[kind]).max() / 100))
        for place in chooser.choice(steep, 15, replace=False):
            losses = []
            for sign in (1, -1):
                moved = exact.copy()
                moved[place] += sign * step
                losses.append(oracle.loss(moved, advantage))
            slope = (losses[0] - losses[1]) / (2 * step)
            assert gradient[place] == pytest.approx(slope, rel=0.02, abs=2e-6)
    assert not gradient[rows == backpropagation.NOTHING].any()
    slope = oracle.loss(weights, advantage + step) - oracle.loss(weights, advantage - step)
    assert loops.slope == pytest.approx(slope / (2 * step), rel=1e-3)


def test_steps_are_those_of_adamw() -> None:
    positions, weights = made_up(40), random_weights()
    loops = loops_of(positions, weights)
    expected = weights.astype(float)
    moment, square = np.zeros_like(expected), np.zeros_like(expected)
    rows = np.arange(len(weights)) // BLOCK % backpropagation.ROWS
    decay = np.where(rows == backpropagation.BIASES, 0, 0.1)
    limit = np.select([rows < INPUTS, rows >= backpropagation.OUTPUTS], [0.4, 0.1], 1e9)
    for number in range(1, 6):
        forward(loops, 40, 0.0)
        for block in range(2):
            loops.backward(block)
        gradient = np.asarray(loops.gradient).astype(float)
        moment = 0.9 * moment + 0.1 * gradient
        square = 0.999 * square + 0.001 * gradient**2
        size = np.sqrt(square / (1 - 0.999**number)) + 1e-9
        expected -= 0.01 * (moment / (1 - 0.9**number) / size + decay * expected)
        expected = np.clip(expected, -limit, limit)
        for block in range(2):
            loops.update(block, number, 0.01, 0.1, 0.4, 0.1)
        assert np.abs(weights - expected).max() < 2e-5
        assert not np.asarray(loops.gradient).any()


@pytest.mark.parametrize("count", [1, 2, 7, 64, 65, 300])
def test_an_epoch_contains_every_position_once_in_a_new_order(count: int) -> None:
    positions = made_up(count)
    loops = loops_of(positions, random_weights(), 10)

    def epoch(key: int) -> list[float]:
        found = []
        for first in range(0, count, 10):
            size = min(10, count - first)
            forward(loops, size, 0.0, first, key)
            found += np.asarray(loops.corrections)[:size].tolist()
        return found

    straight, one, other = epoch(0), epoch(12345), epoch(54321)
    assert sorted(straight) == sorted(one) == sorted(other)
    if count > 60:
        assert straight != one != other


def test_it_computes_what_the_engine_computes() -> None:
    """The shipped weights give the same result, as floating-point numbers up to rounding."""
    engine = IntegerNetwork.of_engine()
    positions = made_up(150)
    floating = train.first_weights(replace(PLAN, neurons=HIDDEN, warm_start=True))
    loops = loops_of(positions, floating)
    forward(loops, 150, 0.0, neurons=HIDDEN)
    whole = engine.corrections(positions.records)
    for fen, one, other in zip(fens(positions), whole, loops.corrections, strict=True):
        assert one == correction(Game(fen).position())
        assert abs(one - other) <= 1.01
    again = IntegerNetwork.rounded(floating)
    assert (again.inputs == engine.inputs).all()
    assert (again.biases == engine.biases).all()
    assert (again.outputs == engine.outputs).all()


def test_additional_terms_are_of_the_same_positions() -> None:
    positions, weights = made_up(40), random_weights()
    data = positions.records.tobytes()
    found = [unpack(data[first : first + SIZE]) for first in range(0, len(data), SIZE)]
    turned = b"".join(
        replace(one, board=one.board.transform(chess.flip_horizontal)).pack() for one in found
    )
    other = Positions(np.frombuffer(turned, np.uint64), np.array(Terms().of(turned)))
    both = loops_of(Positions(positions.records, np.append(positions.terms, other.terms)), weights)
    alone = [loops_of(one, weights) for one in (positions, other)]
    for first, loops in zip((0, 40), alone, strict=True):
        forward(both, 40, 0.0, first)
        forward(loops, 40, 0.0)
        # Pieces are added up in a different order.
        assert np.allclose(both.corrections[:40], loops.corrections, atol=0.01)
        assert both.squared_error == pytest.approx(loops.squared_error, rel=1e-5)
    assert not np.allclose(*(loops.corrections for loops in alone), atol=0.01)


def correction(position: Position) -> int:
    """The output of the engine's network, in centipawns for the side to move."""
    sums, count = position.accumulator.network, position.board.occupied.bit_count()
    turn = position.board.turn
    return sums.output(turn, count, True) - sums.output(not turn, count, False)


def test_the_written_file_can_be_read_back(tmp_path: Path) -> None:
    network = IntegerNetwork.rounded(train.first_weights(PLAN))
    path = tmp_path / "network_weights.py"
    path.write_text(render(network, "By nobody."), encoding="utf-8")
    written = runpy.run_path(str(path))
    assert base64.b64decode(written["INPUTS"]) == network.inputs.astype(np.int8).tobytes()
    assert written["BIASES"] == tuple(network.biases)
    assert written["OUTPUTS"] == tuple(map(tuple, network.outputs))
    assert "By nobody." in path.read_text(encoding="utf-8")


def test_it_learns_what_the_terms_do_not_know() -> None:
    """Here queens on d4 and d5 are worth something, and the network finds out."""
    chooser = random.Random(1)
    records = []
    for number in range(2000):
        board = chess.Board("6k1/8/8/8/8/8/8/6K1 w - - 0 1")
        board.turn = bool(number % 2)
        squares = chooser.sample([chess.D4, chess.D5, chess.A1, chess.A8, chess.H4], 2)
        for square, symbol in zip(squares, "Qq", strict=True):
            board.set_piece_at(square, chess.Piece.from_symbol(symbol))
        good = (squares[0] == chess.D4) - (squares[1] == chess.D5)
        records.append(Recorded(board, 110 * good, 0.5, number).pack())
    data = np.frombuffer(b"".join(records), np.uint64)
    positions = Positions(data, np.zeros(2000, np.int16))
    plan = replace(PLAN, epochs=100, batch=500)
    trainer = train.Trainer(plan, positions, positions, 2)
    before, _ = train.squared_error(positions, np.zeros(2000), plan)
    trainer.run(lambda: None, lambda line: None)
    assert trainer.error() < before / 5


def test_the_weights_do_not_make_up_for_the_right_to_move() -> None:
    """It is included from the first step, so that a short training does not spoil what is known."""
    records = []
    for number in range(400):
        board = chess.Board("6k1/8/8/8/8/8/8/6K1 w - - 0 1")
        board.turn = bool(number % 2)
        records.append(Recorded(board, 60 if board.turn else -60, 0.5, number).pack())
    data = np.frombuffer(b"".join(records), np.uint64)
    positions = Positions(data, np.zeros(400, np.int16))
    plan = replace(PLAN, neurons=HIDDEN, epochs=1, batch=100, step=1e-6)
    trainer = train.Trainer(replace(plan, warm_start=True), positions, positions, 1)
    assert trainer.error() < 1e-5
    trainer.run(lambda: None, lambda line: None)
    assert trainer.error() < 1e-5


def trained(threads: int, plan: Training = PLAN) -> train.Trainer:
    trainer = train.Trainer(plan, made_up(400), made_up(90, 2), threads)
    trainer.run(lambda: None, lambda line: None)
    return trainer


def test_any_number_of_threads_gives_the_same_bits() -> None:
    one, three = trained(1), trained(3)
    assert one.weights.tobytes() == three.weights.tobytes()
    assert one.history == three.history
    other = trained(1, replace(PLAN, seed=2))
    assert other.weights.tobytes() != one.weights.tobytes()


class StoppedError(Exception):
    """An interruption."""


@pytest.mark.parametrize(
    "stop_at", [5, *(pytest.param(batch, marks=pytest.mark.slow) for batch in (1, 9))]
)
def test_training_continues_after_any_batch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stop_at: int
) -> None:
    monkeypatch.setattr(train, "_SAVE_SECONDS", -1.0)  # after every batch
    path, saves = tmp_path / "checkpoint.npz", 0
    stopped = train.Trainer(PLAN, made_up(400), made_up(90, 2), 1)

    def save() -> None:
        nonlocal saves
        saves += 1
        path.write_bytes(stopped.state("this"))
        if saves == stop_at:
            raise StoppedError

    with pytest.raises(StoppedError):
        stopped.run(save, lambda line: None)
    resumed = train.Trainer(PLAN, made_up(400), made_up(90, 2), 1)
    resumed.restore(path, "this")
    assert resumed.done == stopped.done > 0
    resumed.run(lambda: None, lambda line: None)
    whole = trained(1)
    assert resumed.weights.tobytes() == whole.weights.tobytes()
    assert resumed.history == whole.history
    with pytest.raises(LabError, match="of another recipe"):
        resumed.restore(path, "that")
    path.write_bytes(b"something else")
    with pytest.raises(LabError, match="not a checkpoint"):
        resumed.restore(path, "this")


def test_no_weight_exceeds_a_byte() -> None:
    trainer = trained(1, replace(PLAN, step=0.5, epochs=2))
    inputs, _, outputs = split(trainer.weights)
    assert np.abs(inputs).max() <= np.float32(MAX_INPUT)
    assert np.abs(outputs).max() <= np.float32(MAX_OUTPUT)
    network = IntegerNetwork.rounded(trainer.weights)
    assert np.abs(network.inputs).max() == np.abs(network.outputs).max() == 127
    limit = network.at_limit()
    assert limit["outputs"] == (np.abs(network.outputs) == 127).sum() > 0


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("neurons = 64", "neurons = 65"), "[training]: neurons must be a multiple of 32"),
        (("neurons = 64", "neurons = 6.4"), "[training] needs a whole number neurons"),
        (("epochs = 3", ""), "[training] needs a whole number epochs"),
        (("epochs = 3", "epochs = 0"), "[training]: epochs cannot be 0"),
        (("max_swing = 0", "max_swing = -1"), "[training]: max_swing must be 0 or more"),
        (("decay", "decoy"), "[training] has no 'decoy'"),
        (("false", "1"), "[training] needs true or false as warm_start"),
        (("seed = 1", "seed = true"), "[visits] needs a whole number seed"),
        (("[[visits]]", "[[visit]]"), "'visit' is unknown"),
        (("[[visits]]", "[[visits"), "(at line"),
    ],
)
def test_an_invalid_recipe_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], change: tuple[str, str], words: str
) -> None:
    path = tmp_path / "recipe.toml"
    path.write_text(RECIPE.replace(*change), encoding="utf-8")
    assert train.main([str(path), str(tmp_path / "network")]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"python -m halbzug.tuning.train: {path}: ")
    assert words in line


def test_the_shipped_recipe_can_be_read() -> None:
    path = ROOT / "uci_engine" / "tuning" / "recipes" / "visits-512.toml"
    assert recipe.read_recipe(path).training.neurons == HIDDEN


def write_visits(folder: Path, seed: int = 1) -> None:
    """Write the positions of `RECIPE` as if they had been recorded."""
    folder.mkdir(parents=True)
    for index in range(2):
        data = made_up(200, 10 * seed + index).records.tobytes()
        recording.file_of(folder, index).write_bytes(data)
    plan = visits.VisitsRecipe(engine="nobody", file_positions=200, seed=seed)
    known = {**asdict(plan), visits.MAKER: "a test"}
    (folder / "recipe.json").write_text(json.dumps(known), encoding="utf-8")


def test_several_sources_have_their_own_folders(tmp_path: Path) -> None:
    head, training = RECIPE.split("[training]")
    path = tmp_path / "recipe.toml"
    other = head.replace("seed = 1", "seed = 2")
    path.write_text(f"{head}{other}[training]{training}", "utf-8")
    for seed in (1, 2):
        write_visits(tmp_path / str(seed), seed)
    found = recipe.read_recipe(path)
    files = found.provide(tmp_path, 2)
    assert [file.parent.name for file in files] == ["1", "1", "2", "2"]
    learnt, held_out = load(files, 50, 1, print)
    records = sum(file.stat().st_size for file in files) // SIZE
    assert 0 < records - len(learnt) - len(held_out) < records / 4  # the decided positions
    errors = {"terms": 0.0, "trained": 0.0, "rounded": 0.0}
    said = train.provenance(found, {"errors": errors, "positions": 3, "held_out": 1})
    assert "seed 1 and of" in " ".join(said.split())


def test_whole_games_are_held_out_and_decided_positions_left_out(tmp_path: Path) -> None:
    data = bytearray(made_up(120).records.tobytes())
    for index in range(120):  # three positions of one game
        data[SIZE * (index + 1) - 4 : SIZE * (index + 1)] = (index // 3).to_bytes(4, "little")
    files = [tmp_path / f"games-{index:06}.bin" for index in range(2)]
    for file, part in zip(files, (data[: 60 * SIZE], data[60 * SIZE :]), strict=True):
        file.write_bytes(part)
    told: list[str] = []
    learnt, held_out = load(files, 10, 2, told.append)
    assert told == ["terms of 2 of 2 files"]
    games = [set(games_of(positions)) for positions in (learnt, held_out)]
    assert games[0] | games[1] <= set(range(40))
    assert games[1] == {0, 10, 20, 30}
    assert not games[0] & games[1]
    terms = Terms()
    values = terms.of(bytes(data))
    assert len(learnt) + len(held_out) == sum(abs(value) < 1500 for value in values) < 120
    for positions in (learnt, held_out):
        assert positions.terms.tolist() == terms.of(positions.records.tobytes()).tolist()
    (folder,) = tmp_path.glob("terms-*")
    cut = folder / "games-000001.bin"
    whole = cut.read_bytes()
    cut.write_bytes(whole[:-2])
    again, _ = load(files, 10, 2, told.append)
    assert told[1:] == ["terms of 1 of 1 file"]
    assert cut.read_bytes() == whole
    assert again.checksum() == learnt.checksum()
    both, out = load(files, 10, 2, told.append, is_mirrored=True)
    assert told[2:] == ["terms of 2 of 2 files"]
    assert out.checksum() == held_out.checksum()
    records = both.records.tobytes()
    ways = [terms.of(records, is_other).tolist() for is_other in (False, True)]
    assert both.terms.tolist() == ways[0] + ways[1]
    assert max(map(abs, both.terms.tolist())) < 1500
    assert len(learnt) - 3 < len(records) // SIZE <= len(learnt)
    with pytest.raises(FileNotFoundError, match=r"games-000002\.bin"):
        load([*files, tmp_path / "games-000002.bin"], 10, 2, told.append)
    with pytest.raises(LabError, match="too few positions"):
        load(files, 1, 2, told.append)


def test_positions_after_bad_moves_are_left_out(tmp_path: Path) -> None:
    """Their scores differ from those of the positions around them."""
    columns = np.frombuffer(made_up(60).records.tobytes(), np.dtype(list(COLUMNS))).copy()
    columns["game"] = np.arange(60) // 20
    columns["score"] = np.array([0, 300, -200])[columns["game"]]
    columns["score"][[0, 7, 25, 59]] += np.array([101, -500, 100, 400], np.int16)
    # The evaluation changes for good here, and the next game has only one position.
    columns["score"][33:40] += np.int16(900)
    columns["game"][19] = 9
    found = swings(columns)
    assert found[[0, 7, 25, 59]].tolist() == [101, 500, 100, 400]
    assert set(np.delete(found, [0, 7, 25, 59]).tolist()) == {0}
    file = tmp_path / "games-000000.bin"
    file.write_bytes(columns.tobytes())
    for is_mirrored in (False, True):
        every, some = (
            load([file], 3, 1, print, is_mirrored=is_mirrored, max_swing=limit)
            for limit in (0, 100)
        )
        for positions, kept in zip(every, some, strict=True):
            swung = {(0, 101), (0, -500), (2, 200)}
            columns = positions.records.view(np.dtype(list(COLUMNS)))
            facts = [
                (int(game), int(score))
                for game, score in zip(columns["game"], columns["score"], strict=True)
            ]
            left = [index for index, fact in enumerate(facts) if fact not in swung]
            ways = (-1, len(facts))
            terms = positions.terms.reshape(ways)[:, left]
            assert kept.terms.reshape(-1, len(left)).tolist() == terms.tolist()
            records = positions.records.reshape(-1, SIZE // 8)
            assert kept.records.tolist() == records[left].ravel().tolist()
    # The held-out game lost two positions, the others one.
    assert [len(positions) for positions in every] > [len(positions) for positions in some]


def games_of(positions: Positions) -> list[int]:
    columns = positions.records.view(np.dtype(list(COLUMNS)))
    return [int(game) for game in columns["game"]]


def command(plan: Path, folder: Path, *options: str) -> list[str]:
    return [sys.executable, "-m", "halbzug.tuning.train", str(plan), str(folder), *options]


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """The file of a small recipe."""
    path = tmp_path / "recipe.toml"
    path.write_text(RECIPE, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a network that was made from scratch."""
    folder = tmp_path_factory.mktemp("made") / "network"
    plan = folder.with_name("recipe.toml")
    plan.write_text(RECIPE, encoding="utf-8")
    write_visits(folder / "positions")
    subprocess.run(command(plan, folder, "--cores", "1"), check=True, capture_output=True)
    return folder


RESULTS = ("network_weights.py", "report.json")


def test_another_recipe_is_refused_before_positions_are_made(
    small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "network"
    (folder / "positions").mkdir(parents=True)
    (folder / "positions" / "letter.txt").write_text("Dear Ann")  # this would be reported first
    other = replace(recipe.read_recipe(small).training, seed=99)
    identity = json.dumps({"training": asdict(other)})
    np.savez(folder / "checkpoint.npz", identity=np.array(identity))
    assert train.main([str(small), str(folder)]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert "checkpoint.npz is of another recipe or other positions" in line


@pytest.mark.slow
def test_the_small_recipe_gives_the_same_bytes_again(
    made: Path, small: Path, tmp_path: Path
) -> None:
    again = tmp_path / "again"
    write_visits(again / "positions")
    subprocess.run(command(small, again, "--cores", "2"), check=True, capture_output=True)
    for name in RESULTS:
        assert (made / name).read_bytes() == (again / name).read_bytes()


@pytest.mark.slow
def test_a_killed_training_ends_with_the_same_bytes(
    made: Path, small: Path, tmp_path: Path
) -> None:
    plan = tmp_path / "longer.toml"
    plan.write_text(RECIPE.replace("epochs = 3", "epochs = 40"), "utf-8")
    positions = ("--positions", str(made / "positions"), "--cores", "1")
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    subprocess.run(command(plan, whole, *positions), check=True, capture_output=True)
    killings = 0
    for epochs in (1, 12):
        process = subprocess.Popen(
            command(plan, killed, *positions), stdout=subprocess.PIPE, text=True
        )
        assert process.stdout
        seen = 0
        while seen < epochs and (line := process.stdout.readline()):
            seen += line.startswith("epoch")
        process.send_signal(signal.SIGKILL)
        killings += process.wait() == -signal.SIGKILL
        process.stdout.close()
    assert killings
    assert (killed / "checkpoint.npz").exists()
    subprocess.run(command(plan, killed, *positions), check=True, capture_output=True)
    for name in RESULTS:
        assert (whole / name).read_bytes() == (killed / name).read_bytes()
    other = subprocess.run(
        command(small, killed, *positions), capture_output=True, text=True, check=False
    )
    assert other.returncode == 1
    (line,) = other.stderr.splitlines()
    assert "is of another recipe or other positions" in line


@pytest.mark.slow
def test_the_engine_plays_with_the_weights_and_has_the_reported_errors(
    made: Path, small: Path, tmp_path: Path
) -> None:
    """The report's errors are those of the engine itself, with the written file as its weights."""
    shutil.copy(made / "network_weights.py", own_room(link_rooms(tmp_path), "eval"))
    script = (
        "import json, sys; from halbzug.board.movegen import new_board\n"
        "from halbzug.search.position import Position\n"
        "def ask(fen):\n"
        "    p = Position(new_board(fen)); n = p.accumulator.network\n"
        "    c, turn = p.board.occupied.bit_count(), p.board.turn\n"
        "    return n.output(turn, c, True) - n.output(not turn, c, False)\n"
        "print(json.dumps([ask(fen) for fen in json.load(sys.stdin)]))\n"
    )
    plan = recipe.read_recipe(small)
    files = sorted((made / "positions").glob("games-*.bin"))
    _, held_out = load(files, plan.training.held_out, 2, print)
    answer = subprocess.run(
        [sys.executable, "-c", script], input=json.dumps(fens(held_out)), cwd=tmp_path,
        capture_output=True, text=True, check=True,
        env={**os.environ, "HALBZUG_PURE": "1"},  # compiled code has other neurons
    )  # fmt: skip
    corrections = np.array(json.loads(answer.stdout))
    report = json.loads((made / "report.json").read_text("utf-8"))
    assert report["held_out"] == len(held_out) == len(corrections)
    assert corrections.any()
    oracle, _ = train.squared_error(held_out, corrections, plan.training)
    assert report["errors"]["rounded"] == pytest.approx(oracle, abs=1e-12)
    with np.load(made / "checkpoint.npz") as found:
        exact = Oracle(held_out).corrections(found["weights"])
    lost = np.abs(corrections - exact)
    assert report["rounding"]["mean_centipawns"] == pytest.approx(lost.mean(), abs=1e-3)
    assert report["rounding"]["max_centipawns"] == pytest.approx(lost.max(), abs=1e-3)
    assert 0 < lost.max() < 10


def test_without_numpy_no_position_is_recorded(
    small: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    assert train.main([str(small), str(small.with_name("network"))]) == 1
    assert 'needs numpy: `pip install -e ".[tuning]"`' in capsys.readouterr().err
    assert not small.with_name("network").exists()


def test_weights_that_the_engine_cannot_add_up_are_not_written() -> None:
    """The sum over all neurons must fit into 32 bits, however many they are."""
    network = IntegerNetwork.of_engine()
    limit = MAX_ROW // 127
    outputs = np.zeros((ROWS, limit + 1), np.int64)
    inputs, biases = np.zeros((INPUTS, limit + 1)), np.zeros(limit + 1)
    for sign in (1, -1):
        outputs[3] = sign * 127
        outputs[3, 0] = sign * (MAX_ROW - limit * 127)
        assert render(replace(network, inputs=inputs, biases=biases, outputs=outputs), "one")
        outputs[3, 0] += sign
        with pytest.raises(LabError, match="the output weights of a row come to more than 32767"):
            render(replace(network, inputs=inputs, biases=biases, outputs=outputs), "one")
        outputs[3] = 0


def test_two_trainings_in_one_folder_are_kept_apart(
    small: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = small.with_name("network")
    folder.mkdir()
    with Claim(folder):
        assert train.main([str(small), str(folder)]) == 1
    assert "another process is writing it" in capsys.readouterr().err

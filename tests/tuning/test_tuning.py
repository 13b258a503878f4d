"""The tuner recovers known weights, and writes what it has found."""

from __future__ import annotations

import math
import random
import runpy
import shutil
import sys
from pathlib import Path

import chess
import pytest
from match_runs import fake

import halbzug.eval
from halbzug.board.movegen import new_board
from halbzug.eval.features import score
from halbzug.eval.weights import WEIGHTS
from halbzug.tuning.selfplay import Sample, SelfPlay

pytest.importorskip("numpy")
from halbzug.tuning import label, tune

pytestmark = pytest.mark.any_build


def synthetic(number: int, weights: tune.Table, scale: float) -> list[Sample]:
    """Random positions whose results follow the given weights exactly."""
    chooser = random.Random(7)
    samples = []
    while len(samples) < number:
        board = chess.Board()
        for _ in range(chooser.randrange(10, 70)):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(chooser.choice(moves))
        if board.is_valid():
            evaluation = score(new_board(board.fen()), weights)
            if not board.turn:
                evaluation = -evaluation
            result = 1 / (1 + 10 ** (-scale * evaluation))
            samples.append(Sample(board.fen(), len(samples), result, evaluation))
    return samples


def with_tempo(middlegame: int, endgame: int) -> tune.Table:
    """The weights with a different value of the right to move."""
    return {**WEIGHTS, "tempo": ((middlegame, endgame),)}


@pytest.mark.slow
def test_planted_weights_are_recovered():
    planted = WEIGHTS
    fit = tune.Fit(
        tune.extract(synthetic(400, planted, 0.0015)),
        with_tempo(-60, -60),
        blend=0.0,
        hold=1e-6,
    )
    before = fit.error(fit.held_out, fit.start)
    fit.run(150)
    assert fit.error(fit.held_out, fit.weights) < before / 2
    found, wanted = fit.table()["tempo"][0], planted["tempo"][0]
    assert abs(found[0] - wanted[0]) < 50  # starting from a hundred


def test_weights_that_never_occur_stay_unchanged():
    fit = tune.Fit(tune.extract(synthetic(30, WEIGHTS, 0.0015)), WEIGHTS)
    fit.run(5)
    assert fit.table()["mop_up_corner"] == WEIGHTS["mop_up_corner"]
    seen = {fit.features[column] for column in fit.training.columns}
    for (name, index), pair in zip(fit.features, fit.weights, strict=True):
        if (name, index) not in seen:
            assert tuple(pair) == WEIGHTS[name][index]


def test_positions_of_a_game_stay_together():
    samples = [Sample(chess.STARTING_FEN, game, 0.5, 0) for game in range(40) for _ in range(3)]
    fit = tune.Fit(tune.extract(samples), WEIGHTS)
    assert len(fit.held_out) == 3 * 40 // tune.HELD_OUT
    assert not set(fit.held_out.games) & set(fit.training.games)


def test_tuner_and_engine_evaluate_alike():
    """The tuner's floating-point evaluation is the engine's, up to rounding."""
    samples = synthetic(40, WEIGHTS, 0.0015)
    data = tune.extract(samples)
    fit = tune.Fit(data, WEIGHTS)
    evaluations, _ = fit.evaluate(data, fit.start)
    for sample, evaluation in zip(samples, evaluations, strict=True):
        assert abs(sample.score - evaluation) <= 2


def test_the_written_table_can_be_read_back(tmp_path: Path):
    path = tmp_path / "weights.py"
    path.write_text(tune.render(WEIGHTS, "By nobody."), encoding="utf-8")
    assert runpy.run_path(str(path))["WEIGHTS"] == WEIGHTS
    assert "By nobody." in path.read_text(encoding="utf-8")


def test_the_weights_are_the_right_way_up():
    tune.check_orientation(WEIGHTS)


@pytest.mark.parametrize("name", ["pawn_square", "king_square", "passed_pawn", "rook_mobility"])
def test_a_mirrored_table_is_detected(name: str):
    mirrored = {**WEIGHTS, name: tuple(reversed(WEIGHTS[name]))}
    with pytest.raises(ValueError, match=f"{name} is mirrored"):
        tune.check_orientation(mirrored)


def test_self_play_keeps_quiet_positions_and_is_reproducible():
    once, again = SelfPlay(nodes=20, seed=3).game(1), SelfPlay(nodes=20, seed=3).game(1)
    assert once == again
    assert len(once) > 5
    assert len({sample.result for sample in once}) == 1
    for sample in once:
        assert Sample.parse(str(sample)) == sample
        assert not chess.Board(sample.fen).is_check()


def test_an_invalid_sample_is_refused():
    with pytest.raises(ValueError):
        Sample.parse("8/8/8/8/8/8/8/8 w - - 0 1;1.0")


class Expecting:
    """Gives every position the same score, and plays the first move, or none if it has lost."""

    def ask(self, board: chess.Board) -> tuple[float, chess.Move] | None:
        expected = 0.123456
        return (expected, min(board.legal_moves, key=str)) if board.queens else None


@pytest.mark.parametrize(
    ("fen", "result"),
    [
        (chess.STARTING_FEN, 0.1235),
        ("4k3/8/8/8/8/8/8/q3K3 w - - 0 1", None),  # in check
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", None),  # the end of a game
        ("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", None),  # no answer
        ("4k3/q7/8/8/8/8/8/R3K3 w - - 0 1", 0.1235),
        ("4k3/8/8/8/8/8/q7/R3K3 w - - 0 1", None),  # a capture
        ("7k/P7/8/8/8/8/8/4K2Q w - - 0 1", None),  # a promotion
    ],
)
def test_only_quiet_positions_are_labelled(fen: str, result: float | None):
    sample = Sample(fen, 7, 1.0, 35)
    (*found,) = label.label([sample], Expecting())
    assert found == ([] if result is None else [Sample(fen, 7, result, 35)])


def test_a_random_walk_has_at_most_three_plies_or_no_end():
    chooser = random.Random(1)
    plies = set()
    for _ in range(30):
        walked = label.random_walk(Sample(chess.STARTING_FEN, 1, 0.5, 0), chooser)
        assert walked and walked.game == 1
        plies.add(chess.Board(walked.fen).ply())
    assert plies == {1, 2, 3}
    assert label.random_walk(Sample("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 1, 1, 0), chooser) is None


def test_an_engine_labels_a_share_of_the_positions_by_its_score(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    source, labelled = tmp_path / "games.txt", tmp_path / "labelled.txt"
    fens = ["4k3/8/8/8/8/8/8/4K2R w - - 0 1", "4k3/8/8/8/8/8/8/4K2R b - - 0 1"]
    source.write_text("".join(f"{fen};{n};0.5;0\n" for n, fen in enumerate(fens * 8)), "utf-8")
    more = ["--engine", fake("plain"), "--centipawn", "0.004", "--depth", "3"]
    assert label.main([str(source), str(labelled), *more, "--share", "0.5"]) == 0
    found = [Sample.parse(line) for line in labelled.read_text("utf-8").splitlines()]
    assert 0 < len(found) < len(fens) * 8
    # White is a rook up, whoever is to move.
    assert {sample.result for sample in found} == {round(1 / (1 + math.exp(-2)), 4)}
    with pytest.raises(SystemExit):
        label.main([str(source), str(source), *more])
    assert "is the input; choose another name" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize("limit", [["--nodes", "100"], ["--depth", "2", "--centipawn", "0.009"]])
def test_a_judge_labels_quiet_positions_and_the_ends_of_random_walks(
    tmp_path: Path, limit: list[str]
):
    stockfish = shutil.which("stockfish") or shutil.which("stockfish", path="/usr/games")
    if stockfish is None:
        pytest.skip("stockfish is not installed")
    samples = SelfPlay(nodes=200, seed=1).game(1)
    source, labelled = tmp_path / "games.txt", tmp_path / "labelled.txt"
    source.write_text("".join(f"{sample}\n" for sample in samples), encoding="utf-8")
    arguments = [str(source), str(labelled), "--engine", stockfish]
    assert label.main([*arguments, *limit, "--random-walks", "2"]) == 0
    found = [Sample.parse(line) for line in labelled.read_text(encoding="utf-8").splitlines()]
    known = {sample.fen for sample in samples}
    walked = [sample for sample in found if sample.fen not in known]
    assert len(found) > len(walked) > 0
    for sample in found:
        assert 0 <= sample.result <= 1
        assert not chess.Board(sample.fen).is_check()


@pytest.mark.parametrize(
    ("behaviour", "words"),
    [
        ("dead", "does not start: ended with exit code 1: no network found"),
        *(
            pytest.param(*case, marks=pytest.mark.slow)
            for case in (
                ("illegal", "answers 'bestmove a1h7', which is not a legal move"),
                ("passing", "answers 'bestmove 0000', which is not a legal move"),
                ("dying", "was ended by signal 11"),
                ("closing", "closed its output"),
            )
        ),
    ],
)
def test_a_failing_judge_is_a_one_line_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], behaviour: str, words: str
):
    source, labelled = tmp_path / "games.txt", tmp_path / "labelled.txt"
    source.write_text(f"{chess.STARTING_FEN};1;0.5;0\n", encoding="utf-8")
    assert label.main([str(source), str(labelled), "--engine", fake(behaviour)]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"python -m halbzug.tuning.label: {sys.executable} {words}")


def test_weights_are_written_where_the_engine_reads_them(capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit):
        tune.main(["--help"])
    place = Path(halbzug.eval.__file__).with_name("weights.py")
    assert place.is_file()
    assert f"default:{place}" in "".join(capsys.readouterr().out.split())

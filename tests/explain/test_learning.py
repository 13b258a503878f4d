"""`explain learn`: a network learns a small game from its own games and shows its progress."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import learning_curve
import pytest
from command_line import Command

import halbzug as package
from halbzug.explain.learning import Learning
from halbzug.teaching.self_play.learner import Learner, LearnerSettings
from halbzug.teaching.self_play.solved_table import solved

pytestmark = pytest.mark.any_build

GAME = "noughts-and-crosses"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with two examinations."""
    path = tmp_path_factory.mktemp("learning") / "run.npz"
    Learner(LearnerSettings(GAME, hidden=16, simulations=10, games=20, batch=32)).save(path)
    Learning(path, positions=40).learn(0.001)
    return path


def test_a_run_writes_its_file_its_rows_and_its_curve(run: Path, tmp_path: Path) -> None:
    rows: list[str] = []
    found = Learning(run, positions=40)
    played = found.learner.games
    found.learn(
        found.learner.seconds / 60 + 0.001, rows.append, (tmp_path / "curve.svg", [Learning(run)])
    )
    assert len(rows) == 2 and "Policy" in rows[0] and "%" in rows[1]
    assert found.learner.games > played
    again = package.explain.learn(run)
    assert again.learner.log == found.learner.log
    assert str(again).splitlines()[-1] == rows[1] and "noughts-and-crosses" in repr(again)
    ElementTree.parse(tmp_path / "curve.svg")
    assert "a random mover" in (tmp_path / "curve.svg").read_text(encoding="utf-8")


def test_the_command_shows_the_progress_of_a_run(halbzug: Command, run: Path) -> None:
    text = halbzug.output("explain", "learn", str(run), "--minutes", "0")
    assert "a random mover" in text and "UCT, 10 playouts" in text
    (data,) = halbzug.json("explain", "learn", str(run), "--minutes", "0", "--json")
    assert data["game"] == GAME and 0 <= data["log"][-1]["puct"] <= 1
    assert data["baselines"]["uct"] > data["baselines"]["chance"]


@pytest.mark.skipif(os.name != "posix", reason="needs a pseudo terminal")
def test_at_a_terminal_a_bar_says_what_a_new_run_is_doing(halbzug: Command, tmp_path: Path) -> None:
    Learner(LearnerSettings(GAME, hidden=16, simulations=2, games=20, batch=32)).save(
        tmp_path / "run.npz"
    )
    solved.cache_clear()
    arguments = ("explain", "learn", str(tmp_path / "run.npz"), "--minutes", "0.001")
    code, seen = halbzug.run_at_terminal(*arguments, "--language", "de")
    assert code == 0
    told = [seen.index(text) for text in ("Spiel lösen", "Erste Prüfung", "Rechenzeit (s)")]
    assert told == sorted(told) and "noch:" in seen


def test_the_games_name_and_the_seed_are_in_the_readers_language(
    halbzug: Command, run: Path
) -> None:
    text = halbzug.output("explain", "learn", str(run), "--minutes", "0", "--language", "de")
    assert "gewählt wird: Tic-Tac-Toe (Seed 1)" in text
    for curve, title in (
        ("learning.svg", "Learning from self-play: Connect Four, 5 by 4"),
        ("learning-de.svg", "Lernen aus Partien gegen sich selbst: Vier gewinnt, 5 mal 4"),
    ):
        assert title in (learning_curve.COURSE / curve).read_text(encoding="utf-8")


def test_a_judgement_is_compared_with_the_true_value(halbzug: Command, run: Path) -> None:
    text = halbzug.output("explain", "learn", str(run), "--show", "a1 b1 a2 b2")
    (winning,) = [line for line in text.splitlines() if line.strip().startswith("a3")]
    assert winning.split()[-1] == "won"
    assert sum(line.split()[-1:] == ["drawn"] for line in text.splitlines()) == 1  # b3 blocks him


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--game", "ludo"], "no game is called 'ludo'"),
        (["--plot", "curve.txt"], "--plot draws .svg and .png files, not curve.txt"),
        (["--minutes", "-1"], "-1"),
    ],
)
def test_wrong_usage_is_reported_in_one_line_and_writes_nothing(
    halbzug: Command, tmp_path: Path, options: list[str], message: str
) -> None:
    process = halbzug.run("explain", "learn", str(tmp_path / "new.npz"), *options)
    assert process.returncode and message in process.stderr
    assert not (tmp_path / "new.npz").exists()


def test_a_file_of_another_run_is_left_alone(halbzug: Command, run: Path, tmp_path: Path) -> None:
    before = run.read_bytes()
    other = tmp_path / "other.npz"
    other.write_text("notes")
    for file, option, message in (
        (run, "--seed=2", "is a run with seed 1, not 2"),
        (run, "--game=connect-four 4 4", "is a run with game noughts-and-crosses, not connect"),
        (run, "--show=a9", "'a9' is not a move here; possible moves: a1 a2"),
        (other, "--minutes=1", "does not contain a learning run"),
        (tmp_path, "--minutes=1", "is a directory"),
    ):
        process = halbzug.run("explain", "learn", str(file), option)
        assert process.returncode and message in process.stderr, process.stderr
    assert run.read_bytes() == before and other.read_text() == "notes"


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_course_states_the_figures_of_the_curve(language: str) -> None:
    runs = learning_curve.read()
    page = learning_curve.chapter(language).read_text(encoding="utf-8")
    assert page == learning_curve.with_sentences(page, runs, language)
    assert learning_curve.CURVES[language] in page
    last = runs[0]["log"][-1]
    shares = [*runs[0]["baselines"].values(), last["puct"], last["policy"]]
    points = {"en": ".", "de": ","}[language]
    assert all(f"{100 * share:.1f}".replace(".", points) in page for share in shares)


def test_what_the_course_says_about_its_runs_in_words_is_true() -> None:
    for run in learning_curve.read():
        assert (run["game"], run["simulations"]) == ("connect-four 5 4", 50)
        assert run["exam_positions"] == 1000
        first, *rows = run["log"]
        assert first["puct"] > run["baselines"]["chance"] + 0.2
        assert all(row["puct"] > row["policy"] for row in rows)
        assert rows[-1]["losses"][0] > 0.5


@pytest.mark.parametrize(
    ("last", "said"),
    [
        (
            0.991,
            "PUCT reaches 99 % after 40.0 minutes, and is between 99.1 % and 99.1 % from then on.",
        ),
        (0.985, "The goal of 99 % is not reached: PUCT never gets above 98.9 %."),
    ],
)
def test_the_chapter_says_whether_the_goal_is_reached(last: float, said: str) -> None:
    def run(seed: int, *rows: tuple[int, float]) -> dict[str, Any]:
        log = [{"seconds": 60 * at, "games": at, "puct": x, "policy": x / 2} for at, x in rows]
        baselines = {"chance": 0.4, "uct": 0.8}
        return {"seed": seed, "simulations": 50, "baselines": baselines, "log": log}

    runs = [
        run(1, (0, 0.7), (20, 0.98), (30, 0.989), (40, last)),
        run(2, (0, 0.7), (20, 0.97)),
        run(3, (0, 0.7), (19, 0.96), (21, 0.971)),
    ]
    text = " ".join(learning_curve.sentences(runs, "en").replace("\N{NO-BREAK SPACE}", " ").split())
    assert said in text
    assert "After 20 minutes, seeds 1, 2 and 3 are at 98.0 %, 97.0 % and 96.0 %." in text

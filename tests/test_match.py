"""`kiebitz match` and its statistics."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from pathlib import Path

import chess.pgn
import pytest
from hypothesis import given
from hypothesis import strategies as st

from uci_engine.commands.statistics import Sprt, elo_of, expected_score, judge

KIEBITZ = f"{sys.executable} -m uci_engine"
OPENINGS = (
    "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -\n"
    "rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq -\n"
)
CRASHES = """
import sys
for line in sys.stdin:
    if line.startswith("uci\\n"):
        print("uciok", flush=True)
    elif line.startswith("isready"):
        print("readyok", flush=True)
    elif line.startswith("go"):
        1 / 0
"""


def match(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    (folder / "openings.epd").write_text(OPENINGS, encoding="utf-8")
    return subprocess.run(
        [sys.executable, "-m", "uci_engine", "match", "--openings", "openings.epd", *arguments],
        cwd=folder,
        env=dict(os.environ),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def test_an_engine_draws_a_match_against_itself_at_fixed_nodes(tmp_path: Path) -> None:
    result = match(
        tmp_path,
        *("-e", f"first={KIEBITZ}; OwnBook=false", "-e", f"second={KIEBITZ}; OwnBook=false"),
        *("--nodes", "60", "--games", "4", "--pgn", "games.pgn"),
    )
    assert result.returncode == 0, result.stderr
    assert "of 4, Elo +0.0" in result.stdout
    assert "forfeits" not in result.stdout
    with (tmp_path / "games.pgn").open(encoding="utf-8") as file:
        games = [chess.pgn.read_game(file) for _ in range(4)]
    assert {game.headers["White"] for game in games if game} == {"first", "second"}
    for game in games:
        assert game is not None
        assert not game.errors
        board = game.end().board()
        if game.headers["Termination"] != "no end in sight":
            assert board.result(claim_draw=True) == game.headers["Result"]


def test_an_engine_that_dies_loses_and_the_match_goes_on(tmp_path: Path) -> None:
    (tmp_path / "crashes.py").write_text(CRASHES, encoding="utf-8")
    result = match(
        tmp_path,
        *("-e", f"good={KIEBITZ}", "-e", f"bad={sys.executable} crashes.py"),
        *("--nodes", "20", "--games", "2"),
    )
    assert result.returncode == 0, result.stderr
    assert "+2 =0 -0 of 2" in result.stdout
    assert "forfeits 0:2" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("-e", "a=nothing-of-the-kind", "-e", f"b={KIEBITZ}"), "a does not start"),
        (("-e", f"a={KIEBITZ}"), "two engines"),
        (("-e", f"a={KIEBITZ}", "-e", f"b={KIEBITZ}", "--tc", "soon"), "time control"),
        (("-e", f"a={KIEBITZ}; Hash", "-e", f"b={KIEBITZ}"), "Option=Value"),
    ],
)
def test_bad_requests_get_one_line(
    tmp_path: Path, arguments: tuple[str, ...], complaint: str
) -> None:
    result = match(tmp_path, *arguments)
    assert result.returncode != 0
    assert complaint in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1


@given(st.floats(-800, 800))
def test_elo_and_score_are_inverse(elo: float) -> None:
    assert math.isclose(elo_of(expected_score(elo)), elo, abs_tol=1e-6)


counts = st.lists(st.integers(0, 400), min_size=5, max_size=5).filter(lambda pairs: sum(pairs) > 1)


@given(counts)
def test_a_match_seen_from_the_other_side_is_its_mirror(pairs: list[int]) -> None:
    ours, theirs = judge(pairs), judge(pairs[::-1])
    assert math.isclose(ours.elo, -theirs.elo, abs_tol=1e-6)
    assert math.isclose(ours.superiority, 1 - theirs.superiority, abs_tol=1e-9)


def test_the_error_bar_agrees_with_the_textbook() -> None:
    # 400 independent games as pairs: +120 =200 -80, score 0.55.
    verdict = judge([10, 40, 80, 50, 20])
    assert verdict.pairs == 200
    assert math.isclose(verdict.score, 0.5375)
    assert 15 < verdict.elo < 40
    assert 10 < verdict.error < 40
    assert verdict.superiority > 0.95


@given(counts)
def test_a_test_is_the_mirror_of_its_opposite(pairs: list[int]) -> None:
    gain, loss = Sprt(0, 10), Sprt(-10, 0)
    ours = gain.log_likelihood_ratio(pairs)
    theirs = loss.log_likelihood_ratio(pairs[::-1])
    assert math.isclose(ours, -theirs, abs_tol=1e-6)


def test_a_clear_gain_and_a_clear_loss_are_recognised() -> None:
    test = Sprt(0, 10)
    assert test.verdict([5, 20, 100, 80, 45]) == "H1"
    assert test.verdict([45, 80, 100, 20, 5]) == "H0"
    assert test.verdict([1, 1, 2, 1, 1]) is None

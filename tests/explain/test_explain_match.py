"""`explain match`: players by name, from files and as functions, on every kind of game."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from command_line import Command, environment_of_users

import halbzug
from halbzug.teaching.games.connect_four import ConnectFour

pytestmark = pytest.mark.any_build


def match(*words: Any, **settings: Any) -> dict[str, Any]:
    found = halbzug.explain.match(*words, progress=False, **settings).as_json()
    return {row["player"]: row for row in found["players"]}


def test_a_perfect_player_never_loses_a_solved_game_to_chance() -> None:
    rows = match("noughts-and-crosses", "alpha-beta 9", "random", games=30)
    assert rows["random"]["won"] < rows["alpha-beta 9"]["won"]
    assert rows["alpha-beta 9"]["mean"] > rows["alpha-beta 9"]["error"] > 0
    text = str(halbzug.explain.match("take-away 9", "minimax 9", "random", games=40))
    assert "minimax 9 is better." in text


def test_equal_players_are_equal_in_all_seats() -> None:
    rows = match("take-away 7", "minimax 7", "alpha-beta 7", games=20)
    assert {row["mean"] for row in rows.values()} == {0}
    assert {row["error"] for row in rows.values()} == {None}  # each opening ended 1-1
    found = halbzug.explain.match("three-players 8", "max-n 9", "random", "random", games=30)
    assert [sum(counts) for counts in found.counts] == [30] * 3
    assert found.mean(0)[0] > max(found.mean(1)[0], found.mean(2)[0])


def test_functions_play_and_see_only_what_a_player_sees() -> None:
    seen: list[Any] = []

    def first(game: Any, state: Any, moves: list[Any]) -> Any:
        seen.append(state)
        return moves[0]

    def lines(game: ConnectFour, state: Any) -> Any:
        return game.evaluate(state)[0]

    assert match("kuhn-poker", first, "random", games=6)["first"]
    assert all("J" not in str(one) or "K" not in str(one) for one in seen)
    assert match("connect-four 5 4", lines, "random", games=20)["lines"]["won"] > 10

    def careful(game: Any, state: Any) -> Any:
        own, other = (sum(count == 1 for count in side[1:25]) for side in state.sides)
        return game.evaluate(state)[0] + (other - own) / 50

    rows = match("backgammon", careful, "expectiminimax 1", games=12)
    assert rows["careful"]["won"] > 6 and rows["careful"]["mean"] > 0


def test_a_students_file_plays_a_match(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "DEPTH = 3\ndef evaluate(game, state):\n    return game.evaluate(state)[0]\n"
    )
    words = ["explain", "match", "connect-four 4 4", "mine.py", "random", "--games", "10"]
    for language, title in (("en", "mean result"), ("de", "mittleres Ergebnis")):
        output = subprocess.run(
            [sys.executable, "-m", "halbzug", *words, "--language", language],
            cwd=tmp_path, env=environment_of_users(), capture_output=True, text=True,
            encoding="utf-8", check=True, timeout=120,
        )  # fmt: skip
        assert "mine.py" in output.stdout and title in output.stdout


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("def choose(game, state, moves): return 17", "bad.py chose 17; the possible moves were"),
        ("def choose(game, state, moves):\n    return 1 / 0", "bad.py, line 2"),
        ("VALUE = 1", "bad.py defines neither choose nor evaluate"),
        ("def evaluate(", "bad.py, line 1"),
    ],
)
def test_a_faulty_file_is_reported_in_one_line(
    halbzug: Command, tmp_path: Path, code: str, message: str
) -> None:
    (tmp_path / "bad.py").write_text(code + "\n")
    process = halbzug.run("explain", "match", "nim 2 3", str(tmp_path / "bad.py"), "random")
    assert process.returncode and message in process.stderr and process.stderr.count("\n") == 1


@pytest.mark.parametrize("game", ["kuhn-poker", "three-players 4"])
def test_evaluate_needs_two_players_who_see_everything(
    halbzug: Command, tmp_path: Path, game: str
) -> None:
    def evaluate(game: Any, state: Any) -> int:
        return 0

    (tmp_path / "mine.py").write_text("def evaluate(game, state): return 0\n")
    words = ("explain", "match", game, str(tmp_path / "mine.py"), "random", "random")
    message = "evaluate suits games of two players who see everything; this one needs choose"
    assert message in halbzug.run(*words).stderr
    with pytest.raises(ValueError, match=message):
        match(game, evaluate, "random", "random")


def test_an_impossible_move_is_reported_in_german(halbzug: Command, tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("def choose(game, state, moves): return 17\n")
    words = ("explain", "match", "nim 2 3", str(tmp_path / "bad.py"), "random", "--language", "de")
    assert "bad.py hat 17 gewählt; möglich waren" in halbzug.run(*words).stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["ludo", "random", "random"], "'ludo' is none of noughts-and-crosses"),
        (["nim", "random"], "this game has 2 players, not 1"),
        (["queens", "random"], "a puzzle has only one player"),
        (["nim", "uct x", "random"], "'uct x' is neither a .py file nor one of random, minimax"),
        (["kuhn-poker", "uct", "random"], "nor one of random"),
    ],
)
def test_wrong_usage_is_reported(halbzug: Command, words: list[str], message: str) -> None:
    process = halbzug.run("explain", "match", *words)
    assert process.returncode and message in process.stderr

"""Mistakes in a file are reported: the file is refused, or the mistake is shown and counted."""

from __future__ import annotations

import json

import pytest
from command_line import Command
from file_engines import write_engine
from match_runs import fake

pytestmark = pytest.mark.any_build

NO_CHESS = "def helper(board):\n    return 0\n"
BROKEN = "def evaluate(board)\n    return 0\n"
RAISES = "def evaluate(board):\n    return 1 / 0\n"
SAID = "exception: mine.py, line 2, in evaluate: ZeroDivisionError"
SHORT = ("--st", "0.05", "--games", "2", "--max-moves", "6", "--time-margin", "20000", "--json")


@pytest.mark.parametrize(
    ("arguments", "source", "message"),
    [
        pytest.param(
            ("rate", "mine.py"),
            BROKEN,
            "mine.py, line 1: SyntaxError",
            id="rate",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            ("match", "-e", "mine.py", "-e", "halbzug"),
            NO_CHESS,
            "mine.py does not define an engine",
            id="match",
        ),
        pytest.param(("analyse",), BROKEN, "mine.py, line 1: SyntaxError", id="analyse"),
    ],
)
def test_a_file_that_cannot_play_is_refused(
    halbzug: Command, arguments: tuple[str, ...], source: str, message: str
) -> None:
    write_engine(halbzug.folder, source)
    more = ("startpos", "--engine", "mine.py", "-t", "0.1") if arguments == ("analyse",) else ()
    process = halbzug.run(*arguments, *more)
    assert process.returncode == 1
    assert message in process.stderr and process.stderr.count("\n") == 1
    assert "Elo" not in process.stdout, "nothing was played"


@pytest.mark.slow
def test_a_match_reports_each_kind_of_mistake_once_and_counts_all(halbzug: Command) -> None:
    write_engine(halbzug.folder, RAISES)
    command = ("match", "-e", "mine.py", "-e", "other=mine.py", *SHORT, "--pgn", "games.pgn")
    process = halbzug.run(*command)
    assert process.stderr.count(f"mine: {SAID}") == process.stderr.count(f"other: {SAID}") == 1
    counts = [engine["mistakes"] for engine in json.loads(process.stdout)["engines"]]
    assert min(counts) > 1
    again = json.loads(halbzug.run(*command).stdout)  # from the file of games
    assert [engine["mistakes"] for engine in again["engines"]] == counts


@pytest.mark.slow
def test_mistakes_lose_the_games_of_a_rating_and_are_reported_once(halbzug: Command) -> None:
    write_engine(halbzug.folder, RAISES)
    process = halbzug.run("rate", "mine.py", *SHORT, "-j", "1")
    assert process.stderr.count(SAID) == 1
    (engine,) = json.loads(process.stdout)["engines"]
    assert engine["forfeits"] == engine["games"] == 2 and SAID in engine["last_loss"]


@pytest.mark.slow
def test_a_rating_from_forfeits_says_how_little_it_is_worth(halbzug: Command) -> None:
    process = halbzug.run("rate", f"fake={fake('illegal')}", *SHORT[:-1], "-j", "1")
    assert "lost 2 of 2 games by forfeit (2 illegal): its Elo says more" in process.stdout
    assert "--time-margin" not in process.stdout and "Forfeits" in process.stdout


def test_an_analysis_reports_each_kind_of_mistake_once(halbzug: Command) -> None:
    write_engine(halbzug.folder, RAISES)
    (halbzug.folder / "game.pgn").write_text("1. e4 e5 2. Nf3 *\n", encoding="utf-8")
    process = halbzug.run("analyse", "game.pgn", "--engine", "mine.py", "-t", "0.05")
    assert process.returncode == 1
    assert process.stderr.count(SAID) == 1

"""Matches against engines that misbehave: each fault is judged and counted, and the match
continues.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest
from match_runs import Match, fake, last_words, processes_of
from uci_client import has_proc, wait_until_gone

pytestmark = pytest.mark.any_build

CLOCK = ("--tc", "0.5+0.1")


@pytest.fixture
def matches(tmp_path: Path) -> Match:
    return Match(tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("behaviour", "kind", "termination", "words"),
    [
        ("crashing", "crash", "abandoned", "division by zero"),
        ("leaving", "crash", "abandoned", "exit code 7"),
        ("dying", "crash", "abandoned", "was ended by signal 11 (SIGSEGV)"),
        ("endless", "crash", "abandoned", "wrote an endless line"),
        ("hanging", "time", "time forfeit", "gives no move"),
        ("ignores-stop", "time", "time forfeit", "gives no move"),
        ("babbling", "time", "time forfeit", "gives no move"),
        ("late", "time", "time forfeit", "oversteps its time"),
        ("illegal", "illegal", "rules infraction", "bestmove a1h7"),
        ("passing", "illegal", "rules infraction", "bestmove 0000"),
        ("silent", "illegal", "rules infraction", "bestmove (none)"),
    ],
)
def test_an_engine_that_fails_loses_and_the_match_continues(
    matches: Match, behaviour: str, kind: str, termination: str, words: str
) -> None:
    engines = {"good": f"{fake('plain')}; tc=60", "bad": fake(behaviour)}
    report = matches.json(engines, *CLOCK, "--games", "2", "--pgn", "games.pgn")
    good, bad = report["engines"]
    assert (bad["games"], bad["losses"], good["wins"]) == (2, 2, 2)
    assert bad["forfeits"] == {"time": 0, "illegal": 0, "crash": 0, kind: 2}
    assert sum(good["forfeits"].values()) == 0
    games = matches.games()
    assert len(games) == 2
    for game in games:
        assert game.headers["Result"] == ("1-0" if game.headers["White"] == "good" else "0-1")
        assert game.headers["Termination"] == termination
        assert words in last_words(game)
        assert "(bad)" in last_words(game)


@pytest.mark.slow
def test_an_engine_that_closes_its_pipe_is_not_waited_for(matches: Match) -> None:
    engines = {"good": fake("plain"), "bad": fake("closing")}
    output = matches.output(engines, "--nodes", "10", "--games", "2", "--pgn", "games.pgn")
    assert "good - bad: +2 =0 -0 of 2" in output
    assert all("closed its output" in last_words(game) for game in matches.games())


@pytest.mark.slow
def test_without_a_clock_patience_limits_the_wait(matches: Match) -> None:
    engines = {"good": fake("plain"), "bad": fake("hanging")}
    limits = ("--depth", "3", "--patience", "0.5", "--games", "2")
    assert "forfeits 0:2" in matches.output(engines, *limits)


@pytest.mark.slow
@pytest.mark.parametrize("behaviour", ["flooding", "garbled", "impatient", "boundless"])
def test_an_engine_that_prints_nonsense_but_moves_does_not_forfeit(
    matches: Match, behaviour: str
) -> None:
    engines = {"good": fake("plain"), "odd": fake(behaviour)}
    limits = ("--nodes", "10", "--games", "2", "--max-moves", "6")
    report = matches.json(engines, *limits, "--pgn", "games.pgn")
    assert report["games"] == 2
    forfeits = [sum(engine["forfeits"].values()) for engine in report["engines"]]
    assert forfeits == [0, 0], list(map(last_words, matches.games()))
    assert all(game.end().ply() - game.ply() == 12 for game in matches.games())


def test_both_sides_may_fail(matches: Match) -> None:
    engines = {"one": fake("crashing"), "two": fake("illegal")}
    report = matches.json(engines, "--nodes", "10", "--games", "4")
    one, two = report["engines"]
    assert one["forfeits"]["crash"] + two["forfeits"]["illegal"] == report["games"] == 4


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("no-such-program", "No such file"),
        (fake("dead"), "no network found"),
        (f"{sys.executable} -c pass", "exit code 0"),
    ],
)
def test_an_engine_that_never_starts_ends_the_match_at_once(
    matches: Match, command: str, words: str
) -> None:
    process = matches.run({"good": fake("plain"), "bad": command}, "--pgn", "games.pgn")
    assert process.returncode == 1
    assert process.stdout == ""
    assert len(process.stderr.splitlines()) == 1
    assert "bad does not start" in process.stderr and words in process.stderr


@pytest.mark.slow
def test_unknown_options_of_an_engine_are_reported(matches: Match) -> None:
    for setting in ("Threads=2", "Hash=0", "Hash=much"):
        process = matches.run({"good": fake("plain"), "bad": f"{fake('plain')}; {setting}"})
        assert process.returncode == 1
        assert setting.split("=")[0] in process.stderr
        assert len(process.stderr.splitlines()) == 1


@pytest.mark.slow
@pytest.mark.skipif(not has_proc(), reason="needs /proc")
def test_no_engine_outlives_the_match(matches: Match) -> None:
    engines = {"good": fake("plain"), "stubborn": fake("ignores-stop")}
    process = matches.start(engines, *CLOCK, "--games", "2", "--concurrency", "2")
    seen: set[int] = set()
    while process.poll() is None:
        seen.update(processes_of(process.pid))
        time.sleep(0.01)
    process.communicate()
    assert process.returncode == 0
    assert len(seen) >= 4
    wait_until_gone(list(seen))

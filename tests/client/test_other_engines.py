"""`halbzug analyse --engine` with engines that misbehave: each failure is one line, in time."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from command_line import Command
from match_runs import fake, processes_of
from uci_client import has_proc, wait_until_gone

pytestmark = pytest.mark.any_build

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
ENDGAME = "8/8/8/4k3/8/8/8/K6R w - - 0 1"
MATED = "R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1"

LIMITS = (("--depth", "3"), ("--nodes", "1000"))


def analyse(
    halbzug: Command, engine: str, *arguments: str, position: str = START
) -> subprocess.CompletedProcess[str]:
    return halbzug.run("analyse", position, "--json", "--engine", engine, *arguments)


@pytest.mark.slow
@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize(
    ("behaviour", "words"),
    [
        ("mute", "does not answer"),
        ("hanging", "does not answer"),
        ("babbling", "does not answer"),
        ("illegal", "answers 'bestmove a1h7', which is not a legal move"),
        ("passing", "answers 'bestmove 0000', which is not a legal move"),
        ("silent", "answers 'bestmove (none)', which is not a legal move"),
        ("dying", "was ended by signal 11 (SIGSEGV)"),
        ("closing", "closed its output"),
        ("endless", "wrote an endless line"),
    ],
)
def test_an_engine_that_gives_no_move_fails_in_one_line(
    halbzug: Command, behaviour: str, words: str, limit: tuple[str, str]
) -> None:
    process = analyse(halbzug, fake(behaviour), *limit, "--patience", "4")
    assert process.returncode == 1
    assert "bestmove" not in process.stdout
    assert process.stderr.count("\n") == 1, process.stderr
    assert sys.executable in process.stderr  # messages call the engine by its program
    assert words in process.stderr


@pytest.mark.slow
@pytest.mark.parametrize("behaviour", ["illegal", "passing", "silent", "dying", "mute"])
def test_each_of_many_positions_has_its_own_line(halbzug: Command, behaviour: str) -> None:
    path = halbzug.write("many.fen", f"{START}\n{ENDGAME}\n")
    process = analyse(
        halbzug, fake(behaviour), "-d", "3", "--patience", "0.5", "-p", "2", position=path
    )
    assert (process.returncode, process.stdout) == (1, "")
    first, second = process.stderr.splitlines()
    assert first.startswith("halbzug: line 1: ") and second.startswith("halbzug: line 2: ")


def test_a_crash_costs_one_position_and_is_reported_in_the_engines_words(halbzug: Command) -> None:
    path = halbzug.write("many.fen", f"{START}\n{ENDGAME}\n{START}\n")
    process = analyse(halbzug, fake("crashing"), "-d", "3", position=path)
    assert [json.loads(line)["number"] for line in process.stdout.splitlines()] == [1, 3]
    (line,) = process.stderr.splitlines()
    assert "ended with exit code 1: ZeroDivisionError: division by zero" in line


def test_an_engine_that_does_not_start(halbzug: Command) -> None:
    process = analyse(halbzug, fake("dead"), "-d", "3")
    assert (process.returncode, process.stderr.count("\n")) == (1, 1)
    assert "does not start: ended with exit code 1: no network found" in process.stderr


@pytest.mark.slow
def test_an_engine_that_hangs_during_its_time_is_not_waited_for(halbzug: Command) -> None:
    process = analyse(halbzug, fake("ignores-stop"), "-t", "0.1")
    assert (process.returncode, process.stderr.count("\n")) == (1, 1)
    assert "does not answer in 10.1 s" in process.stderr


@pytest.mark.slow
def test_an_engine_that_never_becomes_ready_is_not_waited_for(halbzug: Command) -> None:
    process = analyse(halbzug, fake("unready"), "-d", "3")
    assert (process.returncode, process.stderr.count("\n")) == (1, 1)
    assert "is not ready for a game in 30 s" in process.stderr


def test_more_lines_from_an_engine_that_has_no_such_option(halbzug: Command) -> None:
    process = analyse(halbzug, fake("plain"), "-d", "3", "--multipv", "2")
    assert (process.returncode, process.stderr.count("\n")) == (1, 1)
    assert "MultiPV" in process.stderr


@pytest.mark.slow
@pytest.mark.parametrize("behaviour", ["garbled", "flooding", "impatient", "boundless", "late"])
def test_a_move_counts_even_among_nonsense(halbzug: Command, behaviour: str) -> None:
    path = halbzug.write("many.fen", f"{START}\n{ENDGAME}\n")
    process = analyse(halbzug, fake(behaviour), "-d", "3", position=path)
    assert (process.returncode, process.stderr) == (0, "")
    first, second = map(json.loads, process.stdout.splitlines())
    assert (first["score"], second["score"]) == ({"cp": 0}, {"cp": 500})
    assert second["bestmove"] == second["pv"][0]


@pytest.mark.parametrize("behaviour", ["silent", "passing"])
def test_no_move_is_the_right_answer_in_a_finished_game(halbzug: Command, behaviour: str) -> None:
    process = analyse(halbzug, fake(behaviour), "-d", "3", position=MATED)
    assert (process.returncode, process.stderr) == (0, "")
    assert json.loads(process.stdout)["bestmove"] is None


@pytest.mark.skipif(sys.platform == "win32", reason="the engine waits with select")
@pytest.mark.parametrize("limit", LIMITS)
def test_an_engine_that_ignores_limits_is_stopped(halbzug: Command, limit: tuple[str, str]) -> None:
    process = analyse(halbzug, fake("deepening"), *limit)
    assert (process.returncode, process.stderr) == (0, "")
    *lines, answer = map(json.loads, process.stdout.splitlines())
    assert answer["bestmove"] == lines[-1]["pv"][0]
    assert 4 <= lines[-1]["depth"] < 50


@pytest.mark.slow
def test_an_engine_that_does_not_stop_is_ended(halbzug: Command) -> None:
    process = analyse(halbzug, fake("standing-by"), "-d", "3")
    assert (process.returncode, process.stderr.count("\n")) == (1, 1)
    assert "does not answer stop" in process.stderr


@pytest.mark.slow
@pytest.mark.skipif(not has_proc(), reason="needs /proc")
@pytest.mark.parametrize("behaviour", ["hanging", "ignores-stop", "illegal", "plain"])
def test_no_engine_is_left_behind(halbzug: Command, behaviour: str) -> None:
    process = halbzug.start(
        "analyse", START, "-d", "3", "--engine", fake(behaviour), "--patience", "1"
    )
    seen: set[int] = set()
    while process.poll() is None:
        seen.update(processes_of(process.pid))
        time.sleep(0.01)
    process.communicate()
    assert seen
    wait_until_gone(list(seen))


@pytest.mark.skipif(not has_proc(), reason="needs /proc")
def test_processes_that_an_engine_has_started_end_with_it(halbzug: Command, tmp_path: Path) -> None:
    path = halbzug.write("many.fen", f"{START}\n{ENDGAME}\n")
    child = tmp_path / "child.txt"
    halbzug.environment["CHILD_FILE"] = str(child)
    process = analyse(halbzug, fake("parent"), "-d", "3", position=path)
    assert [json.loads(line)["number"] for line in process.stdout.splitlines()] == [1]
    (line,) = process.stderr.splitlines()
    assert "line 2" in line and "ended with exit code 3" in line
    wait_until_gone([int(child.read_text(encoding="ascii"))])


@pytest.mark.slow
@pytest.mark.skipif(not has_proc(), reason="needs /proc")
def test_an_interrupt_ends_a_hanging_engine(halbzug: Command) -> None:
    process = halbzug.start("analyse", START, "-d", "3", "--engine", fake("hanging"))
    seen: list[int] = []
    while not seen:
        assert process.poll() is None
        seen = processes_of(process.pid)
        time.sleep(0.05)
    time.sleep(1.0)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode != 0
    wait_until_gone(seen)

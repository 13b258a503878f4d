"""Engine files that take long to load: silence is not taken for a file without mistakes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from command_line import Command
from file_engines import write_engine

from halbzug.engine import supervisor
from halbzug.lab.front import session
from halbzug.uci import session as uci_session

pytestmark = pytest.mark.any_build

WAITS = """
import pathlib, time
while not pathlib.Path(__file__).with_name("ready").exists():
    time.sleep(0.01)
"""


def answer(file: Path, until: str, is_patient: bool = False) -> list[str]:
    """The answers of a session with a file to `uci` and `isready`, up to a word."""
    said, told = os.pipe()
    heard, heard_by_us = os.pipe()
    with os.fdopen(told, "wb") as commands:
        commands.write(b"uci\nisready\n")
    with os.fdopen(said, "rb") as source, os.fdopen(heard_by_us, "wb") as sink:
        session(file, source, sink, is_patient=is_patient).run()
    with os.fdopen(heard, encoding="utf-8") as output:
        lines = output.read().splitlines()
    return lines[: lines.index(until)]


@pytest.fixture
def nobody_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """`isready` does not wait for the file, and `uci` does so only if it is patient."""
    monkeypatch.setattr(supervisor, "READY_SECONDS", 0.0)
    monkeypatch.setattr(uci_session, "INTRODUCTION_SECONDS", 0.0)


@pytest.mark.usefixtures("nobody_waits")
def test_readyok_before_the_file_is_loaded_comes_with_a_message(tmp_path: Path) -> None:
    lines = answer(write_engine(tmp_path, WAITS), "readyok")
    assert lines[-1] == "info string too late: the file is still being loaded"


@pytest.mark.usefixtures("nobody_waits")
def test_a_patient_session_reports_the_mistake_of_the_file(tmp_path: Path) -> None:
    lines = answer(write_engine(tmp_path, "name = 'Crowder'\n1 / 0"), "uciok", is_patient=True)
    said = "info string exception: mine.py, line 2, in <module>: ZeroDivisionError"
    assert any(line.startswith(said) for line in lines)


@pytest.mark.usefixtures("nobody_waits")
def test_a_patient_session_knows_the_name_in_the_file(tmp_path: Path) -> None:
    source = "name = 'Crowder'\n\ndef evaluate(board): return 0"
    lines = answer(write_engine(tmp_path, source), "uciok", is_patient=True)
    assert "id name Crowder" in lines


@pytest.mark.usefixtures("nobody_waits")
def test_a_game_starts_once_the_options_of_the_file_are_known(halbzug: Command) -> None:
    write_engine(halbzug.folder, "OPTIONS = {'Number': 7}\n\ndef evaluate(board): return 0")
    halbzug.output("play", "--engine", "mine.py; Number=8", stdin="quit\n")


def test_a_process_that_ends_while_loading_is_reported_before_readyok(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervisor, "MAX_WORKER_EXITS", 1)
    lines = answer(write_engine(tmp_path, "import os; os._exit(3)"), "readyok")
    assert any(line.startswith("info string crash: the search process ") for line in lines)


@pytest.mark.slow
@pytest.mark.parametrize("is_playable", [True, False])
def test_a_slow_file_is_registered_by_its_own_name_or_refused(
    halbzug: Command, is_playable: bool
) -> None:
    last = "def choose(board): return None" if is_playable else "x = 1"
    write_engine(halbzug.folder, f"import time\ntime.sleep(9)\nname = 'Crowder'\n{last}")
    process = halbzug.run("register", "pychess", "mine.py", "--config", "engines.json")
    if is_playable:
        assert "Crowder is now in the engines of PyChess" in process.stdout
    else:
        assert "mine.py does not define an engine" in process.stderr

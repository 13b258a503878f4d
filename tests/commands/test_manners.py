"""Conventions of the command line: JSON, colours, defaults from the environment, a greeting."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from command_line import Command, leaves, read_to_end
from uci_client import UciClient

from halbzug import tablebase
from halbzug.commands.app import halbzug as app

pytestmark = pytest.mark.any_build

#: Commands that print no table.
WITHOUT_TABLE = {
    "explain figure",
    *("board", "book build", "book openings", "completion", "new", "play", "register", "run"),
    *("course export", "export", "tablebases fetch", "train"),
}


def test_every_command_with_a_table_has_json() -> None:
    with_json = {
        name
        for name, command in leaves(app)
        if any("--json" in parameter.opts for parameter in command.params)
    }
    assert with_json | WITHOUT_TABLE == {name for name, _ in leaves(app)}
    assert not with_json & WITHOUT_TABLE


# -- at a terminal ------------------------------------------------------------------------------


def at_terminal(command: Command, *arguments: str, text: str = "", **environment: str) -> str:
    """What a run at a pseudo terminal shows after this was typed."""
    import pty

    master, slave = pty.openpty()
    process = subprocess.Popen(
        [*command.program, *arguments],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        cwd=command.folder,
        env={**command.environment, "TERM": "xterm-256color", "COLUMNS": "100", **environment},
    )
    os.close(slave)
    os.write(master, text.encode())
    shown = read_to_end(master).decode()
    os.close(master)
    assert process.wait(60) == 0
    return shown


needs_terminal = pytest.mark.skipif(os.name != "posix", reason="needs a pseudo terminal")


@needs_terminal
@pytest.mark.parametrize("variables", [{}, {"NO_COLOR": "1"}], ids=["colour", "no colour"])
def test_colours_can_be_switched_off(halbzug: Command, variables: dict[str, str]) -> None:
    halbzug.environment.pop("NO_COLOR", None)
    shown = at_terminal(halbzug, "explain", "horizon", **variables)
    codes = {code for found in re.findall(r"\x1b\[([\d;]*)m", shown) for code in found.split(";")}
    colours = {code for code in codes if code.isdecimal() and 30 <= int(code) <= 107}
    assert bool(colours) != bool(variables)
    # Without colours both sides need different pieces.
    assert ("\u2654" in shown) == bool(variables)


@needs_terminal
def test_a_person_at_a_terminal_is_greeted(halbzug: Command) -> None:
    shown = at_terminal(halbzug, text="quit\n")
    greeting = shown.replace("quit\r\n", "").splitlines()
    assert "UCI" in greeting[0] and "quit" in greeting[0] and "halbzug --help" in greeting[1]
    assert len(greeting) == 2


def test_a_chess_program_is_not_greeted(tmp_path: Path) -> None:
    with UciClient(tmp_path) as client:
        client.expect_silence(but="")
        assert client.handshake()[0].startswith("id name")


# -- defaults from the environment --------------------------------------------------------------


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The engine's answer to `uci` with these variables; a search shows that it works."""
    for name, value in VARIABLES.items():
        monkeypatch.setenv(name, value.replace("FOLDER", str(tmp_path)))
    with UciClient(tmp_path, own_book=True) as client:
        lines = client.handshake()
        client.send("position startpos")
        assert not any("book" in text for text in client.go("go movetime 50").strings)
        assert client.go("go depth 1").last.numbers["nodes"] > 0
        yield lines
    assert "< uci" in (tmp_path / "log.txt").read_text()


TABLES = str(Path(tablebase.__file__).parent / "tables")
VARIABLES = {
    "HALBZUG_HASH": "33",
    "HALBZUG_THREADS": "many",
    "HALBZUG_MULTIPV": "0",
    "HALBZUG_MOVE_OVERHEAD": "",
    "HALBZUG_OWNBOOK": "False",
    "HALBZUG_SYZYGYPATH": TABLES,
    "HALBZUG_DEBUG_LOG_FILE": "FOLDER/log.txt",
}


def test_a_variable_changes_the_declared_default(told: list[str]) -> None:
    assert "option name Hash type spin default 33 min 1 max 65536" in told
    assert "option name Threads type spin default 1 min 1 max 256" in told
    assert "option name Move Overhead type spin default 30 min 0 max 5000" in told
    assert "option name OwnBook type check default false" in told
    assert f"option name SyzygyPath type string default {TABLES}" in told
    complaints = [line for line in told if "ignored" in line]
    assert complaints == [
        "info string HALBZUG_THREADS ignored: Threads needs a number",
        "info string HALBZUG_MULTIPV ignored: MultiPV must be from 1 to 500",
    ]


def test_a_log_that_cannot_be_written_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HALBZUG_DEBUG_LOG_FILE", str(tmp_path / "nowhere" / "log.txt"))
    with UciClient(tmp_path) as client:
        lines = client.handshake()
    assert sum("cannot write the Debug Log File" in line for line in lines) == 1


@pytest.mark.slow
def test_commands_use_the_same_defaults(halbzug: Command) -> None:
    (halbzug.folder / "tables").mkdir()
    result = halbzug.run("analyse", "startpos", "--depth", "2", HALBZUG_HASH="much")
    assert result.returncode == 2
    assert "HALBZUG_HASH" in result.stderr and "much" in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert halbzug.output("analyse", "startpos", "--depth", "2", HALBZUG_HASH="2")
    result = halbzug.run("book", "show", HALBZUG_BOOKFILE="no-such-book.bin")
    assert "no-such-book.bin" in result.stderr
    result = halbzug.run("tablebases", "list", HALBZUG_SYZYGYPATH="no-such-folder")
    assert "no-such-folder" in result.stderr


@pytest.mark.parametrize("error", ["TimeoutError()", "OSError()", "click.ClickException('')"])
def test_no_error_ends_a_command_with_an_empty_line(tmp_path: Path, error: str) -> None:
    script = f"""
import sys
import click
from halbzug.commands import app

@app.halbzug.command()
def fail():
    raise {error}

sys.exit(app.main(["fail"]))
"""
    process = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False, timeout=60
    )
    assert process.returncode == 1
    assert re.fullmatch(r"halbzug: [a-zO][\w ]+\n", process.stderr)

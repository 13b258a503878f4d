"""Files beside a user's script or in the working directory do not replace any module."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import Command, environment_of_users
from uci_client import PATIENCE_SECONDS, UciClient

from halbzug.board import movegen

pytestmark = pytest.mark.any_build

#: Names of our rooms, of modules of the standard library that we import, and of python-chess.
NAMES = (
    *("eval", "books", "search", "loading", "chess"),
    *("queue", "pickle", "socket", "tempfile", "random"),
    *("__future__", "typing", "pathlib", "dataclasses"),  # imported first by the package
)

SCRIPT = """
import halbzug

engine = halbzug.Engine()
import chess, chess.engine

board = chess.Board("r1b2k1r/ppp1bppp/8/1B1Q4/5q2/2P5/PPP2PPP/R3R1K1 w - - 1 0")
print(engine.play(board, chess.engine.Limit(depth=5)).move)
"""


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """A folder of modules that report it when they are imported."""
    for name in NAMES:
        (tmp_path / f"{name}.py").write_text(f"raise SystemExit('{name}.py was imported')\n")
    return tmp_path


def test_beside_a_script(hostile: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    (hostile / "script.py").write_text(SCRIPT)
    process = subprocess.run(
        [sys.executable, str(hostile / "script.py")],
        cwd=tmp_path_factory.mktemp("elsewhere"),
        env=environment_of_users(),
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    assert (process.stdout, process.stderr) == ("d5d8\n", "")


def test_in_the_working_directory_of_the_engine(hostile: Path) -> None:
    with UciClient(hostile) as client:
        client.handshake()
        client.send("setoption name Threads value 2")
        client.synchronise()
        answer = client.go("go depth 6")
        assert answer.last.depth == 6
        assert answer.strings == []


@pytest.mark.slow
def test_in_the_working_directory_of_the_commands(hostile: Path) -> None:
    command = Command(hostile, is_fresh=True)
    engines = [word for name in "AB" for word in ("-e", f"{name}={sys.executable} -m halbzug")]
    played = command.run("match", *engines, "--games", "2", "--nodes", "200", "--json")
    assert played.returncode == 0, played.stderr
    assert "was imported" not in played.stdout + played.stderr
    measured = command.run("bench", "--against-pure", "--depth", "1", "--json")
    report = json.loads(measured.stdout)
    assert report["same_signature"]
    assert report["pure"]["build"] == "pure"
    assert report["compiled"]["build"] == movegen.BUILD


def test_a_chess_module_that_is_not_python_chess_is_named(tmp_path: Path) -> None:
    # It is imported first, which nothing of ours can prevent.
    (tmp_path / "chess.py").write_text("")
    (tmp_path / "script.py").write_text(
        "import chess\nimport halbzug\n"
        "try:\n    halbzug.Engine()\nexcept ImportError as error:\n    print(error)\n"
    )
    process = subprocess.run(
        [sys.executable, "script.py"],
        cwd=tmp_path,
        env=environment_of_users(),
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    assert process.stderr == ""
    assert process.stdout.count("\n") == 1
    assert str(tmp_path / "chess.py") in process.stdout

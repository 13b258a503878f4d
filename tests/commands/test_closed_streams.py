"""Started with standard streams closed, as by `halbzug <&- >&- 2>&-`, nothing shows a traceback."""

from __future__ import annotations

import itertools
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import OPERA_GAME, environment_of_users

pytestmark = [
    pytest.mark.any_build,
    pytest.mark.skipif(os.name != "posix", reason="needs a POSIX shell's streams"),
]

CLOSED = {"input": "<&-", "output": ">&-", "errors": "2>&-"}
COMBINATIONS = [names for number in (1, 2, 3) for names in itertools.combinations(CLOSED, number)]

COMMANDS = [
    *("--version", "--help", "analyse startpos --depth 1", "bench --depth 1"),
    *("book build games.pgn -o book.bin", "perft nonsense 2", "play", "register", "nonsense"),
]

#: For the commands: each single stream whose absence may matter, and all of them.
SOME = [("output",), ("errors",), ("input", "output", "errors")]


def run(folder: Path, arguments: str, closed: tuple[str, ...], text: str = "") -> tuple[int, str]:
    """The exit code, and everything printed on the streams that are open."""
    program = shlex.join([sys.executable, "-m", "halbzug"])
    redirections = " ".join(CLOSED[name] for name in closed)
    result = subprocess.run(
        ["sh", "-c", f"exec {program} {arguments} {redirections}"],
        input=text.encode(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        cwd=folder,
        env={**environment_of_users(), "HOME": str(folder), "XDG_CONFIG_HOME": str(folder)},
        timeout=120,
        check=False,
    )
    return result.returncode, result.stdout.decode()


@pytest.mark.parametrize("closed", COMBINATIONS, ids="-".join)
def test_the_engine(tmp_path: Path, closed: tuple[str, ...]) -> None:
    text = "uci\nisready\nposition startpos\ngo depth 2\n"
    code, output = run(tmp_path, "", closed, text)
    assert "Traceback" not in output and "Exception" not in output
    if closed == ("errors",):
        assert code == 0
        assert "uciok" in output and "bestmove" in output
    else:
        assert code == 1
        missing = "input" if "input" in closed else "output"
        error = f"halbzug: standard {missing} is closed\n"
        assert output == ("" if "errors" in closed else error)


@pytest.mark.slow
@pytest.mark.parametrize("arguments", COMMANDS)
def test_a_command(tmp_path: Path, arguments: str) -> None:
    (tmp_path / "games.pgn").write_text(OPERA_GAME)
    usual, _ = run(tmp_path, arguments, ())
    for closed in SOME:
        code, output = run(tmp_path, arguments, closed)
        assert "Traceback" not in output and "Exception" not in output, (closed, output)
        assert code == usual, (closed, output)

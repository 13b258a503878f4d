"""A system that allows few processes: a legal move for each `go`, and nothing left behind.

Linux counts processes and threads together, for each user; the test has a user of its own.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import chess
import pytest
from checkout import ROOT
from uci_client import UciClient, wait_until_gone

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="needs Linux's way of counting"),
]

START_MOVES = {move.uci() for move in chess.Board().legal_moves}

#: An unused user ID, for which nothing else runs; it differs between parallel test processes.
STRANGER = 1_600_000_000 + os.getpid()

# The limit does not bind administrators; the stranger keeps only the right to read, because the
# checkout and Python may be in somebody's home directory.
LIMITED = """
import os, resource, sys
limit, user, root, *command = sys.argv[1:]
resource.setrlimit(resource.RLIMIT_NPROC, (int(limit), int(limit)))
rights = "-all,+dac_read_search"
who = ["--reuid", user, "--regid", user, "--clear-groups"]
who += ["--inh-caps", rights, "--ambient-caps", rights]
os.environ["PYTHONPATH"] = root
os.execvp("setpriv", ["setpriv", *who, sys.executable, *command])
"""


def limited(limit: int, *arguments: str) -> tuple[str, ...]:
    """Arguments for Python that limit it to `limit` processes and threads."""
    command = arguments or ("-m", "halbzug")
    return ("-c", LIMITED, str(limit), str(STRANGER), str(ROOT), *command)


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """A folder that the stranger may enter."""
    if os.geteuid() != 0:
        pytest.skip("only the superuser can become an unused user")
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        command = [sys.executable, *limited(100, "-c", "import halbzug.search.search")]
        check = subprocess.run(command, cwd=name, capture_output=True, check=False)
        if check.returncode:
            pytest.skip("setpriv cannot start a user who can read the checkout")
        yield Path(name)


def processes_of(user: int) -> list[int]:
    """Everything that runs for a user, including dead processes that nobody has reaped."""
    found = []
    for place in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            if place.name.isdecimal() and place.stat().st_uid == user:
                found.append(int(place.name))
    return found


@pytest.mark.parametrize("threads", [1, 4])
@pytest.mark.parametrize("limit", range(1, 15))
def test_each_go_is_answered_and_nothing_is_left(folder: Path, limit: int, threads: int) -> None:
    with UciClient(folder, *limited(limit)) as client:
        heard = client.handshake()
        client.send(f"setoption name Threads value {threads}")
        heard += client.synchronise()
        board = chess.Board()
        for command in ("go movetime 100", "go depth 3", "go infinite", "go wtime 900 btime 900"):
            client.send("position startpos moves " + " ".join(map(str, board.move_stack)), command)
            if command == "go infinite":
                heard += client.synchronise()
                client.send("stop")
            answer = client.wait_for_best_move()
            heard += answer.lines
            board.push(board.parse_uci(answer.move))
        client.send("go perft 2", "isready")
        heard += client.read_until("readyok")
        client.send("stop")
        heard += client.synchronise()
        said = [line for line in heard if line.startswith("info string")]
        assert not any("internal error" in line for line in said)
        if not any(" depth 3 " in line for line in heard):
            assert any("no more processes or threads" in line for line in said), said
        if limit < 4:
            assert any("choosing moves without a search" in line for line in said)
        if limit >= 14 and threads == 1:
            assert not any("no more processes" in line for line in said)
    wait_until_gone(processes_of(STRANGER))
    assert processes_of(STRANGER) == []


@pytest.mark.parametrize("limit", range(1, 9))
@pytest.mark.parametrize("end", [[], ["quit"]], ids=["end of input", "quit"])
def test_lines_through_a_pipe(folder: Path, limit: int, end: list[str]) -> None:
    lines = ["uci", "isready", "position startpos", "go movetime 100", "go depth 1", *end]
    result = subprocess.run(
        [sys.executable, *limited(limit)],
        input="".join(line + "\n" for line in lines).encode(),
        cwd=folder,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert (result.returncode, result.stderr) == (0, b"")
    text = result.stdout.decode()
    assert "uciok" in text and "readyok" in text and "bestmove" in text
    wait_until_gone(processes_of(STRANGER))


@pytest.mark.parametrize("limit", range(1, 6))
def test_python_programs_get_a_move(folder: Path, limit: int) -> None:
    code = (
        "from halbzug.engine.engine import Engine\n"
        "from halbzug.base.limits import Limits\n"
        "with Engine() as engine:\n"
        "    print(engine.play(Limits(depth=2)).move)\n"
    )
    result = subprocess.run(
        [sys.executable, *limited(limit, "-c", code)],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.strip() in START_MOVES
    wait_until_gone(processes_of(STRANGER))


@pytest.mark.parametrize("limit", [1, 3, 4, 6])
@pytest.mark.parametrize(
    "arguments",
    [
        ["analyse", "startpos", "-d", "2"],
        ["bench", "--threads", "2", "--depth", "1"],
        ["explain", "tree"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_a_command_says_in_one_line_what_is_missing(
    folder: Path, limit: int, arguments: list[str]
) -> None:
    result = subprocess.run(
        [sys.executable, *limited(limit, "-m", "halbzug", *arguments)],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    if result.returncode:
        assert result.returncode == 1
        assert result.stderr.startswith("halbzug: ") and result.stderr.count("\n") == 1
    wait_until_gone(processes_of(STRANGER))

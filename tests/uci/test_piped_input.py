"""Lines from a pipe, and its end: every request is answered first.

Whoever still reads gets the answers, and nobody waits for those who do not.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import chess
import pytest
from uci_client import PATIENCE_SECONDS, UciClient, children_of, has_proc, wait_until_gone

needs_posix = pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals and pipes")
needs_proc = pytest.mark.skipif(not has_proc(), reason="needs /proc to see child processes")

START_MOVES = {move.uci() for move in chess.Board().legal_moves}

#: A long time for what should take none, in seconds.
AT_ONCE_SECONDS = 30.0


def pipe(folder: Path, *lines: str, timeout: float = PATIENCE_SECONDS) -> list[str]:
    """The output for exactly these input lines."""
    text = "".join(line + "\n" for line in ("setoption name OwnBook value false", *lines))
    process = subprocess.run(
        [sys.executable, "-m", "halbzug"],
        input=text.encode(),
        capture_output=True,
        cwd=folder,
        timeout=timeout,
        check=False,
    )
    assert (process.returncode, process.stderr) == (0, b"")
    return process.stdout.decode().splitlines()


def best_moves(lines: list[str]) -> list[str]:
    return [line.split()[1] for line in lines if line.startswith("bestmove")]


# -- commands that complete -----------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("end", [["quit"], []], ids=["quit", "end of input"])
def test_perft_and_bench_complete(tmp_path: Path, end: list[str]) -> None:
    assert pipe(tmp_path, "go perft 3", *end)[-2:] == ["Nodes searched: 8902", ""]
    lines = pipe(tmp_path, "bench 1", *end)
    assert any(re.fullmatch(r"Nodes searched: \d+", line) for line in lines)


@pytest.mark.slow
@pytest.mark.parametrize("end", [["quit"], []], ids=["quit", "end of input"])
def test_several_commands_complete_in_order(tmp_path: Path, end: list[str]) -> None:
    lines = pipe(tmp_path, "go perft 4", "go perft 3", "bench 1", "go perft 1", *end)
    totals = [int(line.split()[-1]) for line in lines if line.startswith("Nodes searched")]
    assert totals[:2] + totals[3:] == [197281, 8902, 20]
    assert totals[2] > 1000
    assert "Stopped" not in lines


def test_a_search_after_perft_waits_for_it(tmp_path: Path) -> None:
    lines = pipe(tmp_path, "go perft 3", "go movetime 50")
    assert lines.index("Nodes searched: 8902") < len(lines) - 1
    (move,) = best_moves(lines)
    assert move in START_MOVES


@pytest.mark.slow
@needs_proc
@pytest.mark.parametrize("count", ["bench 60", "go perft 20"])
def test_stopping_a_count_keeps_the_search_process(tmp_path: Path, count: str) -> None:
    with UciClient(tmp_path) as client:
        client.handshake()
        workers = client.children()
        client.send(count)
        time.sleep(0.5)  # it has begun
        client.send("stop")
        answer = client.go("go depth 4")
        assert answer.last.depth == 4
        assert answer.strings == []
        time.sleep(2)  # longer than the front waits for a process that does not answer
        assert client.go("go depth 4").strings == []
        assert client.children() == workers


def test_stop_ends_perft_and_bench_and_what_waits_behind_them(tmp_path: Path) -> None:
    begun = time.monotonic()
    pipe(tmp_path, "go perft 20", "go perft 20", "bench 60", "stop", "quit")
    assert time.monotonic() - begun < AT_ONCE_SECONDS


@pytest.mark.slow
@pytest.mark.parametrize("limits", ["depth 4", "nodes 3000", "movetime 600", "wtime 9000"])
def test_a_finite_search_finishes_at_the_end_of_input(tmp_path: Path, limits: str) -> None:
    lines = pipe(tmp_path, "isready", f"go {limits}")
    assert lines[-1].startswith("bestmove")
    (move,) = best_moves(lines)
    assert move in START_MOVES
    if limits.startswith("depth"):
        assert any(line.startswith("info depth 4 ") for line in lines)


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("go infinite", marks=pytest.mark.slow),  # the meaning of a plain "go"
        *("go ponder wtime 90000 btime 90000", "go"),
    ],
)
def test_an_infinite_search_answers_at_the_end_of_input(tmp_path: Path, line: str) -> None:
    begun = time.monotonic()
    (move,) = best_moves(pipe(tmp_path, "isready", line))
    assert move in START_MOVES
    assert time.monotonic() - begun < AT_ONCE_SECONDS


def test_isready_is_answered_at_the_end_of_input_after_a_byte_order_mark(tmp_path: Path) -> None:
    process = subprocess.run(
        [sys.executable, "-m", "halbzug"],
        input=b"\xef\xbb\xbfuci\nsetoption name Hash value 32\nisready\nisready\n",
        capture_output=True,
        cwd=tmp_path,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    assert (process.returncode, process.stderr) == (0, b"")
    assert process.stdout.startswith(b"id name")
    assert process.stdout.decode().splitlines()[-3:] == ["uciok", "readyok", "readyok"]


def test_quit_stops_a_search(tmp_path: Path) -> None:
    begun = time.monotonic()
    counted = pipe(tmp_path, "isready", "go perft 3", "go depth 60", "quit")
    alone = pipe(tmp_path, "isready", "go infinite", "quit")
    assert time.monotonic() - begun < AT_ONCE_SECONDS
    assert set(best_moves(counted)) <= START_MOVES and len(best_moves(counted)) == 1
    assert set(best_moves(alone)) <= START_MOVES  # on a busy machine, none in time
    assert any(" depth 1 " in line or "guess" in line for line in alone) or not best_moves(alone)


# -- nobody reads ---------------------------------------------------------------------------------

COMMANDS = ["go wtime 900000 btime 900000", "go depth 60", "go infinite", "go perft 20", "bench 60"]


@pytest.mark.slow
@needs_posix
@needs_proc
@pytest.mark.parametrize("ends", ["both", "output"])
@pytest.mark.parametrize("command", [*COMMANDS, "isready"])
def test_without_a_reader_everything_ends(tmp_path: Path, command: str, ends: str) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "halbzug"],
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin and process.stdout and process.stderr
    try:
        process.stdin.write(b"setoption name Threads value 2\nisready\n" + command.encode())
        process.stdin.write(b"\n")
        process.stdin.flush()
        assert process.stdout.readline() == b"readyok\n"
        time.sleep(0.2)
        workers = children_of(process.pid)
        assert len(workers) == 2
        process.stdout.close()
        if ends == "both":
            process.stdin.close()
        assert process.wait(AT_ONCE_SECONDS) == 0
        wait_until_gone(workers, AT_ONCE_SECONDS)
        assert process.stderr.read() == b""
    finally:
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            stream.close()


GUI = """
import subprocess, sys, time
engine = subprocess.Popen(
    [sys.executable, "-m", "halbzug"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
)
engine.stdin.write(b"isready\\n")
engine.stdin.flush()
engine.stdout.readline()
engine.stdin.write(sys.argv[1].encode() + b"\\n")
engine.stdin.flush()
print(engine.pid, flush=True)
time.sleep(600)
"""


@pytest.mark.slow
@needs_posix
@needs_proc
@pytest.mark.parametrize("command", COMMANDS)
def test_nothing_is_left_when_the_gui_dies(tmp_path: Path, command: str) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", GUI, command], cwd=tmp_path, stdout=subprocess.PIPE
    ) as gui:
        assert gui.stdout
        front = int(gui.stdout.readline())
        processes = [front, *children_of(front)]
        assert len(processes) == 2
        gui.send_signal(signal.SIGKILL)
    wait_until_gone(processes, AT_ONCE_SECONDS)

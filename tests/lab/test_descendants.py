"""Every process that a file's code starts ends with the engine, however the engine ends."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest
from file_engines import run_file
from uci_client import PATIENCE_SECONDS, is_alive, wait_until_gone

pytestmark = [
    pytest.mark.any_build,
    pytest.mark.skipif(sys.platform != "linux", reason="only Linux has the guard"),
]

SOURCE = """
import os, pathlib, subprocess, sys, time

SLEEP = [sys.executable, "-S", "-c", "import time; time.sleep(100)"]
pids = [subprocess.Popen(SLEEP).pid, subprocess.Popen(SLEEP, start_new_session=True).pid]
if not (child := os.fork()):
    os.setsid()
    if pid := os.fork():
        os._exit(0)
    with open("forked", "w") as file:
        file.write(str(os.getpid()))
    time.sleep(100)
os.waitpid(child, 0)
while not os.path.exists("forked") or not os.path.getsize("forked"):
    time.sleep(0.01)
pids += [os.getpid(), int(open("forked").read())]
if not os.path.exists("pids"):
    with open("pids", "w") as file:
        file.write(" ".join(map(str, pids)))

def choose(board, clock):
    if not os.path.exists("hung"):
        open("hung", "w").close()
        while True:
            try:
                time.sleep(100)
            except BaseException:
                pass
    return next(iter(board.legal_moves))
"""


@pytest.mark.parametrize(
    "end", ["quit", pytest.param("closed input", marks=pytest.mark.slow), "killed", "replaced"]
)
def test_processes_started_by_a_file_end_with_the_engine(tmp_path: Path, end: str) -> None:
    with run_file(tmp_path, SOURCE) as client:
        pids = list(map(int, (tmp_path / "pids").read_text().split()))
        assert len(pids) == 4 and all(map(is_alive, pids))
        if end == "quit":
            client.quit()
        elif end == "closed input":
            assert client.process.stdin
            client.process.stdin.close()
            client.process.wait(PATIENCE_SECONDS)
        elif end == "killed":
            client.send("go movetime 10000")
            while not (tmp_path / "hung").exists():
                time.sleep(0.01)
            client.process.kill()
            client.process.wait(PATIENCE_SECONDS)
        else:
            assert client.go("go movetime 100").move
        wait_until_gone(pids)

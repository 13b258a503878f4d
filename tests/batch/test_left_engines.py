"""Another engine never outlives the process that uses it, even if the engine hangs."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from pathlib import Path

import chess
import pytest
from uci_client import wait_until_gone

from halbzug.base.limits import Limits
from halbzug.batch.analyst_process import AnalystProcess
from halbzug.batch.analysts import AnalystError, Setup
from halbzug.batch.questions import Question

pytestmark = pytest.mark.any_build

ENGINE = """
import os, sys, time

def hang():
    with open("pid.new", "w") as file:
        file.write(str(os.getpid()))
    os.rename("pid.new", "pid")
    while True:
        time.sleep(1)

for line in sys.stdin:
    word = line.split()[0]
    if word == HANGS:
        hang()
    print({"uci": "uciok", "isready": "readyok"}.get(word, ""), flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="the engine is not a child of the test there")
@pytest.mark.parametrize("word", ["uci", "isready", "go"])
def test_a_hanging_engine_ends_with_the_process_that_uses_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, word: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "engine.txt").write_text(ENGINE.replace("HANGS", repr(word)))
    process = AnalystProcess(Setup(Limits(nodes=10), command=f"{sys.executable} engine.txt"))

    def ask() -> None:
        with contextlib.suppress(AnalystError):
            process.work([[Question(chess.STARTING_FEN, (), False)]])

    thread = threading.Thread(target=ask)
    thread.start()
    pid = tmp_path / "pid"
    until = time.perf_counter() + 60
    while not pid.exists() and time.perf_counter() < until:
        time.sleep(0.01)
    process.close()
    thread.join()
    wait_until_gone([int(pid.read_text())])

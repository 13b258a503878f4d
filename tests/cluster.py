"""A Dask cluster on this machine, and the many positions that it analyses."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable

import chess
from command_line import Command

#: The settings that the how-to page recommends.
SETTINGS = {
    "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False",
    "DASK_DISTRIBUTED__ADMIN__TICK__INTERVAL": "1s",
}


def some_positions(count: int) -> list[str]:
    """Different positions, all of which can be searched quickly."""
    board = chess.Board()
    fens = []
    for number in range(count):
        moves = sorted(move.uci() for move in board.legal_moves)
        board.push_uci(moves[number * 7 % len(moves)])
        fens.append(board.fen())
        if board.is_game_over() or number % 12 == 11:
            board = chess.Board()
            board.push_uci(("a2a3", "b2b3", "c2c3", "d2d3", "h2h3")[number // 12 % 5])
    return fens


def wait_for(condition: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    """Wait until something has happened, as long as a process is still working on it."""
    while not condition():
        if process.poll() is not None:
            errors = process.stderr.read() if process.stderr else ""
            raise AssertionError(f"it ended before its time: {errors}")
        time.sleep(0.02)


class Cluster:
    """A Dask scheduler and its workers, each a separate process on this machine."""

    def __init__(self, halbzug: Command) -> None:
        self.halbzug = halbzug
        self.processes: list[subprocess.Popen[str]] = []
        self.address = ""
        file = halbzug.folder / "scheduler.json"
        scheduler = self._start(
            "scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(file)
        )
        wait_for(
            lambda: file.exists() and file.read_text(encoding="utf-8").endswith("}"), scheduler
        )
        self.address = json.loads(file.read_text(encoding="utf-8"))["address"]

    def add_worker(self) -> subprocess.Popen[str]:
        return self._start("worker", self.address, "--nthreads", "1", "--no-nanny")

    def _start(self, kind: str, *arguments: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.dask_{kind}", "--no-dashboard", *arguments],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
            cwd=self.halbzug.folder,
            env=self.halbzug.environment | SETTINGS,
        )
        self.processes.append(process)
        return process

    def close(self) -> None:
        for process in reversed(self.processes):
            process.kill()
            process.wait()

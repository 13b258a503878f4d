"""A session that constantly changes its settings while its processes are killed.

Run as a script it does the whole programme and prints what it saw:

    python tests/long/torture.py

Every move is asked for with `go movetime`; it must be legal, and its delay after the deadline is
recorded.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from unittest.mock import patch

import chess

sys.path.insert(0, str(Path(__file__).parents[1]))  # helpers of the tests

from uci_client import UciClient, is_alive, wait_until_gone

from halbzug.workers.smp_pool import cores

MOVE_TIME_MS = 200
MAX_THREADS = 4


@dataclass
class Report:
    """The record of a session."""

    moves: int = 0
    illegal: list[str] = field(default_factory=list)
    latest_ms: float = -MOVE_TIME_MS  # the slowest answer, in seconds after its deadline
    orphans: list[int] = field(default_factory=list)
    left_files: list[str] = field(default_factory=list)
    memory_before_mb: float = 0.0  # front and workers, proportional share
    memory_after_mb: float = 0.0
    open_files_before: int = 0
    open_files_after: int = 0


class Torture:
    """One front after another, each with a game in progress."""

    def __init__(self, folder: Path, seed: int = 1) -> None:
        self.folder = folder
        self.report = Report()
        self.chooser = random.Random(seed)
        self.workers: set[int] = set()
        self.board = chess.Board()
        self.client = self.start()

    def start(self) -> UciClient:
        """Start a front and do the handshake."""
        client = UciClient(self.folder)
        client.handshake()
        return client

    def set(self, threads: int, hash_mb: int) -> None:
        """Change both options, in any order."""
        options = [f"Threads value {threads}", f"Hash value {hash_mb}"]
        self.chooser.shuffle(options)
        self.client.send(*(f"setoption name {option}" for option in options))

    def move(self, during: Callable[[], None] | None = None) -> None:
        """Play a move; `during` happens while the engine is thinking about it."""
        if self.board.is_game_over() or len(self.board.move_stack) > 120:
            self.board = chess.Board()
        moves = " ".join(move.uci() for move in self.board.move_stack)
        self.client.send(f"position startpos moves {moves}".removesuffix(" moves "))
        self.client.send(f"go movetime {MOVE_TIME_MS}")
        started = time.monotonic()
        if during:
            time.sleep(MOVE_TIME_MS / 3000)
            during()
        text = self.client.wait_for_best_move().move
        late_ms = (time.monotonic() - started) * 1000 - MOVE_TIME_MS
        self.report.latest_ms = max(self.report.latest_ms, late_ms)
        self.report.moves += 1
        self.workers |= set(self.client.children())
        try:
            self.board.push_uci(text)
        except ValueError:
            self.report.illegal.append(f"{text} in {self.board.fen()}")
            self.board = chess.Board()

    def kill_worker(self) -> None:
        """Kill one of the workers, main or helper."""
        workers = self.client.children()
        self.workers |= set(workers)
        if workers:
            os.kill(self.chooser.choice(workers), signal.SIGKILL)

    def kill_front(self) -> None:
        """Kill the front during a search; its workers must follow.

        Workers beyond the cores have the lowest priority: on a busy machine they wait minutes for
        the turn in which they load the search, and only then see that the front is gone.
        """
        self.set(self.chooser.randint(2, max(2, cores())), 16)
        self.client.synchronise()
        self.client.send("go infinite")
        time.sleep(0.1)
        workers = self.client.children()
        self.workers |= set(workers)
        self.client.process.kill()
        self.client.wait()
        self.client.__exit__(KeyboardInterrupt, None, None)
        wait_until_gone(workers)
        self.client = self.start()

    def measure(self) -> tuple[float, int]:
        """Memory in MB and open files of a session at rest, with one thread and a small table."""
        self.set(1, 1)
        self.client.send("setoption name Clear Hash")
        self.client.synchronise()
        self.move()
        self.client.synchronise()
        processes = [self.client.process.pid, *self.client.children()]
        while len(processes) > 2:  # those dismissed a moment ago
            time.sleep(0.02)
            processes = [self.client.process.pid, *self.client.children()]
        kilobytes = 0
        for pid in processes:
            for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
                if line.startswith("Pss:"):
                    kilobytes += int(line.split()[1])
        return kilobytes / 1024, len(list(Path(f"/proc/{processes[0]}/fd").iterdir()))


def shared_files(temporary: Path) -> set[str]:
    """The files where shared memory would be left behind; other programs put files there, too."""
    marks_in = {
        Path("/dev/shm"): ("halbzug", tempfile.gettempprefix()),
        temporary: ("halbzug",),
    }
    return {
        str(file)
        for folder, marks in marks_in.items()
        if folder.is_dir()
        for file in folder.iterdir()
        if any(mark in file.name for mark in marks)
    }


def run(changes: int = 20, new_games: int = 50, kills: int = 20) -> Report:
    """Change Threads and Hash, start new games, and kill workers and fronts this many times."""
    # Its own folder for temporary files: in the usual one other tests come and go.
    with tempfile.TemporaryDirectory() as name, patch.dict(os.environ, TMPDIR=name):
        folder = Path(name)
        files = shared_files(folder)
        session = Torture(folder)
        report = session.report
        for _ in range(kills):
            session.kill_front()
        session.move()
        report.memory_before_mb, report.open_files_before = session.measure()
        for _ in range(changes):
            session.set(session.chooser.randint(1, MAX_THREADS), session.chooser.randint(1, 64))
            session.move()
        session.set(3, 8)
        for _ in range(new_games):
            session.client.send("ucinewgame")
            session.move()
        for _ in range(kills):
            session.client.synchronise()
            session.move(during=session.kill_worker)
            session.client.send("stop")
        report.memory_after_mb, report.open_files_after = session.measure()
        with session.client:
            pass
        deadline = time.monotonic() + 5
        while any(map(is_alive, session.workers)) and time.monotonic() < deadline:
            time.sleep(0.02)
        report.orphans = [pid for pid in session.workers if is_alive(pid)]
        report.left_files = sorted(shared_files(folder) - files)
        return report


if __name__ == "__main__":
    for name, value in vars(run()).items():
        print(f"{name:<18} {value if not isinstance(value, float) else round(value, 1)}")

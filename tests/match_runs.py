"""Runs `halbzug match` as its users do, in a separate process, and reads its files."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import chess.pgn
from checkout import ROOT
from command_line import Command
from positions import SHARED_DATA
from uci_client import is_alive

from halbzug.match.match_record import GameRecord

SHARED_OPENINGS = SHARED_DATA / "openings"
HALBZUG = f"{sys.executable} -m halbzug"

#: For whole matches on a loaded machine, in seconds; only a broken test waits that long.
PATIENCE_SECONDS = 300


def fake(behaviour: str, log: Path | None = None) -> str:
    """The command that starts a test double."""
    command = [sys.executable, str(ROOT / "tests" / "fake_engine.py"), behaviour]
    return " ".join([*command, *([str(log)] if log else [])])


class Quiet:
    """A display that only records its messages."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def watching(self) -> contextlib.AbstractContextManager[None]:
        return contextlib.nullcontext()

    def say(self, text: str) -> None:
        self.said.append(text)

    def note(self, record: GameRecord, reason: str) -> None:
        pass


def _words(engines: dict[str, str]) -> list[str]:
    words = ["match"]
    for name, command in engines.items():
        words += ["-e", f"{name}={command}"]
    return words


class Match:
    """Matches in one folder.

    :param is_fresh: whether every match is a separate process.
    """

    def __init__(self, folder: Path, is_fresh: bool = False) -> None:
        self.folder = folder
        self._halbzug = Command(folder, is_fresh)
        self.environment = self._halbzug.environment

    def command(self, engines: dict[str, str], *arguments: str) -> list[str]:
        return [*self._halbzug.program, *_words(engines), *arguments]

    def start(self, engines: dict[str, str], *arguments: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            self.command(engines, *arguments),
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )

    def run(
        self, engines: dict[str, str], *arguments: str, **environment: str
    ) -> subprocess.CompletedProcess[str]:
        return self._halbzug.run(*_words(engines), *arguments, **environment)

    def output(self, engines: dict[str, str], *arguments: str) -> str:
        """Standard output of a match without errors."""
        process = self.run(engines, *arguments)
        assert (process.returncode, process.stderr) == (0, ""), process.stderr
        return process.stdout

    def json(self, engines: dict[str, str], *arguments: str) -> dict[str, Any]:
        process = self.run(engines, *arguments, "--json")
        assert process.returncode == 0, process.stderr
        report: dict[str, Any] = json.loads(process.stdout)
        return report

    def games(self, name: str = "games.pgn") -> list[chess.pgn.Game]:
        """The games of a PGN file, all of them valid, in the order of the schedule."""
        games = []
        with (self.folder / name).open(encoding="utf-8") as file:
            while game := chess.pgn.read_game(file):
                assert not game.errors, game.errors
                games.append(game)
        return sorted(games, key=lambda game: int(game.headers["Round"]))


def last_words(game: chess.pgn.Game) -> str:
    """The comment that the referee wrote at the end of a game."""
    return game.end().comment


def processes_of(parent: int) -> list[int]:
    """The children of a process."""
    found: list[int] = []
    for task in Path(f"/proc/{parent}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            found += [int(child) for child in task.read_text().split()]
    return found


def kill_all(pids: list[int]) -> None:
    """End processes left by a killed match."""
    for pid in filter(is_alive, pids):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)

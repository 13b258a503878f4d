"""Runs programs that use the package in separate processes, and finds what they leave behind."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from command_line import environment_of_users
from uci_client import PATIENCE_SECONDS, wait_until_gone

#: What every program begins with.
PREAMBLE = """
import os, signal, sys, threading, time
import chess, chess.engine
from chess.engine import Limit
import halbzug

board = chess.Board()

def note(engine):
    print(engine.transport.get_pid(), flush=True)
"""


class Program:
    """A running program; the numbers it prints, one a line, are process IDs."""

    def __init__(self, folder: Path, code: str, *flags: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, *flags, "-c", PREAMBLE + code],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=folder,
            env=environment_of_users(),
            text=True,
        )

    def read_pid(self) -> int:
        """The next process ID it prints."""
        assert self.process.stdout
        line = self.process.stdout.readline()
        assert line, self.process.communicate()[1]
        return int(line)

    def end(self, code: int | None = 0) -> list[str]:
        """Wait for it to end; return the printed lines that have not been read yet.

        Check that the engines whose process IDs it printed have left nothing behind.
        """
        try:
            output, errors = self.process.communicate(timeout=PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.communicate()
            raise
        assert code is None or self.process.returncode == code, (output, errors)
        assert "Exception ignored" not in errors and "was never retrieved" not in errors, errors
        self.errors = errors
        lines = output.splitlines()
        wait_until_gone([int(line) for line in lines if line.isdigit()])
        return [line for line in lines if not line.isdigit()]


def run(folder: Path, code: str, *flags: str, exit_code: int = 0) -> list[str]:
    """Run a program until it ends; see `Program.end`."""
    return Program(folder, code, *flags).end(exit_code)

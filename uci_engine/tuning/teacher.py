"""Another UCI engine that judges positions: the teacher of a network."""

from __future__ import annotations

import contextlib
import subprocess
import tempfile
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import chess

from ..client.engine_command import parse_engine
from .searcher import LabError

#: How long an engine may take to identify itself, in seconds.
_START_SECONDS = 30


class Judged(NamedTuple):
    """The teacher's move, and its score: centipawns for the side to move, None for a mate."""

    move: chess.Move
    score: int | None


class Teacher(contextlib.AbstractContextManager["Teacher"]):
    """A UCI engine that is asked about many positions at once.

    python-chess's client waits for each answer, which takes as long as the search.

    :param command: `COMMAND ARGUMENTS; OPTION=VALUE; ...`.
    :param depth: of its searches, in plies.
    :raises LabError: if the engine does not start, or lacks an option.
    """

    def __init__(self, command: str, depth: int) -> None:
        engine = parse_engine(command)
        self._go = f"go depth {depth}\n"
        self._deepest = f"info depth {depth} "
        try:
            self._process = subprocess.Popen(
                engine.program, stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )
        except (OSError, ValueError) as error:
            raise LabError(f"{command} does not start: {error}") from None
        settings = {"Threads": "1", "Hash": "16", **engine.settings}
        #: The name it reports.
        self.name = command
        try:
            options = self._begin()
            for name in engine.settings:
                if name.lower() not in options:
                    raise LabError(f"{self.name} has no option {name!a}")
            for name, value in settings.items():
                self._write(f"setoption name {name} value {value}\n")
            self._write("ucinewgame\nisready\n")
            while self._read() != "readyok":
                pass
        except LabError:
            self._end()
            raise

    def _begin(self) -> set[str]:
        """Send `uci`; return the names of the options, in lower case.

        :raises LabError: if it is not a UCI engine.
        """
        options = set()
        is_late = threading.Event()

        def give_up() -> None:
            is_late.set()
            self._process.kill()

        timer = threading.Timer(_START_SECONDS, give_up)
        timer.start()
        try:
            self._write("uci\n")
            while (line := self._read()) != "uciok":
                if line.startswith("id name "):
                    self.name = line[len("id name ") :]
                elif line.startswith("option name "):
                    options.add(line[len("option name ") :].partition(" type ")[0].lower())
        except LabError:
            if is_late.is_set():
                words = f"{self.name} has not answered `uci` in {_START_SECONDS} s"
                raise LabError(words) from None
            raise
        finally:
            timer.cancel()
        return options

    def __exit__(self, *exception: object) -> None:
        self._end()

    def ask(self, fens: Sequence[str]) -> None:
        """Start searching positions, one after another."""
        self._write("".join(f"position fen {fen}\n{self._go}" for fen in fens))

    def network(self) -> bytes:
        """The network that it evaluates with, exported by Stockfish's command `export_net`.

        :raises LabError: if it does not export one.
        """
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "network"
            self._write(f"export_net {path}\nisready\n")
            while self._read() != "readyok":
                pass
            try:
                return path.read_bytes()
            except OSError:
                words = f"{self.name} does not write its network by `export_net`"
                raise LabError(words) from None

    def answer(self) -> Judged | None:
        """The next answer; None if the game is over."""
        judged = None
        while not (line := self._read()).startswith("bestmove"):
            # Others are of another depth, or the current move, if the search takes long.
            if judged is None and line.startswith(self._deepest) and " score " in line:
                words = line.split()
                kind, value = words[words.index("score") + 1 :][:2]
                move = chess.Move.from_uci(words[words.index("pv") + 1])
                judged = Judged(move, int(value) if kind == "cp" else None)
        return judged

    def _end(self) -> None:
        self._process.kill()
        with contextlib.suppress(OSError):  # output that was never sent
            self._process.communicate()

    def _write(self, text: str) -> None:
        assert self._process.stdin
        try:
            self._process.stdin.write(text.encode())
            self._process.stdin.flush()
        except OSError:
            raise LabError("the engine has ended") from None

    def _read(self) -> str:
        assert self._process.stdout
        line = self._process.stdout.readline()
        if not line:
            raise LabError("the engine has ended")
        return line.decode("utf-8", "replace").rstrip()


def is_noisy(reply: str, codes: Sequence[int], target: chess.Square) -> bool:
    """Whether a reply promotes or captures, given the pieces and the last move's `target`."""
    square = chess.parse_square(reply[2:4])
    return len(reply) > 4 or square == target or bool(codes[square])

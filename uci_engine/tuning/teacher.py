"""Another UCI engine that judges positions: the teacher of a network."""

from __future__ import annotations

import contextlib
import io
import subprocess
import threading
from collections.abc import Sequence
from typing import NamedTuple

import chess

from halbzug.client.engine_command import parse_engine
from halbzug.tuning.searcher import LabError

#: Seconds in which an engine has to say what it is.
_START_SECONDS = 30

#: Bytes that are read at once.
_CHUNK = 1 << 16

#: What stands before a static evaluation, in pawns for White, or before `: none`.
_EVALUATION = b"Final evaluation"


class Judged(NamedTuple):
    """What the teacher says of a move: centipawns for who makes it, None for a mate.

    :ivar line: what it expects, the move first.
    """

    move: chess.Move
    score: int | None
    line: list[str]


class Teacher:
    """A UCI engine that is asked about many positions at once.

    python-chess's client waits for each answer, which takes as long as the search.

    :param command: `COMMAND ARGUMENTS; OPTION=VALUE; ...`.
    :param depth: of its searches, in plies; 0: it does not search, but says its static evaluation,
        by Stockfish's command `eval`.
    :param lines: moves of a position that it judges.
    :raises LabError: if the engine does not start, has no option of a name, or no `eval`.
    """

    def __init__(self, command: str, depth: int, lines: int = 1) -> None:
        engine = parse_engine(command)
        self._go = f"go depth {depth}\n" if depth else "eval\n"
        self._deepest = f"info depth {depth} "
        try:
            self._process = subprocess.Popen(
                engine.program, stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )
        except (OSError, ValueError) as error:
            raise LabError(f"{command} does not start: {error}") from None
        assert isinstance(self._process.stdout, io.BufferedReader)
        self._output = self._process.stdout
        self._unread = b""  # of evaluations
        settings = {"Threads": "1", "Hash": "16", "MultiPV": str(lines), **engine.settings}
        #: What it calls itself.
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
            if not depth:
                self._expect_evaluation()
        except LabError:
            self._end()
            raise

    def _begin(self) -> set[str]:
        """Say `uci`; the names of the options, in small letters.

        :raises LabError: if it is no UCI engine.
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

    def _expect_evaluation(self) -> None:
        """See whether it has `eval`.

        :raises LabError: if it has not.
        """
        self._write(f"position startpos\n{self._go}isready\n")
        is_known = False
        while (line := self._read()) != "readyok":
            is_known = is_known or line.startswith(_EVALUATION.decode())
        if not is_known:
            raise LabError(f"{self.name} does not say its evaluation by `eval`")

    def __enter__(self) -> Teacher:
        return self

    def __exit__(self, *exception: object) -> None:
        self._end()

    def ask(self, fens: Sequence[str]) -> None:
        """Have positions judged, one after the other."""
        self._write("".join(f"position fen {fen}\n{self._go}" for fen in fens))

    def evaluation(self) -> int | None:
        """The next answer without a search: centipawns for White, None for a check.

        :raises LabError: if the engine ends, or says something else.
        """
        # It is the last of some fifty lines; one by one they would make a position a fifth dearer.
        while len(words := self._unread.partition(_EVALUATION)[2].split(maxsplit=1)) < 2:
            self._unread += self._checked(self._output.read1(_CHUNK))
        word, self._unread = words
        try:
            return None if word == b":" else round(100 * float(word))
        except (ValueError, OverflowError):  # no number, or none of chess
            raise LabError(f"{self.name} says {word!r} as its evaluation") from None

    def answer(self) -> list[Judged]:
        """The next answer of a search: moves, the best one first; none where the game is over."""
        judged: list[Judged] = []
        while True:
            line = self._read()
            if line.startswith("bestmove"):
                return judged
            if not line.startswith(self._deepest) or " score " not in line:
                continue  # another depth, or the move that it looks at, if the search takes long
            words = line.split()
            kind, value = words[words.index("score") + 1 :][:2]
            moves = words[words.index("pv") + 1 :]
            score = int(value) if kind == "cp" else None
            judged.append(Judged(chess.Move.from_uci(moves[0]), score, moves))

    def _end(self) -> None:
        self._process.kill()
        with contextlib.suppress(OSError):  # what was not written any more
            self._process.communicate()

    def _write(self, text: str) -> None:
        assert self._process.stdin
        try:
            self._process.stdin.write(text.encode())
            self._process.stdin.flush()
        except OSError:
            raise LabError("the engine has ended") from None

    def _read(self) -> str:
        return self._checked(self._output.readline()).decode("utf-8", "replace").rstrip()

    @staticmethod
    def _checked(data: bytes) -> bytes:
        if not data:
            raise LabError("the engine has ended")
        return data


def is_noisy(reply: str, codes: Sequence[int], target: chess.Square) -> bool:
    """Whether a reply promotes or captures: what stood there, or what has moved to `target`."""
    square = chess.parse_square(reply[2:4])
    return len(reply) > 4 or square == target or bool(codes[square])

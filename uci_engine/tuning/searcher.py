"""A build as a process that is asked for moves, answered by `halbzug.tuning.player`."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass

import chess

from ..base.scores import is_mate
from ..base.time_control import GameClock
from . import player
from .installs import EVAL_FILE, Build


class LabError(Exception):
    """Why an experiment cannot continue, in one line."""


@dataclass(frozen=True)
class Thought:
    """What a search found."""

    move: chess.Move
    score: int  # centipawns, for the side to move
    nodes: int


class Searcher:
    """A process of a build. Its answers depend only on the questions since `new_game`.

    :param hash_mb: of its transposition table.
    :param program: what the interpreter runs; `halbzug.tuning.player` describes its input.
    :raises LabError: if it does not start.
    """

    def __init__(
        self, build: Build, hash_mb: int = 16, program: Sequence[str] = (player.__file__,)
    ) -> None:
        self.build = build
        settings = [f"{name}={value!r}" for name, value in build.settings.items()]
        if build.eval_file:
            settings.append(f"{EVAL_FILE}={build.eval_file}")
        self._errors = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")  # noqa: SIM115
        try:
            self._process = subprocess.Popen(
                [build.python, *program, build.site, str(hash_mb), *settings],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                text=True,
                env={key: value for key, value in os.environ.items() if key != "PYTHONPATH"},
                start_new_session=True,  # the laboratory handles interrupts, and ends the rest
            )
        except OSError as error:
            self._errors.close()
            raise LabError(f"{build.name} does not start: {error.strerror}") from None
        try:
            told = json.loads(self._read())
            #: "compiled" or "pure".
            self.kind = str(told["build"])
            #: Identifies the source of the search and the evaluation, and the settings.
            self.digest = str(told["digest"])
        except (ValueError, LookupError, TypeError):
            self.close()
            raise LabError(f"{build.name} does not start: it answers something else") from None
        except LabError:
            self.close()
            raise

    def new_game(self) -> None:
        """Forget everything learnt.

        :raises LabError: if the process has ended.
        """
        self._ask("new")

    def think(self, board: chess.Board, nodes: int) -> Thought:
        """Search a position of an unfinished game.

        :raises LabError: if the process has ended, or its move is not legal.
        """
        return self._search(f"go {nodes}", board)

    def think_on(self, clock: GameClock, board: chess.Board, nodes_per_ms: int) -> Thought:
        """Search a position of an unfinished game as long as its clock, which counts nodes, allows.

        :raises LabError: as `think`.
        """
        left, increment = clock.remaining_seconds, clock.control.increment_seconds
        times = f"{round(left * 1000)} {round(increment * 1000)} {clock.moves_to_go}"
        return self._search(f"clock {nodes_per_ms} {times}", board)

    def _search(self, how: str, board: chess.Board) -> Thought:
        recent = board.copy(stack=board.halfmove_clock)  # earlier positions cannot be repeated
        moves = " ".join(move.uci() for move in recent.move_stack)
        answer = self._ask(f"{how} {recent.root().fen()};{moves}")
        try:
            text, score, searched = answer.split()
            move = board.parse_uci(text)
            return Thought(move, int(score), int(searched))
        except ValueError:
            what = f"{self.build.name} answers {answer[:40]!a} in {board.fen()}"
            raise LabError(what) from None

    def close(self) -> None:
        """End the process, even from another thread than the one waiting for its answer."""
        self._process.kill()
        self._process.wait()
        for file in (self._process.stdin, self._process.stdout, self._errors):
            try:
                if file:
                    file.close()
            except OSError:  # a line that nobody will read
                pass

    def _ask(self, line: str) -> str:
        assert self._process.stdin
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        except (OSError, ValueError):
            raise self._exit_error() from None
        return self._read()

    def _read(self) -> str:
        assert self._process.stdout
        try:
            line = self._process.stdout.readline()
        except (OSError, ValueError):
            line = ""
        if not line:
            raise self._exit_error()
        return line.strip()

    def _exit_error(self) -> LabError:
        self._process.kill()
        self._process.wait()
        try:
            self._errors.seek(0)
            lines = self._errors.read().split("\n")
        except ValueError:  # it is closed
            lines = []
        reason = ([line.strip() for line in lines if line.strip()] or ["it was killed"])[-1]
        return LabError(f"{self.build.name} has ended: {reason}")


def plain_score(score: int) -> int:
    """The score with mates reduced to 10,000 centipawns."""
    if is_mate(score):
        return 10_000 if score > 0 else -10_000
    return score

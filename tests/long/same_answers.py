"""Checks that two builds give the same answers, line by line, except for times.

    python tests/long/same_answers.py halbzug ../other/.venv/bin/halbzug

It asks several thousand questions about positions of the bench and of random games: with and
without `ucinewgame` between them, at several sizes of Hash, with one and several lines, by nodes
and by depth. The script ends with code 1 at the first answer that differs.
"""

from __future__ import annotations

import argparse
import itertools
import random
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import chess

from halbzug.search.bench import POSITIONS

sys.path.insert(0, str(Path(__file__).parents[1]))  # helpers of the tests

from positions import STARTS, STARTS_960

#: The questions about each position, in turn. Not `mate`: its first iteration ignores limits.
LIMITS = (
    "nodes 1",
    "nodes 100",
    "nodes 1000",
    "depth 1",
    "depth 5",
    "nodes 10000",
    "nodes 1000 searchmoves",
)

_TIMES = re.compile(rb" (?:time|nps) \d+")


class RawEngine:
    """A UCI engine driven through its two pipes, with nothing in between."""

    def __init__(self, command: str) -> None:
        self._process = subprocess.Popen(
            shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._stdin = self._process.stdin
        self._stdout = open(self._process.stdout.fileno(), "rb", closefd=False)  # noqa: SIM115
        self.ask("uci", b"uciok")
        self.ask("isready", b"readyok")

    def ask(self, text: str, end: bytes) -> list[bytes]:
        """Send lines, and read until one starts with `end`."""
        self._stdin.write(text.encode() + b"\n")
        lines: list[bytes] = []
        while not lines or not lines[-1].startswith(end):
            lines.append(self._stdout.readline())
            if not lines[-1]:
                raise EOFError("the engine has ended")
        return lines

    def close(self) -> None:
        """Let it quit."""
        self._stdin.write(b"quit\n")
        self._process.wait()


def _positions(seed: int, chess960: bool) -> Iterator[tuple[str, list[str]]]:
    """Positions with the preceding moves of their games, in UCI notation."""
    rng = random.Random(seed)
    for fen in STARTS_960 if chess960 else (*POSITIONS, *STARTS):
        board = chess.Board(fen, chess960=chess960)
        moves: list[str] = []
        for _ in range(rng.choice((0, 0, 5, 60))):
            if not (legal := list(board.legal_moves)):
                break
            move = rng.choice(legal)
            moves.append(move.uci())
            board.push(move)
        yield fen, moves


def _questions(fens: list[tuple[str, list[str]]], limits: Iterator[str]) -> Iterator[str]:
    for fen, moves in fens:
        board = chess.Board(fen, chess960=True)
        limit = next(limits)
        if limit.endswith("searchmoves"):
            for text in moves:
                board.push(chess.Move.from_uci(text))
            limit = " ".join([limit, *(move.uci() for move in list(board.legal_moves)[:3])])
        played = f" moves {' '.join(moves)}" if moves else ""
        yield f"position fen {fen}{played}\ngo {limit}"


def _sessions(seed: int) -> Iterator[tuple[list[str], list[str]]]:
    """Settings, and the questions asked with them."""
    limits = itertools.cycle(LIMITS)
    for number, (megabytes, lines, is_new, chess960) in enumerate(
        itertools.product((16, 1, 64), (1, 3), (True, False), (False, True))
    ):
        settings = [
            f"setoption name {name} value {value}"
            for name, value in (
                ("Hash", megabytes),
                ("MultiPV", lines),
                ("UCI_Chess960", str(chess960).lower()),
                ("UCI_ShowWDL", str(bool(number & 1)).lower()),
                ("SyzygyProbeLimit", 0 if number & 2 else 7),
            )
        ]
        asked = list(_questions(list(_positions(seed + number, chess960)), limits))
        if is_new:
            asked = [f"ucinewgame\n{text}" for text in asked]
        yield settings, asked


def main(arguments: Sequence[str] | None = None) -> int:
    """Run as a script; return the exit code."""
    parser = argparse.ArgumentParser(description="Compare the answers of two builds.")
    parser.add_argument("engines", nargs=2, metavar="COMMAND")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    engines = [RawEngine(command) for command in options.engines]
    count = 0
    for settings, asked in _sessions(options.seed):
        for engine in engines:
            engine.ask("\n".join([*settings, "ucinewgame", "isready"]), b"readyok")
        for text in asked:
            answers = [
                [_TIMES.sub(b"", line) for line in engine.ask(text, b"bestmove")]
                for engine in engines
            ]
            count += 1
            if answers[0] != answers[1]:
                print(*settings, text, sep="\n")
                for answer in answers:
                    print(b"".join(answer).decode())
                return 1
    for engine in engines:
        engine.close()
    print(f"{count} answers, all the same")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

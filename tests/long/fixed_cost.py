"""What a search costs before and after it searches: UCI engines side by side.

    python tests/long/fixed_cost.py halbzug ../other/.venv/bin/halbzug stockfish

The engines take turns, so that other programs disturb them all alike. Each figure is a median in
milliseconds: of `go nodes 1`, of `ucinewgame` with `isready` after a search, and of both together,
by the nodes of the search and the size of Hash.
"""

from __future__ import annotations

import argparse
import itertools
import shlex
import subprocess
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from halbzug.search.bench import POSITIONS

#: What is measured: sizes of Hash in MiB, and limits in nodes.
HASHES = (16, 1024)
NODES = (1, 1000, 10_000)


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


#: A position with at most this many pieces may be looked up in tablebases, which takes longer.
FEW_PIECES = 7

FENS = [fen for fen in POSITIONS if sum(map(str.isalpha, fen.split()[0])) > FEW_PIECES]


@dataclass(frozen=True)
class Question:
    """A measurement.

    :param before: what is sent, followed by `isready`, before the time starts; it may contain a
        placeholder for a FEN.
    :param timed: what is sent then, up to the line that starts with `end`.
    """

    name: str
    megabytes: int
    before: str
    timed: str
    end: bytes

    def ask(self, engine: RawEngine, fen: str) -> float:
        """The milliseconds that one answer takes."""
        if self.before:
            engine.ask(self.before.format(fen), b"bestmove")
        begun = time.perf_counter()
        engine.ask(self.timed.format(fen), self.end)
        return (time.perf_counter() - begun) * 1000


def _questions() -> Iterator[Question]:
    search = "position fen {}\ngo nodes "
    yield Question("go nodes 1", 16, "", f"{search}1", b"bestmove")
    for megabytes, nodes in itertools.product(HASHES, NODES):
        yield Question(
            f"ucinewgame after {nodes} nodes, Hash {megabytes}",
            megabytes,
            f"{search}{nodes}",
            "ucinewgame\nisready",
            b"readyok",
        )
    for megabytes, nodes in itertools.product(HASHES, NODES):
        name = f"ucinewgame, go nodes {nodes}, Hash {megabytes}"
        timed = f"ucinewgame\nisready\n{search}{nodes}"
        yield Question(name, megabytes, "", timed, b"bestmove")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run as a script; return the exit code."""
    parser = argparse.ArgumentParser(description="Measure the fixed cost of a search.")
    parser.add_argument("engines", nargs="+", metavar="COMMAND")
    parser.add_argument("--turns", type=int, default=200)
    options = parser.parse_args(arguments)
    engines = [RawEngine(command) for command in options.engines]
    width = max(len(question.name) for question in _questions())
    print("milliseconds".ljust(width), *(f"{shlex.split(c)[0][-24:]:>24}" for c in options.engines))
    for question in _questions():
        for engine in engines:
            engine.ask(f"setoption name Hash value {question.megabytes}\nisready", b"readyok")
        taken: list[list[float]] = [[] for _ in engines]
        for number in range(options.turns):
            for engine, times in zip(engines, taken, strict=True):
                times.append(question.ask(engine, FENS[number % len(FENS)]))
        shown = [f"{median(times):24.3f}" for times in taken]
        print(question.name.ljust(width), *shown, flush=True)
    for engine in engines:
        engine.close()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

"""Let a strong engine judge positions: its expectation takes the place of the game's result.

    python -m eval.tuning.label FILE OUTPUT [--engine stockfish] [--nodes 500] [--share 1.0]

A game gives all its positions one result, which is often somebody's blunder twenty moves later; a
strong engine gives each position its own. Any UCI engine with the option `UCI_ShowWDL` will do.
"""

from __future__ import annotations

import argparse
import random
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from eval.tuning.selfplay import Sample


class Judge:
    """A UCI engine that says what it expects.

    :raises OSError: if it cannot be started.
    """

    def __init__(self, command: str, nodes: int) -> None:
        self.nodes = nodes
        self.process = subprocess.Popen(
            [command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self._say("uci\nsetoption name UCI_ShowWDL value true\nisready")
        list(self._answer("readyok"))

    def expectation(self, fen: str) -> float | None:
        """What White will score, 0 to 1; None if the engine does not say."""
        self._say(f"position fen {fen}\ngo nodes {self.nodes}")
        expected = None
        for line in self._answer("bestmove"):
            words = line.split()
            if "wdl" in words:
                place = words.index("wdl")
                win, draw = int(words[place + 1]), int(words[place + 2])
                expected = (win + draw / 2) / 1000
        if expected is not None and fen.split()[1] == "b":
            return 1 - expected
        return expected

    def close(self) -> None:
        """End the engine."""
        self._say("quit")
        self.process.wait()

    def _say(self, text: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(text + "\n")

    def _answer(self, last: str) -> Iterator[str]:
        """The lines up to one that begins with `last`."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.startswith(last):
                return
            yield line
        raise EOFError("the engine is gone")


def label(samples: Iterable[Sample], judge: Judge) -> Iterator[Sample]:
    """The samples with the judge's expectation as their result, to four digits."""
    for sample in samples:
        expected = judge.expectation(sample.fen)
        if expected is not None:
            yield replace(sample, result=round(expected, 4))


def main(arguments: Sequence[str] | None = None) -> int:
    """Label a file."""
    parser = argparse.ArgumentParser(prog="python -m eval.tuning.label", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("file", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("--engine", default="stockfish")
    parser.add_argument("--nodes", type=int, default=500, help="a position")
    parser.add_argument("--share", type=float, default=1.0, help="of the positions to label")
    parser.add_argument("--seed", type=int, default=0, help="of the choice of positions")
    options = parser.parse_args(arguments)
    chooser = random.Random(options.seed)
    lines = options.file.read_text(encoding="utf-8").splitlines()
    samples = [Sample.parse(line) for line in lines if chooser.random() < options.share]
    judge = Judge(options.engine, options.nodes)
    with options.output.open("w", encoding="utf-8") as file:
        for number, sample in enumerate(label(samples, judge), 1):
            file.write(f"{sample}\n")
            if number % 100 == 0:
                print(f"\r{number} of {len(samples)}", end="", flush=True)
    judge.close()
    print()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

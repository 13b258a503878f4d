"""Measures the value of the right to move: by how much a stronger engine rates it higher.

    python -m halbzug.tuning.tempo GAMES [--engine stockfish] [--depth 8] [--positions 2000]

`GAMES` is a file of `halbzug.tuning.selfplay`. This many evenly spaced positions are searched by
the other engine, and evaluated by this one. The output is the mean difference in centipawns for the
side to move, with its 95 % interval, and the correlation.

The difference itself says little, because fitting the tempo to it loses games. But if a new network
changes it, increasing the tempo by the change restores what the search was tuned to: in quiet
positions, the network undervalues the right to move. The same file and the same other engine allow
two builds to be compared: run the module with the Python of each.

Positions in check, those whose best move captures or promotes, and those that the other engine
considers decided are left out, because no static evaluation can be right there.
"""

from __future__ import annotations

import argparse
import math
import statistics
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import chess

from ..board.movegen import new_board
from ..eval.evaluation import Evaluator
from ..search.position import Position
from .searcher import LabError
from .selfplay import Sample
from .teacher import Teacher

#: A position is decided beyond this, in centipawns.
DECIDED = 400

#: Positions given to the other engine at once. Its answers must fit into the pipe's buffer.
_BATCH = 16


def compare(fens: Sequence[str], teacher: Teacher) -> Iterator[tuple[int, int]]:
    """Both engines' scores for the side to move, in centipawns: the teacher's first."""
    evaluator = Evaluator()
    for first in range(0, len(fens), _BATCH):
        batch = fens[first : first + _BATCH]
        teacher.ask(batch)
        for fen in batch:
            judged = teacher.answer()
            if judged is None or judged.score is None or abs(judged.score) > DECIDED:
                continue
            board, move = chess.Board(fen), judged.move
            if not (board.is_check() or board.is_capture(move) or move.promotion):
                position = Position(new_board(fen))
                ours = evaluator.evaluate(position.board, position.accumulator)
                yield judged.score, ours


def report(pairs: Sequence[tuple[int, int]], name: str) -> str:
    """The report as text.

    :raises LabError: if there are too few pairs.
    """
    if len(pairs) < 2:
        raise LabError("too few positions are left")
    theirs, ours = zip(*pairs, strict=True)
    differences = [their - our for their, our in pairs]
    error = 1.96 * statistics.stdev(differences) / math.sqrt(len(pairs))
    shown = f"{error:.1f}" if error else "?"
    return (
        f"{len(pairs):,} positions: {name} gives the side to move"
        f" {statistics.fmean(differences):+.1f} +/- {shown} centipawns more;"
        f" correlation {statistics.correlation(theirs, ours):.4f}"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure."""
    parser = argparse.ArgumentParser(prog="python -m halbzug.tuning.tempo", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("games", metavar="GAMES", type=Path)
    parser.add_argument("--engine", default="stockfish")
    parser.add_argument("--depth", type=int, default=8, help="of its searches")
    parser.add_argument("--positions", type=int, default=2000, help="at most")
    options = parser.parse_args(arguments)
    for name in ("depth", "positions"):
        if getattr(options, name) < 1:
            parser.error(f"--{name} is at least 1")

    try:
        lines = options.games.read_text(encoding="utf-8").splitlines()
        step = max(1, len(lines) // options.positions)
        fens = [Sample.parse(line).fen for line in lines[::step][: options.positions]]
        with Teacher(options.engine, options.depth) as teacher:
            print(report(list(compare(fens, teacher)), teacher.name))
    except (LabError, OSError, ValueError) as error:
        print(f"{parser.prog}: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

"""Gives judged positions other scores: the static evaluations of Stockfish's network.

    python -m halbzug.tuning.evaluate OLD NEW [--engine stockfish] [--cores 2]

Finding positions takes much longer than evaluating them. `OLD` is a folder of
`halbzug.tuning.visits`, judged at any depth. `NEW` gets the same positions in the same order with
the scores that `visits` would give without a search, and a `recipe.json` with depth 0, so that a
training recipe can name it. The same command continues after an interruption.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from ..base.whole_file import Claim, write_whole
from . import recording
from .judged import MAKER
from .positions_file import SIZE, with_score
from .searcher import LabError
from .stockfish_network import StockfishNetwork
from .teacher import Teacher


def evaluate(old: Path, new: Path, engine: str, cores: int) -> None:
    """Evaluate the positions of one folder that are missing from the other.

    :param engine: Stockfish, `COMMAND ARGUMENTS; OPTION=VALUE; ...`.
    :raises LabError: if a folder does not contain judged positions, the new one contains others, or
        the engine has no such network.
    """
    known = recording.recipe(old)
    if "depth" not in known:
        raise LabError(f"{old} is not a folder of judged positions")
    with Teacher(engine, 1) as teacher:
        network, name = teacher.network(), teacher.name
    StockfishNetwork(network)  # reports an unsuitable network here
    maker = f"{known[MAKER]}, evaluated by {name}"
    new.mkdir(parents=True, exist_ok=True)
    with Claim(new):
        recording.claim(new, {**known, "engine": engine, "depth": 0, MAKER: maker})
        _evaluate_missing(network, old, new, cores)


def _evaluate_missing(network: bytes, old: Path, new: Path, cores: int) -> None:
    tasks = [(path, new / path.name) for path in sorted(old.glob("games-*.bin"))]
    tasks = [(source, target) for source, target in tasks if not target.exists()]
    shares = [tasks[first::cores] for first in range(min(cores, len(tasks)))]
    if len(shares) < 2:
        for share in shares:
            _evaluate(network, share)
        return
    with ProcessPoolExecutor(len(shares), multiprocessing.get_context("spawn")) as pool:
        for _ in pool.map(partial(_evaluate, network), shares):
            pass


def _evaluate(network: bytes, files: Sequence[tuple[Path, Path]]) -> None:
    """Write the second file of each pair, with the positions of the first."""
    evaluator = StockfishNetwork(network)
    for source, target in files:
        data = source.read_bytes()
        records = [data[first : first + SIZE] for first in range(0, len(data), SIZE)]
        write_whole(target, b"".join(map(with_score, records, evaluator.scores(data))))


def main(arguments: Sequence[str] | None = None) -> int:
    """Evaluate."""
    parser = argparse.ArgumentParser(prog="python -m halbzug.tuning.evaluate", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("old", metavar="OLD", type=Path)
    parser.add_argument("new", metavar="NEW", type=Path)
    parser.add_argument("--engine", default="stockfish", help="%(default)s")
    parser.add_argument("--cores", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args(arguments)
    if options.cores < 1:
        parser.error("--cores is at least 1")
    return recording.exit_code(
        parser.prog, lambda: evaluate(options.old, options.new, options.engine, options.cores)
    )


if __name__ == "__main__":
    raise SystemExit(main())

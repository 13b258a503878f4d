"""Recorded positions for the trainer: read, given their terms, and parted into two sets.

The network corrects the sum of the terms, so each position needs that sum. It is computed once and
kept beside the games, in a folder named after the evaluation that it comes from. Games are held out
whole, because the positions of a game are similar.
"""

from __future__ import annotations

import hashlib
import multiprocessing
import zlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import starmap
from pathlib import Path
from typing import TYPE_CHECKING

from halbzug.board.movegen import new_board
from halbzug.eval.accumulator import Accumulator
from halbzug.eval.evaluation import Evaluator
from halbzug.eval.weights import WEIGHTS
from halbzug.search.bench import POSITIONS
from halbzug.tuning.positions_file import SIZE, fen_of, mirrored, read_columns
from halbzug.tuning.searcher import LabError
from halbzug.whole_file import write_whole

if TYPE_CHECKING:
    from halbzug.tuning.descent import Vector

#: Positions whose terms are beyond this, in centipawns, are left out as decided.
DECIDED = 1500

#: A position is compared with so many before it and after it.
_AROUND = 6

_DIGITS = frozenset("12345678")
_TYPES = {
    letter: number
    for number, pair in enumerate(("Pp", "Nn", "Bb", "Rr", "Qq", "Kk"), 1)
    for letter in pair
}


@dataclass(frozen=True)
class Positions:
    """Positions of a set.

    :ivar records: as words of 64 bits, four of each; see `halbzug.tuning.positions_file`.
    :ivar terms: the evaluation without the network, in centipawns for the side to move.
    """

    records: Vector
    terms: Vector

    def __len__(self) -> int:
        return len(self.terms)

    def checksum(self) -> int:
        """A number that other positions hardly have."""
        return zlib.crc32(self.terms.data, zlib.crc32(self.records.data))


class Terms:
    """The evaluation without the network."""

    def __init__(self) -> None:
        self._evaluator = Evaluator()
        self._evaluator.use_network = False
        self._accumulator = Accumulator()

    def evaluate(self, fen: str) -> int:
        """Centipawns, for the side to move."""
        self._accumulator.clear()
        square = 56
        for letter in fen.partition(" ")[0]:
            if letter == "/":
                square -= 16
            elif letter in _DIGITS:
                square += int(letter)
            else:
                self._accumulator.add(letter < "a", _TYPES[letter], square)
                square += 1
        return self._evaluator.evaluate(new_board(fen), self._accumulator)

    def digest(self) -> str:
        """Eight digits that another evaluation hardly has."""
        known = [self.evaluate(fen) for fen in POSITIONS]
        return hashlib.sha256(repr((WEIGHTS, known)).encode()).hexdigest()[:8]


def load(
    paths: Sequence[Path],
    held_out: int,
    cores: int,
    tell: Callable[[str], None],
    *,
    is_mirrored: bool = False,
    max_swing: int = 0,
) -> tuple[Positions, Positions]:
    """Read the positions to learn from, and those that are held out.

    :param paths: files of `halbzug.tuning.record`, `visits` or `walks`.
    :param held_out: one game of so many is held out.
    :param cores: that many processes compute the terms.
    :param is_mirrored: the positions to learn from come once more, with their files from h to a.
    :param max_swing: positions with greater `swings` are left out, in centipawns; 0: none is.
    :raises LabError: if there are too few.
    :raises OSError: if a file is missing or cannot be read.
    :raises ValueError: if it holds something else.
    """
    import numpy as np

    total = sum(path.stat().st_size for path in paths) // SIZE * (1 + is_mirrored)
    records, values = np.zeros((total, SIZE // 8), np.uint64), np.zeros(total, np.int16)
    kept_out: list[tuple[Vector, Vector]] = []
    used = 0
    is_calm = [not max_swing or swings(read_columns(path)) <= max_swing for path in paths]
    for is_other in (False, True)[: 1 + is_mirrored]:
        terms = _provide_terms(paths, cores, tell, is_other)
        for path, name, calm in zip(paths, terms, is_calm, strict=True):
            columns, scores = _columns(path, is_other), np.fromfile(name, "<i2")
            words = np.frombuffer(columns, "<u8").reshape(-1, SIZE // 8)
            is_kept = (np.abs(scores) < DECIDED) & calm
            is_out = columns["game"] % held_out == 0
            if not is_other:
                kept_out.append((words[is_kept & is_out], scores[is_kept & is_out]))
            chosen = is_kept & ~is_out
            end = used + int(chosen.sum())
            records[used:end], values[used:end] = words[chosen], scores[chosen]
            used = end
    learnt = Positions(records[:used].ravel(), values[:used])
    joined = (np.concatenate(column) for column in zip(*kept_out, strict=True))
    out = Positions(next(joined).astype(np.uint64).ravel(), next(joined).astype(np.int16))
    if not len(learnt) or not len(out):
        raise LabError(f"there are too few positions: {len(learnt)}, and {len(out)} held out")
    return learnt, out


def swings(columns: Vector) -> Vector:
    """By how much scores differ from the median of those around them, of the same game.

    Most positions that a search visits were reached by a bad move of one side or the other. Around
    them are positions of the same search and of those next to it, most of which are worth what the
    game is, so that one that is worth something else was reached by such a move.

    :param columns: see `halbzug.tuning.positions_file.read_columns`.
    :returns: absolute values, in centipawns.
    """
    import numpy as np

    games, scores = columns["game"], columns["score"].astype(np.float32)
    around = np.full((2 * _AROUND + 1, len(scores)), np.nan, np.float32)
    for row, shift in zip(around, range(-_AROUND, _AROUND + 1), strict=True):
        here = slice(max(shift, 0), len(scores) + min(shift, 0))
        there = slice(max(-shift, 0), len(scores) + min(-shift, 0))
        row[here] = np.where(games[here] == games[there], scores[there], np.nan)
    found: Vector = np.abs(scores - np.nanmedian(around, axis=0))
    return found


def _columns(path: Path, is_mirrored: bool) -> Vector:
    columns = read_columns(path)
    return mirrored(columns) if is_mirrored else columns


def _provide_terms(
    paths: Sequence[Path], cores: int, tell: Callable[[str], None], is_mirrored: bool
) -> list[Path]:
    """The files with the terms of some files; what is missing is computed."""
    place, prefix = f"terms-{Terms().digest()}", "mirrored-" if is_mirrored else ""
    targets = [path.parent / place / f"{prefix}{path.name}" for path in paths]
    for folder in {target.parent for target in targets}:
        folder.mkdir(exist_ok=True)
    missing = [
        (path, target, is_mirrored)
        for path, target in zip(paths, targets, strict=True)
        if not target.exists() or target.stat().st_size * SIZE != path.stat().st_size * 2
    ]
    if len(missing) > 1 and cores > 1:
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(min(cores, len(missing)), context) as pool:
            _count(pool.map(_write_terms, *zip(*missing, strict=True)), len(missing), tell)
    else:
        _count(starmap(_write_terms, missing), len(missing), tell)
    return targets


def _count(done: Iterator[None], total: int, tell: Callable[[str], None]) -> None:
    for number, _ in enumerate(done, 1):
        if number % 100 == 0 or number == total:
            tell(f"terms of {number} of {total} files")


def _write_terms(path: Path, target: Path, is_mirrored: bool) -> None:
    """Compute the terms of a file's positions."""
    import numpy as np

    terms = Terms()
    records = (record.tobytes() for record in _columns(path, is_mirrored))
    values = [terms.evaluate(fen_of(record)) for record in records]
    write_whole(target, np.clip(values, -(2**15), 2**15 - 1).astype("<i2").tobytes())

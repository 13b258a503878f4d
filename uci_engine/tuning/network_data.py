"""Prepares recorded positions for the trainer: reads them, adds terms, and splits them.

The network corrects the sum of the terms, so each position needs that sum. It is computed once and
stored beside the games, in a folder named after the evaluation. Whole games are held out, because
the positions of a game are similar.
"""

from __future__ import annotations

import multiprocessing
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..base.text import counted
from ..base.whole_file import write_whole
from .positions_file import SIZE, little_endian, read_columns
from .searcher import LabError
from .terms import Terms

if TYPE_CHECKING:
    from .descent import Vector

#: Positions whose terms exceed this, in centipawns, are left out as decided.
DECIDED = 1500

#: The number of positions before and after a position that it is compared with.
_AROUND = 6


@dataclass(frozen=True)
class Positions:
    """Positions of a set.

    :ivar records: as 64-bit words, four per position; see `halbzug.tuning.positions_file`.
    :ivar terms: the evaluation without the network, in centipawns for the side to move. If there
        are twice as many as records, the second half is for the mirrored positions.
    """

    records: Vector
    terms: Vector

    def __len__(self) -> int:
        return len(self.terms)

    def checksum(self) -> int:
        """A number that identifies these positions."""
        return zlib.crc32(self.terms.data, zlib.crc32(self.records.data))


def load(
    paths: Sequence[Path],
    held_out: int,
    cores: int,
    tell: Callable[[str], None],
    *,
    is_mirrored: bool = False,
    max_swing: int = 0,
) -> tuple[Positions, Positions]:
    """Load the positions to learn from, and the held-out ones.

    :param paths: files of `halbzug.tuning.visits`.
    :param held_out: one in this many games is held out.
    :param cores: the number of processes that compute the terms and `swings`.
    :param is_mirrored: also compute terms of the mirrored positions to learn from.
    :param max_swing: positions with greater `swings` are left out, in centipawns; 0 keeps all.
    :raises LabError: if there are too few.
    :raises OSError: if a file is missing or cannot be read.
    :raises ValueError: if it contains something else.
    """
    import numpy as np

    ways = (False, True)[: 1 + is_mirrored]
    terms = [_provide_terms(paths, cores, tell, way) for way in ways]
    calm: Iterable[Any] = [True] * len(paths)
    if max_swing:
        calm = _side_by_side(cores, _is_calm, paths, [max_swing] * len(paths))
    total = sum(path.stat().st_size for path in paths) // SIZE
    records = np.zeros((total, SIZE // 8), np.uint64)
    values = np.zeros((len(ways), total), np.int16)
    kept_out: list[tuple[Vector, Vector]] = []
    used = 0
    for path, is_kept, *names in zip(paths, calm, *terms, strict=True):
        columns = read_columns(path)
        words = np.frombuffer(columns, "<u8").reshape(-1, SIZE // 8)
        found = np.stack([np.fromfile(name, "<i2") for name in names])
        is_level = np.abs(found) < DECIDED
        is_out = columns["game"] % held_out == 0
        chosen = is_kept & is_out & is_level[0]
        kept_out.append((words[chosen], found[0, chosen]))
        chosen = is_kept & ~is_out & is_level.all(0)
        end = used + int(chosen.sum())
        records[used:end], values[:, used:end] = words[chosen], found[:, chosen]
        used = end
    learnt = Positions(records[:used].ravel(), values[:, :used].ravel())
    joined = (np.concatenate(column) for column in zip(*kept_out, strict=True))
    out = Positions(next(joined).astype(np.uint64).ravel(), next(joined).astype(np.int16))
    if not len(learnt) or not len(out):
        raise LabError(f"there are too few positions: {len(learnt)}, and {len(out)} held out")
    return learnt, out


def _is_calm(path: Path, max_swing: int) -> Vector:
    """Which positions of a file have no greater swing."""
    found: Vector = swings(read_columns(path)) <= max_swing
    return found


def swings(columns: Vector) -> Vector:
    """How far scores differ from the median of those around them, in the same game.

    Most positions that a search visits were reached by a bad move of one side. The positions around
    them come from the same search and its neighbours, and most of them have the value of the game,
    so a position with another value was reached by such a move.

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


def _provide_terms(
    paths: Sequence[Path], cores: int, tell: Callable[[str], None], is_mirrored: bool
) -> list[Path]:
    """The files with the terms of these files; missing ones are computed."""
    place, prefix = f"terms-{Terms().digest()}", "mirrored-" if is_mirrored else ""
    targets = [path.parent / place / f"{prefix}{path.name}" for path in paths]
    for folder in {target.parent for target in targets}:
        folder.mkdir(exist_ok=True)
    missing = [
        (path, target, is_mirrored)
        for path, target in zip(paths, targets, strict=True)
        if not target.exists() or target.stat().st_size * SIZE != path.stat().st_size * 2
    ]
    if missing:
        done = _side_by_side(cores, _write_terms, *zip(*missing, strict=True))
        for number, _ in enumerate(done, 1):
            if number % 100 == 0 or number == len(missing):
                tell(f"terms of {number} of {counted(len(missing), 'file')}")
    return targets


def _side_by_side(cores: int, work: Callable[..., Any], *arguments: Sequence[Any]) -> Iterator[Any]:
    """A parallel map over several sequences, with results in order."""
    if len(arguments[0]) > 1 and cores > 1:
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(min(cores, len(arguments[0])), context) as pool:
            yield from pool.map(work, *arguments)
    else:
        yield from map(work, *arguments)


def _write_terms(path: Path, target: Path, is_mirrored: bool) -> None:
    """Compute the terms of a file's positions."""
    values = Terms().of(path.read_bytes(), is_mirrored)
    write_whole(target, little_endian(values).tobytes())

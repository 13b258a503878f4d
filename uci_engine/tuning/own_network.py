"""Trains a network from scratch: records positions, trains, and keeps everything for the next run.

Recording has two parts. The static evaluations of the terms cost next to nothing, so the network
learns first to imitate the terms, in most of the training. It needs tens of millions of them, or it
memorises them. Then it learns the scores of small searches, which are better, but of which there
are few. Each step is also a separate command:
`halbzug.tuning.visits`, `own_scores` and `numpy_training`.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..base.whole_file import write_whole
from ..eval.network_file import TERMS
from . import own_scores, recording, visits
from .searcher import LabError

if TYPE_CHECKING:
    from .numpy_training import Look

#: The shares of the time for recording: static evaluations of the terms, and scores.
STATIC_SHARE, RECORDING_SHARE = 0.2, 0.4

#: Static evaluations: how many are drawn from a search, how many times as many as scores are in a
#: file, and how many files are enough (3.2 GB).
STATIC_DRAWN, STATIC_FACTOR, MAX_STATIC_FILES = 24, 10, 1000

#: Seconds of recording after which the time is saved.
ROUND_SECONDS = 60.0

#: The share of the result in what is learnt, if the games have meaningful results.
RESULT_SHARE = 0.25


@dataclass(frozen=True)
class NetworkPlan:
    """What a network is trained from; the same seed gives the same positions.

    :ivar seconds: by the clock, over all runs.
    :ivar teacher: the command of a Stockfish whose static evaluations are learnt; empty: the
        scores of our own small searches.
    :ivar games: a PGN file whose positions and results are learnt; empty: positions that searches
        visit.
    :ivar cores: the number of processes that record.
    """

    seconds: float
    neurons: int = 256
    teacher: str = ""
    games: str = ""
    seed: int = 1
    cores: int = 1
    file_positions: int = 10_000


def make_network(
    plan: NetworkPlan, target: Path, folder: Path, tell: Callable[[str], None] = print
) -> list[Look]:
    """Record and train until the time is over, and write the network.

    The same plan continues from the folder; with more seconds it records and trains more.

    :returns: the errors over time.
    :raises LabError: if the folder belongs to another plan, or there are too few positions.
    :raises OSError: if a file cannot be read or written.
    """
    from .numpy_training import train

    first = None if plan.teacher else folder / "static"
    if first:
        tell("Static evaluations by the terms:")
        record(plan, folder, STATIC)
    tell("Static evaluations by the teacher:" if plan.teacher else "Scores of small searches:")
    record(plan, folder)
    tell("Training:")
    weights, looks = train(
        folder / "positions",
        folder / "state.npz",
        plan.seconds * (1 - RECORDING_SHARE - (STATIC_SHARE if first else 0)),
        plan.neurons,
        first=first,
        result_share=RESULT_SHARE if plan.games else 0.0,
        seed=plan.seed,
        cores=plan.cores,
        tell=tell,
    )
    write_whole(target, weights.pack())
    return looks


@dataclass(frozen=True)
class Part:
    """A part of the recording.

    :ivar name: of its folder.
    :ivar share: of the whole time.
    :ivar max_files: how many files are enough; 0: no limit.
    """

    name: str
    share: float
    max_files: int = 0


STATIC = Part("static", STATIC_SHARE, MAX_STATIC_FILES)
SCORES = Part("positions", RECORDING_SHARE)


def record(plan: NetworkPlan, folder: Path, part: Part = SCORES) -> float:
    """Record positions until their share of the time is over, or there are enough.

    :returns: the seconds that recording took, over all runs.
    :raises LabError: as `make_network`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path, positions = folder / f"{part.name}.json", folder / part.name
    determined = {
        name: value for name, value in asdict(plan).items() if name not in ("seconds", "cores")
    }
    known: dict[str, Any] = {"plan": determined, "recorded": 0.0, "is_over": False}
    if path.exists():
        known = json.loads(path.read_text("utf-8"))
    if known["plan"] != determined:
        raise LabError(f"{folder} belongs to another network: {known['plan']}")
    speed = 0.0  # files a second
    while not known["is_over"]:
        left = plan.seconds * part.share - known["recorded"]
        before = len(list(positions.glob("games-*.bin")))
        if left <= 0 and before > 1:  # one is held out
            break
        began = time.monotonic()
        files = before + max(plan.cores, 2, round(min(ROUND_SECONDS, left) * speed))
        _record(plan, part, positions, files)
        seconds = time.monotonic() - began
        speed = (files - before) / seconds
        known["recorded"] += seconds
        is_empty = recording.file_of(positions, files - 1).stat().st_size == 0
        known["is_over"] = is_empty or 0 < part.max_files <= files
        write_whole(path, json.dumps(known) + "\n")
    return float(known["recorded"])


def _record(plan: NetworkPlan, part: Part, positions: Path, files: int) -> None:
    """Record those of the first files of positions that are missing."""
    if part is STATIC:
        imitated = visits.VisitsRecipe(
            engine=TERMS,
            seed=plan.seed,
            file_positions=STATIC_FACTOR * plan.file_positions,
            drawn=STATIC_DRAWN,
        )
        visits.provide(positions, imitated, files, plan.cores)
        return
    if plan.teacher:
        judged = visits.VisitsRecipe(
            engine=plan.teacher, seed=plan.seed, file_positions=plan.file_positions
        )
        visits.provide(positions, judged, files, plan.cores)
        return
    recipe = own_scores.OwnRecipe(
        seed=plan.seed, games=plan.games, file_positions=plan.file_positions
    )
    own_scores.provide(positions, recipe, files, plan.cores)

"""What determines a network: a TOML file from which `halbzug.tuning.train` makes the weights.

    [[visits]]             # see halbzug.tuning.visits
    count = 10_000_000     # positions; full files of them are recorded
    engine = "stockfish"   # the teacher: COMMAND ARGUMENTS; OPTION=VALUE; ...
    depth = 0              # of its searches, in plies; 0: its static evaluation
    file_positions = 100_000
    seed = 1

    [training]             # see halbzug.tuning.train
    neurons = 64           # a multiple of 32
    epochs = 20
    batch = 16384          # positions
    step = 0.001           # of AdamW, at first
    decay = 0.01           # of the weights, in parts of a step
    scale = 130            # centipawns of an evaluation for which the sigmoid's argument is 1
    score_scale = 130      # the same of the recorded scores; a smaller one makes evaluations larger
    held_out = 50          # one game in this many is held out
    seed = 1
    warm_start = false     # whether the first neurons begin with the engine's weights; the others
                           # begin at random
    mirrored = false       # whether each position is learnt from a second time, with its files
                           # from h to a
    max_swing = 0          # centipawns by which a score may differ from the median of those around
                           # it, of the same game; else the position is left out as one after a
                           # bad move; 0 leaves none out

All of them are necessary. There may be several tables `[[visits]]`; the positions of each are in a
folder of their own then, `1`, `2` and so on. With a warm start, the weights are not made from
scratch but from those of the engine.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from ..eval.network import HIDDEN
from . import recording, visits
from .backpropagation import BLOCK
from .searcher import LabError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

#: Maximum value of an integer.
_MAX_NUMBER = 10**9

#: Numbers that may be 0, or negative unless something else rejects them.
_MAY_BE_0 = ("seed", "decay", "max_swing", "depth")

#: Descriptions of field types, and the types allowed for a value.
_KINDS: dict[str, tuple[str, Any]] = {
    "int": ("a whole number", (int,)),
    "float": ("a number", (int, float)),
    "bool": ("true or false as", (bool,)),
    "str": ("a text", (str,)),
}


@dataclass(frozen=True)
class Training:
    """What determines a network, besides the positions; see the top of the module."""

    neurons: int
    epochs: int
    batch: int
    step: float
    decay: float
    scale: float
    score_scale: float
    held_out: int
    seed: int
    warm_start: bool
    mirrored: bool
    max_swing: int

    def __post_init__(self) -> None:
        if self.neurons % BLOCK:
            raise ValueError(f"neurons must be a multiple of {BLOCK}")
        if self.warm_start and self.neurons < HIDDEN:
            raise ValueError(f"a warm start needs at least {HIDDEN} neurons")
        if self.held_out < 2:
            raise ValueError("held_out must be at least 2")
        if self.max_swing < 0:
            raise ValueError("max_swing must be 0 or more")
        if not 0 < self.step < 1 or not 0 <= self.decay < 1:
            raise ValueError("step must be between 0 and 1, decay from 0 on")


@dataclass(frozen=True)
class Visits:
    """The positions to visit; see the top of the module."""

    count: int
    engine: str
    depth: int
    file_positions: int
    seed: int

    def __post_init__(self) -> None:
        if self.depth < 0:
            raise ValueError("depth must be at least 0")

    def provide(self, folder: Path, cores: int) -> int:
        """Find what is missing; return the number of files.

        :raises LabError: see `halbzug.tuning.visits.provide`.
        """
        recipe = visits.VisitsRecipe(
            engine=self.engine,
            depth=self.depth,
            seed=self.seed,
            file_positions=self.file_positions,
        )
        files = recipe.files(self.count)
        visits.provide(folder, recipe, files, cores)
        return files

    def __str__(self) -> str:
        how = f"at depth {self.depth}" if self.depth else "without a search"
        return f"searches of the engine, judged by {self.engine} {how}, seed {self.seed}"


@dataclass(frozen=True)
class Recipe:
    """A complete recipe.

    :ivar sources: of the positions.
    """

    sources: tuple[Visits, ...]
    training: Training

    def provide(self, folder: Path, cores: int) -> list[Path]:
        """Make the missing positions; return the files with all of them.

        :raises LabError: as in `provide` of the sources.
        """
        several = len(self.sources) > 1
        return [
            recording.file_of(place, index)
            for number, source in enumerate(self.sources, 1)
            for place in [folder / str(number) if several else folder]
            for index in range(source.provide(place, cores))
        ]


def read_recipe(path: Path) -> Recipe:
    """Read a recipe.

    :raises LabError: if it cannot be read, or is invalid; the message is one line.
    """
    try:
        tables = tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise LabError(f"{path}: {error}") from None
    unknown = sorted(set(tables) - {"visits", "training"})
    try:
        if unknown:
            raise ValueError(f"{unknown[0]!a} is unknown")
        found = tables.get("visits")
        sources = found if found and isinstance(found, list) else [found]
        return Recipe(
            tuple(_read(table, "visits", Visits) for table in sources),
            _read(tables.get("training"), "training", Training),
        )
    except ValueError as error:
        raise LabError(f"{path}: {error}") from None


def _read(table: object, name: str, make: Callable[..., Any]) -> Any:
    """Convert a table to a dataclass.

    :raises ValueError: if it is not a table, or a field is missing, unknown or invalid.
    """
    if not isinstance(table, dict):
        raise ValueError(f"there is no table [{name}]")
    kinds = {field.name: field.type for field in fields(make)}  # type: ignore[arg-type]
    for key in table:
        if key not in kinds:
            raise ValueError(f"[{name}] has no {key!a}")
    for key, kind in kinds.items():
        value = table.get(key)
        what, types = _KINDS[str(kind)]
        if not isinstance(value, types) or isinstance(value, bool) != (kind == "bool"):
            raise ValueError(f"[{name}] needs {what} {key}")
        if kind in ("str", "bool"):
            continue
        if key not in _MAY_BE_0 and not 1e-6 <= value <= _MAX_NUMBER:
            raise ValueError(f"[{name}]: {key} cannot be {value}")
    try:
        return make(**table)
    except ValueError as error:
        raise ValueError(f"[{name}]: {error}") from None

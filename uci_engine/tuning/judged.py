"""Folders of positions that another UCI engine judges, as `walks` and `visits` look for them."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from . import recording
from .stockfish_network import StockfishNetwork
from .teacher import Teacher

#: Positions of a file, by default.
FILE_POSITIONS = 100_000

#: The key of who has made the files, in `recipe.json`.
MAKER = "made by"


@dataclass(frozen=True)
class JudgedRecipe:
    """What determines the positions, beside the engine.

    :ivar engine: the teacher, `COMMAND ARGUMENTS; OPTION=VALUE; ...`.
    :ivar depth: of its searches, in plies; 0, if the source can: its static evaluation.
    :ivar file_positions: of a file.
    """

    engine: str = "stockfish"
    depth: int = 2
    seed: int = 1
    file_positions: int = FILE_POSITIONS

    def files(self, positions: int) -> int:
        """How many files have so many positions, or a few more."""
        return -(-positions // self.file_positions)


@dataclass(frozen=True)
class PositionSource:
    """A way to find positions.

    :ivar module: `python -m MODULE` looks for them; its `recipe` is what it can be told.
    :ivar positions: the records of the file with a number, by a recipe.
    :ivar build: what identifies the part of the engine that matters.
    :ivar least_depth: of the teacher's searches.
    """

    module: str
    recipe: type[JudgedRecipe]
    positions: Callable[[Any, int], Iterator[bytes]]
    build: Callable[[], str] = str
    least_depth: int = 1

    def provide(self, folder: Path, recipe: JudgedRecipe, files: int, cores: int) -> None:
        """Make all files that are missing, and tell how far it is.

        Where none is missing, neither the teacher nor the build need be those that made them.

        :raises LabError: if the folder has positions of another recipe, engine or build, if the
            engine has no static evaluation, or a process fails.
        """
        if recording.is_complete(folder, asdict(recipe), MAKER, files):
            return
        with Teacher(recipe.engine, recipe.depth) as teacher:
            maker = teacher.name + self.build()
            if not recipe.depth:
                StockfishNetwork(teacher.network())  # else each process would end with the error
        recording.provide(folder, {**asdict(recipe), MAKER: maker}, files, cores, self.module)

    def main(self, description: str | None, arguments: Sequence[str] | None) -> int:
        """The command; its options are the fields of the recipe, but for `file_positions`."""
        parser = argparse.ArgumentParser(prog=f"python -m {self.module}", description=description)
        parser.formatter_class = argparse.RawDescriptionHelpFormatter
        parser.add_argument("folder", metavar="FOLDER", type=Path)
        parser.add_argument(
            "--positions", type=int, default=1_000_000, help=f"whole files of {FILE_POSITIONS:,}"
        )
        names = [field.name for field in fields(self.recipe) if field.name != "file_positions"]
        for name in names:
            default = getattr(self.recipe(), name)
            parser.add_argument(
                f"--{name}", type=type(default), default=default, help="%(default)s"
            )
        parser.add_argument("--cores", type=int, default=os.cpu_count() or 1)
        parser.add_argument("--file", type=int, help=argparse.SUPPRESS)
        options = parser.parse_args(arguments)
        for name in ("positions", "depth", "lines", "cores"):
            least = self.least_depth if name == "depth" else 1
            if getattr(options, name, 1) < least:
                parser.error(f"--{name} is at least {least}")

        def work() -> None:
            if options.file is not None:
                recording.end_with_parent()
                self._make(options.folder, options.file)
                return
            recipe = self.recipe(**{name: getattr(options, name) for name in names})
            self.provide(options.folder, recipe, recipe.files(options.positions), options.cores)

        return recording.exit_code(parser.prog, work)

    def _make(self, folder: Path, index: int) -> None:
        """Make a file, as a child process."""
        known = recording.recipe(folder)
        recipe = self.recipe(**{field.name: known[field.name] for field in fields(self.recipe)})
        with recording.finished(recording.file_of(folder, index)) as part:
            part.write_bytes(b"".join(self.positions(recipe, index)))

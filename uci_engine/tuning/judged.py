"""Folders of positions judged by another UCI engine; `walks` and `visits` find the positions."""

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

#: Default number of positions per file.
FILE_POSITIONS = 100_000

#: The key in `recipe.json` for the maker of the files.
MAKER = "made by"


@dataclass(frozen=True)
class JudgedRecipe:
    """What determines the positions, besides the engine's version.

    :ivar engine: the teacher, `COMMAND ARGUMENTS; OPTION=VALUE; ...`.
    :ivar depth: of its searches, in plies; 0, where supported, means its static evaluation.
    :ivar file_positions: positions per file.
    """

    engine: str = "stockfish"
    depth: int = 2
    seed: int = 1
    file_positions: int = FILE_POSITIONS

    def files(self, positions: int) -> int:
        """The number of files with at least this many positions."""
        return -(-positions // self.file_positions)


@dataclass(frozen=True)
class PositionSource:
    """A way of finding positions.

    :ivar module: `python -m MODULE` finds them, with the fields of `recipe` as options.
    :ivar positions: the records of the file with a given number, by a recipe.
    :ivar build: identifies the relevant part of the engine.
    :ivar least_depth: minimum depth of the teacher's searches.
    """

    module: str
    recipe: type[JudgedRecipe]
    positions: Callable[[Any, int], Iterator[bytes]]
    build: Callable[[], str] = str
    least_depth: int = 1

    def provide(self, folder: Path, recipe: JudgedRecipe, files: int, cores: int) -> None:
        """Make all missing files, and report progress.

        If none is missing, neither the teacher nor the build need be those that made them.

        :raises LabError: if the folder has positions of another recipe, engine or build, the engine
            has no static evaluation, or a process fails.
        """
        if recording.is_complete(folder, asdict(recipe), MAKER, files):
            return
        with Teacher(recipe.engine, recipe.depth) as teacher:
            maker = teacher.name + self.build()
            if not recipe.depth:
                StockfishNetwork(teacher.network())  # else each process would fail
        recording.provide(folder, {**asdict(recipe), MAKER: maker}, files, cores, self.module)

    def main(self, description: str | None, arguments: Sequence[str] | None) -> int:
        """The command; its options are the recipe's fields except `file_positions`."""
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
        """Make a file, in a child process."""
        known = recording.recipe(folder)
        recipe = self.recipe(**{field.name: known[field.name] for field in fields(self.recipe)})
        with recording.finished(recording.file_of(folder, index)) as part:
            part.write_bytes(b"".join(self.positions(recipe, index)))

"""Makes exercises from the games of a file, and writes what was found even when interrupted."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ..base.whole_file import Claim, is_read, output_name, write_whole
from ..batch import positions
from ..batch.batch import Complain, Progress
from ..batch.positions import Failure, SourceGame
from .puzzle_files import (
    PuzzleFileError,
    last_game,
    read_puzzles,
    to_epd,
    to_pgn,
)
from .puzzles import Puzzle, PuzzleFinder, by_difficulty, without_parts


@dataclass(frozen=True)
class PuzzleOutputs:
    """The files to which exercises are written."""

    pgn: Path | None = None
    epd: Path | None = None
    html: Path | None = None

    def check(self, source: str) -> None:
        """Make sure that no file is both read and written, or written twice.

        :raises PuzzleFileError: if one is.
        """
        chosen = [path for path in (self.pgn, self.epd, self.html) if path]
        if len({path.absolute() for path in chosen}) < len(chosen):
            raise PuzzleFileError("each output needs its own file")
        for path in chosen:
            if (positions.is_file(source) or source == "-") and is_read(path, Path(source)):
                name = output_name(path)
                raise PuzzleFileError(f"{name} is the input; choose another name for the output")

    def claims(self) -> list[Claim]:
        """Claim the files, so that other runs cannot write to them.

        :raises WriteError: if another run does.
        """
        return [Claim(path) for path in (self.pgn, self.epd, self.html) if path]

    def write(self, puzzles: list[Puzzle]) -> None:
        """Write all files.

        :raises WriteError: if one cannot be written.
        """
        if self.pgn:
            write_whole(self.pgn, to_pgn(puzzles))
        if self.epd:
            write_whole(self.epd, to_epd(puzzles))
        if self.html:
            from .puzzle_page import render

            write_whole(self.html, render(puzzles))


class PuzzleRun:
    """A run over the games of a file.

    :param source: as for `positions.read`.
    :param nodes: node limit of the long search of a position.
    :param complain: called with each game that could not be read.
    :raises PuzzleFileError: if the outputs are contradictory, or the file to continue is another
        one.
    :raises WriteError: if another run writes to them.
    """

    def __init__(
        self,
        source: str,
        outputs: PuzzleOutputs,
        nodes: int,
        complain: Complain,
        is_resumed: bool = False,
    ) -> None:
        outputs.check(source)
        self._source = source
        self._outputs = outputs
        self._claims = outputs.claims()
        self._nodes = nodes
        self._tell = complain
        self.faults = 0
        self.puzzles: list[Puzzle] = []  # easiest first
        if is_resumed and outputs.pgn and outputs.pgn.exists():
            self.puzzles = by_difficulty(read_puzzles(outputs.pgn))

    def counter(self) -> Callable[[], int] | None:
        """A function that counts the positions; None if the source can be read only once."""
        if not positions.is_file(self._source):
            return None
        items = positions.read(self._source)
        return lambda: sum(item.size for item in items if isinstance(item, SourceGame))

    def run(self, progress: Progress) -> None:
        """Search all games; exercises found before an interrupt are still written.

        :raises WriteError: if a file cannot be written.
        """
        begin = last_game(self.puzzles)
        with contextlib.ExitStack() as stack:
            for claim in self._claims:
                stack.enter_context(claim)
            stack.callback(lambda: self._outputs.write(self.puzzles))
            finder = stack.enter_context(contextlib.closing(PuzzleFinder(self._nodes)))
            finder.know(self.puzzles)
            stack.enter_context(progress)
            for item in positions.read(self._source, tell=self._tell):
                if isinstance(item, SourceGame) and item.number <= begin:
                    progress.advance(item.size)
                elif isinstance(item, SourceGame):
                    self._search(item, finder, progress)
                else:
                    no_game = Failure("", "this is a position, not a game")
                    self._complain(item if isinstance(item, Failure) else no_game)

    def _search(self, item: SourceGame, finder: PuzzleFinder, progress: Progress) -> None:
        """Search one game."""
        before = len(self.puzzles)
        for puzzle in finder.find(item):
            if isinstance(puzzle, Failure):
                self._complain(puzzle)
            elif puzzle:
                self.puzzles = by_difficulty(without_parts([*self.puzzles, puzzle]))
            progress.advance(1, f"{len(self.puzzles)} found")
        if self._outputs.pgn and len(self.puzzles) > before:
            write_whole(self._outputs.pgn, to_pgn(self.puzzles))  # a crash loses one game at most

    def _complain(self, failure: Failure) -> None:
        self.faults += 1
        self._tell(failure)

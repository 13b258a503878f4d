"""Annotates one game after another, and writes the results to files or shows them."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path

from halbzug.analysis.analysts import AnalystError, Setup, StartError
from halbzug.analysis.annotation import (
    AnnotatedGame,
    Annotator,
    game_json,
    move_json,
    to_pgn,
)
from halbzug.analysis.batch import Complain, Progress
from halbzug.analysis.findings import Finding
from halbzug.analysis.pool import Pool, Promise, in_order
from halbzug.analysis.positions import Failure, Item, SourceGame, Subject
from halbzug.version import __version__
from halbzug.whole_file import WholeFile, WriteError

_Work = list[tuple[Subject, Promise]]


class Outputs:
    """Where annotated games go: files, JSON lines, or a table for people.

    :param pgn: a file for annotated PGN; `-` is standard output.
    :param html: a file for the report.
    :param show: shows a game at the terminal, if nothing else is written to standard output.
    :raises WriteError: if a file cannot be written; it is checked before the work.
    """

    def __init__(
        self,
        pgn: Path | None,
        html: Path | None,
        as_json: bool,
        show: Callable[[AnnotatedGame], None],
    ) -> None:
        self._is_pgn_printed = pgn == Path("-")
        self._pgn = WholeFile(pgn) if pgn and not self._is_pgn_printed else None
        try:
            self._html = WholeFile(html) if html else None
        except WriteError:
            if self._pgn:
                self._pgn.drop()
            raise
        self._as_json = as_json
        self._show = show
        self._games: list[AnnotatedGame] = []

    def add(self, game: AnnotatedGame) -> None:
        """Add an annotated game."""
        self._games.append(game)
        if self._as_json:
            lines = [*(move_json(game, move) for move in game.moves), game_json(game)]
            _write_out("".join(json.dumps(line) + "\n" for line in lines))
        elif not self._is_pgn_printed:
            self._show(game)
        text = to_pgn(game) + "\n\n"
        if self._is_pgn_printed:
            _write_out(text)
        elif self._pgn:
            self._pgn.write(text)

    def close(self, colophon: str) -> None:
        """Complete the files. If no game was annotated, old files stay unchanged.

        :raises WriteError: if one cannot be written; an old file then stays unchanged.
        """
        if not self._games:
            self.drop()
            return
        with contextlib.ExitStack() as stack:
            if self._pgn:
                stack.callback(self._pgn.keep)
            if self._html:
                from halbzug.analysis.report import render

                with self._html as file:
                    file.write(render(self._games, colophon))

    def drop(self) -> None:
        """Drop the new files; old files stay unchanged."""
        for file in filter(None, (self._pgn, self._html)):
            file.drop()


def _write_out(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


class GameRun:
    """One run over the games of a PGN file.

    :param complain: called with each game that could not be read or analysed.
    """

    def __init__(self, pool: Pool, outputs: Outputs, setup: Setup, complain: Complain) -> None:
        self.pool = pool
        self.outputs = outputs
        self.faults = 0
        self._setup = setup
        self._tell = complain

    def run(self, items: Iterable[Item], progress: Progress) -> None:
        """Annotate all games, and close the pool.

        Games that were finished before an interrupt or a failure are still written.

        :raises StartError: if the engine does not start.
        """
        with contextlib.ExitStack() as stack:
            stack.callback(self.outputs.close, self._colophon())
            annotator = stack.enter_context(contextlib.closing(Annotator()))
            stack.enter_context(contextlib.closing(self.pool))
            stack.enter_context(progress)
            parts, items = self._parts(items)
            ahead = 2 * self.pool.size
            for item, work in in_order(items, lambda item: self._submit(item, parts), ahead):
                if isinstance(item, SourceGame):
                    self._annotate(item, work, annotator, progress)
                elif isinstance(item, Failure):
                    self._complain(item)

    def _parts(self, items: Iterable[Item]) -> tuple[int, Iterator[Item]]:
        """The number of parts into which each game is cut, and all items.

        One engine analyses a game best. Only a single game is shared among several engines.
        """
        items = iter(items)
        leading: list[Item] = []
        games = 0
        while self.pool.size > 1 and games < 2 and (item := next(items, None)):
            leading.append(item)
            games += isinstance(item, SourceGame)
        return self.pool.size if games == 1 else 1, chain(leading, items)

    def _submit(self, item: Item, parts: int) -> _Work:
        """Submit the positions of a game to the pool.

        :returns: the positions and their promises, the last position first.
        """
        if not isinstance(item, SourceGame):
            return []
        # Backwards, because then the hash has the results of later positions.
        subjects = item.subjects()[::-1]
        size = -(-len(subjects) // parts)
        work: _Work = []
        for begin in range(0, len(subjects), size):
            part = subjects[begin : begin + size]
            work += zip(part, self.pool.submit(part), strict=True)
        return work

    def _annotate(
        self, record: SourceGame, work: _Work, annotator: Annotator, progress: Progress
    ) -> None:
        findings: list[Finding] = []
        for subject, promise in work:
            try:
                findings.append(promise.result())
            except StartError:
                raise
            except AnalystError as error:
                self._complain(Failure(f"game {record.number}, {subject.name}", str(error)))
                return
            progress.advance(note=record.name)
        subjects = [subject for subject, _ in reversed(work)]
        self.outputs.add(annotator.annotate(record, subjects, findings[::-1]))

    def _complain(self, failure: Failure) -> None:
        self.faults += 1
        self._tell(failure)

    def _colophon(self) -> str:
        limits = self._setup.limits
        words = [
            f"{limits.move_time_ms / 1000:g} s" if limits.move_time_ms else "",
            f"depth {limits.depth}" if limits.depth else "",
            f"{limits.nodes:,} nodes" if limits.nodes else "",
        ]
        engine = self._setup.command.split(";")[0] or f"Halbzug {__version__}"
        return (
            f"Analysed by {engine} with {', '.join(filter(None, words))} a position. "
            f"Scores are White's, in pawns. Winning chances and accuracy after "
            f"lichess.org/page/accuracy; a loss of 5, 10 or 15 percentage points is an "
            f"inaccuracy, a mistake or a blunder, and a mate that is allowed or missed has its "
            f"own rules."
        )

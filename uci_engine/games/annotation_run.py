"""Annotates games one after another, and writes or shows the results."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, groupby
from pathlib import Path
from typing import TYPE_CHECKING

from ..base.whole_file import Claim, WholeFile, WriteError, is_standard_output
from ..batch.analysts import AnalystError, Setup
from ..batch.batch import Complain, Complaints, Progress
from ..batch.findings import Finding
from ..batch.pool_events import Pool
from ..batch.positions import Failure, Item, SourceGame, Subject
from ..batch.questions import Answer, Run, question_of
from ..batch.sharing import Entry, Sharing
from ..batch.wording import colophon
from ..version import __version__
from .annotation import (
    AnnotatedGame,
    AnnotatedMove,
    Annotator,
    game_json,
    move_json,
    to_pgn,
)

if TYPE_CHECKING:
    from .report import AnnotatedReport

#: An item; for a game also its positions, last one first.
_Read = tuple[Item, list[Subject]]


class Outputs:
    """Where annotated games go: files, JSON lines, or the terminal.

    :param pgn: a file for annotated PGN.
    :param html: a file for the report.
    :param show: shows a game on the terminal if nothing else is written to standard output.
    :raises WriteError: if a file cannot be written; checked before the work begins.
    """

    def __init__(
        self,
        pgn: Path | None,
        html: Path | None,
        as_json: bool,
        show: Callable[[AnnotatedGame], None],
    ) -> None:
        self._prints_pgn = pgn is not None and is_standard_output(pgn)
        self._prints_html = html is not None and is_standard_output(html)
        self._claims = [Claim(path) for path in (pgn, html) if path]
        self._pgn = WholeFile(pgn) if pgn and not self._prints_pgn else None
        try:
            self._html = WholeFile(html) if html else None
        except WriteError:
            if self._pgn:
                self._pgn.drop()
            raise
        self._as_json = as_json
        self._show = show
        self._report: AnnotatedReport | None = None
        self._is_empty = True

    def add(self, game: AnnotatedGame) -> None:
        """Add an annotated game."""
        self._is_empty = False
        if self._html:
            from .report import AnnotatedReport

            # First, because writing the PGN adds to the game's comments.
            self._report = self._report or AnnotatedReport()
            self._report.add(game)
        if self._as_json:
            lines = [*(move_json(game, move) for move in game.moves), game_json(game)]
            _write_out("".join(json.dumps(line) + "\n" for line in lines))
        elif not (self._prints_pgn or self._prints_html):
            self._show(game)
        text = to_pgn(game) + "\n\n"
        if self._prints_pgn:
            _write_out(text)
        elif self._pgn:
            self._pgn.write(text)

    def close(self, colophon: str) -> None:
        """Complete the files. If no game was annotated, existing files stay unchanged.

        :raises WriteError: if one cannot be written; an existing file then stays unchanged.
        """
        if self._is_empty:
            self.drop()
            return
        with contextlib.ExitStack() as stack:
            for claim in self._claims:
                stack.enter_context(claim)
            if self._pgn:
                stack.callback(self._pgn.keep)
            if self._html and self._report:
                with self._html as file:
                    file.write(self._report.html(colophon))

    def drop(self) -> None:
        """Discard the new files; existing files stay unchanged."""
        for file in filter(None, (self._pgn, self._html)):
            file.drop()
        for claim in self._claims:
            claim.close()


def _write_out(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


class GameRun:
    """A run over the games of a PGN file.

    :param complain: called with each game that could not be read or analysed.
    :param hear: called with each move, as soon as it is judged, of a game that one analyst works
        on, the last one first; with its ply, from 0.
    """

    def __init__(
        self,
        pool: Pool,
        outputs: Outputs,
        setup: Setup,
        complain: Complain,
        hear: Callable[[int, AnnotatedMove], None] | None = None,
    ) -> None:
        self.pool = pool
        self.outputs = outputs
        self._setup = setup
        self._complaints = Complaints(complain)
        self._hear = hear

    @property
    def faults(self) -> int:
        """The number of unreadable games and of positions that were not analysed properly."""
        return self._complaints.count

    def run(self, items: Iterable[Item], progress: Progress) -> None:
        """Annotate all games, and close the pool.

        Games finished before an interrupt or failure are still written.

        :raises StartError: if the engine does not start.
        """
        with contextlib.ExitStack() as stack:
            stack.callback(self.outputs.close, self._colophon())
            own = Annotator(is_own=not self._setup.command)
            annotator = stack.enter_context(contextlib.closing(own))
            stack.enter_context(contextlib.closing(self.pool))
            stack.enter_context(progress)
            parts, items = self._parts(items)

            def advance(read: _Read, positions: int) -> None:
                item, subjects = read
                if subjects:
                    assert isinstance(item, SourceGame)
                    progress.advance(positions, item.name)

            last: Answer | None = None
            heard = 0

            def hear(read: _Read, run: int, answer: Answer) -> None:
                nonlocal last, heard
                later, last, heard = last, answer, heard + 1
                subjects = read[1][::-1]
                ply = len(subjects) - heard
                findings = (each if isinstance(each, Finding) else None for each in (answer, later))
                move = annotator.annotate_move(subjects, ply, *findings)
                if move and self._hear:
                    self._hear(ply, move)

            entries = (self._entry(item, parts) for item in items)
            sharing = Sharing(
                *(self.pool, entries), may_wait=True, advance=advance, hear=self._hear and hear
            )
            for (item, subjects), answers in sharing:
                if isinstance(item, SourceGame):
                    self._annotate(item, subjects, list(chain.from_iterable(answers)), annotator)
                elif isinstance(item, Failure):
                    self._complaints.add(item)

    def _parts(self, items: Iterable[Item]) -> tuple[int, Iterator[Item]]:
        """The number of parts each game is split into, and all items.

        One engine per game gives the best analysis, so only a single game is split among engines.
        """
        items = iter(items)
        leading: list[Item] = []
        games = 0
        while self.pool.size > 1 and games < 2 and (item := next(items, None)):
            leading.append(item)
            games += isinstance(item, SourceGame)
        return self.pool.size if games == 1 else 1, chain(leading, items)

    def _entry(self, item: Item, parts: int) -> Entry[_Read]:
        """The runs of a game, one for each part."""
        if not isinstance(item, SourceGame):
            return (item, []), []
        # Backwards, so that the hash table already holds the results of later positions.
        subjects = item.subjects()[::-1]
        size = -(-len(subjects) // parts)
        runs: list[Run] = [
            tuple(
                question_of(subject, is_of_game=True) for subject in subjects[begin : begin + size]
            )
            for begin in range(0, len(subjects), size)
        ]
        return (item, subjects), runs

    def _annotate(
        self,
        record: SourceGame,
        subjects: list[Subject],
        answers: list[Answer],
        annotator: Annotator,
    ) -> None:
        """Pass on a game; report positions without a finding, and leave them out of its numbers."""
        findings = [answer if isinstance(answer, Finding) else None for answer in answers]
        for subject, finding in zip(subjects, findings, strict=True):
            if finding:
                self._complaints.add_mistakes(f"game {record.number}, {subject.name}", finding)
        told = zip(subjects[::-1], answers[::-1], strict=True)
        for error, same in groupby(told, key=lambda pair: _error_text(pair[1])):
            if error:
                names = [subject.name for subject, _ in same]
                place = names[0] if len(names) == 1 else f"{names[0]} to {names[-1]}"
                self._complaints.add(Failure(f"game {record.number}, {place}", error))
        if any(findings):
            self.outputs.add(annotator.annotate(record, subjects[::-1], findings[::-1]))

    def _colophon(self) -> str:
        limits = self._setup.limits
        seconds = limits.move_time_ms / 1000 if limits.move_time_ms else None
        engine = self._setup.command.split(";")[0] or f"Halbzug {__version__}"
        return colophon(engine, seconds, limits.depth, limits.nodes)


def _error_text(answer: Answer) -> str:
    return str(answer) if isinstance(answer, AnalystError) else ""

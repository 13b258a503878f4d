"""Analyses many positions with a pool of engines, and shows the findings or saves them."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator
from types import TracebackType
from typing import Protocol

from halbzug.analysis.findings import Finding
from halbzug.analysis.pool import Pool, findings
from halbzug.analysis.positions import Failure, Item, SourceGame, Subject
from halbzug.analysis.results import ResultFile
from halbzug.analysis.tally import Tally

#: Called with each position that could not be read or analysed.
Complain = Callable[[Failure], None]


class Progress(Protocol):
    """A context that shows the progress of a run."""

    def __enter__(self) -> Progress: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...

    def advance(self, number: int = 1, note: str = "") -> None:
        """Another `number` positions are done.

        :param note: a text to show beside it.
        """


class ManyReport(Protocol):
    """Receives the findings, each with the number of its position, from 1."""

    tally: Tally

    def add(self, number: int, subject: Subject, finding: Finding) -> None:
        """Add the finding of a position."""

    def close(self) -> None:
        """End the report."""


class Batch:
    """One run over many positions.

    :param complain: called with each position that could not be read or analysed.
    :param results: the results of an earlier run that is continued.
    """

    def __init__(
        self,
        pool: Pool,
        report: ManyReport,
        complain: Complain,
        results: ResultFile | None = None,
    ) -> None:
        self.pool = pool
        self.report = report
        self.results = results
        self.faults = 0
        self._tell = complain

    def run(self, items: Iterable[Item], progress: Progress) -> None:
        """Analyse all positions, and close the pool.

        :raises StartError: if the engine does not start.
        :raises ResultFileError: if the results of the earlier run are for other positions.
        """
        done = self.results.last if self.results else 0
        with contextlib.closing(self.pool), progress:
            progress.advance(done)
            outcomes = findings(self.pool, self._without_done(items, done))
            for number, outcome in enumerate(outcomes, start=done + 1):
                if isinstance(outcome, Failure):
                    self._complain(outcome)
                else:
                    self.report.add(number, *outcome)
                progress.advance(note=self.report.tally.note)
        if not (self.results and self.results.is_complete):
            self.report.close()

    def _without_done(self, items: Iterable[Item], done: int) -> Iterator[Subject | Failure]:
        for number, item in enumerate(items, start=1):
            assert not isinstance(item, SourceGame), "a list has no games"
            if number > done:
                yield item
                continue
            assert self.results is not None
            self.results.check(number, item)
            if isinstance(item, Failure):
                self._complain(item)

    def _complain(self, failure: Failure) -> None:
        self.faults += 1
        self._tell(failure)

"""Analyses many positions with a pool of engines, and shows or saves the findings."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

from .findings import Finding
from .pool_events import Pool
from .positions import Failure, Item, SourceGame, Subject
from .questions import Answer, question_of
from .result_lines import ResultFile
from .sharing import Entry, Sharing
from .tally import Tally

#: A position, or why it could not be read, with its number in the source, from 1.
_Numbered = tuple[int, Subject | Failure]

#: Called with each position that could not be read or analysed.
Complain = Callable[[Failure], None]


class Progress(contextlib.AbstractContextManager["Progress"], Protocol):
    """A context that shows a run's progress."""

    def advance(self, number: int = 1, note: str = "") -> None:
        """Report that `number` more positions are done.

        :param note: a text to show beside the progress.
        """


class ManyReport(Protocol):
    """Receives findings, each with the number of its position, from 1."""

    tally: Tally

    def add(self, number: int, subject: Subject, finding: Finding) -> None:
        """Add the finding of a position."""

    def close(self) -> None:
        """Complete the report."""


class Complaints:
    """Counts and reports positions and games that could not be read or analysed.

    The mistakes of an engine file are counted by position; each kind is reported once.

    :param tell: called with each failure to report.
    """

    def __init__(self, tell: Complain) -> None:
        self.count = 0
        self._tell = tell
        self._kinds: set[str] = set()

    def add(self, failure: Failure) -> None:
        """Count a failure and report it."""
        self.count += 1
        self._tell(failure)

    def add_mistakes(self, place: str, finding: Finding) -> None:
        """Count the mistakes an engine file made at a position, if any."""
        self.count += bool(finding.mistakes)
        for mistake in finding.mistakes:
            if mistake.kind not in self._kinds:
                self._kinds.add(mistake.kind)
                self._tell(Failure(place, str(mistake)))


class Batch:
    """A run over many positions.

    :param complain: called with each position that could not be read or analysed.
    :param results: the results of an earlier run to continue.
    :param in_order: report findings in the order of positions rather than as they arrive.
    """

    def __init__(
        self,
        pool: Pool,
        report: ManyReport,
        complain: Complain,
        results: ResultFile | None = None,
        *,
        in_order: bool = True,
    ) -> None:
        self.pool = pool
        self.report = report
        self.results = results
        self._complaints = Complaints(complain)
        self._in_order = in_order

    @property
    def faults(self) -> int:
        """The number of positions that were not read or analysed properly."""
        return self._complaints.count

    def run(self, items: Iterable[Item], progress: Progress, *, may_wait: bool = True) -> None:
        """Analyse all positions, and close the pool.

        :param may_wait: whether reading the next position may block for long.
        :raises StartError: if the engine does not start.
        :raises ResultFileError: if the earlier run's results are for other positions.
        """
        with contextlib.closing(self.pool), progress:
            progress.advance(self.results.done if self.results else 0)
            sharing = Sharing(
                self.pool, self._entries(items), in_order=self._in_order, may_wait=may_wait
            )
            for (number, item), answers in sharing:
                self._report(number, item, answers[0][0] if answers else None)
                progress.advance(note=self.report.tally.note)
        if not (self.results and self.results.is_complete):
            self.report.close()

    def _entries(self, items: Iterable[Item]) -> Iterator[Entry[_Numbered]]:
        """The remaining positions, each as a run of its own."""
        for number, item in enumerate(items, start=1):
            assert not isinstance(item, SourceGame), "a list has no games"
            if self.results and self.results.has(number, item):
                continue
            runs = [(question_of(item),)] if isinstance(item, Subject) else []
            yield (number, item), runs

    def _report(self, number: int, item: Subject | Failure, answer: Answer | None) -> None:
        if isinstance(item, Failure):
            self._complaints.add(item)
        elif isinstance(answer, Finding):
            self.report.add(number, item, answer)
            self._complaints.add_mistakes(item.name, answer)
        else:
            self._complaints.add(Failure(item.name, str(answer)))

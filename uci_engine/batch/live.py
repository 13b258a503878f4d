"""The lines of an engine for one position while it thinks."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TextIO

from ..base.events import BestMove, CurrentMove, Event, Info, Notice
from .findings import Finding, answer_json, line_json, position_json
from .positions import Subject


class LiveReport:
    """Collects the events of the current position; subclasses show them.

    For each position, the analysis calls `begin`, then `hear` for every event, then `end`.

    :param note: called with each engine message for the user.
    """

    def __init__(self, note: Callable[[str], None]) -> None:
        self.note = note

    def begin(self, subject: Subject) -> None:
        """Start a new position."""
        self.subject = subject
        self.begun = time.perf_counter()
        self.lines: dict[int, Info] = {}
        self.current: CurrentMove | None = None

    def hear(self, event: Event) -> None:
        """Handle an event from the engine."""
        if isinstance(event, Info):
            self.lines[event.multipv] = event
        elif isinstance(event, CurrentMove):
            self.current = event
        elif isinstance(event, Notice):
            self.note(event.text)

    def end(self, finding: Finding | None) -> None:
        """Finish the position; without a finding, it was interrupted."""

    @contextmanager
    def watching(self) -> Iterator[None]:
        """A context in which a terminal shows events as they arrive."""
        yield

    def conclusion(self) -> Finding:
        """The finding so far."""
        pv = self.lines[1].pv if 1 in self.lines else ()
        best = BestMove(pv[0] if pv else None, pv[1] if len(pv) > 1 else None)
        if not self.subject.is_problem:
            return Finding(best, ())
        score = self.lines[1].score if pv else None
        return Finding(best, (), self.subject.is_solved_by(best.move, score))


class JsonLiveReport(LiveReport):
    """JSON lines: each line of analysis as it arrives, then the best move.

    :param file: where the lines are written.
    """

    def __init__(self, note: Callable[[str], None], file: TextIO) -> None:
        super().__init__(note)
        self._file = file

    def hear(self, event: Event) -> None:
        """Write a line of analysis at once."""
        super().hear(event)
        if isinstance(event, Info):
            self._write(line_json(event))

    def end(self, finding: Finding | None) -> None:
        """Write the best move."""
        line = answer_json(self.subject, finding or self.conclusion())
        self._write(line if finding else {**line, "interrupted": True})

    def _write(self, line: dict[str, Any]) -> None:
        self._file.write(json.dumps({**position_json(self.subject), **line}) + "\n")
        self._file.flush()

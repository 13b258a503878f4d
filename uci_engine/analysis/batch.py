"""Many positions, one after another out of a pool of engines: shown, or kept in a file.

A file of results can be continued: it tells how far an earlier run came.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Protocol, TextIO

import click

from halbzug.analysis.findings import Finding, position_json
from halbzug.analysis.pool import Pool, findings
from halbzug.analysis.positions import Failure, Item, SourceGame, Subject
from halbzug.analysis.tally import Tally
from halbzug.console.streams import visible
from halbzug.console.terminal import PlainConsole
from halbzug.whole_file import open_directly


class ManyReport(Protocol):
    """Takes in the findings, each with the number of its position, from 1."""

    tally: Tally

    def add(self, number: int, subject: Subject, finding: Finding) -> None:
        """One position is done."""

    def close(self) -> None:
        """That was the last one."""


class ResultFile:
    """JSON lines in a file, as far as an earlier run came.

    :param path: a file, or a device or pipe, which is written to and cannot be continued.
    :param is_resumed: continue; otherwise the file must not exist, so that nothing is lost.
    :raises click.ClickException: if the file is not one of results, or cannot be used.
    """

    def __init__(self, path: Path, is_resumed: bool) -> None:
        self.path = path
        self.tally = Tally()
        self._done: dict[int, str] = {}  # the positions by number
        self.is_complete = False
        try:
            direct = open_directly(path)
            self._is_regular = direct is None
            if direct and is_resumed:
                direct.close()
                raise click.ClickException(f"{path} is no file that --resume could continue")
            if direct:
                self.file: TextIO = io.TextIOWrapper(direct, encoding="utf-8")
            elif is_resumed and path.exists():
                self._read()
                self.file = path.open("a", encoding="utf-8")
            else:
                self.file = path.open("x", encoding="utf-8")
        except FileExistsError:
            raise click.ClickException(f"{path} is there already; --resume continues it") from None
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise click.ClickException(f"cannot use {path}: {reason}") from None

    def _read(self) -> None:
        """Read what is there, and drop a last line that was not finished."""
        data = self.path.read_bytes()
        end = data.rfind(b"\n") + 1
        for number, line in enumerate(data[:end].decode("utf-8").splitlines(), start=1):
            try:
                result = json.loads(line)
                if "number" in result:
                    self._done[int(result["number"])] = str(result["position"])
                    self.tally.count(result)
                else:
                    self.is_complete = bool(result["problems"])
            except (ValueError, KeyError, TypeError):
                raise click.ClickException(
                    f"{self.path}, line {number}: not a result of halbzug analyse"
                ) from None
        if end < len(data):
            with self.path.open("r+b") as file:
                file.truncate(end)

    def close(self) -> None:
        """Let go of the file; one without a single result goes again."""
        with contextlib.suppress(OSError):  # a full disk, which was told when it was met
            self.file.close()
        if self._is_regular and self.path.stat().st_size == 0:
            self.path.unlink()

    @property
    def last(self) -> int:
        """The number of the last position that is done; 0 for none."""
        return max(self._done, default=0)

    def check(self, number: int, item: Subject | Failure) -> None:
        """Make sure that the results belong to the positions that are read now.

        :raises click.ClickException: if they do not.
        """
        then = self._done.get(number)
        now = position_json(item)["position"] if isinstance(item, Subject) else None
        if then is not None and then != now:
            raise click.ClickException(f"{self.path} has the results of other positions")


class Bar:
    """How far the run has come, drawn where there is a terminal.

    :param count: finds out how many positions there are; asked in a thread of its own, because
        reading a large database takes a while.
    """

    def __init__(self, console: PlainConsole, count: Callable[[], int] | None) -> None:
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeElapsedColumn,
            TimeRemainingColumn,
        )

        self._progress = Progress(
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[note]}", markup=False),  # names of players
            TimeElapsedColumn(),
            TextColumn("left:"),
            TimeRemainingColumn(),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        self._count = count

    def __enter__(self) -> Bar:
        self._task = self._progress.add_task("", total=None, note="")
        self._progress.start()
        if self._count and not self._progress.disable:
            threading.Thread(target=self._find_total, args=(self._count,), daemon=True).start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._progress.stop()

    def advance(self, number: int = 1, note: str = "") -> None:
        """So many more are done.

        :param note: what else there is to say.
        """
        self._progress.update(self._task, advance=number, note=note)

    def _find_total(self, count: Callable[[], int]) -> None:
        self._progress.update(self._task, total=count())


class Batch:
    """One run over many positions.

    :param results: where an earlier run came to, if it is continued.
    """

    def __init__(self, pool: Pool, report: ManyReport, results: ResultFile | None = None) -> None:
        self.pool = pool
        self.report = report
        self.results = results
        self.faults = 0

    def run(self, items: Iterable[Item], bar: Bar) -> None:
        """Analyse everything, and close the pool.

        :raises StartError: if the engine does not start.
        """
        done = self.results.last if self.results else 0
        with contextlib.closing(self.pool), bar:
            bar.advance(done)
            outcomes = findings(self.pool, self._without_done(items, done))
            for number, outcome in enumerate(outcomes, start=done + 1):
                if isinstance(outcome, Failure):
                    self._complain(outcome)
                else:
                    self.report.add(number, *outcome)
                bar.advance(note=self.report.tally.note)
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
        """Report what could not be read or analysed, on standard error."""
        self.faults += 1
        complain(failure)


def complain(failure: Failure) -> None:
    """Report what could not be read, on standard error."""
    place = f"{failure.place}: " if failure.place else ""
    # Here already, because a progress bar would take an escape sequence for a wish of ours.
    print(visible(f"halbzug: {place}{failure.message}"), file=sys.stderr)

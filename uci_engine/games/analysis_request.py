"""Carries out an analysis request for one position, games, or many positions."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Literal, Protocol

from ..base.whole_file import is_read, is_same_file, is_standard_output, output_name
from ..batch import DEFAULT_SECONDS, DEFAULT_SECONDS_EACH, positions
from ..batch.analysts import Analyst, Setup
from ..batch.batch import Batch, Complaints, ManyReport, Progress
from ..batch.filters import Selection
from ..batch.findings import Finding
from ..batch.live import JsonLiveReport, LiveReport
from ..batch.pool import make_pool
from ..batch.positions import Failure, GamePart, Item, SourceGame, Subject, Tell
from ..batch.result_lines import JsonLinesReport, ResultFile
from ..batch.tally import Tally
from .annotation import AnnotatedGame
from .annotation_run import GameRun, Outputs

#: What a run prints beside its progress: rows of `Display.rows_report`, JSON lines, or neither.
Beside = Literal["rows", "lines", "neither"]


#: Maximum size of a file whose positions are counted in advance for the progress bar, in bytes.
MAX_COUNTED_BYTES = 1 << 23


class RequestError(Exception):
    """Why a request makes no sense, in one line."""


class Display(Protocol):
    """Shows the results of a request on a terminal."""

    def note(self, text: str) -> None:
        """Show an engine's message on one line."""

    def complain(self, failure: Failure) -> None:
        """Report what could not be read or analysed."""

    def detailed_report(self) -> LiveReport:
        """The report for one position."""

    def rows_report(self) -> ManyReport:
        """The report for many positions."""

    def show_game(self, game: AnnotatedGame) -> None:
        """Show an annotated game."""

    def show_totals(self, tally: Tally) -> None:
        """Show the totals of a run whose results go to a file."""

    def progress(self, count: Callable[[], int] | None, beside: Beside) -> Progress:
        """The progress display of a run.

        :param count: counts the positions, which may take a while.
        :param beside: what is printed at the same time.
        """


@dataclass(frozen=True, kw_only=True)
class AnalysisRequest:
    """What to analyse, and where the results go."""

    source: str
    part: GamePart
    selection: Selection
    chess960: bool
    as_json: bool
    processes: int
    dask: str | None  # address of a Dask cluster to use
    output: Path | None  # file for the results of many positions, as JSON lines
    is_resumed: bool
    in_order: bool  # for the results of many positions
    pgn: Path | None
    html: Path | None

    def read(self, tell: Tell | None = None) -> Iterator[Item]:
        """Read all items of the source.

        :param tell: called with each remark about irregular input.
        """
        return positions.read(self.source, self.chess960, self.part, self.selection, tell)

    def counter(self) -> Callable[[], int] | None:
        """A function that counts the positions; None if counting is impossible.

        Counting reads the source a second time, so pipes are excluded, and databases, which would
        take too long.
        """
        if not positions.is_file(self.source):
            return None
        if Path(self.source).stat().st_size > MAX_COUNTED_BYTES:
            return None
        return lambda: sum(_size(item) for item in self.read())

    @property
    def prints_results(self) -> bool:
        """Whether results for many positions go to standard output as JSON lines."""
        return self.output is not None and is_standard_output(self.output)

    @property
    def prints_games(self) -> bool:
        """Whether annotated games or their report go to standard output."""
        return any(is_standard_output(path) for path in (self.pgn, self.html) if path)

    def check_files(self) -> None:
        """Make sure that no file is both read and written, or written twice.

        :raises RequestError: if one is.
        """
        pgn, html = self.pgn, self.html
        if pgn and html and (pgn.absolute() == html.absolute() or is_same_file(pgn, html)):
            raise RequestError("--pgn and --html need different files")
        if self.as_json and self.prints_games:
            raise RequestError("--json has standard output to itself; --pgn and --html need a file")
        source = Path(self.source)
        for path in filter(None, (pgn, html, self.output)):
            is_source = positions.is_file(self.source) or self.source == "-"
            if is_source and is_read(path, source):
                name = output_name(path)
                raise RequestError(f"{name} is the input; choose another name for the output")


def carry_out(request: AnalysisRequest, setup: Setup, display: Display) -> int:
    """Read and analyse the source.

    :returns: the number of positions or games that could not be read or analysed.
    :raises RequestError: if the requested outputs do not suit the items found.
    :raises AnalystError: if the engine does not start, or fails on the only position.
    :raises ResultFileError: if the results file cannot be used.
    :raises WriteError: if a file cannot be written.
    """
    is_many = bool(request.output or request.dask)
    is_many = is_many or (request.as_json and not positions.is_position(request.source))
    # Read ahead to tell one position from many, unless positions are typed in.
    is_typed = request.source == "-" and sys.stdin.isatty()
    leading, items = _look_ahead(request.read(display.complain), 1 if is_many or is_typed else 2)
    if isinstance(leading[-1], SourceGame):
        setup = _with_default_limit(setup, DEFAULT_SECONDS_EACH)
        return _annotate(request, setup, items, display)
    if (request.pgn or request.html) and isinstance(leading[-1], Subject):
        raise RequestError("--pgn and --html are for games")
    if is_many or (any(isinstance(item, Subject) for item in leading) and len(leading) > 1):
        setup = _with_default_limit(setup, DEFAULT_SECONDS_EACH)
        return _analyse_many(request, setup, items, display)
    return _analyse_singly(request, _with_default_limit(setup, DEFAULT_SECONDS), items, display)


def _look_ahead(items: Iterator[Item], wanted: int) -> tuple[list[Item], Iterator[Item]]:
    """The first items, and an iterator over all items.

    Stops at the first game, or at a position with others around it.

    :param wanted: how many items around a position to read.
    """
    leading: list[Item] = []
    has_subject = False
    for item in items:
        leading.append(item)
        has_subject = has_subject or isinstance(item, Subject)
        if isinstance(item, SourceGame) or (has_subject and len(leading) >= wanted):
            break
    return leading, chain(leading, items)


def _with_default_limit(setup: Setup, seconds: float) -> Setup:
    """The setup with a time limit if it has no other limit."""
    limits = setup.limits
    if limits.move_time_ms or limits.depth or limits.nodes:
        return setup
    return replace(setup, limits=limits._replace(move_time_ms=round(seconds * 1000)))


def _analyse_singly(
    request: AnalysisRequest, setup: Setup, items: Iterator[Item], display: Display
) -> int:
    """Analyse one position, or typed-in positions, in detail."""
    report: LiveReport
    if request.as_json:
        report = JsonLiveReport(display.note, sys.stdout)
    else:
        report = display.detailed_report()
    analyst = None
    complaints = Complaints(display.complain)
    try:
        for item in items:
            if isinstance(item, Subject):
                analyst = analyst or setup.start()
                analyst.forget()
                complaints.add_mistakes(item.name, _watch(item, analyst, report))
            elif isinstance(item, Failure):
                complaints.add(item)
    finally:
        if analyst:
            analyst.close()
    return complaints.count


def _watch(subject: Subject, analyst: Analyst, report: LiveReport) -> Finding:
    """Analyse a position while showing the lines.

    :raises AnalystError: if the engine fails.
    :raises KeyboardInterrupt: passed on after the results so far have been shown.
    """
    report.begin(subject)
    try:
        with report.watching():
            finding = analyst.analyse(subject, report.hear)
    except KeyboardInterrupt:
        report.end(None)
        raise
    report.end(finding)
    return finding


def _analyse_many(
    request: AnalysisRequest, setup: Setup, items: Iterator[Item], display: Display
) -> int:
    request.check_files()
    with contextlib.ExitStack() as stack:
        results = None
        report: ManyReport
        beside: Beside = "neither"
        if request.output and not request.prints_results:
            results = ResultFile(request.output, request.is_resumed)
            stack.callback(results.close)
            report = JsonLinesReport(results.file, results.tally, results.path)
        elif request.as_json or request.prints_results:
            report, beside = JsonLinesReport(sys.stdout, Tally()), "lines"
        else:
            report, beside = display.rows_report(), "rows"
        pool = make_pool(setup, request.processes, request.dask)
        batch = Batch(pool, report, display.complain, results, in_order=request.in_order)
        progress = display.progress(request.counter(), beside)
        try:
            batch.run(items, progress, may_wait=not positions.is_file(request.source))
        except KeyboardInterrupt:
            if results and results.tally.positions:
                display.note(f"interrupted; --resume continues {results.path}")
            raise
        if results:
            display.show_totals(results.tally)
    return batch.faults


def _annotate(
    request: AnalysisRequest, setup: Setup, items: Iterator[Item], display: Display
) -> int:
    if request.output:
        raise RequestError("a game is annotated with --pgn or --html; --output is for positions")
    request.check_files()
    outputs = Outputs(request.pgn, request.html, request.as_json, display.show_game)
    try:
        pool = make_pool(setup, request.processes, request.dask)
    except BaseException:
        outputs.drop()
        raise
    run = GameRun(pool, outputs, setup, display.complain)
    beside: Beside = "lines" if request.prints_games else "neither"
    run.run(items, display.progress(request.counter(), beside))
    return run.faults


def _size(item: Item) -> int:
    """The number of positions in an item."""
    return item.size if isinstance(item, SourceGame) else 1

"""What is to be analysed, and how that is carried out: one position, games, or many positions."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Literal, Protocol

from halbzug.analysis import DEFAULT_SECONDS, DEFAULT_SECONDS_EACH, positions
from halbzug.analysis.analysts import Analyst, Setup, StartError
from halbzug.analysis.annotation import AnnotatedGame
from halbzug.analysis.batch import Batch, ManyReport, Progress
from halbzug.analysis.games import GameRun, Outputs
from halbzug.analysis.live import JsonLiveReport, LiveReport
from halbzug.analysis.pool import LocalPool, Pool
from halbzug.analysis.positions import Failure, GamePart, Item, SourceGame, Subject
from halbzug.analysis.results import JsonLinesReport, ResultFile
from halbzug.analysis.tally import Tally
from halbzug.whole_file import is_read, is_same_file, is_standard_output, output_name

#: What is printed while a run goes on: the rows of `Display.rows_report`, lines for programs on
#: standard output, or neither.
Beside = Literal["rows", "lines", "neither"]


class RequestError(Exception):
    """What was asked for makes no sense, and why, in one line."""


class Display(Protocol):
    """Shows people what comes of a request."""

    def note(self, text: str) -> None:
        """Tell what an engine says, in one line."""

    def complain(self, failure: Failure) -> None:
        """Tell what could not be read or analysed."""

    def detailed_report(self) -> LiveReport:
        """For one position."""

    def rows_report(self) -> ManyReport:
        """For many positions."""

    def show_game(self, game: AnnotatedGame) -> None:
        """Show an annotated game."""

    def show_totals(self, tally: Tally) -> None:
        """Show the totals of a run whose results go to a file."""

    def progress(self, count: Callable[[], int] | None, beside: Beside) -> Progress:
        """How far a run has come.

        :param count: finds out how many positions there are, which may take a while.
        :param beside: what is printed meanwhile.
        """


@dataclass(frozen=True)
class Request:
    """What was asked for, besides how long to think."""

    source: str
    part: GamePart
    chess960: bool
    as_json: bool
    processes: int
    dask: str | None  # address of a Dask cluster that does the work
    output: Path | None  # for the results of many positions, as JSON lines
    is_resumed: bool
    pgn: Path | None
    html: Path | None

    def read(self) -> Iterator[Item]:
        """Everything in the source."""
        return positions.read(self.source, self.chess960, self.part)

    def counter(self) -> Callable[[], int] | None:
        """How to find out how many positions there are; None if that cannot be told.

        It reads the source once more, which a pipe does not allow, by whatever name it comes.
        """
        if not positions.is_file(self.source):
            return None
        return lambda: sum(_size(item) for item in self.read())

    def pool(self, setup: Setup) -> Pool:
        """Who does the work.

        :raises StartError: if the cluster is not there.
        """
        if not self.dask:
            return LocalPool(setup, self.processes)
        try:
            from halbzug.analysis.cluster import DaskPool
        except ImportError:
            message = "--dask needs the package distributed: pip install distributed"
            raise StartError(message) from None
        return DaskPool(setup, self.dask)

    @property
    def prints_results(self) -> bool:
        """Whether results of many positions go to standard output, as JSON lines."""
        return self.output is not None and is_standard_output(self.output)

    @property
    def prints_games(self) -> bool:
        """Whether annotated games or the report of them go to standard output."""
        return any(is_standard_output(path) for path in (self.pgn, self.html) if path)

    def check_files(self) -> None:
        """Make sure that no file is read and written, or written twice.

        :raises RequestError: if one is.
        """
        pgn, html = self.pgn, self.html
        if pgn and html and (pgn.absolute() == html.absolute() or is_same_file(pgn, html)):
            raise RequestError("--pgn and --html need a file each")
        if self.as_json and self.prints_games:
            raise RequestError("--json has standard output to itself; --pgn and --html need a file")
        source = Path(self.source)
        for path in filter(None, (pgn, html, self.output)):
            is_source = positions.is_file(self.source) or self.source == "-"
            if is_source and is_read(path, source):
                name = output_name(path)
                raise RequestError(f"{name} is what is read; choose another name for the output")


def carry_out(request: Request, setup: Setup, display: Display) -> int:
    """Find out what there is to analyse, and do it.

    :returns: how many positions or games could not be read or analysed.
    :raises RequestError: if the outputs do not suit what was found.
    :raises AnalystError: if the engine does not start, or fails on the only position.
    :raises ResultFileError: if the file of results cannot be used.
    :raises WriteError: if a file cannot be written.
    """
    is_many = bool(request.output or request.dask)
    is_many = is_many or (request.as_json and not positions.is_position(request.source))
    # Telling one from many takes a look ahead; who types positions in gets each answer without.
    is_typed = request.source == "-" and sys.stdin.isatty()
    leading, items = _look_ahead(request.read(), 1 if is_many or is_typed else 2)
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
    """The first items, up to a game or a position with others around it; and all of them.

    :param wanted: how many items around a position are enough.
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
    """Limit the time if there is no other limit."""
    limits = setup.limits
    if limits.move_time_ms or limits.depth or limits.nodes:
        return setup
    return replace(setup, limits=replace(limits, move_time_ms=round(seconds * 1000)))


def _analyse_singly(request: Request, setup: Setup, items: Iterator[Item], display: Display) -> int:
    """One position, or those that somebody types in: in detail, as it comes."""
    report: LiveReport
    if request.as_json:
        report = JsonLiveReport(display.note, sys.stdout)
    else:
        report = display.detailed_report()
    analyst = None
    faults = 0
    try:
        for item in items:
            if isinstance(item, Subject):
                analyst = analyst or setup.start()
                analyst.forget()
                _watch(item, analyst, report)
            elif isinstance(item, Failure):
                faults += 1
                display.complain(item)
    finally:
        if analyst:
            analyst.close()
    return faults


def _watch(subject: Subject, analyst: Analyst, report: LiveReport) -> None:
    """Analyse a position, and show it.

    :raises AnalystError: if the engine fails.
    :raises KeyboardInterrupt: passed on, after what is known has been shown.
    """
    report.begin(subject)
    try:
        with report.watching():
            finding = analyst.analyse(subject, report.hear)
    except KeyboardInterrupt:
        report.end(None)
        raise
    report.end(finding)


def _analyse_many(request: Request, setup: Setup, items: Iterator[Item], display: Display) -> int:
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
        batch = Batch(request.pool(setup), report, display.complain, results)
        batch.run(items, display.progress(request.counter(), beside))
        if results:
            display.show_totals(results.tally)
    return batch.faults


def _annotate(request: Request, setup: Setup, items: Iterator[Item], display: Display) -> int:
    if request.output:
        raise RequestError("a game is annotated with --pgn or --html; --output is for positions")
    request.check_files()
    outputs = Outputs(request.pgn, request.html, request.as_json, display.show_game)
    try:
        pool = request.pool(setup)
    except BaseException:
        outputs.drop()
        raise
    run = GameRun(pool, outputs, setup, display.complain)
    beside: Beside = "lines" if request.prints_games else "neither"
    run.run(items, display.progress(request.counter(), beside))
    return run.faults


def _size(item: Item) -> int:
    """How many positions an item is."""
    return item.size if isinstance(item, SourceGame) else 1

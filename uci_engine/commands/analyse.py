"""`halbzug analyse`: what the engine thinks of a position, a game, a test suite or many positions.

This is the command itself: it finds out what it was given, and who does the work. One position is
shown in detail (`reports.py`), games are annotated (`games.py`), and many positions go through a
pool of engines (`batch.py`).
"""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from halbzug.client import PATIENCE_SECONDS
from halbzug.console.errors import one_line_errors
from halbzug.scores import MAX_PLY

if TYPE_CHECKING:
    from halbzug.analysis.analysts import Analyst, Setup
    from halbzug.analysis.batch import ResultFile
    from halbzug.analysis.pool import Pool
    from halbzug.analysis.positions import GamePart, Item, Subject
    from halbzug.commands.reports import Report

#: How long to think if nothing is asked for, in seconds: about one position, about each of many.
USUAL_SECONDS = 3.0
USUAL_SECONDS_EACH = 1.0

#: The longest time one may ask for.
LONGEST_SECONDS = 366 * 86400.0

EXAMPLES = """\b
Examples:
  halbzug analyse startpos --time 5
  halbzug analyse "8/8/1KP5/3r4/8/8/8/k7 w - - 0 1" --multipv 3
  halbzug analyse "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6"
  halbzug analyse game.pgn --html report.html --pgn annotated.pgn
  halbzug analyse suite.epd --time 1 --confirm 2
  halbzug analyse many.fen --nodes 100000 --processes 4 -o results.jsonl
  halbzug analyse games.pgn --all-moves --depth 8 --json
  halbzug analyse many.fen -o results.jsonl --dask tcp://10.0.0.1:8786
"""

#: Exit code: something could not be read or analysed.
FAULTY = 1


class Seconds(click.FloatRange):
    """A duration of a millisecond to a year."""

    name = "seconds"

    def __init__(self) -> None:
        super().__init__(min=0.001)

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Read a number; `nan` and `inf` are floats, too, but no durations."""
        seconds = float(super().convert(value, param, ctx))
        if not seconds <= LONGEST_SECONDS:
            self.fail(f"{value} is not a number of seconds below a year.", param, ctx)
        return seconds


@dataclass(frozen=True)
class _Request:
    """What was asked for, besides how long to think."""

    source: str
    part: GamePart
    chess960: bool
    as_json: bool
    processes: int
    dask: str | None
    output: Path | None  # a file
    is_printed: bool  # the output goes to standard output
    is_resumed: bool
    pgn: Path | None
    html: Path | None

    def read(self) -> Iterator[Item]:
        """Everything in the source."""
        from halbzug.analysis import positions

        return positions.read(self.source, self.chess960, self.part)

    def counter(self) -> Callable[[], int] | None:
        """How to find out how many positions there are; None if that cannot be told.

        It reads the source once more, which a pipe does not allow, by whatever name it comes.
        """
        from halbzug.analysis import positions

        if not positions.is_file(self.source):
            return None
        return lambda: sum(_size(item) for item in self.read())


def _path(name: str, help_text: str, short: str = "") -> Callable[[Any], Any]:
    names = (short, name) if short else (name,)
    kind = click.Path(dir_okay=False, path_type=Path)
    return click.option(*names, type=kind, metavar="FILE", help=help_text)


@click.command(epilog=EXAMPLES)
@click.argument("position", nargs=-1, required=True)
@click.option(
    "-d", "--depth", type=click.IntRange(1, MAX_PLY - 1), metavar="PLIES", help="Plies to search."
)
@click.option(
    "-t",
    "--time",
    "seconds",
    type=Seconds(),
    help=f"Seconds for each position. Without any limit {USUAL_SECONDS:g}, and "
    f"{USUAL_SECONDS_EACH:g} for each of many.",
)
@click.option("-n", "--nodes", type=click.IntRange(1), metavar="N", help="Nodes to search.")
@click.option(
    "-k",
    "--multipv",
    type=click.IntRange(1, 256),
    metavar="LINES",
    default=1,
    show_default=True,
    help="How many best lines to find.",
)
@click.option(
    "--hash",
    "hash_mb",
    type=click.IntRange(1, 65536),
    metavar="MB",
    default=64,
    show_default=True,
    help="Transposition table of each process.",
)
@click.option(
    "-e",
    "--engine",
    "command",
    default="",
    metavar="COMMAND",
    help='Another UCI engine: "COMMAND; Option=Value; ...".',
)
@click.option(
    "--patience",
    type=click.FloatRange(0.1, 86400),
    metavar="SECONDS",
    default=PATIENCE_SECONDS,
    show_default=True,
    help="With --depth or --nodes, another engine that says nothing for so long has failed.",
)
@_path("--html", "Of games: write a report to look at in a browser.")
@_path("--pgn", "Of games: write them annotated; - is standard output.")
@click.option("--all-moves", is_flag=True, help="Of games: look at each position by itself.")
@click.option("--last-move", is_flag=True, help="Of games: look at the final position only.")
@click.option(
    "--confirm",
    type=click.IntRange(0),
    metavar="PLIES",
    help="Of a test suite: go on to the next position when the right answer has stood for so "
    "many plies of depth.",
)
@click.option(
    "-p",
    "--processes",
    type=click.IntRange(1, 1024),
    metavar="N",
    default=1,
    show_default=True,
    help="How many engines share the positions, or whole games; a single game is cut into as many "
    "parts.",
)
@click.option("--dask", metavar="ADDRESS", help="Share them out on this Dask cluster instead.")
@_path(
    "--output",
    "Of many positions: write JSON lines there, in their order; - is standard output.",
    "-o",
)
@click.option("--resume", is_flag=True, help="Continue the output of an interrupted run.")
@click.option("--chess960", is_flag=True, help="Chess960 rules; usually found out by itself.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON lines, for programs.")
def analyse(
    position: tuple[str, ...],
    depth: int | None,
    seconds: float | None,
    nodes: int | None,
    multipv: int,
    hash_mb: int,
    command: str,
    patience: float,
    html: Path | None,
    pgn: Path | None,
    all_moves: bool,
    last_move: bool,
    confirm: int | None,
    processes: int,
    dask: str | None,
    output: Path | None,
    resume: bool,
    chess960: bool,
    as_json: bool,
) -> int:
    """Analyse a position, a game, a test suite or many positions.

    POSITION is a FEN in quotes, `startpos`, moves or PGN in quotes, the path of a PGN, EPD or FEN
    file, or `-` for standard input.

    A game is annotated: evaluation and best line of each move, what was an inaccuracy, a mistake
    or a blunder, and how accurately each side played. The answers to an EPD test suite are
    compared with its bm, am and dm operations. Of other positions you see the best move and line.

    Scores are in pawns: +1.00 is a pawn ahead, #3 mates in three moves, #-2 is mated in two. They
    are those of the side to move; in an annotated game they are White's.
    """
    from halbzug.analysis.analysts import Setup
    from halbzug.limits import Limits

    if all_moves and last_move:
        raise click.UsageError("--all-moves and --last-move exclude each other")
    if (all_moves or last_move) and (html or pgn):
        raise click.UsageError("--pgn and --html take no --all-moves and no --last-move")
    is_printed = output == Path("-")
    output = None if is_printed else output
    if resume and not output:
        raise click.UsageError("--resume needs the --output to continue, a file")
    milliseconds = None if seconds is None else max(round(seconds * 1000), 1)
    limits = Limits(move_time_ms=milliseconds, depth=depth, nodes=nodes)
    setup = Setup(limits, multipv, hash_mb, command, patience, confirm)
    part: GamePart = "all" if all_moves else "last" if last_move else "game"
    source = _one_source(position)
    request = _Request(
        *(source, part, chess960, as_json, processes, dask, output, is_printed, resume, pgn, html)
    )
    return _dispatch(request, setup)


def _one_source(words: tuple[str, ...]) -> str:
    """What was meant, also if the quotes around a FEN or moves were forgotten.

    :raises click.UsageError: if it is more than one.
    """
    from halbzug.analysis.positions import is_game

    text = " ".join(words)
    if len(words) > 1 and words[0].count("/") != 7 and not is_game(text):
        raise click.UsageError(f"one position or file at a time, please, not {len(words)}")
    return text


def _dispatch(request: _Request, setup: Setup) -> int:
    """Find out what there is to analyse, and do it; the exit code is returned."""
    from halbzug.analysis.analysts import StartError
    from halbzug.analysis.positions import SourceGame, Subject, is_position

    is_many = bool(request.output or request.dask or request.is_printed)
    is_many = is_many or (request.as_json and not is_position(request.source))
    # Telling one from many takes a look ahead; who types positions in gets each answer without.
    is_typed = request.source == "-" and sys.stdin.isatty()
    leading, items = _look_ahead(request.read(), 1 if is_many or is_typed else 2)
    with one_line_errors(StartError):
        if isinstance(leading[-1], SourceGame):
            return _annotate(request, _with_usual_limit(setup, USUAL_SECONDS_EACH), items)
        if (request.pgn or request.html) and isinstance(leading[-1], Subject):
            raise click.UsageError("--pgn and --html are for games")
        if is_many or (any(isinstance(item, Subject) for item in leading) and len(leading) > 1):
            return _analyse_many(request, _with_usual_limit(setup, USUAL_SECONDS_EACH), items)
        return _analyse_singly(request, _with_usual_limit(setup, USUAL_SECONDS), items)


def _look_ahead(items: Iterator[Item], wanted: int) -> tuple[list[Item], Iterator[Item]]:
    """The first items, up to a game or a position with others around it; and all of them.

    :param wanted: how many items around a position are enough.
    """
    from halbzug.analysis.positions import SourceGame, Subject

    leading: list[Item] = []
    has_subject = False
    for item in items:
        leading.append(item)
        has_subject = has_subject or isinstance(item, Subject)
        if isinstance(item, SourceGame) or (has_subject and len(leading) >= wanted):
            break
    return leading, chain(leading, items)


def _with_usual_limit(setup: Setup, seconds: float) -> Setup:
    """Limit the time if there is no other limit."""
    limits = setup.limits
    if limits.move_time_ms or limits.depth or limits.nodes:
        return setup
    return replace(setup, limits=replace(limits, move_time_ms=round(seconds * 1000)))


def _analyse_singly(request: _Request, setup: Setup, items: Iterator[Item]) -> int:
    """One position, or those that somebody types in: in detail, as it comes."""
    from halbzug.analysis.batch import complain
    from halbzug.analysis.positions import Failure, Subject
    from halbzug.commands.reports import DetailedReport, JsonReport
    from halbzug.console.terminal import PlainConsole

    report = JsonReport() if request.as_json else DetailedReport(PlainConsole())
    analyst = None
    code = 0
    try:
        for item in items:
            if isinstance(item, Subject):
                analyst = analyst or setup.start()
                analyst.forget()
                _watch(item, analyst, report)
            elif isinstance(item, Failure):
                code = FAULTY
                complain(item)
    finally:
        if analyst:
            analyst.close()
    return code


def _watch(subject: Subject, analyst: Analyst, report: Report) -> None:
    """Analyse a position, and show it.

    :raises click.ClickException: if the engine fails.
    :raises KeyboardInterrupt: passed on, after what is known has been shown.
    """
    from halbzug.analysis.analysts import AnalystError, StartError

    report.begin(subject)
    try:
        with report.watching():
            finding = analyst.analyse(subject, report.hear)
    except KeyboardInterrupt:
        report.end(None)
        raise
    except StartError:
        raise
    except AnalystError as error:
        raise click.ClickException(str(error)) from None
    report.end(finding)


def _analyse_many(request: _Request, setup: Setup, items: Iterator[Item]) -> int:
    from halbzug.analysis.batch import ResultFile

    _refuse_same(request)
    with contextlib.ExitStack() as stack:
        results = None
        if request.output:
            results = ResultFile(request.output, request.is_resumed)
            stack.callback(results.close)
        return _run_batch(request, setup, items, results)


def _run_batch(
    request: _Request, setup: Setup, items: Iterator[Item], results: ResultFile | None
) -> int:
    from halbzug.analysis.batch import Bar, Batch
    from halbzug.analysis.tally import Tally
    from halbzug.commands.reports import LinesReport, RowsReport
    from halbzug.console.terminal import PlainConsole

    errors = PlainConsole(stderr=True)
    if results:
        report = LinesReport(results.file, results.tally, results.path)
        batch = Batch(_pool(request, setup), report, results)
        console = errors
    elif request.as_json or request.is_printed:
        batch = Batch(_pool(request, setup), LinesReport(sys.stdout, Tally()))
        # On one terminal the bar would come between the lines.
        console = PlainConsole(file=io.StringIO()) if sys.stdout.isatty() else errors
    else:
        console = PlainConsole()
        batch = Batch(_pool(request, setup), RowsReport(console))
    batch.run(items, Bar(console, request.counter()))
    if results:
        for line in results.tally.lines():
            errors.print(line)
    return FAULTY if batch.faults else 0


def _annotate(request: _Request, setup: Setup, items: Iterator[Item]) -> int:
    from halbzug.analysis.batch import Bar
    from halbzug.analysis.games import GameRun, Outputs
    from halbzug.console.terminal import PlainConsole

    if request.output or request.is_printed:
        raise click.UsageError(
            "a game is annotated with --pgn or --html; --output is for positions"
        )
    _refuse_same(request)
    outputs = Outputs(request.pgn, request.html, request.as_json)
    try:
        pool = _pool(request, setup)
    except BaseException:
        outputs.drop()
        raise
    run = GameRun(pool, outputs, setup)
    run.run(items, Bar(PlainConsole(stderr=True), request.counter()))
    return FAULTY if run.faults else 0


def _refuse_same(request: _Request) -> None:
    """:raises click.UsageError: if two of the files that were named are one."""
    from halbzug.analysis.positions import is_file
    from halbzug.whole_file import is_same_file

    pgn, html = request.pgn, request.html
    if pgn and html and (pgn.absolute() == html.absolute() or is_same_file(pgn, html)):
        raise click.UsageError("--pgn and --html need a file each")
    for path in filter(None, (pgn, html, request.output)):
        if is_file(request.source) and is_same_file(path, Path(request.source)):
            raise click.UsageError(f"{path} is what is read; choose another name for the output")


def _pool(request: _Request, setup: Setup) -> Pool:
    """Who does the work.

    :raises StartError: if the cluster is not there.
    """
    from halbzug.analysis.pool import LocalPool

    if not request.dask:
        return LocalPool(setup, request.processes)
    try:
        from halbzug.analysis.cluster import DaskPool
    except ImportError:
        raise click.ClickException(
            "--dask needs the package distributed: pip install distributed"
        ) from None
    return DaskPool(setup, request.dask)


def _size(item: Item) -> int:
    """How many positions an item is."""
    from halbzug.analysis.positions import SourceGame

    return item.size if isinstance(item, SourceGame) else 1

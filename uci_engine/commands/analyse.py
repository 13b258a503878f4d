"""`kiebitz analyse`: what the engine thinks of a position, a test suite or a game."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

import click

from uci_engine.events import MAX_PLY

if TYPE_CHECKING:
    from uci_engine.clock import Limits
    from uci_engine.commands.positions import Fault, Subject
    from uci_engine.commands.reports import Report
    from uci_engine.engine import Engine

#: How long to think about a position if nothing is asked for, in seconds.
USUAL_SECONDS = 3.0

#: The longest time one may ask for.
LONGEST_SECONDS = 366 * 86400.0

EXAMPLES = """\b
Examples:
  kiebitz analyse startpos --time 5
  kiebitz analyse "8/8/1KP5/3r4/8/8/8/k7 w - - 0 1" --multipv 3
  kiebitz analyse suite.epd --time 1
  kiebitz analyse game.pgn --all-moves --depth 6 --json
"""

#: Exit codes: something could not be read; the user pressed Ctrl-C.
FAULTY, INTERRUPTED = 1, 130


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
    help=f"Seconds for each position; {USUAL_SECONDS:g} if there is no other limit.",
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
    help="Size of the transposition table.",
)
@click.option("--all-moves", is_flag=True, help="Look at each position of a game, not the last.")
@click.option("--chess960", is_flag=True, help="Chess960 rules; usually found out by itself.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON lines, for programs.")
def analyse(
    position: tuple[str, ...],
    depth: int | None,
    seconds: float | None,
    nodes: int | None,
    multipv: int,
    hash_mb: int,
    all_moves: bool,
    chess960: bool,
    as_json: bool,
) -> int:
    """Analyse a position, a file of positions or a game.

    POSITION is a FEN in quotes, `startpos`, the path of a PGN, EPD or FEN file, or `-` for
    standard input. The moves of an EPD record's bm and am operations are compared with what the
    engine finds. Of a PGN game the final position is analysed.

    Scores are in pawns as the side to move sees them: +1.00 is a pawn ahead, #3 mates in three
    moves, #-2 is mated in two.
    """
    from uci_engine.clock import Limits
    from uci_engine.commands import positions

    if seconds is None and depth is None and nodes is None:
        seconds = USUAL_SECONDS
    milliseconds = None if seconds is None else max(round(seconds * 1000), 1)
    limits = Limits(move_time_ms=milliseconds, depth=depth, nodes=nodes)
    source = _one_source(position)
    items = positions.read(source, chess960, all_moves)
    report, items = _choose_report(items, as_json, is_typed=source == "-" and sys.stdin.isatty())
    return _Analysis(report, limits, multipv, hash_mb).run(items)


def _one_source(words: tuple[str, ...]) -> str:
    """The position that was meant, also if the quotes around a FEN were forgotten.

    :raises click.UsageError: if it is more than one.
    """
    if len(words) > 1 and words[0].count("/") != 7:
        raise click.UsageError(f"one position or file at a time, please, not {len(words)}")
    return " ".join(words)


def _choose_report(
    items: Iterator[Subject | Fault], as_json: bool, is_typed: bool
) -> tuple[Report, Iterator[Subject | Fault]]:
    """Details for one position, rows for many.

    Telling one from many takes a look ahead; who waits for each answer gets it without.
    """
    from uci_engine.commands.reports import DetailedReport, JsonReport, RowsReport
    from uci_engine.commands.terminal import PlainConsole

    if as_json:
        return JsonReport(), items
    console = PlainConsole()
    if is_typed:
        return DetailedReport(console), items
    first = list(islice(items, 2))
    report = RowsReport(console) if len(first) > 1 else DetailedReport(console)
    return report, chain(first, items)


class _Analysis:
    """Takes one position after another to an engine and listens."""

    def __init__(self, report: Report, limits: Limits, multi_pv: int, hash_mb: int) -> None:
        self.report = report
        self.limits = limits
        self.multi_pv = multi_pv
        self.hash_mb = hash_mb
        self.engine: Engine | None = None
        self.faults = 0

    def run(self, items: Iterator[Subject | Fault]) -> int:
        """Analyse everything; the exit code is returned."""
        from uci_engine.commands.positions import Fault

        try:
            for item in items:
                if isinstance(item, Fault):
                    self._complain(item)
                else:
                    self._analyse(item)
        except KeyboardInterrupt:
            return INTERRUPTED
        finally:
            self.report.close()
            if self.engine:
                self.engine.close()
        return FAULTY if self.faults else 0

    def _analyse(self, subject: Subject) -> None:
        """Search one position.

        :raises KeyboardInterrupt: passed on, after what is known has been shown.
        """
        engine = self._prepare(subject)
        self.report.begin(subject)
        try:
            with self.report.watching():
                best = engine.play(self.limits)
        except KeyboardInterrupt:
            self.report.end(None)
            raise
        self.report.end(best)

    def _prepare(self, subject: Subject) -> Engine:
        """The engine, started for the first position, with the next one set up."""
        from uci_engine.engine import Engine

        if self.engine is None:
            self.engine = Engine(emit=self.report.hear)
            self.engine.set_hash(self.hash_mb)
            self.engine.multi_pv = self.multi_pv
            # The time that a new process takes to start is not thinking time.
            while not self.engine.is_ready:
                self.engine.handle_next()
        elif not subject.board.move_stack:
            self.engine.new_game()
        self.engine.chess960 = subject.board.chess960
        self.engine.set_position(subject.root_fen, subject.moves)
        return self.engine

    def _complain(self, fault: Fault) -> None:
        """Report what could not be read, on standard error."""
        self.faults += 1
        place = f"{fault.place}: " if fault.place else ""
        print(f"kiebitz: {place}{fault.message}", file=sys.stderr)

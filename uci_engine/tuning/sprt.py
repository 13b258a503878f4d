"""Plays two builds against each other until a sequential test has decided.

    python -m halbzug.tuning.sprt BASE NEW FILE [--nodes 8000 | --tc 10+0.1] [--bounds 0 5]

`BASE` and `NEW` are commits, or Python interpreters of environments with uncommitted work. After a
semicolon, they may set numbers of `search/parameters.py` or the evaluation:
`main "main; RAZORING_MARGIN=250"`, `main "main; EvalFile=my.nnue"`. Each commit is installed once,
in a folder outside the checkout.

Every pair of games has its own opening, and the test uses the five possible scores of a pair. It
counts the pairs in the order of their numbers, not in the order in which they finish. Long games
therefore count as much as short ones, and with fixed nodes the same command has the same result on
any number of cores. `FILE` has a line for each pair, and the same command continues from it,
however the last run ended. The bounds are those of `halbzug.match.elo.Sprt`, with alpha and beta of
0.05. A test decides after 16 pairs at the earliest.

Openings are 8 or 9 random plies that a search finds balanced, or lines of `--openings FILE`. Use
fixed nodes if the cost of a node is unchanged. Confirm by the clock, on an idle machine, a change
that makes nodes slower or faster, and a bundle of changes. For time management, `--tc` with
`--nodestime` plays by a clock that counts nodes: it is as repeatable as fixed nodes.

The Elo at which a test stops is not a measurement, so it is not reported. `--measure` plays all the
games without a test and reports the Elo with its 95 % interval.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TextIO

from ..base.time_control import TimeControl, parse_clock
from ..match.elo import FEWEST_PAIRS, MAX_ELO, Sprt, judge
from ..match.match_summary import elo_text
from .command import command_parser, exit_code
from .installs import Build, InstallError, default_folder, provide
from .lines_file import LinesFile, Record
from .pairs import ClockTable, NodesTable, OpeningSource, Pace, Pair
from .searcher import Searcher
from .seats import Seat, Seats

#: Seconds between two progress lines without a terminal.
_QUIET_SECONDS = 60


@dataclass(frozen=True)
class Plan:
    """An experiment.

    :ivar pace: a `TimeControl`: by the clock.
    :ivar sprt: None: all games are played.
    """

    base: Build
    new: Build
    pace: Pace | TimeControl
    hash_mb: int
    seed: int
    openings: Path | None
    sprt: Sprt | None
    pairs: int
    cores: int


class SprtTally:
    """The pairs played so far, counted in the order of their numbers.

    :param sprt: the test, if any; pairs after its end do not count.
    :ivar pentanomial: the numbers of pairs in which the new build scored 0, 0.5, 1, 1.5 and 2
        points.
    :ivar verdict: "H0" or "H1" when the test is over.
    """

    def __init__(self, sprt: Sprt | None) -> None:
        self.sprt = sprt
        self.pentanomial = [0, 0, 0, 0, 0]
        self.verdict: str | None = None
        self._points: dict[int, float] = {}

    def __contains__(self, number: int) -> bool:
        return number in self._points

    def add(self, number: int, points: float) -> None:
        """Add a pair, and count what can now be counted."""
        self._points[number] = points
        while not self.verdict and (following := self._points.get(self.pairs + 1)) is not None:
            self.pentanomial[round(2 * following)] += 1
            if self.sprt:
                self.verdict = self.sprt.verdict(self.pentanomial)

    @property
    def pairs(self) -> int:
        """The number of pairs counted."""
        return sum(self.pentanomial)

    def __str__(self) -> str:
        text = f"{2 * self.pairs:,} games, pairs {self.pentanomial}"
        if self.sprt:
            ratio = self.sprt.log_likelihood_ratio(self.pentanomial)
            text += f", LLR {ratio:.2f} ({self.sprt.lower:.2f} to {self.sprt.upper:.2f})"
        return text


def play(plan: Plan, path: Path, shown: TextIO | None = None) -> SprtTally:
    """Play until the test has ended or all pairs have been played.

    :param path: where the pairs are written, which may already have some.
    :param shown: where progress is shown.
    :raises LabError: if a build does not start or fails.
    :raises LinesFileError: if the file cannot be used.
    """
    openings = OpeningSource(plan.seed, plan.openings)
    pairs = min(plan.pairs, openings.count or plan.pairs)
    tally = SprtTally(plan.sprt)
    experiment = _experiment(plan, openings)
    if shown and experiment["base"] == experiment["new"]:
        print("BASE and NEW are the same engine", file=shown)
    with LinesFile(path, experiment) as file:
        for record in file.records:
            if not plan.openings:
                openings.note(record["number"], record["opening"])
            tally.add(record["number"], record["points"])
        if tally.verdict:
            return tally
        missing = (number for number in range(1, pairs + 1) if number not in tally)
        teller = _Teller(shown)
        seats = Seats(plan.cores, partial(_table, plan, openings), missing)
        results = seats.results()
        try:
            for pair in results:
                file.append(asdict(pair))
                tally.add(pair.number, pair.points)
                teller.tell(tally)
                if tally.verdict:
                    break
        finally:
            results.close()  # type: ignore[attr-defined]
            teller.end()
    return tally


def _experiment(plan: Plan, openings: OpeningSource) -> Record:
    """What determines the games and the test.

    :raises LabError: if a build does not start.
    """
    digests = {}
    for side, build in (("base", plan.base), ("new", plan.new)):
        searcher = Searcher(build, 1)
        searcher.close()
        digests[side] = searcher.digest
    return {
        "experiment": "sprt",
        **digests,
        "limit": str(plan.pace),
        "hash": plan.hash_mb,
        "seed": plan.seed,
        "openings": openings.digest,
        "test": asdict(plan.sprt) if plan.sprt else None,
    }


def _table(plan: Plan, openings: OpeningSource) -> Seat[int, Pair]:
    if isinstance(plan.pace, Pace):
        return NodesTable(plan.new, plan.base, plan.pace, plan.hash_mb, openings)
    return ClockTable(plan.new, plan.base, plan.pace, plan.hash_mb, openings)


class _Teller:
    """Reports progress: on one line of a terminal, or occasionally on a new line."""

    def __init__(self, shown: TextIO | None) -> None:
        self._shown = shown
        self._is_terminal = bool(shown and shown.isatty())
        self._began = time.monotonic()
        self._last = self._began
        self._pairs = 0

    def tell(self, tally: SprtTally) -> None:
        """Report after a pair."""
        self._pairs += 1
        now = time.monotonic()
        if not self._shown or not (self._is_terminal or now - self._last >= _QUIET_SECONDS):
            return
        self._last = now
        speed = 2 * self._pairs / max(now - self._began, 0.001) * 3600
        text = f"{tally}, {speed:,.0f} games an hour"
        print(*([f"\r{text}\x1b[K"] if self._is_terminal else [text]), file=self._shown,
              end="" if self._is_terminal else "\n", flush=True)  # fmt: skip

    def end(self) -> None:
        """End the reports."""
        if self._shown and self._is_terminal and self._pairs:
            print(file=self._shown)


def conclusion(plan: Plan, tally: SprtTally) -> Iterator[str]:
    """The result of the games, in lines."""
    yield f"{plan.new.name} against {plan.base.name}: {tally}"
    sprt = plan.sprt
    if sprt is None:
        yield f"Elo {elo_text(judge(tally.pentanomial))} (95 %)"
        return
    kind = "normalised Elo" if sprt.is_normalised else "Elo"
    bounds = f"{sprt.elo0:g} and {sprt.elo1:g} {kind}"
    if tally.verdict == "H1":
        yield f"H1: of {bounds} the larger is accepted"
    elif tally.verdict == "H0":
        yield f"H0: of {bounds} the smaller is accepted"
    else:
        yield f"Undecided between {bounds}: all {2 * tally.pairs:,} games are played"
        if tally.pairs < FEWEST_PAIRS:
            yield f"A test decides nothing before {FEWEST_PAIRS} pairs"


def add_build_options(parser: argparse.ArgumentParser) -> None:
    """Add options that specify the builds and their folder."""
    parser.add_argument(
        "--checkout", type=Path, default=Path.cwd(), help="with the commits; default: here"
    )
    parser.add_argument(
        "--builds",
        type=Path,
        default=default_folder(),
        help="where they lie: %(default)s",
    )
    parser.add_argument("--cores", type=int, default=os.cpu_count() or 1, help="games at a time")
    parser.add_argument("--hash", type=int, default=16, help="MiB for each side: %(default)s")
    parser.add_argument("--seed", type=int, default=1, help="of the openings: %(default)s")


def add_pace_options(parser: argparse.ArgumentParser) -> None:
    """Add options that limit the searches; `read_pace` reads them."""
    limit = parser.add_mutually_exclusive_group()
    limit.add_argument("--nodes", type=int, default=8000, help="a move: %(default)s")
    limit.add_argument("--tc", help="by the clock, [MOVES/]SECONDS[+INCREMENT]")
    parser.add_argument(
        "--nodestime", type=int, metavar="NODES", help="with --tc: the clock counts these as 1 ms"
    )


def read_pace(parser: argparse.ArgumentParser, options: argparse.Namespace) -> Pace | TimeControl:
    """How long the searches are; a `TimeControl`: by the clock.

    It ends the program if the options are invalid.
    """
    if options.nodestime is not None and not options.tc:
        parser.error("--nodestime needs --tc")
    nodes = options.nodestime if options.tc else options.nodes
    if nodes is not None and nodes < 1:
        parser.error("--nodes and --nodestime are at least 1")
    if not options.tc:
        return Pace(nodes)
    try:
        control = parse_clock(options.tc)
    except ValueError as error:
        parser.error(str(error))
    return control if nodes is None else Pace(nodes, control)


def check_outside(path: Path, checkout: Path) -> None:
    """Make sure that the folder of builds is not in the checkout.

    :raises InstallError: if it is.
    """
    if path.resolve().is_relative_to(checkout.resolve()):
        raise InstallError(f"{path} is in the checkout; --builds names a folder outside of it")


def main(arguments: Sequence[str] | None = None) -> int:
    """Play, and print the result."""
    parser = command_parser("halbzug.tuning.sprt", __doc__)
    parser.add_argument("base", metavar="BASE", help="a commit or an interpreter")
    parser.add_argument("new", metavar="NEW", help="the same, for what is to be tested")
    parser.add_argument("file", metavar="FILE", type=Path, help="for the pairs (JSON lines)")
    add_pace_options(parser)
    parser.add_argument(
        "--bounds", type=float, nargs=2, default=(0, 5), metavar="ELO", help="of the test: 0 5"
    )
    parser.add_argument("--normalised", action="store_true", help="the bounds are normalised Elo")
    parser.add_argument("--measure", action="store_true", help="no test: play all games, tell Elo")
    parser.add_argument("--games", type=int, default=20_000, help="at most: %(default)s")
    parser.add_argument("--openings", type=Path, help="EPD, FEN or PGN instead of random moves")
    add_build_options(parser)
    options = parser.parse_args(arguments)
    low, high = options.bounds
    if not -MAX_ELO <= low < high <= MAX_ELO:
        parser.error(f"--bounds are two numbers, the smaller first, {-MAX_ELO:g} to {MAX_ELO:g}")
    if min(options.games, options.cores, options.hash) < 1:
        parser.error("--games, --cores and --hash are at least 1")
    pace = read_pace(parser, options)

    def work() -> None:
        check_outside(options.builds, options.checkout)
        base, new = (
            provide(text, options.checkout, options.builds.absolute())
            for text in (options.base, options.new)
        )
        plan = Plan(
            base,
            new,
            pace,
            options.hash,
            options.seed,
            options.openings,
            None if options.measure else Sprt(low, high, is_normalised=options.normalised),
            (options.games + 1) // 2,
            options.cores,
        )
        for line in conclusion(plan, play(plan, options.file, sys.stderr)):
            print(line)

    return exit_code(parser.prog, work, "file")


if __name__ == "__main__":
    raise SystemExit(main())

"""Tunes numbers of `search/parameters.py` by games: simultaneous perturbation (SPSA).

    python -m halbzug.tuning.spsa PARAMETERS.toml FILE [--build HEAD] [--nodes 8000] [--pairs 10000]

Each round moves all numbers at once, each up or down by its step at random. The engine with these
numbers plays a pair of games against the engine with the opposite ones, and each number moves a
little towards the side that won. The parameter file has a table for each number, with its least and
greatest value and its step at the end of the run. A number begins with the build's own value, or
with `start`:

    [RAZORING_MARGIN]
    low = 100
    high = 400
    step = 25

Choose steps that change the strength by some 3 Elo. Integers are rounded up or down at random, so
that their mean is right. At the end, each number's old and new value are printed, and what the
values above it were worth against those below, in Elo with a 95 % interval.

With `--rate 0` no number moves, so the same games measure them all at once, as in a fractional
factorial experiment. Then the steps are the changes in question: from 0 to 1 for a switch. The
numbers of time management need `--tc 10+0.1 --nodestime 25`, as in `halbzug.tuning.sprt`.

The build is installed once, with numbers that are variables
(HALBZUG_VARIABLE_PARAMETERS). `FILE` has a line for each round, and the same command continues from
it. Test the result with `halbzug.tuning.sprt`.

Sources: https://www.chessprogramming.org/SPSA, with the gains of Stockfish's tests;
https://en.wikipedia.org/wiki/Fractional_factorial_design.
"""

from __future__ import annotations

import json
import math
import random
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from ..base.text import counted
from ..match.elo import DEVIATIONS_95
from .command import command_parser, exit_code
from .installs import Build, provide
from .lines_file import LinesFile
from .pairs import NodesTable, OpeningSource, Pace
from .searcher import LabError, Searcher
from .sprt import add_build_options, add_pace_options, check_outside, read_pace

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

from .seats import Seats

#: Exponents and offset of the gains, as in Spall's guide; the offset as a share of all rounds.
ALPHA, GAMMA, OFFSET = 0.602, 0.101, 0.1

#: At the end, a pair moves a number by this share of its step, times the points of the win.
#: Stockfish's tests use 0.002, and several times as many games.
RATE = 0.004

#: Elo for a point of the difference in a pair of games, between nearly equal engines.
ELO_PER_POINT = 400 / math.log(10)

#: Rounds between two progress lines.
_TELL_EVERY = 20


@dataclass(frozen=True)
class Tuned:
    """A number being tuned.

    :ivar step: how far it is moved up or down in a round at the end of the run.
    """

    name: str
    start: float
    low: float
    high: float
    step: float
    is_integer: bool = True

    def within(self, value: float) -> float:
        """The allowed value nearest to `value`."""
        return min(max(value, self.low), self.high)


@dataclass(frozen=True)
class Round:
    """The numbers for a pair of games.

    :ivar signs: 1 or -1 for each number: whether the first player has the larger one.
    """

    number: int  # from 1
    signs: tuple[int, ...]
    first: dict[str, float]
    second: dict[str, float]


@dataclass(frozen=True)
class PlayedRound:
    """A round, and the points by which its first player won: -2 to 2."""

    round: Round
    won_by: float


class Spsa:
    """The current values.

    :param rounds: of the whole run, on which the gains depend.
    :param rate: see `RATE`.
    """

    def __init__(self, tuned: Sequence[Tuned], rounds: int, seed: int, rate: float = RATE) -> None:
        self.tuned = tuned
        self.rate = rate
        self.rounds = rounds
        self.values = [one.start for one in tuned]
        self.seed = seed
        #: The number of rounds so far.
        self.learnt = 0
        # The sum of their squared results, and for each number that of the results for the side
        # with the larger value.
        self._squares = 0.0
        self._sums = [0.0] * len(tuned)

    def perturb(self, number: int) -> Round:
        """The numbers of a round, determined by the current values and its number."""
        chooser = random.Random(f"{self.seed} spsa {number}")
        signs = tuple(chooser.choice((1, -1)) for _ in self.tuned)
        players: list[dict[str, float]] = []
        for side in (1, -1):
            players.append({})
            for one, value, sign in zip(self.tuned, self.values, signs, strict=True):
                moved = one.within(value + side * sign * self._step(one, number))
                if one.is_integer:
                    moved = int(one.within(moved // 1 + (chooser.random() < moved % 1)))
                players[-1][one.name] = moved
        return Round(number, signs, *players)

    def learn(self, number: int, signs: Sequence[int], won_by: float) -> None:
        """Move the numbers towards the player who won a round."""
        for index, (one, sign) in enumerate(zip(self.tuned, signs, strict=True)):
            gain = self._gain(one, number) / self._step(one, number)
            self.values[index] = one.within(self.values[index] + gain * won_by * sign)
            self._sums[index] += won_by * sign
        self.learnt += 1
        self._squares += won_by**2

    def worth(self, index: int) -> tuple[float, float]:
        """What the larger values of a number were worth against the smaller ones.

        :returns: Elo, and half the width of its 95 % interval.
        """
        rounds = max(self.learnt, 1)
        margin = DEVIATIONS_95 * math.sqrt(self._squares) / rounds
        return ELO_PER_POINT * self._sums[index] / rounds, ELO_PER_POINT * margin

    def _step(self, one: Tuned, number: int) -> float:
        return float(one.step * (self.rounds / number) ** GAMMA)

    def _gain(self, one: Tuned, number: int) -> float:
        offset = OFFSET * self.rounds
        last = self.rate * one.step**2
        return float(last * ((self.rounds + offset) / (number + offset)) ** ALPHA)


class SpsaTable:
    """Plays rounds; each table has its own processes, because numbers are read at startup.

    :param build: one whose numbers are variables.
    """

    def __init__(self, build: Build, pace: Pace, hash_mb: int, openings: OpeningSource) -> None:
        self._build, self._pace, self._hash_mb = build, pace, hash_mb
        self._openings = openings
        self._table: NodesTable | None = None
        self._is_closed = False

    def do(self, task: Round) -> PlayedRound:
        """Play a round; see `halbzug.tuning.seats.Seat`."""
        first, second = (
            replace(self._build, settings={**self._build.settings, **one})
            for one in (task.first, task.second)
        )
        self._table = NodesTable(first, second, self._pace, self._hash_mb, self._openings)
        try:
            if self._is_closed:
                raise LabError("the run was ended")
            pair = self._table.do(task.number)
        finally:
            self._table.close()
        return PlayedRound(task, 2 * pair.points - 2)

    def close(self) -> None:
        """End the processes."""
        self._is_closed = True
        if self._table:
            self._table.close()


def read_parameters(path: Path, own: Mapping[str, Any]) -> list[Tuned]:
    """Read the parameter file.

    :param own: the numbers of the build.
    :raises LabError: if it is invalid; the message is one line.
    """
    try:
        tables = tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise LabError(f"{path}: {error}") from None
    tuned = []
    for name, table in tables.items():
        value = own.get(name)
        if not isinstance(value, (int, float)):
            raise LabError(f"{path}: search/parameters.py has no number {name!a}")
        try:
            numbers = {key: _number(table[key]) for key in ("low", "high", "step")}
            start = _number(table.get("start", value))
            rest = sorted(set(table) - {"low", "high", "step", "start"})
        except (TypeError, ValueError, LookupError, AttributeError):
            raise LabError(f"{path}: {name} needs the numbers low, high and step") from None
        one = Tuned(name, start, **numbers, is_integer=isinstance(value, int))
        if rest or not (one.low <= one.start <= one.high and one.low < one.high and one.step > 0):
            what = "low, start and high must rise, and step be above 0"
            if rest:
                what = f"{rest[0]!a} is unknown"
            raise LabError(f"{path}: {name}: {what}")
        tuned.append(one)
    if not tuned:
        raise LabError(f"{path} has no parameters")
    return tuned


def _number(value: object) -> float:
    """Convert a value to a number.

    :raises TypeError: if it is not a finite number.
    """
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not math.isfinite(value):
        raise TypeError
    return float(value)


def run(
    spsa: Spsa, build: Build, path: Path, openings: OpeningSource, pace: Pace, hash_mb: int,
    cores: int,
) -> None:  # fmt: skip
    """Play the missing rounds.

    :param path: where they are written, which may already have some.
    :raises LabError: if the build does not start or fails.
    :raises LinesFileError: if the file cannot be used.
    """
    searcher = Searcher(build, 1)
    searcher.close()
    experiment = {
        "experiment": "spsa",
        "build": searcher.digest,
        "limit": str(pace),
        "hash": hash_mb,
        "seed": spsa.seed,
        "rate": spsa.rate,
        "rounds": spsa.rounds,
        "openings": openings.digest,
        "parameters": [asdict(one) for one in spsa.tuned],
    }
    with LinesFile(path, experiment) as file:
        for record in file.records:
            spsa.learn(record["number"], record["signs"], record["won_by"])
        played = {record["number"] for record in file.records}
        if played:
            found = counted(len(played), "round")
            print(f"{found} found in {path}: {values_line(spsa)}", file=sys.stderr)
        rounds = (
            spsa.perturb(number) for number in range(1, spsa.rounds + 1) if number not in played
        )
        make = partial(SpsaTable, build, pace, hash_mb, openings)
        results = Seats(cores, make, rounds).results()
        try:
            for result in results:
                number, signs = result.round.number, result.round.signs
                file.append({"number": number, "signs": signs, "won_by": result.won_by})
                spsa.learn(number, signs, result.won_by)
                if len(file.records) % _TELL_EVERY == 0:
                    print(f"{counted(len(file.records), 'round')}: {values_line(spsa)}", flush=True)
        finally:
            results.close()  # type: ignore[attr-defined]


def values_line(spsa: Spsa) -> str:
    """The values in the form that `halbzug.tuning.sprt` reads after a build."""
    pairs = zip(spsa.tuned, spsa.values, strict=True)
    return "; ".join(
        f"{one.name}={round(value) if one.is_integer else f'{value:.3f}'}" for one, value in pairs
    )


def changes(spsa: Spsa) -> Iterator[str]:
    """Each number with its old and new value and `Spsa.worth`, one per line."""
    for index, (one, value) in enumerate(zip(spsa.tuned, spsa.values, strict=True)):
        worth, margin = spsa.worth(index)
        moved = f"{one.start:>10g} -> {value:.2f}"
        yield f"{one.name:<28} {moved:<22} {worth:+7.1f} +/- {margin:.1f} Elo"


def _own_numbers(build: Build) -> dict[str, Any]:
    """The numbers of a build's `search/parameters.py`, including overrides.

    :raises LabError: if they cannot be read.
    """
    script = (
        "import sys, json; sys.path[:1] = [sys.argv[1]] if sys.argv[1] else [];"
        " from halbzug.search import parameters as p;"
        " print(json.dumps({k: v for k, v in vars(p).items() if type(v) in (int, float)}))"
    )
    result = subprocess.run(
        [build.python, "-c", script, build.site], capture_output=True, text=True, check=False
    )
    try:
        numbers: dict[str, Any] = json.loads(result.stdout)
    except ValueError:
        raise LabError(f"{build.name} has no search/parameters.py") from None
    return {**numbers, **build.settings}


def main(arguments: Sequence[str] | None = None) -> int:
    """Tune, and print what came out."""
    parser = command_parser("halbzug.tuning.spsa", __doc__)
    parser.add_argument("parameters", metavar="PARAMETERS.toml", type=Path)
    parser.add_argument("file", metavar="FILE", type=Path, help="for the rounds (JSON lines)")
    parser.add_argument("--build", default="HEAD", help="a commit or an interpreter: %(default)s")
    add_pace_options(parser)
    parser.add_argument("--pairs", type=int, default=10_000, help="rounds: %(default)s")
    parser.add_argument("--rate", type=float, default=RATE, help="of learning: %(default)s")
    parser.add_argument("--openings", type=Path, help="EPD, FEN or PGN instead of random moves")
    add_build_options(parser)
    options = parser.parse_args(arguments)
    if min(options.pairs, options.cores, options.hash) < 1:
        parser.error("--pairs, --cores and --hash are at least 1")
    pace = read_pace(parser, options)
    if not isinstance(pace, Pace):
        parser.error("--tc needs --nodestime")
    if not 0 <= options.rate < 1:
        parser.error("--rate is at least 0 and below 1")

    def work() -> None:
        check_outside(options.builds, options.checkout)
        build = provide(options.build, options.checkout, options.builds.absolute(), True)
        tuned = read_parameters(options.parameters, _own_numbers(build))
        spsa = Spsa(tuned, options.pairs, options.seed, options.rate)
        openings = OpeningSource(options.seed, options.openings)
        try:
            run(spsa, build, options.file, openings, pace, options.hash, options.cores)
        finally:  # also after an interruption
            if spsa.learnt:
                print("\n".join(changes(spsa)))
                print(values_line(spsa))

    return exit_code(parser.prog, work, "file")


if __name__ == "__main__":
    raise SystemExit(main())

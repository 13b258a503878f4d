"""Divides the Elo difference to Stockfish into the shares of evaluation and search.

    python -m halbzug.tuning.decompose FILE [--nodes 8000] [--games 400] [--engine stockfish]

Three matches with the same nodes a move, the same openings, and colours swapped:

- H - SF: Halbzug against Stockfish;
- HS - SF: Halbzug's search with the evaluation of Stockfish's network against Stockfish. The
  remaining difference is the search;
- HS - H: the two evaluations in the same search.

Stockfish exports its network with the command `export_net`, and compiled loops compute it
(`halbzug.tuning.stockfish_network`), so it must be Stockfish 15.1. The margins of Halbzug's search
are tuned for its own evaluation, so the evaluation's share is, if anything, larger.

`FILE` has a line for each pair; the same command continues it, however the last run ended, and
`--games` can be increased. The matches are played in parallel. Elo is given with its 95 % interval.
Needs the compiled build: in plain Python, Stockfish's network is far too slow.
"""

from __future__ import annotations

import math
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

import chess
import chess.engine

from ..board.movegen import BUILD
from ..client.engine_command import parse_engine
from ..match.elo import judge
from ..match.match_summary import elo_text
from .command import command_parser, exit_code
from .installs import Build
from .lines_file import LinesFile
from .pairs import OpeningSource, Pair, nodes_pair, opening_score, shipped_tables
from .searcher import LabError, Searcher, Thought
from .seats import Seats
from .teacher import Teacher

#: The matches, by players; results are those of the first one.
MATCHES = (("H", "SF"), ("HS", "SF"), ("HS", "H"))

#: Time for Stockfish to start, and for a move, in seconds.
_SECONDS = 60.0

_GRAFTED = "halbzug.tuning.grafted_player"


@dataclass(frozen=True)
class SplitPlan:
    """What determines the games.

    :ivar engine: Stockfish, `COMMAND ARGUMENTS; OPTION=VALUE; ...`.
    :ivar nodes: per move.
    :ivar hash_mb: for each side.
    """

    engine: str
    nodes: int
    hash_mb: int
    seed: int
    openings: Path | None


class Stockfish:
    """Another engine with a fixed number of nodes.

    :raises LabError: if it does not start.
    """

    def __init__(self, command: str, hash_mb: int) -> None:
        engine = parse_engine(command)
        self._game = object()
        try:
            self._engine = chess.engine.SimpleEngine.popen_uci(
                engine.program, timeout=_SECONDS, stderr=None
            )
            self._engine.configure({"Threads": 1, "Hash": hash_mb, **engine.settings})
        except (OSError, ValueError, TimeoutError, chess.engine.EngineError) as error:
            raise LabError(f"{command} does not start: {error}") from None
        #: The name it reports.
        self.name = self._engine.id.get("name", command)

    def new_game(self) -> None:
        """Make it forget what it has learnt."""
        self._game = object()

    def think(self, board: chess.Board, nodes: int) -> Thought:
        """Search a position of an unfinished game.

        :raises LabError: if the process has ended.
        """
        limit = chess.engine.Limit(nodes=nodes)
        try:
            played = self._engine.play(board, limit, game=self._game, info=chess.engine.INFO_ALL)
        except (TimeoutError, chess.engine.EngineError) as error:
            raise LabError(f"{self.name} has ended: {error}") from None
        score = played.info.get("score")
        if played.move is None:
            raise LabError(f"{self.name} has no move in {board.fen()}")
        points = score.relative.score(mate_score=10_000) if score else 0
        return Thought(played.move, points, played.info.get("nodes", nodes))

    def close(self) -> None:
        """End the process."""
        self._engine.close()


class _Board:
    """Plays pairs for all matches; see `halbzug.tuning.seats.Seat`."""

    def __init__(self, plan: SplitPlan, openings: OpeningSource, network: Path) -> None:
        own = Build("Halbzug", sys.executable)
        self._plan, self._openings = plan, openings
        self._tablebase = shipped_tables()
        self._sides: dict[str, Searcher | Stockfish] = {}
        try:
            self._sides["H"] = Searcher(own, plan.hash_mb)
            program = ("-m", _GRAFTED, str(network))
            self._sides["HS"] = Searcher(own, plan.hash_mb, program)
            self._sides["SF"] = Stockfish(plan.engine, plan.hash_mb)
        except LabError:
            self.close()
            raise

    def do(self, task: tuple[int, int]) -> tuple[int, Pair]:
        """Play a pair of a match."""
        match, number = task
        new, base = (self._sides[name] for name in MATCHES[match])
        opening = self._openings.opening(number, self._score)
        return match, nodes_pair(number, opening, new, base, self._plan.nodes, self._tablebase)

    def close(self) -> None:
        """End all processes."""
        for side in self._sides.values():
            side.close()
        self._tablebase.close()

    def _score(self, board: chess.Board) -> int:
        searcher = self._sides["H"]
        assert isinstance(searcher, Searcher)
        return opening_score(searcher, board)


def play(plan: SplitPlan, path: Path, games: int, cores: int) -> list[list[int]]:
    """Play the missing games of all matches.

    :param games: per match.
    :returns: for each match, the numbers of pairs in which the first side scored 0, 0.5, 1, 1.5 and
        2.
    :raises LabError: if an engine does not start or fails.
    :raises LinesFileError: if the file cannot be used.
    """
    openings = OpeningSource(plan.seed, plan.openings)
    pairs = min((games + 1) // 2, openings.count or games)
    with tempfile.TemporaryDirectory() as folder:
        network = Path(folder) / "network.nnue"
        with Teacher(plan.engine, 0) as teacher:
            network.write_bytes(teacher.network())
            engine = teacher.name
        experiment = {
            "experiment": "decompose",
            **{key: value for key, value in asdict(plan).items() if key != "openings"},
            "engine": engine,
            "build": _own_digest(),
            "openings": openings.digest,
        }
        with LinesFile(path, experiment) as file:
            done = {(record["match"], record["number"]): record for record in file.records}
            for record in file.records:
                if not plan.openings:
                    openings.note(record["number"], record["opening"])
            tasks = (
                (match, number)
                for number in range(1, pairs + 1)
                for match in range(len(MATCHES))
                if (match, number) not in done
            )
            results = Seats(cores, partial(_Board, plan, openings, network), tasks).results()
            try:
                for match, pair in results:
                    record = {"match": match, **asdict(pair)}
                    file.append(record)
                    done[match, pair.number] = record
                    if sys.stderr.isatty():
                        print(f"\r{len(done)} pairs", end="", file=sys.stderr, flush=True)
            finally:
                results.close()  # type: ignore[attr-defined]
    found = [[0] * 5 for _ in MATCHES]
    for (match, number), record in done.items():
        if number <= pairs:
            found[match][round(2 * record["points"])] += 1
    return found


def _own_digest() -> str:
    searcher = Searcher(Build("Halbzug", sys.executable), 1)
    searcher.close()
    return searcher.digest


def report(found: Sequence[Sequence[int]], nodes: int) -> Iterator[str]:
    """The results of the matches, in lines.

    :param found: see `play`.
    """
    verdicts = [judge(pentanomial) for pentanomial in found]
    yield f"{nodes:,} nodes a move, Elo with 95 % intervals"
    for (first, second), pentanomial, verdict in zip(MATCHES, found, verdicts, strict=True):
        yield (
            f"{first:>2} - {second:<2}  {2 * sum(pentanomial):5} games, pairs {[*pentanomial]},"
            f" {100 * verdict.score:.1f} %, {elo_text(verdict)}"
        )
    whole, search, _ = verdicts
    if whole.elo < 0 and whole.error is not None and search.error is not None:
        evaluation = search.elo - whole.elo
        error = math.hypot(search.error, whole.error)
        yield (
            f"Of {-whole.elo:.0f} Elo the evaluation makes {evaluation:.0f} +/- {error:.0f}"
            f" ({100 * evaluation / -whole.elo:.0f} %), the search {-search.elo:.0f} +/-"
            f" {search.error:.0f} ({100 * -search.elo / -whole.elo:.0f} %)"
        )


def main(arguments: Sequence[str] | None = None) -> int:
    """Play, and print the results."""
    parser = command_parser("halbzug.tuning.decompose", __doc__)
    parser.add_argument("file", metavar="FILE", type=Path, help="for the pairs (JSON lines)")
    parser.add_argument("--nodes", type=int, default=8000, help="a move: %(default)s")
    parser.add_argument("--games", type=int, default=400, help="of each match: %(default)s")
    parser.add_argument("--engine", default="stockfish", help="Stockfish 15.1")
    parser.add_argument("--openings", type=Path, help="EPD, FEN or PGN instead of random moves")
    parser.add_argument("--cores", type=int, default=os.cpu_count() or 1, help="games at a time")
    parser.add_argument("--hash", type=int, default=16, help="MiB for each side: %(default)s")
    parser.add_argument("--seed", type=int, default=1, help="of the openings: %(default)s")
    options = parser.parse_args(arguments)
    for name in ("nodes", "games", "cores", "hash"):
        if getattr(options, name) < 1:
            parser.error(f"--{name} is at least 1")
    if BUILD == "pure":
        parser.error("this is the pure build, in which Stockfish's network takes far too long")
    plan = SplitPlan(options.engine, options.nodes, options.hash, options.seed, options.openings)

    def work() -> None:
        found = play(plan, options.file, options.games, options.cores)
        for line in report(found, options.nodes):
            print(line)

    return exit_code(parser.prog, work, "file")


if __name__ == "__main__":
    raise SystemExit(main())

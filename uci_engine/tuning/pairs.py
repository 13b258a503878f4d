"""Plays pairs of games between two builds: the same opening with colours swapped.

With a fixed number of nodes, or a clock that counts nodes, the searches are asked directly, and the
same pair always has the same games. By the clock, the builds play as UCI engines, as in `halbzug
match`.
"""

from __future__ import annotations

import asyncio
import random
import threading
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Protocol

import chess
from chess.engine import Cp, PovScore

from ..base.time_control import GameClock, TimeControl
from ..board.game_end import GameEnd, lost, natural_end
from ..match.adjudication import Adjudicator, DrawRule, ResignRule, Rules
from ..match.game import Conditions, play_game
from ..match.openings import Openings, read_openings
from ..match.players import EngineSpec, Player
from ..match.schedule import opening_order
from ..tablebase.files import SHIPPED
from ..tablebase.probing import Tablebase
from .installs import EVAL_FILE, Build
from .searcher import LabError, Searcher, Thought, plain_score

#: OpenBench's defaults, without tablebases: a side that is 600 centipawns behind on four
#: consecutive moves has lost; a draw if both see at most 10 for eight moves after move 40.
RULES = Rules(ResignRule(4, 600), DrawRule(40, 8, 10), longest_game=200)

#: Random plies at the start, or one more, so that either side may move first afterwards.
OPENING_PLIES = 8

#: Maximum absolute score of a balanced opening, in centipawns, and the nodes for finding it.
BALANCED, OPENING_NODES = 100, 2000

#: What a move costs besides its nodes if the clock counts nodes, in seconds.
MOVE_SECONDS = 0.003

#: How far an engine may exceed its time by the clock, in seconds: a machine may stall.
MARGIN_SECONDS = 0.1

#: The command line of an engine whose package is in the folder given first.
_UCI = (
    "import sys; sys.path[:1] = [sys.argv.pop(1)] if sys.argv[1] else []; sys.argv[1:2] = [];"
    " from halbzug.__main__ import main; sys.exit(main())"
)


@dataclass(frozen=True)
class Pace:
    """How long the searches are: a fixed number of nodes, or as long as a clock that counts nodes
    allows.

    :ivar nodes: per move, or per millisecond of the clock.
    """

    nodes: int
    clock: TimeControl | None = None

    def __str__(self) -> str:
        if self.clock:
            return f"{self.clock} at {self.nodes} nodes a millisecond"
        return f"{self.nodes} nodes"


@dataclass(frozen=True)
class Pair:
    """Two finished games with one opening; the new build has White in the first."""

    number: int  # from 1
    opening: str  # FEN
    points: float  # of the new build: 0, 0.5, 1, 1.5 or 2
    ends: tuple[str, str]  # how they ended
    plies: int  # of both


class OpeningSource:
    """Provides an opening for each pair; none is used twice.

    Openings are random moves from the start position that a short search finds balanced, or
    positions from a file in random order. The same seed gives the same openings.

    :param file: EPD, FEN or PGN.
    :param used: FENs of openings already played.
    :raises LabError: if the file cannot be read.
    """

    def __init__(self, seed: int, file: Path | None = None) -> None:
        self._seed = seed
        self._openings: Openings | None = None
        if file:
            try:
                self._openings = read_openings(file)
            except (OSError, ValueError) as error:
                raise LabError(f"{file}: {error}") from None
            count = len(self._openings)
            self._order = list(islice(opening_order(count, seed), count))
        self._used: dict[str, int] = {}  # pair numbers by position
        self._lock = threading.Lock()

    @property
    def digest(self) -> str:
        """Identifies the openings."""
        return self._openings.digest[:16] if self._openings else f"random {OPENING_PLIES}"

    @property
    def count(self) -> int | None:
        """The number of openings; None if unlimited."""
        return len(self._openings) if self._openings else None

    def note(self, number: int, fen: str) -> None:
        """Remember an opening that was played earlier."""
        self._take(number, chess.Board(fen))

    def opening(self, number: int, score_of: Callable[[chess.Board], int]) -> chess.Board:
        """The opening of a pair.

        :param number: of the pair, from 1, up to `count`.
        :param score_of: a short search, returning centipawns for the side to move.
        :raises LabError: if the file has no position there.
        """
        if self._openings:
            try:
                return self._openings.read(self._order[number - 1])
            except ValueError as error:
                raise LabError(str(error)) from None
        chooser = random.Random(f"{self._seed} {number}")
        while True:
            board = chess.Board(random_opening(chooser).fen())
            is_fair = not board.is_game_over() and abs(score_of(board)) <= BALANCED
            if is_fair and self._take(number, board):
                return board

    def _take(self, number: int, board: chess.Board) -> bool:
        """Reserve a position for a pair; return False if another pair has it."""
        with self._lock:
            return self._used.setdefault(board.epd(), number) == number


def random_opening(chooser: random.Random, start: str = chess.STARTING_FEN) -> chess.Board:
    """The board after 8 or 9 random plies from a FEN, or fewer if the game ends."""
    board = chess.Board(start)
    for _ in range(OPENING_PLIES + chooser.randrange(2)):
        moves = list(board.legal_moves)
        if not moves:
            break
        board.push(chooser.choice(moves))
    return board


class NodesTable:
    """Two builds whose searches are limited by nodes.

    :param hash_mb: for each side.
    :raises LabError: if a build does not start.
    """

    def __init__(
        self, new: Build, base: Build, pace: Pace, hash_mb: int, openings: OpeningSource
    ) -> None:
        self._pace = pace
        self._openings = openings
        self._new = Searcher(new, hash_mb)
        try:
            self._base = Searcher(base, hash_mb)
        except LabError:
            self._new.close()
            raise
        self._tablebase = shipped_tables()

    def do(self, number: int) -> Pair:
        """Play a pair; see `halbzug.tuning.seats.Seat`."""
        opening = self._openings.opening(number, self._score)
        new: Thinker = self._new
        base: Thinker = self._base
        if self._pace.clock:
            new = _OnNodeTime(self._new, self._pace.clock)
            base = _OnNodeTime(self._base, self._pace.clock)
        return nodes_pair(number, opening, new, base, self._pace.nodes, self._tablebase)

    def close(self) -> None:
        """End both processes."""
        self._new.close()
        self._base.close()
        self._tablebase.close()

    def _score(self, board: chess.Board) -> int:
        return opening_score(self._base, board)


class Thinker(Protocol):
    """Anything that plays with a fixed number of nodes, such as a `Searcher`."""

    def new_game(self) -> None:
        """Forget everything learnt."""

    def think(self, board: chess.Board, nodes: int) -> Thought:
        """Search a position of an unfinished game."""


class _TimeLostError(Exception):
    """A side has exceeded its time."""


class _OnNodeTime:
    """A searcher with a clock that counts nodes, as a `Thinker`."""

    def __init__(self, searcher: Searcher, control: TimeControl) -> None:
        self._searcher = searcher
        self._clock = GameClock(control)

    def new_game(self) -> None:
        self._searcher.new_game()
        self._clock = GameClock(self._clock.control)

    def think(self, board: chess.Board, nodes: int) -> Thought:
        """Search as long as the clock allows.

        :param nodes: per millisecond.
        :raises _TimeLostError: if that was too long.
        """
        thought = self._searcher.think_on(self._clock, board, nodes)
        if self._clock.press(thought.nodes / nodes / 1000 + MOVE_SECONDS):
            raise _TimeLostError
        return thought


def nodes_pair(
    number: int,
    opening: chess.Board,
    new: Thinker,
    base: Thinker,
    nodes: int,
    tablebase: Tablebase,
) -> Pair:
    """Play a pair with this many nodes per move.

    :param tablebase: used by the games' adjudication.
    :raises LabError: if a side fails.
    """
    first = _nodes_game(opening, new, base, nodes, tablebase)
    second = _nodes_game(opening, base, new, nodes, tablebase)
    return _pair(number, opening, first, second)


def _nodes_game(
    opening: chess.Board, white: Thinker, black: Thinker, nodes: int, tablebase: Tablebase
) -> _Game:
    board = opening.copy()
    adjudicator = Adjudicator(RULES, tablebase)
    white.new_game()
    black.new_game()
    end: GameEnd | None = None
    while end is None:
        try:
            thought = (white if board.turn else black).think(board, nodes)
        except _TimeLostError:
            end = lost(board.turn, "time forfeit", "loses on time")
            break
        score = PovScore(Cp(plain_score(thought.score)), board.turn)
        board.push(thought.move)
        end = natural_end(board) or adjudicator.verdict(board, score)
    return _Game(end, len(board.move_stack) - len(opening.move_stack))


class ClockTable:
    """Two builds that play by the clock, as UCI engines.

    :param control: the time control of both.
    :param hash_mb: for each side.
    """

    def __init__(
        self,
        new: Build,
        base: Build,
        control: TimeControl,
        hash_mb: int,
        openings: OpeningSource,
    ) -> None:
        self._openings = openings
        self._loop = asyncio.new_event_loop()
        self._is_closed = False
        self._tablebase = shipped_tables()
        self._conditions = Conditions(RULES, self._tablebase, MARGIN_SECONDS)
        self._players = [
            Player(_spec(name, build, control, hash_mb), 60, MARGIN_SECONDS)
            for name, build in (("new", new), ("base", base))
        ]
        self._referee = Searcher(base, 1)

    def do(self, number: int) -> Pair:
        """Play a pair; see `halbzug.tuning.seats.Seat`."""
        opening = self._openings.opening(number, self._score)
        new, base = self._players
        first = self._game(opening, new, base)
        second = self._game(opening, base, new)
        return _pair(number, opening, first, second)

    def close(self) -> None:
        """End the processes, even while a game is being played in another thread."""
        self._is_closed = True
        self._referee.close()
        if self._loop.is_running():
            self._loop.call_soon_threadsafe(self._cancel)
        elif not self._loop.is_closed():
            self._stop()

    def _cancel(self) -> None:
        for task in asyncio.all_tasks(self._loop):
            task.cancel()

    def _stop(self) -> None:
        for player in self._players:
            self._loop.run_until_complete(player.stop())
        self._loop.close()
        self._tablebase.close()

    def _score(self, board: chess.Board) -> int:
        return opening_score(self._referee, board)

    def _game(self, opening: chess.Board, white: Player, black: Player) -> _Game:
        try:
            finished = self._loop.run_until_complete(
                play_game(white, black, opening, self._conditions)
            )
        except asyncio.CancelledError:
            self._stop()
            raise LabError("the games were ended") from None
        return _Game(finished.end, int(finished.game.headers["PlyCount"]))


@dataclass(frozen=True)
class _Game:
    end: GameEnd
    plies: int

    @property
    def white_points(self) -> float:
        return {"1-0": 1.0, "0-1": 0.0}.get(self.end.result, 0.5)


def _pair(number: int, opening: chess.Board, first: _Game, second: _Game) -> Pair:
    points = first.white_points + 1 - second.white_points
    ends = (first.end.reason, second.end.reason)
    return Pair(number, opening.fen(), points, ends, first.plies + second.plies)


def shipped_tables() -> Tablebase:
    """The tables that every machine has, so that games end in the same way everywhere."""
    return Tablebase(str(SHIPPED), use_default=False)


def opening_score(searcher: Searcher, board: chess.Board) -> int:
    """A short search's score of an opening, in centipawns for the side to move."""
    searcher.new_game()
    return plain_score(searcher.think(board, OPENING_NODES).score)


def _spec(name: str, build: Build, control: TimeControl, hash_mb: int) -> EngineSpec:
    """The engine of a build.

    :raises LabError: if the build overrides numbers, which UCI cannot do.
    """
    if build.settings:
        raise LabError("numbers can be changed for games with fixed nodes, not by the clock")
    command = (build.python, "-c", _UCI, build.site)
    options = {"Hash": str(hash_mb), "OwnBook": "false"}
    if build.eval_file:
        options[EVAL_FILE] = build.eval_file
    return EngineSpec(name, command, options, control)

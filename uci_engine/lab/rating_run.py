"""Plays the games of a rating; the next opponent is always the most informative one.

The games are played by the runner of matches (`halbzug.match.game_runners`) and kept in its file of
games (`halbzug.match.match_record`), so an interrupted rating can be continued. Each opening is
played twice, with colours swapped, against the same opponent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

import chess

from ..base.language import say
from ..client.engine_errors import Fault
from ..match.adjudication import Rules
from ..match.game import Conditions, FinishedGame
from ..match.game_runners import GameRunner, LocalRunner, ScheduledGames, check_engines
from ..match.games_display import GamesDisplay, MistakeReporter, NewFaults
from ..match.match_files import MatchError, open_games, open_openings, save_game
from ..match.match_record import GameFile, GameRecord, record_of
from ..match.match_summary import games_text
from ..match.players import EngineSpec
from ..match.schedule import Fixture, opening_order
from ..tablebase.probing import Tablebase
from .file_games import PATIENCE_SECONDS, TABLEBASE_FOLDERS
from .levels import Level
from .rating import RatedGame, Rating, next_opponent, rate
from .sources import source_digest

#: Openings from which a rating takes its own, in an order given by the seed.
OPENINGS = 250


#: Games of one candidate before the next one's turn: an engine that keeps playing need not
#: be started.
BLOCK = 10


#: The number of consecutive games that opponents may spoil by crashing or being late.
MAX_FAILURES = 5


class RatingError(MatchError):
    """Why a rating cannot be made or continued, in one line."""


@dataclass(frozen=True)
class RatingPlan:
    """What to rate, and how."""

    candidates: tuple[EngineSpec, ...]
    levels: tuple[Level, ...]
    openings: Path
    error: float = 50.0  # half the width of the requested 95 % interval, in Elo
    max_games: int = 1000  # of each candidate
    seed: int = 1  # for the order of openings
    rules: Rules = field(default_factory=Rules)
    margin_seconds: float = 0.0  # seconds by which an engine may exceed its time
    pgn: Path | None = None


@dataclass
class Candidate:
    """The state of one rating.

    :ivar begun: the number of games started against each level, by its index.
    :ivar played: the number of games that count against each level, by its name.
    :ivar last_loss: the opponent that beat it last, and how the game ended.
    :ivar forfeits: games that it lost on time, by a crash or by an illegal move.
    """

    spec: EngineSpec
    begun: list[int]
    games: list[RatedGame] = field(default_factory=list)
    played: Counter[str] = field(default_factory=Counter)
    rating: Rating = field(default_factory=lambda: rate(()))
    last_loss: str = ""
    forfeits: Counter[Fault] = field(default_factory=Counter)
    mistakes: int = 0  # moves that came too late and were replaced

    @property
    def score(self) -> float:
        """Points per game, 0 to 1; without games 0."""
        return sum(game.points for game in self.games) / max(1, len(self.games))

    def add(self, level: Level, points: float, reason: str, record: GameRecord) -> None:
        """Count a game."""
        is_white = record.white == self.spec.name
        self.mistakes += record.white_mistakes if is_white else record.black_mistakes
        if record.is_forfeit and record.loser == self.spec.name:
            self.forfeits[Fault(record.termination)] += 1
        self.games.append(RatedGame(level.elo, points))
        self.played[level.spec.name] += 1
        self.rating = rate(self.games)
        if not points:
            self.last_loss = f"{level.spec.name}: {reason}" if reason else level.spec.name


class RatingRun(AbstractContextManager["RatingRun"]):
    """A plan whose games are played and counted; the file of games is open from the start.

    :param runner: where they are played; by default here, one at a time.
    :raises MatchError: if the openings, the names or the file of games cannot be used.
    """

    def __init__(self, plan: RatingPlan, runner: GameRunner | None = None) -> None:
        self.plan = plan
        self._runner = runner or LocalRunner(1)
        self.candidates = [Candidate(spec, [0] * len(plan.levels)) for spec in plan.candidates]
        self._names = [spec.name for spec in plan.candidates]
        self._level_names = [level.spec.name for level in plan.levels]
        for name in self._names:
            if name in self._level_names or self._names.count(name) > 1:
                raise RatingError(f"two engines have the name {name}")
        self._boards = _read_openings(plan)
        self._tablebase = Tablebase(TABLEBASE_FOLDERS)
        self.file = _open_file(plan, list(self._boards.values())) if plan.pgn else None
        self._failures = 0  # by opponents, consecutive
        self._last_number = 0
        for record in self.file.games.values() if self.file else ():
            candidate, level, points = self._sides(record)
            candidate.begun[level] += 1
            candidate.add(plan.levels[level], points, "", record)
            self._last_number = max(self._last_number, record.number)
        self._last_number += self._last_number % 2

    def __exit__(self, *exception: object) -> None:
        self._tablebase.close()
        if self.file:
            self.file.close()

    @property
    def games(self) -> int:
        """All games that were counted."""
        return sum(len(candidate.games) for candidate in self.candidates)

    def play(self, display: GamesDisplay) -> bool:
        """Play until each rating is as precise as requested.

        :returns: False if it was interrupted.

        :raises StartError: if an engine does not start.
        :raises MatchError: if a game cannot be saved.
        """
        if self.file and self.games:
            words = {"games": games_text(self.games), "file": self.file.path}
            display.say(say("{games} of this rating found in {file}", **words))
        if not self._unfinished():
            return True
        try:
            with display.watching():
                self._play(display)
        except KeyboardInterrupt:
            return False
        return True

    def _play(self, display: GamesDisplay) -> None:
        plan = self.plan
        conditions = Conditions(plan.rules, self._tablebase, plan.margin_seconds, PATIENCE_SECONDS)
        specs = [*plan.candidates, *(level.spec for level in plan.levels)]
        teller = MistakeReporter(self._names)
        faults = NewFaults()  # of opponents

        def count(finished: FinishedGame) -> bool:
            record = record_of(finished.game.headers)
            if self._is_counted(record, finished.end.reason):
                self._count(finished, record)
                teller.tell(finished, display)
                display.note(record, finished.end.reason)
            elif faults.add(record, finished.end.reason):
                number, why = record.number, finished.end.reason
                display.say(say("Game {number} does not count: {why}", number=number, why=why))
            return not self._unfinished()

        check_engines(plan.candidates, conditions)
        self._runner.play(ScheduledGames(specs, self._boards, conditions, self._fixtures(), count))

    def _unfinished(self) -> list[Candidate]:
        plan = self.plan
        return [
            candidate
            for candidate in self.candidates
            if candidate.rating.error > plan.error and len(candidate.games) < plan.max_games
        ]

    def _fixtures(self) -> Iterator[Fixture]:
        """Pairs of games, each chosen when it is needed."""
        elos = [level.elo for level in self.plan.levels]
        number = self._last_number
        while unfinished := self._unfinished():
            candidate = min(unfinished, key=lambda one: sum(one.begun) // BLOCK)
            level = next_opponent(candidate.rating.elo, elos, candidate.begun)
            first, second = self.candidates.index(candidate), len(self.candidates) + level
            opening = list(self._boards)[sum(candidate.begun) // 2 % len(self._boards)]
            for white, black in ((first, second), (second, first)):
                number += 1
                candidate.begun[level] += 1
                yield Fixture(number, white, black, opening)

    def _sides(self, record: GameRecord) -> tuple[Candidate, int, float]:
        """The candidate of a game, the index of its opponent, and the candidate's points.

        :raises RatingError: if the game has other players.
        """
        try:
            if record.white in self._names:
                candidate = self.candidates[self._names.index(record.white)]
                return candidate, self._level_names.index(record.black), record.white_points
            candidate = self.candidates[self._names.index(record.black)]
            return candidate, self._level_names.index(record.white), 1 - record.white_points
        except ValueError:
            raise RatingError(f"game {record.number} was played by other engines") from None

    def _is_counted(self, record: GameRecord, reason: str) -> bool:
        """Whether a game counts: the failure of an opponent, on a busy machine, does not.

        :raises RatingError: if opponents fail again and again.
        """
        _, _, points = self._sides(record)
        if not points or not record.is_forfeit:
            self._failures = 0
            return True
        self._failures += 1
        if self._failures == MAX_FAILURES:
            raise RatingError(f"the opponents fail: {reason}")
        return False

    def _count(self, finished: FinishedGame, record: GameRecord) -> None:
        """Save and count a finished game.

        :raises MatchError: if it cannot be saved.
        """
        candidate, level, points = self._sides(record)
        if self.file:
            save_game(self.file, finished.game)
        candidate.add(self.plan.levels[level], points, finished.end.reason, record)


def _read_openings(plan: RatingPlan) -> dict[int, chess.Board]:
    """:raises MatchError: if they cannot be used."""
    openings = open_openings(plan.openings)
    order = opening_order(len(openings), plan.seed)
    chosen = list(islice(order, min(OPENINGS, len(openings))))
    try:
        return {index: openings.read(index) for index in chosen}
    except ValueError as error:
        raise MatchError(str(error)) from None


def _open_file(plan: RatingPlan, boards: Sequence[chess.Board]) -> GameFile:
    """Open the file of games, with the identity of this rating.

    :raises MatchError: if it cannot be used.
    """
    assert plan.pgn is not None
    sources = [source_digest(Path(word)) for spec in plan.candidates for word in spec.command]
    fens = [board.fen() for board in boards]
    # Not the opponents' Elo: after a new measurement the games remain the same.
    opponents = [(level.spec.name, level.spec.options) for level in plan.levels]
    return open_games(plan.pgn, plan.candidates, sources, opponents, fens, plan.rules, "strict")

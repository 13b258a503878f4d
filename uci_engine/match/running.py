"""Runs a whole match: schedules, plays, counts and (if requested) saves its games."""

from __future__ import annotations

from contextlib import AbstractContextManager, ExitStack
from itertools import islice

import chess

from ..base.text import counted
from ..tablebase.probing import Tablebase
from .elo import Sprt
from .game import Conditions, FinishedGame
from .game_runners import GameRunner, LocalRunner, ScheduledGames, check_engines
from .games_display import GamesDisplay, MistakeReporter
from .match_files import MatchError, open_games, open_openings, save_game
from .match_record import GameFile, GameRecord, record_of
from .openings import Openings
from .plan import MatchPlan
from .schedule import Fixture, opening_order, pairings, schedule
from .standings import Standings


class Match(AbstractContextManager["Match"]):
    """A plan whose games are played and counted; the file of games is open from the start.

    :param runner: where they are played; by default here, as many at a time as in the plan.
    :ivar planned: games of the whole schedule.
    :ivar sprt: the test that may end the match, if any.
    :raises MatchError: if the openings, the tablebases or the file of games cannot be used.
    """

    def __init__(self, plan: MatchPlan, runner: GameRunner | None = None) -> None:
        self.plan = plan
        self._runner = runner or LocalRunner(plan.concurrency)
        self.sprt = Sprt(*plan.sprt) if plan.sprt else None
        meetings = plan.meetings or pairings(len(plan.engines), plan.is_gauntlet)
        self.standings = Standings([engine.name for engine in plan.engines], meetings)
        self.file: GameFile | None = None
        self._counted: set[int] = set()  # the numbers of the games so far
        openings = open_openings(plan.openings, plan.chess960)
        order = opening_order(len(openings), plan.seed)
        rounds = plan.rounds or (meetings,) * (plan.games // 2)
        chosen = list(islice(order, len(rounds)))
        try:
            self._boards = {index: openings.read(index) for index in set(chosen)}
        except ValueError as error:
            raise MatchError(str(error)) from None
        self._notes = openings.notes
        self._fixtures = [
            fixture
            for fixture in schedule(rounds, chosen)
            if not plan.absent & {fixture.white, fixture.black}
        ]
        with ExitStack() as stack:
            self._tablebase = _open_tablebase(plan)
            if self._tablebase:
                stack.callback(self._tablebase.close)
            if plan.pgn:
                self.file = _open_file(plan, openings)
                stack.callback(self.file.close)
                self._count_what_was_found(self.file)
            self.planned = len(self._fixtures)
            if plan.absent and self.file:  # they may have played in an earlier run
                numbers = {fixture.number for fixture in self._fixtures}
                self.planned += len(self.file.games.keys() - numbers)
            self._resources = stack.pop_all()

    def __exit__(self, *exception: object) -> None:
        self._resources.close()

    def _count_what_was_found(self, file: GameFile) -> None:
        """:raises MatchError: if the file has games of engines that do not take part."""
        try:
            for record in file.games.values():
                self.standings.add(record)
                self._counted.add(record.number)
        except LookupError as error:
            raise MatchError(f"{file.path}: {error}") from None

    @property
    def is_decided(self) -> bool:
        """Whether the test has accepted one of its hypotheses."""
        if self.sprt is None:
            return False
        return self.sprt.verdict(self.standings.scores[0, 1].pentanomial) is not None

    def play(self, display: GamesDisplay) -> bool:
        """Play the missing games.

        :returns: False if it was interrupted.

        :raises StartError: if an engine does not start.
        :raises MatchError: if a game cannot be saved.
        """
        for note in self._notes:
            display.say(note)
        found = self._counted
        if self.file and found:
            games = counted(len(found), "game")
            display.say(f"{games} of this match found in {self.file.path}")
        elif self.file and self.file.has_other_games:
            display.say(f"{self.file.path} has games of other matches; they do not count")
        missing = [fixture for fixture in self._fixtures if fixture.number not in found]
        if not missing or self.is_decided:
            return True
        try:
            with display.watching():
                self._play(missing, display)
        except KeyboardInterrupt:
            return False
        return True

    def _play(self, fixtures: list[Fixture], display: GamesDisplay) -> None:
        plan = self.plan
        conditions = Conditions(
            plan.rules, self._tablebase, plan.margin_seconds, plan.patience_seconds
        )
        teller = MistakeReporter(self.standings.names)

        def count(finished: FinishedGame) -> bool:
            record = self._count(finished)
            teller.tell(finished, display)
            display.note(record, finished.end.reason)
            return self.is_decided

        boards: dict[int, chess.Board] = self._boards
        if not plan.is_checked:
            check_engines(
                plan.engines, conditions, any(board.chess960 for board in boards.values())
            )
        self._runner.play(ScheduledGames(plan.engines, boards, conditions, fixtures, count))

    def _count(self, finished: FinishedGame) -> GameRecord:
        """Save and count a finished game.

        :raises MatchError: if it cannot be saved.
        """
        if self.file:
            save_game(self.file, finished.game)
        record = record_of(finished.game.headers)
        self.standings.add(record)
        self._counted.add(record.number)
        return record


def _open_tablebase(plan: MatchPlan) -> Tablebase | None:
    """:raises MatchError: if the tablebases asked for are not there."""
    if plan.tablebase_folders is None:
        return None
    tablebase = Tablebase(plan.tablebase_folders)
    messages = tablebase.take_messages()
    if messages:
        tablebase.close()
        raise MatchError(messages[0])
    return tablebase


def _open_file(plan: MatchPlan, openings: Openings) -> GameFile:
    """Open the file of games, with the identity of this match.

    :raises MatchError: if it cannot be used.
    """
    assert plan.pgn is not None
    parts = (plan.engines, plan.is_gauntlet, openings.digest, plan.seed, plan.rules)
    more = (plan.meetings, plan.sources) if plan.meetings else ()
    return open_games(plan.pgn, *parts, plan.tablebase_folders, *more)

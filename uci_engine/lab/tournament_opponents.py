"""The opponents of known Elo in a tournament: each file plays the most informative ones.

They are chosen as in a rating (`halbzug.lab.rating_run`). Results against much weaker or stronger
opponents depend on properties that Elo does not express: an engine that cannot mate draws with a
random mover. Fixed opponents would therefore give it a different Elo than a rating.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from ..base.language import say
from ..match.game import FinishedGame
from ..match.game_runners import GameRunner, ScheduledGames
from ..match.games_display import NewFaults
from ..match.match_record import GameRecord, record_of
from ..match.schedule import Fixture
from .levels import Level
from .rating import RatedGame, next_opponent, rate

#: Pairs of games that each file plays on the ladder for each pair between two files.
PAIRS_WITH_LEVELS = 5

#: Placeholder in a schedule for an opponent that is chosen when the game can be played.
TO_BE_CHOSEN = -1

Meetings = tuple[tuple[int, int], ...]


def rounds(files: int, pairs: int, *, has_levels: bool) -> tuple[Meetings, ...]:
    """The pairings of each round of a tournament, by index.

    On the ladder each pair of a file's games has a round of its own, with a different opening.

    :param files: the number of files.
    :param pairs: pairs of games between any two files.
    """
    meetings = tuple(combinations(range(files), 2))
    if not has_levels:
        return (meetings,) * pairs
    against_levels = tuple((file, TO_BE_CHOSEN) for file in range(files))
    return ((*meetings, *against_levels), *(against_levels,) * (PAIRS_WITH_LEVELS - 1)) * pairs


class KnownOpponents:
    """A runner that chooses the opponents of known Elo, whose games lost by a fault do not count.

    :param runner: where the games are played.
    :param files: the names of the files.
    :param levels: the opponents; in the games their indices follow those of the files.
    :ivar say: called with messages about games that do not count.
    """

    def __init__(self, runner: GameRunner, files: Sequence[str], levels: Sequence[Level]) -> None:
        self._runner = runner
        self._files = {name: index for index, name in enumerate(files)}
        self._levels = {level.spec.name: index for index, level in enumerate(levels)}
        self._elos = [level.elo for level in levels]
        self._games: list[list[RatedGame]] = [[] for _ in files]
        self._pairs: dict[int, tuple[int, int]] = {}  # file and level, by number
        self.say: Callable[[str], None] = print

    def add(self, record: GameRecord) -> None:
        """Count a game if it is on the ladder."""
        file, level, points = record.white, record.black, record.white_points
        if file in self._levels:
            file, level, points = level, file, 1 - points
        if level in self._levels:
            pair = self._files[file], self._levels[level]
            self._pairs[_pair_of(record.number)] = pair
            self._games[pair[0]].append(RatedGame(self._elos[pair[1]], points))

    def play(self, games: ScheduledGames) -> None:
        """See `GameRunner`."""
        faults = NewFaults()

        def on_end(finished: FinishedGame) -> bool:
            record = record_of(finished.game.headers)
            if record.is_forfeit and record.loser in self._levels:
                if faults.add(record, finished.end.reason):
                    number, why = record.number, finished.end.reason
                    self.say(say("Game {number} does not count: {why}", number=number, why=why))
                return False
            self.add(record)
            return games.on_end(finished)

        fixtures = self._chosen(games.fixtures)
        self._runner.play(replace(games, fixtures=fixtures, on_end=on_end))

    def _chosen(self, fixtures: Iterable[Fixture]) -> Iterator[Fixture]:
        """The games with their opponents, each chosen when it is needed."""
        for fixture in fixtures:
            if TO_BE_CHOSEN not in (fixture.white, fixture.black):
                yield fixture
                continue
            file, pair = max(fixture.white, fixture.black), _pair_of(fixture.number)
            if pair not in self._pairs:
                self._pairs[pair] = file, self._next(file)
            level = len(self._files) + self._pairs[pair][1]
            if fixture.white == file:
                yield replace(fixture, black=level)
            else:
                yield replace(fixture, white=level)

    def _next(self, file: int) -> int:
        begun = [0] * len(self._elos)
        for one, level in self._pairs.values():
            begun[level] += one == file
        return next_opponent(rate(self._games[file]).elo, self._elos, begun)


def _pair_of(number: int) -> int:
    """The number of a pair, from the number of a game; see `Fixture`."""
    return (number - 1) // 2

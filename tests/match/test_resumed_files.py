"""A match continues from its file, with every game exactly once. No engine is started here."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import chess.pgn
import pytest
from match_runs import fake

from halbzug.board.game_end import GameEnd
from halbzug.lab.levels import Level
from halbzug.lab.rating_run import RatingPlan, RatingRun
from halbzug.match.adjudication import Rules
from halbzug.match.game import EVENT, FinishedGame
from halbzug.match.game_runners import ScheduledGames
from halbzug.match.match_record import GameRecord
from halbzug.match.openings import shipped_openings
from halbzug.match.plan import MatchPlan
from halbzug.match.players import EngineSpec
from halbzug.match.running import Match

pytestmark = pytest.mark.any_build

NAMES = ("a", "b")


class Quiet:
    """A display that shows nothing."""

    def watching(self) -> AbstractContextManager[None]:
        return nullcontext()

    def say(self, text: str) -> None:
        pass

    def note(self, record: GameRecord, reason: str) -> None:
        pass


class WhiteWins:
    """A game runner in which White wins at once.

    :param games: how many games are played at most.
    :ivar played: the numbers of those played.
    """

    def __init__(self, games: int) -> None:
        self._games = games
        self.played: list[int] = []

    def play(self, games: ScheduledGames) -> None:
        names = [spec.name for spec in games.engines]
        for fixture in games.fixtures:
            if len(self.played) == self._games:
                raise KeyboardInterrupt
            game = chess.pgn.Game.from_board(games.openings[fixture.opening])
            game.headers.update(
                Event=EVENT, White=names[fixture.white], Black=names[fixture.black],
                Round=str(fixture.number), Result="1-0", Termination="normal",
            )  # fmt: skip
            self.played.append(fixture.number)
            if games.on_end(FinishedGame(game, GameEnd("1-0", "normal", "White mates"))):
                return


def match_of(pgn: Path, runner: WhiteWins) -> Match:
    return Match(
        MatchPlan(
            tuple(EngineSpec(name, ("nothing",)) for name in NAMES), shipped_openings(), 4,
            is_gauntlet=False, chess960=False, seed=1, concurrency=1, rules=Rules(),
            tablebase_folders=None, margin_seconds=0, patience_seconds=1, sprt=None, pgn=pgn,
            is_checked=True,
        ),
        runner,
    )  # fmt: skip


@pytest.mark.parametrize("first", [0, 1, 2, 3, 4])
def test_a_match_plays_the_missing_games(tmp_path: Path, first: int) -> None:
    for count, wanted in ((first, list(range(1, first + 1))), (4, list(range(first + 1, 5)))):
        runner = WhiteWins(count)
        with match_of(tmp_path / "games.pgn", runner) as match:
            is_complete = match.play(Quiet())
            assert runner.played == wanted
            assert match.standings.scores[0, 1].pentanomial[2] == match.standings.games // 2
    assert is_complete and match.standings.games == match.planned == 4


def cut_off(data: bytes) -> bytes:
    return data[:-40]


def foreign_game(data: bytes) -> bytes:
    return data + b'[Event "club"]\n[White "x"]\n[Black "y"]\n[Result "*"]\n\n1. e4 *\n'


@pytest.mark.parametrize(("damage", "again"), [(cut_off, [3, 4]), (foreign_game, [4])])
def test_the_last_game_counts_if_it_is_complete(
    tmp_path: Path, damage: Callable[[bytes], bytes], again: list[int]
) -> None:
    path = tmp_path / "games.pgn"
    with match_of(path, WhiteWins(3)) as match:
        assert not match.play(Quiet())
    path.write_bytes(damage(path.read_bytes()))
    runner = WhiteWins(4)
    with match_of(path, runner) as match:
        assert match.play(Quiet())
    assert runner.played == again


def test_a_rating_continues_after_its_last_complete_pair(tmp_path: Path) -> None:
    candidate = EngineSpec("mine", tuple(shlex.split(fake("plain"))))
    level = Level(1000, EngineSpec("level", ("nothing",)))
    pgn = tmp_path / "games.pgn"
    plan = RatingPlan((candidate,), (level,), shipped_openings(), 1, 6, pgn=pgn)
    played = []
    for count in (3, 9):
        runner = WhiteWins(count)
        with RatingRun(plan, runner) as run:
            run.play(Quiet())
        played.append(runner.played)
    assert played == [[1, 2, 3], [5, 6, 7]]
    assert run.games == 6 and run.candidates[0].played == {"level": 6}

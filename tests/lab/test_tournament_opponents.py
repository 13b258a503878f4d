"""The opponents of files in a tournament, and the resulting ranks: the same as in a rating."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

import chess
import chess.pgn
import pytest
from file_engines import write_engine
from match_runs import Quiet

from halbzug.base.time_control import TimeControl
from halbzug.board.game_end import GameEnd
from halbzug.lab import file_tournament, rating_run
from halbzug.lab.field_rating import rate_field
from halbzug.lab.file_tournament import Tournament, TournamentPlan
from halbzug.lab.levels import Level
from halbzug.lab.rating import RatedGame, rate
from halbzug.lab.rating_run import RatingPlan, RatingRun
from halbzug.lab.tournament_opponents import PAIRS_WITH_LEVELS
from halbzug.match.game import EVENT, FinishedGame
from halbzug.match.game_runners import ScheduledGames
from halbzug.match.openings import shipped_openings
from halbzug.match.players import EngineSpec
from halbzug.match.standings import Score

pytestmark = pytest.mark.any_build

LAST = "def choose(board, clock):\n    return list(board.legal_moves)[-1]\n"
LEVELS = tuple(Level(elo, EngineSpec(f"level{elo}", ("x",))) for elo in range(-900, 2701, 300))

#: The strengths of the files; levels have those of their names.
ELO = {"strong": 1500, "weak": 0}


def strength(name: str) -> int:
    return ELO[name] if name in ELO else int(name.removeprefix("level"))


@dataclass
class Judge:
    """A runner in which the stronger player wins and close ones draw.

    :ivar stops: the number of games after which the process dies.
    :ivar failing: a level whose first game ends by a crash.
    """

    stops: int = 1000
    failing: str = ""
    played: list[Played] = field(default_factory=list)

    def play(self, games: ScheduledGames) -> None:
        for fixture in games.fixtures:
            white, black = (games.engines[index].name for index in (fixture.white, fixture.black))
            self.played.append(Played(fixture.number, white, black, fixture.opening))
            ahead = strength(white) - strength(black)
            end = GameEnd(
                "1-0" if ahead > 100 else "0-1" if ahead < -100 else "1/2-1/2", "normal", ""
            )
            if self.failing in (white, black):
                end = GameEnd("1-0" if black == self.failing else "0-1", "abandoned", "crash")
                self.failing = "nobody"
            game = chess.pgn.Game({"Event": EVENT, "White": white, "Black": black})
            game.headers.update({"Round": str(fixture.number), "Result": end.result})
            game.headers["Termination"] = end.termination
            games.on_end(FinishedGame(game, end))
            if len(self.played) == self.stops:
                raise KeyboardInterrupt


class Played(NamedTuple):
    number: int
    white: str
    black: str
    opening: int

    @property
    def file(self) -> str:
        return self.white if self.white in ELO else self.black

    @property
    def level(self) -> str:
        """The opponent from the ladder; empty in a game between files."""
        return next((name for name in (self.white, self.black) if name not in ELO), "")


@pytest.fixture
def plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TournamentPlan:
    monkeypatch.setattr(file_tournament, "start_errors", lambda specs, *_, **__: [""] * len(specs))
    (tmp_path / "class").mkdir()
    for name in ELO:
        write_engine(tmp_path / "class", LAST, f"{name}.py")
    control = TimeControl(move_seconds=0.1)
    pgn = tmp_path / "class.pgn"
    return TournamentPlan(tmp_path / "class", control, shipped_openings(), pgn, levels=LEVELS)


def test_files_play_similar_opponents_in_pairs(plan: TournamentPlan) -> None:
    judge = Judge()
    with Tournament(plan, judge) as played:
        assert played.play(Quiet()) and played.standings.games == played.match.planned
        ratings = {place.entrant.spec.name: place.rating for place in played.places()}
    assert len(judge.played) == 2 + 2 * 2 * PAIRS_WITH_LEVELS
    against_levels = [game for game in judge.played if game.level]
    for first, second in zip(against_levels[::2], against_levels[1::2], strict=True):
        assert (first.white, first.black) == (second.black, second.white)
        assert first.opening == second.opening
    for name, elo in ELO.items():
        own = [game for game in against_levels if game.file == name]
        assert len({game.opening for game in own}) == PAIRS_WITH_LEVELS
        assert abs(strength(own[-1].level) - elo) <= 300 and len({game.level for game in own}) > 1
        assert ratings[name].low < elo < ratings[name].high
    assert ratings.keys() - ELO.keys() == {game.level for game in against_levels}, (
        "other levels are not shown"
    )


def test_a_rating_has_the_same_games(plan: TournamentPlan, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rating_run, "check_engines", lambda *_: None)
    (plan.folder / "weak.py").unlink()
    judge, rated_by = Judge(), Judge()
    with Tournament(plan, judge) as played:
        assert played.play(Quiet())
        tournament = next(one.rating for one in played.places() if one.entrant.known is None)
    candidates = (EngineSpec("strong", ("x",)),)
    games = 2 * PAIRS_WITH_LEVELS
    with RatingRun(RatingPlan(candidates, LEVELS, plan.openings, 1, games), rated_by) as run:
        assert run.play(Quiet())
        rating = run.candidates[0].rating
    assert judge.played == rated_by.played[:games]
    assert tournament.elo == pytest.approx(rating.elo, abs=1)


@pytest.mark.parametrize("stops", [1, 5, 8, 13])
def test_a_tournament_continues_where_it_stopped(plan: TournamentPlan, stops: int) -> None:
    """In the middle of a pair or after one, as if nothing had happened."""
    whole, first, second = Judge(), Judge(stops), Judge()
    with Tournament(replace(plan, pgn=plan.pgn.with_name("whole.pgn")), whole) as played:
        assert played.play(Quiet())
    with Tournament(plan, first) as played:
        assert not played.play(Quiet())
    with Tournament(plan, second) as played:
        assert played.play(Quiet())
    assert first.played + second.played == whole.played


def test_a_game_that_does_not_count_is_played_again(plan: TournamentPlan) -> None:
    judge, display = Judge(failing="level1200"), Quiet()
    with Tournament(plan, judge) as played:
        assert played.play(display) and played.standings.games == played.match.planned
    numbers = Counter(judge.played)
    (again,) = (game for game, times in numbers.items() if times == 2)
    assert again.level == "level1200" and len(judge.played) == len(numbers) + 1
    assert f"Game {again.number} does not count: crash" in display.said


def test_games_between_files_do_not_shift_the_scale() -> None:
    """A file that cannot give mate draws with all the weak files of its class."""
    against_levels = {109.0: Score(8, 0, 4), 337.0: Score(6, 0, 6), 505.0: Score(4, 0, 8)}
    alone = rate(
        [
            RatedGame(elo, points)
            for elo, score in against_levels.items()
            for points, times in ((1.0, score.wins), (0.0, score.losses))
            for _ in range(times)
        ]
    )
    known = {10 + index: elo for index, elo in enumerate([*against_levels, -918.0])}
    scores = {(0, 10 + index): score for index, score in enumerate(against_levels.values())}
    for weak in range(1, 10):
        scores[weak, 13] = Score(5, 0, 5)
        scores[0, weak] = Score(0, 2, 0)
    rating, *others = rate_field(14, scores, known)[:10]
    assert rating.elo == pytest.approx(alone.elo, abs=15)
    assert all(other.elo == pytest.approx(-918, abs=100) for other in others)
    near = rate_field(14, {**scores, (0, 1): Score(), (1, 10): Score(8, 0, 2)}, known)
    scores[0, 1], scores[1, 10] = Score(0, 0, 20), Score(8, 0, 2)
    assert rate_field(14, scores, known)[0].elo < near[0].elo - 50, (
        "games between close files count"
    )

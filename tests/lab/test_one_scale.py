"""Ratings and tournaments have the same rules, so their Elo is on one scale.

Their opponents are the same, too: see `test_tournament_opponents`.
"""

from __future__ import annotations

import pickle
import re
import shlex
from pathlib import Path

import chess
import chess.pgn
import pytest
from file_engines import write_engine
from match_runs import Quiet, fake, last_words

from halbzug.base.language import speaking
from halbzug.base.launch import run_command
from halbzug.base.time_control import TimeControl
from halbzug.commands.match import match
from halbzug.commands.rate import rate
from halbzug.commands.tournament import tournament
from halbzug.lab import tournament_opponents
from halbzug.lab.cluster_games import GamePlayer, GameSetup, GameTask
from halbzug.lab.file_games import strictly
from halbzug.lab.file_tournament import Tournament, TournamentPlan
from halbzug.lab.levels import Level
from halbzug.lab.rating_run import RatingPlan, RatingRun
from halbzug.lab.rating_summary import RatingSummary
from halbzug.lab.tournament_summary import TournamentSummary
from halbzug.match.adjudication import Rules
from halbzug.match.game import Conditions
from halbzug.match.game_runners import LocalRunner, ScheduledGames
from halbzug.match.match_files import MatchError
from halbzug.match.match_record import GameRecord
from halbzug.match.players import EngineSpec
from halbzug.match.schedule import Fixture

pytestmark = pytest.mark.any_build

PAWN = "8/P7/8/8/8/k7/8/K7 w - - 0 1"

#: Promotes as White, which the tablebases know to be won; as Black it always moves too late.
ENGINE = """
import time

def choose(board, clock):
    if not board.turn:
        time.sleep(0.4)
    return max(board.legal_moves, key=lambda move: move.promotion or 0)
"""

LAST = "def choose(board, clock):\n    return list(board.legal_moves)[-1]\n"

SPEED = TimeControl(move_seconds=0.05)
RULES = Rules(longest_game=4)

#: More than any answer is late on a busy machine, in milliseconds: no game ends by the clock.
MARGIN_SECONDS = 30.0
LEVEL = Level(300, EngineSpec("plain", tuple(shlex.split(fake("level"))), {}, TimeControl(nodes=1)))


class Nowhere:
    """A runner that plays no games."""

    def play(self, games: ScheduledGames) -> None:
        pass


def ends(path: Path) -> list[str]:
    """How the games of a file ended, in words, without the details that differ between games."""
    with path.open(encoding="utf-8") as file:
        games = list(iter(lambda: chess.pgn.read_game(file), None))
    texts = (last_words(game) for game in games if game)
    return sorted(re.sub(r"\[.*?\] |\d+ ms", "", text) for text in texts)


def plan_of(folder: Path, **more: object) -> TournamentPlan:
    openings = folder / "openings.epd"
    openings.write_text(PAWN + "\n")
    (folder / "class").mkdir(exist_ok=True)
    pgn = folder / "class.pgn"
    return TournamentPlan(folder / "class", SPEED, openings, pgn, rules=RULES, **more)  # type: ignore[arg-type]


def test_engines_have_one_margin_in_every_command() -> None:
    options = [
        option
        for command in (match, rate, tournament)
        for option in command.params
        if option.name == "time_margin"
    ]
    assert [option.default for option in options] == [100, 100, 100]


@pytest.mark.slow
def test_one_engine_has_one_elo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tournament_opponents, "PAIRS_WITH_LEVELS", 1)
    plan = plan_of(tmp_path, levels=(LEVEL,), margin_seconds=MARGIN_SECONDS)
    path = write_engine(plan.folder, ENGINE)
    candidate = strictly(EngineSpec("mine", tuple(run_command(str(path))), {}, SPEED))
    with RatingRun(
        RatingPlan(
            *((candidate,), (LEVEL,), plan.openings, 5, 2),
            rules=RULES, margin_seconds=MARGIN_SECONDS, pgn=tmp_path / "rate.pgn",
        )
    ) as rating:  # fmt: skip
        assert rating.play(Quiet())
    with Tournament(plan, LocalRunner(1)) as played:
        assert played.play(Quiet())
        (place,) = (one for one in played.places() if one.entrant.known is None)
    first, second = rating.candidates[0].rating, place.rating
    assert max(first.low, second.low) < min(first.high, second.high)
    assert rating.candidates[0].mistakes and place.mistakes, "late moves are replaced"
    assert ends(tmp_path / "rate.pgn") == ends(plan.pgn)
    assert ends(plan.pgn) == ["Draw: no end after 4 moves", "White wins by tablebase"]


def test_games_on_a_cluster_are_decided_by_the_same_tables() -> None:
    greedy = EngineSpec("greedy", tuple(shlex.split(fake("greedy"))), {}, TimeControl(nodes=1))
    task = GameTask(Fixture(1, 0, 1, 0), chess.Board("8/8/8/3k4/8/8/p7/QK6 w - - 0 1"))
    reasons = []
    for folders in (None, ""):
        player = GamePlayer(GameSetup((greedy, greedy), {}, Conditions(RULES), folders))
        _, end, _ = pickle.loads(player.work_packed(pickle.dumps([[task]])))
        reasons.append(end.reason)
    assert "by tablebase" not in reasons[0] and reasons[1] == "White wins by tablebase"


def test_one_working_file_and_a_broken_one_are_no_tournament(tmp_path: Path) -> None:
    plan = plan_of(tmp_path)
    write_engine(plan.folder, LAST, "good.py")
    write_engine(plan.folder, "x = = 3", "bad.py")
    with pytest.raises(MatchError, match=r"not enough files .*\(bad: exception: bad\.py, line 1"):
        Tournament(plan, Nowhere())


def test_an_engine_without_games_has_no_elo_and_does_not_lead(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, levels=(LEVEL,))
    write_engine(plan.folder, LAST, "good.py")
    with Tournament(plan, Nowhere()) as played:
        summary = TournamentSummary(played, tmp_path / "page.html")
        assert summary.line() == "nobody has played"
        assert "1200" not in summary.live_sheet().text()
        (file,) = (one for one in summary.json()["engines"] if not one["is_level"])
        assert file["elo"] is file["low"] is file["error"] is None
        played.standings.add(GameRecord(1, "plain", "good", "0-1", "normal"))
        assert summary.line() == "good leads with 1/1"

    levels = (LEVEL,)
    candidates = (EngineSpec("one", ("x",)), EngineSpec("other", ("x",)))
    with RatingRun(RatingPlan(candidates, levels, plan.openings)) as run:
        run.candidates[0].add(LEVEL, 1, "", GameRecord(1, "one", "plain", "1-0", "normal"))
        summary = RatingSummary(run, TimeControl(move_seconds=0.1))
        assert re.fullmatch(r"one \d+ \+/- \d+, other \?", summary.line())
        assert summary.json()["differences"] == []
        assert summary.progress(1, 2.0).startswith("1 game, 2.00 s each")
        with speaking("de"):
            german = RatingSummary(run, TimeControl(move_seconds=0.1))
        assert german.heading == "Elo-Messung, 0,1 s je Zug"
        assert german.json()["pace"] == "0.1 s a move", "output for programs stays English"

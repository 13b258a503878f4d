"""The result of a finished tournament: its page, its table, and who leads."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from html import unescape
from itertools import combinations
from pathlib import Path
from types import SimpleNamespace

import chess.pgn
import pytest

from halbzug.base.time_control import TimeControl
from halbzug.client.engine_errors import Fault
from halbzug.lab.file_tournament import Entrant, Tournament, TournamentPlan
from halbzug.lab.tournament_page import render
from halbzug.lab.tournament_summary import TournamentSummary
from halbzug.match.game import EVENT
from halbzug.match.match_record import GameFile
from halbzug.match.players import EngineSpec
from halbzug.match.standings import Standings

pytestmark = pytest.mark.any_build

HOSTILE = "<img src=x onerror=alert(1)> & 'a'"

#: White, Black, result, termination, the referee's comment, White's mistakes.
Played = tuple[str, str, str, str, str, int]

#: `good` never loses; the hostile file loses by two faults on one line, and by another fault.
GAMES: tuple[Played, ...] = (
    ("good", HOSTILE, "1-0", Fault.CRASH.value, "Black (X) ended with exit code 1:"
     " exception: x.py, line 2: RuntimeError: </script>", 0),
    (HOSTILE, "good", "0-1", Fault.CRASH.value, "White (X) ended with exit code 1:"
     " exception: x.py, line 2: RuntimeError: another text", 3),
    ("good", "late", "1/2-1/2", "normal", "Draw by repetition", 0),
    ("late", "good", "0-1", Fault.TIME.value, "White (late) oversteps its time by 9 ms", 0),
    (HOSTILE, "late", "0-1", Fault.ILLEGAL.value, "White (X) answers 'a1h7'", 0),
    ("late", "level 800", "1/2-1/2", "normal", "Draw by stalemate", 0),
)  # fmt: skip


class PlayedTournament(Tournament):
    """A tournament whose games are in its file, so no engine starts."""

    def __init__(self, folder: Path, games: Sequence[Played]) -> None:
        (folder / "class").mkdir()
        pgn, control = folder / "games.pgn", TimeControl(move_seconds=0.02)
        self.plan = TournamentPlan(folder / "class", control, folder / "openings.epd", pgn)
        self.entrants = [Entrant(EngineSpec(name, ())) for name in ("good", HOSTILE, "late")]
        self.entrants.append(Entrant(EngineSpec("no_colon", ()), trouble="no_colon.py, line <1>"))
        self.entrants.append(Entrant(EngineSpec("level 800", ()), known=800.0))
        with GameFile(pgn, "this") as file:
            for number, played in enumerate(games, 1):
                file.append(written(number, played))
            file.games = file._load()
        pairs = tuple(combinations(range(len(self.entrants)), 2))
        standings = Standings([one.spec.name for one in self.entrants], pairs)
        for record in file.games.values():
            standings.add(record)
        self.match = SimpleNamespace(file=file, standings=standings, planned=len(GAMES))
        self._places, self._placed_games = [], -1


def written(number: int, played: Played) -> chess.pgn.Game:
    """A game as the referee writes it."""
    game = chess.pgn.Game()
    white, black, result, termination, reason, mistakes = played
    game.headers.update({
        "Event": EVENT, "Round": str(number), "White": white, "Black": black,
        "Result": result, "Termination": termination, "WhiteMistakes": str(mistakes),
    })  # fmt: skip
    game.add_line([chess.Move.from_uci("e2e4"), chess.Move.from_uci("e7e5")])
    game.end().comment = f"[%emt 0:00:01] {reason}"
    return game


@pytest.fixture
def tournament(tmp_path: Path) -> PlayedTournament:
    return PlayedTournament(tmp_path, GAMES)


def rows(page: str) -> Iterator[list[str]]:
    """The texts in the table of standings."""
    (standings,) = re.findall('<table class="standings">.*?</table>', page, re.DOTALL)
    for row in re.findall("<tr.*?</tr>", standings.partition("<tbody>")[2], re.DOTALL):
        cells = re.findall("<t[dh][^>]*>(.*?)</t[dh]>", row, re.DOTALL)
        yield [unescape(re.sub("<[^>]*>", "", cell)) for cell in cells]


def test_the_table_has_points_faults_and_the_points_against_each_player(
    tournament: PlayedTournament,
) -> None:
    page = render(tournament)
    found = {row[1]: row for row in rows(page)}
    assert set(found) == {"good", "late", HOSTILE, "level 800"}
    number = {name: int(row[0]) for name, row in found.items()}
    assert number["good"] == 1 and number[HOSTILE] > number["late"]
    good, late = found["good"], found["late"]
    assert good[3:6] == ["3½", "4", ""] and late[3:6] == ["2", "4", "1"]
    assert found[HOSTILE][3:6] == ["0", "3", "3"]
    assert good[5 + number[HOSTILE]] == "2" and good[5 + number["late"]] == "1½"
    assert late[5 + number["good"]] == "½" and late[5 + number["level 800"]] == "½"
    assert good[6] == "" and good[5 + number["level 800"]] == ""  # against itself; no games
    # The Elo of a level is known; that of the others has an error bar.
    assert found["level 800"][2] == "800" and "±" in good[2]
    assert "3 files · 1 opponent of known strength · 6 games · " in page
    assert "<h2>Left out</h2><ul><li><b>no_colon</b> no_colon.py, line &lt;1&gt;" in page


def test_faults_are_counted_by_kind_and_reported_once_per_line(
    tournament: PlayedTournament,
) -> None:
    page = render(tournament)
    (kinds,) = re.findall('<table class="kinds">.*?</table>', page, re.DOTALL)
    assert [re.findall("<td>(.*?)</td>", row) for row in kinds.split("<tr>")[2:]] == [
        ["", "", "1", ""],
        ["2", "1", "", ""],
    ]
    (messages,) = re.findall('<ul class="messages"><li><b>2.*?</ul>', page)
    shown = unescape(messages)
    assert "2\u202f\xd7</b> exception: x.py, line 2: RuntimeError: </script>" in shown
    assert "1\u202f\xd7</b> illegal move: answers 'a1h7'" in shown
    assert "another text" not in shown  # it is the same line
    assert "3 moves came too late, and another one was played instead" in shown
    remark = f"{HOSTILE} lost 3 of 3 games by forfeit (2 crash, 1 illegal)"
    assert remark in unescape(page)


def test_names_and_messages_are_text_and_all_games_are_in_the_page(
    tournament: PlayedTournament,
) -> None:
    page = render(tournament)
    assert HOSTILE not in page and "RuntimeError: </script>" not in page
    (data,) = re.findall('class="all-games">(.*?)</script>', page, re.DOTALL)
    games = json.loads(data)
    assert [(game["white"], game["black"], game["result"]) for game in games] == [
        one[:3] for one in GAMES
    ]
    assert games[2]["why"] == "Draw by repetition"  # without the marks for programs
    assert [len(game["steps"]) for game in games] == [2] * 6
    # Each game is listed below both of its players, with their points.
    marks = re.findall('data-game="0">.*?<span class="mark (.*?)">(.*?)</span>', page)
    assert sorted(marks) == [("lost", "0"), ("won", "1")]
    assert len(re.findall('data-game="2">.*?mark even">½<', page)) == 2


def test_a_tournament_without_games_has_a_page(tmp_path: Path) -> None:
    tournament = PlayedTournament(tmp_path, [])
    page = render(tournament)
    assert "0 of 6 games" in page and "No game was lost by an exception" in page
    assert [row[2:6] for row in rows(page)] == [["", "0", "0", ""]] * 3
    assert TournamentSummary(tournament, tmp_path / "x.html").line() == "nobody has played"


def test_the_table_in_the_terminal(tournament: PlayedTournament, tmp_path: Path) -> None:
    summary = TournamentSummary(tournament, tmp_path / "x.html")
    assert summary.heading.startswith("6 games at ") and summary.games == 6
    assert summary.line() == "good leads with 3.5/4"
    assert summary.progress(2, 10) == "6 of 6 games"
    _, *remarks = summary.result()
    assert remarks[-1].startswith(f"The page is {tmp_path / 'x.html'}, the games are in ")
    assert [HOSTILE in remark for remark in remarks[:-1]].count(True) == 1

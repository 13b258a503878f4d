"""`halbzug match`: schedules, clocks, openings, early ends, display and statistics."""

from __future__ import annotations

import json
import math
import os
import random
import re
import statistics
import sys
from collections import Counter, defaultdict
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import chess
import chess.pgn
import pytest
from hypothesis import given
from hypothesis import strategies as st
from match_runs import HALBZUG, PATIENCE_SECONDS, SHARED_OPENINGS, Match, fake, last_words

from halbzug.board.game_end import natural_end
from halbzug.client.engine_errors import Fault
from halbzug.match.elo import Sprt, elo_of, expected_score, judge
from halbzug.match.games_display import NewFaults
from halbzug.match.match_record import GameRecord
from halbzug.match.match_summary import (
    MatchSummary,
    elo_text,
    forfeit_remarks,
    summary,
    superiority_text,
)
from halbzug.match.standings import Standings

pytestmark = pytest.mark.any_build

OPENINGS = (
    "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -\n"
    "rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2\n"
)
TWO = {"a": fake("plain"), "b": fake("greedy")}
QUICK = ("--nodes", "10", "--max-moves", "4")


@pytest.fixture
def matches(tmp_path: Path) -> Match:
    (tmp_path / "openings.epd").write_text(OPENINGS, encoding="utf-8")
    return Match(tmp_path)


# -- two engines ----------------------------------------------------------------------------------


@pytest.mark.slow
def test_an_engine_draws_a_match_against_itself_at_fixed_nodes(matches: Match) -> None:
    engines = {"first": f"{HALBZUG}; OwnBook=false", "second": f"{HALBZUG}; OwnBook=false"}
    limits = ("--openings", "openings.epd", "--nodes", "60", "--games", "4")
    output = matches.output(engines, *limits, "--pgn", "games.pgn")
    assert "of 4, Elo +0.0" in output
    assert "forfeits" not in output
    games = matches.games()
    assert len(games) == 4
    assert {game.headers["White"] for game in games} == {"first", "second"}
    for game in games:
        if game.headers["Termination"] == "normal":
            end = natural_end(game.end().board())
            assert end is not None and end.result == game.headers["Result"]


def test_halbzug_and_stockfish_can_be_given_by_name_alone(matches: Match) -> None:
    if not Path("/usr/games/stockfish").exists():
        pytest.skip("stockfish is not installed")
    path = os.pathsep.join((os.environ["PATH"], "/usr/games"))
    command = matches.command({}, "-e", "halbzug", "-e", "stockfish; Skill Level=0")
    process = matches.run({}, *command[4:], *QUICK, "--games", "2", PATH=path)
    assert (process.returncode, process.stderr) == (0, "")
    assert process.stdout.startswith("halbzug - stockfish: ")


def test_openings_come_in_pairs_with_colours_swapped(matches: Match) -> None:
    matches.output(TWO, *QUICK, "--games", "7", "--pgn", "games.pgn")
    games = matches.games()
    assert [game.headers["Round"] for game in games] == list("12345678")
    for one, two in zip(games[::2], games[1::2], strict=True):
        assert one.headers["FEN"] == two.headers["FEN"]
        assert (one.headers["White"], one.headers["Black"]) == ("a", "b")
        assert (two.headers["White"], two.headers["Black"]) == ("b", "a")
    assert len({game.headers["FEN"] for game in games}) == 4


@pytest.mark.slow
def test_the_seed_determines_the_games_and_concurrency_does_not(matches: Match) -> None:
    def moves(name: str, *arguments: str) -> list[str]:
        matches.output(TWO, *QUICK, "--games", "6", "--pgn", name, *arguments)
        return [str(game.end().board().fen()) for game in matches.games(name)]

    assert moves("1.pgn") == moves("2.pgn", "--concurrency", "3")
    assert moves("1.pgn") != moves("3.pgn", "--seed", "2")


def test_options_and_limits_reach_the_engine(matches: Match) -> None:
    logs = [matches.folder / f"{name}.txt" for name in "ab"]
    engines = {
        "a": f"{fake('plain', logs[0])}; Hash=32",
        "b": f"{fake('plain', logs[1])}; Hash=64; st=0.5; depth=7",
    }
    matches.output(engines, "--tc", "3/1:30+0.5", "--games", "2", "--max-moves", "4")
    said = [log.read_text(encoding="utf-8").splitlines() for log in logs]
    assert "setoption name Hash value 32" in said[0]
    assert "setoption name Hash value 64" in said[1]
    ours = [line for line in said[0] if line.startswith("go")]
    assert [re.search(r"movestogo (\d)", line)[1] for line in ours[:4]] == list("3213")
    assert ours[0].startswith("go wtime 90000 winc 500")
    assert {line for line in said[1] if line.startswith("go")} == {"go depth 7 movetime 500"}


def test_games_have_clocks_and_evaluations(matches: Match) -> None:
    limits = ("--tc", "3/60+0.5", "--games", "2", "--max-moves", "5", "--pgn", "games.pgn")
    matches.output(TWO, *limits)
    for game in matches.games():
        assert game.headers["TimeControl"] == "3/60+0.5"
        clocks = {chess.WHITE: 60.0, chess.BLACK: 60.0}
        for number, node in enumerate(game.mainline()):
            clocks[node.turn()] += 0.5 - node.emt() + 60 * (number // 2 == 2)
            assert math.isclose(node.clock(), clocks[node.turn()], abs_tol=0.01)
            assert node.eval() is not None and node.eval_depth() == 3


# -- more engines ---------------------------------------------------------------------------------


def test_a_round_robin_is_everyone_against_everyone(matches: Match) -> None:
    engines = {**TWO, "c": fake("gloomy")}
    process = matches.run(engines, *QUICK, "--games", "2", "--pgn", "games.pgn")
    assert process.returncode == 0
    games = matches.games()
    assert len(games) == 6
    met = defaultdict(list)
    for game in games:
        met[game.headers["White"], game.headers["Black"]].append(game.headers["FEN"])
    assert {pair: len(fens) for pair, fens in met.items()} == dict.fromkeys(
        [("a", "b"), ("b", "a"), ("a", "c"), ("c", "a"), ("b", "c"), ("c", "b")], 1
    )
    assert all(fens == met["a", "b"] for fens in met.values())
    rows = re.findall(r"^ ?([123]) +([abc]) +([\d.]+) +4 ", process.stdout, re.MULTILINE)
    assert [place for place, _, _ in rows] == ["1", "2", "3"]
    assert sum(float(points) for _, _, points in rows) == 6


def test_a_gauntlet_is_the_first_against_the_others(matches: Match) -> None:
    engines = {"hero": fake("plain"), "b": fake("illegal"), "c": fake("illegal")}
    report = matches.json(engines, "--gauntlet", "--nodes", "10", "--games", "2")
    assert [pairing["engines"] for pairing in report["pairings"]] == [["hero", "b"], ["hero", "c"]]
    assert {engine["name"]: engine["points"] for engine in report["engines"]} == {
        "hero": 4,
        "b": 0,
        "c": 0,
    }


# -- openings -------------------------------------------------------------------------------------


def test_a_pgn_file_gives_openings_with_their_moves(matches: Match) -> None:
    text = '[Event "x"]\n[Result "*"]\n\n1. e4 c5 2. Nf3 *\n\n[Event "y"]\n\n1. d4 Nf6 *\n'
    (matches.folder / "book.pgn").write_text(text, encoding="utf-8")
    limits = ("--openings", "book.pgn", *QUICK, "--games", "4", "--pgn", "games.pgn")
    matches.output(TWO, *limits)
    starts = [
        " ".join(move.uci() for move in list(game.mainline_moves())[:3]) for game in matches.games()
    ]
    assert starts.count("e2e4 c7c5 g1f3") == 2
    assert sum(start.startswith("d2d4 g8f6") for start in starts) == 2
    for game in matches.games():
        assert "FEN" not in game.headers


def test_each_game_of_a_careless_pgn_file_is_an_opening(matches: Match) -> None:
    tagged = '[White "Müller"]\n[Event "x"]\n1. e4 c5 *\n[White "Sørensen"]\n1. d4 Nf6 *\n'
    (matches.folder / "book.pgn").write_bytes(f"{tagged}1. c4 e5 *\n".encode("latin-1"))
    limits = ("--openings", "book.pgn", *QUICK, "--games", "6", "--pgn", "games.pgn")
    matches.output(TWO, *limits)
    starts = [
        " ".join(move.uci() for move in list(game.mainline_moves())[:2]) for game in matches.games()
    ]
    assert sorted(starts) == sorted(["e2e4 c7c5", "d2d4 g8f6", "c2c4 e7e5"] * 2)


@pytest.mark.slow
@pytest.mark.parametrize("source", ["file", "default"])
def test_chess960(matches: Match, source: str) -> None:
    limits = ["--chess960", *QUICK, "--games", "4", "--pgn", "games.pgn"]
    if source == "file":
        path = SHARED_OPENINGS / "FRC_openings.epd"
        if not path.exists():
            pytest.skip(f"no {path.name}")
        limits += ["--openings", str(path)]
    engines = {"halbzug": f"{HALBZUG}; OwnBook=false", "b": fake("plain")}
    report = matches.json(engines, *limits)
    assert all(not sum(engine["forfeits"].values()) for engine in report["engines"])
    for game in matches.games():
        assert game.headers["Variant"] == "Chess960"
        assert game.board().chess960


def test_castling_in_chess960_is_recorded_without_an_option(matches: Match) -> None:
    fen = "1rk4r/pppppppp/8/8/8/8/PPPPPPPP/1RK4R w HBhb - 0 1"
    (matches.folder / "960.epd").write_text(fen + "\n", encoding="utf-8")
    log = matches.folder / "log.txt"
    engines = {"a": fake("plain", log), "b": fake("plain")}
    matches.output(engines, "--openings", "960.epd", *QUICK, "--games", "2")
    assert "setoption name UCI_Chess960 value true" in log.read_text(encoding="utf-8")


# -- adjudication ---------------------------------------------------------------------------------


def test_an_engine_that_sees_no_hope_resigns(matches: Match) -> None:
    engines = {"a": fake("gloomy"), "b": fake("plain")}
    rules = ("--resign", "3", "800", "--nodes", "10", "--games", "2", "--pgn", "games.pgn")
    assert "+0 =0 -2 of 2" in matches.output(engines, *rules)
    for game in matches.games():
        assert game.headers["Termination"] == "adjudication"
        assert "resigns" in last_words(game)
        side = chess.WHITE if game.headers["White"] == "a" else chess.BLACK
        assert sum(node.turn() != side for node in game.mainline()) == 3


def test_a_position_that_both_find_level_is_a_draw(matches: Match) -> None:
    engines = {"a": fake("level"), "b": fake("level")}
    rules = ("--draw", "12", "4", "5", "--nodes", "10", "--games", "2", "--pgn", "games.pgn")
    matches.output(engines, *rules)
    for game in matches.games():
        assert game.headers["Result"] == "1/2-1/2"
        assert "agreement" in last_words(game)
        end = game.end().board()
        assert end.fullmove_number > 12 and end.halfmove_clock >= 8


@pytest.mark.slow
def test_tablebases_adjudicate_on_request(matches: Match) -> None:
    # The side to move takes one of the last two pawns: rook against king and pawn remains.
    fen = "7k/8/8/8/8/8/p7/RK6 w - - 0 1"
    (matches.folder / "won.epd").write_text(fen + "\n", encoding="utf-8")
    limits = ("--openings", "won.epd", "--nodes", "10", "--games", "2")
    engines = {"a": fake("greedy"), "b": fake("greedy")}
    matches.output(engines, *limits, "--tablebases", "--pgn", "games.pgn")
    for game in matches.games():
        assert (game.headers["Result"], game.headers["Termination"]) == ("1-0", "adjudication")
        assert "tablebase" in last_words(game)
        assert game.end().ply() == 1
    assert "+0 =2 -0" in matches.output(engines, *limits, "--max-moves", "3")


def test_a_game_of_maximum_length_is_a_draw(matches: Match) -> None:
    matches.output(TWO, *QUICK, "--games", "2", "--pgn", "games.pgn")
    for game in matches.games():
        assert game.headers["Result"] == "1/2-1/2"
        assert game.headers["PlyCount"] == "8"


# -- display --------------------------------------------------------------------------------------


def test_a_match_in_german(matches: Match) -> None:
    engines = {"good": fake("plain"), "bad": fake("illegal")}
    options = ("--nodes", "10", "--games", "4", "--sprt", "-2.5", "5", "--language", "de")
    output = matches.output(engines, *options)
    assert "good - bad: +4 =0 -0 von 4, Elo +inf, Paare [0, 0, 0, 0, 2], LLR +11,52" in output
    assert "(-2,94, 2,94), kampflos 0:4" in output
    assert "Punkte   Partien" in output and "SPRT -2,5 .. 5: nicht entschieden" in output


def test_the_result_is_available_as_json(matches: Match) -> None:
    process = matches.run(
        TWO, *QUICK, "--games", "4", "--pgn", "games.pgn", "--sprt", "0", "10", "--json"
    )
    report = json.loads(process.stdout)
    assert (report["games"], report["planned"], report["pgn"]) == (4, 4, "games.pgn")
    assert report["pairings"][0]["draws"] == 4
    assert report["pairings"][0]["pentanomial"] == [0, 0, 2, 0, 0]
    assert report["sprt"]["accepted"] is None
    assert report["sprt"]["lower"] < report["sprt"]["llr"] < report["sprt"]["upper"]


@pytest.mark.slow
def test_the_error_bar_of_a_match_agrees_with_an_independent_calculation(matches: Match) -> None:
    engines = {"greedy": fake("greedy"), "plain": fake("plain")}
    limits = ("--nodes", "10", "--games", "40", "--max-moves", "12")
    report = matches.json(engines, *limits, "--pgn", "games.pgn", "-c", "2")["pairings"][0]

    points: dict[int, float] = defaultdict(float)
    for game in matches.games():
        white = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}[game.headers["Result"]]
        pair = (int(game.headers["Round"]) + 1) // 2
        points[pair] += white if game.headers["White"] == "greedy" else 1 - white
    shares = [total / 2 for total in points.values()]
    assert len(shares) == 20 and 0.5 < statistics.fmean(shares) < 1

    def elo(share: float) -> float:  # the logistic curve, inverted by bisection
        low, high = -4000.0, 4000.0
        for _ in range(100):
            middle = (low + high) / 2
            low, high = (middle, high) if 1 / (1 + 10 ** (-middle / 400)) < share else (low, middle)
        return low

    mean = statistics.fmean(shares)
    deviation = statistics.stdev(shares) / math.sqrt(len(shares))
    low, high = elo(mean - 2.093 * deviation), elo(mean + 2.093 * deviation)  # Student's quantile
    assert math.isclose(report["elo"], elo(mean), abs_tol=0.01)
    assert math.isclose(report["elo_error"], (high - low) / 2, rel_tol=0.01)

    # The spread of the mean also agrees with bootstrap samples of the pairs.
    rng = random.Random(1)
    means = [statistics.fmean(rng.choices(shares, k=len(shares))) for _ in range(4000)]
    assert math.isclose(statistics.stdev(means), deviation, rel_tol=0.1)


@pytest.mark.slow
def test_a_sequential_test_ends_the_match_early(matches: Match) -> None:
    engines = {"good": fake("plain"), "bad": fake("illegal")}
    limits = ("--nodes", "10", "--games", "1000", "--sprt", "0", "100", "-c", "2")
    output = matches.output(engines, *limits, "--pgn", "games.pgn")
    assert "H1 accepted" in output
    assert 32 <= len(matches.games()) < 100
    again = matches.output(engines, *limits, "--pgn", "games.pgn")
    assert "H1 accepted" in again
    assert len(matches.games()) < 100


def test_a_log_gets_a_line_from_time_to_time(matches: Match) -> None:
    output = matches.output(TWO, "--nodes", "10", "--max-moves", "1", "--games", "44")
    lines = [line for line in output.splitlines() if line.startswith("a - b: ")]
    for number, line in zip((1, 5, 10, 20, 40), lines, strict=False):
        assert f"; {number} of 44 games" in line
    assert " left" in lines[0] and "of 44, Elo" in lines[-1]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_a_terminal_gets_a_live_table(matches: Match) -> None:
    import pty
    import subprocess

    ours, theirs = pty.openpty()
    limits = ("--tc", "5+0.1", "--games", "2", "--max-moves", "4", "--sprt", "0", "10")
    process = subprocess.Popen(
        matches.command({"slow": fake("late"), "plain": fake("plain")}, *limits),
        cwd=matches.folder,
        env={**matches.environment, "TERM": "xterm-256color", "COLUMNS": "100"},
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    seen = b""
    try:
        while data := os.read(ours, 65536):
            seen += data
    except OSError:  # Linux reports the end of a terminal as an error
        pass
    os.close(ours)
    assert process.wait(PATIENCE_SECONDS) == 0
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", seen.decode())
    live, _, result = text.partition("slow - plain: ")
    for word in ("Games", "Score", "Elo", "LOS", "LLR", "0 of 2 games", "1 of 2 games", " left"):
        assert word in live
    assert "of 2, Elo" in result


# -- the command line -----------------------------------------------------------------------------


def test_help_has_examples(matches: Match) -> None:
    text = matches.output({}, "--help")
    assert "Examples:\n    halbzug match -e halbzug -e stockfish" in text
    assert max(map(len, text.splitlines())) <= 80


BROKEN = '[Event "x"]\n[Result "*"]\n\n1. e4 e5 2. Ke3 *\n'


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("-e", f"a={HALBZUG}"), "two engines"),
        (("-e", f"a={HALBZUG}", "-e", f"a={HALBZUG}"), "two engines have the name a"),
        (("-e", "a=", "-e", f"b={HALBZUG}"), "without a command"),
        (("-e", "a='x", "-e", f"b={HALBZUG}"), "cannot read the command"),
        (("-e", f"a={HALBZUG}; Hash", "-e", f"b={HALBZUG}"), "Option=Value"),
        (("-e", f"a={HALBZUG}; tc=soon", "-e", f"b={HALBZUG}"), "time control: soon"),
        (("-e", f"a={HALBZUG}; nodes=1e3", "-e", f"b={HALBZUG}"), "above 0: nodes=1e3"),
        (("-e", f"a={HALBZUG}; st=nan", "-e", f"b={HALBZUG}"), "above 0: st=nan"),
        (("-e", f'a={HALBZUG}; Hash="', "-e", f"b={HALBZUG}"), "quotation mark"),
        (("--tc", "soon"), "time control: soon"),
        (("--tc", "0+1"), "time control"),
        (("--tc", "5", "--st", "1"), "not both"),
        (("--openings", "nowhere.epd"), "nowhere.epd: No such file"),
        (("--openings", "broken.epd"), "broken.epd, line 2"),
        (("--openings", "broken.pgn"), "broken.pgn, game 1"),
        (("--openings", "text.pgn"), "text.pgn: not PGN"),
        (("--openings", "mated.epd"), "the game is over"),
        (("--openings", "empty.epd"), "contains no positions"),
        (("--pgn", "text.pgn"), "text.pgn is not PGN"),
        (("--pgn", "nowhere/games.pgn"), "nowhere/games.pgn: No such file"),
        (("--tablebases", "nowhere"), "nowhere"),
        (("--sprt", "10", "0"), "ELO0 below ELO1"),
        (("--runner", "cutechess-cli"), "cutechess-cli is not on the PATH"),
        (("--games", "0"), "--games"),
    ],
)
def test_invalid_requests_get_one_line(
    matches: Match, arguments: tuple[str, ...], words: str
) -> None:
    files = {
        "broken.epd": OPENINGS.splitlines()[0] + "\nrnbqkbnr/8/8 w - -\n",
        "broken.pgn": BROKEN,
        "text.pgn": "Dear diary,\n",
        "mated.epd": "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3\n",
        "empty.epd": "\n",
    }
    for name, text in files.items():
        (matches.folder / name).write_text(text, encoding="utf-8")
    engines = {} if "-e" in arguments else TWO
    process = matches.run(engines, *arguments, PATH=str(matches.folder))
    assert process.returncode in (1, 2)
    assert process.stdout == ""
    assert words in process.stderr
    assert len(process.stderr.splitlines()) == 1
    assert files["text.pgn"] == (matches.folder / "text.pgn").read_text(encoding="utf-8")


# -- statistics -----------------------------------------------------------------------------------


@given(st.floats(-800, 800))
def test_elo_and_score_are_inverse_functions(elo: float) -> None:
    assert math.isclose(elo_of(expected_score(elo)), elo, abs_tol=1e-6)


counts = st.lists(st.integers(0, 400), min_size=5, max_size=5).filter(lambda pairs: sum(pairs) > 1)


@given(counts)
def test_a_match_seen_from_the_other_side_is_its_mirror_image(pairs: list[int]) -> None:
    ours, theirs = judge(pairs), judge(pairs[::-1])
    assert math.isclose(ours.elo, -theirs.elo, abs_tol=1e-6)
    if ours.superiority is None or theirs.superiority is None:
        assert ours.superiority is theirs.superiority
    else:
        assert math.isclose(ours.superiority, 1 - theirs.superiority, abs_tol=1e-9)


def test_the_error_bar_agrees_with_the_textbook() -> None:
    # 400 independent games as pairs: +120 =200 -80, score 0.55.
    verdict = judge([10, 40, 80, 50, 20])
    assert verdict.pairs == 200
    assert math.isclose(verdict.score, 0.5375)
    assert 15 < verdict.elo < 40
    assert verdict.error and 10 < verdict.error < 40
    assert verdict.superiority and verdict.superiority > 0.95


@pytest.mark.parametrize(
    ("pairs", "elo"),
    [([0, 0, 0, 2, 0], "+190.8 +/- ?"), ([0] * 5, "?"), ([0, 0, 40, 0, 0], "+0.0 +/- ?"),
     ([0, 0, 0, 0, 3], "+inf"), ([1, 0, 0, 0, 0], "-inf")],
)  # fmt: skip
def test_undefined_statistics_of_equal_pairs_are_omitted(pairs: list[int], elo: str) -> None:
    verdict = judge(pairs)
    assert (elo_text(verdict), superiority_text(verdict)) == (elo, "")


@pytest.mark.parametrize("pairs", [[0, 0, 0, 1, 1], [0, 1, 0, 1, 0], [0, 0, 1, 1, 0]])
def test_two_pairs_have_no_interval_and_no_certainty(pairs: list[int]) -> None:
    verdict = judge(pairs)
    assert verdict.error is None
    assert verdict.superiority is not None and verdict.superiority < 0.9


def test_few_pairs_have_students_interval() -> None:
    # Six pairs: mean 0.75 / 2, standard error 0.0471, and 2.571 times that on each side.
    verdict = judge([0, 2, 2, 2, 0])
    assert verdict.error is not None
    deviation = 0.25 * math.sqrt(4 / 5 / 6)
    low, high = 0.5 - 2.571 * deviation, 0.5 + 2.571 * deviation
    assert math.isclose(verdict.error, (elo_of(high) - elo_of(low)) / 2, rel_tol=0.08)
    assert verdict.superiority == 0.5


def test_one_lost_game_says_nothing_about_elo() -> None:
    standings = Standings(["a", "b"], [(0, 1)])
    standings.add(GameRecord(1, "a", "b", "0-1", "normal"))
    assert summary(standings, None) == "a - b: +0 =0 -1 of 1, pairs [0, 0, 0, 0, 0]"


def test_the_sequential_test_is_of_the_first_engine_against_the_second() -> None:
    standings = Standings(["a", "b"], [(0, 1)])
    for number in range(1, 101):
        white, black = ("a", "b") if number % 2 else ("b", "a")
        result = ("1-0", "0-1", "1/2-1/2", "0-1")[number % 4]  # a loses one of two, and wins none
        standings.add(GameRecord(number, white, black, result, "normal"))
    match: Any = SimpleNamespace(standings=standings, sprt=Sprt(0, 100))
    told = MatchSummary(match)
    assert told.live_note().startswith("LLR -")
    assert list(told.result())[-1] == "SPRT 0 .. 100: H0 accepted: no gain"


def test_a_match_decided_by_forfeits_says_so() -> None:
    standings = Standings(["a", "b"], [(0, 1)])
    late, illegal = "time forfeit", "rules infraction"
    for number, termination in enumerate([late, late, illegal, *["normal"] * 7], 1):
        standings.add(GameRecord(number, "a", "b", "0-1", termination))
    counts = standings.forfeits
    (text,) = forfeit_remarks([("a", counts["a"], 10), ("b", counts["b"], 10)])
    assert text.startswith("a lost 3 of 10 games by forfeit (2 time, 1 illegal): its Elo says more")
    assert "--time-margin" in text
    assert list(forfeit_remarks([("a", counts["a"], 30)])) == []
    (text,) = forfeit_remarks([("a", Counter({Fault.CRASH: 1}), 1)])
    assert "1 of 1 game by forfeit (1 crash)" in text and "--time-margin" not in text


def test_a_repeated_fault_is_reported_once() -> None:
    faults = NewFaults()

    def is_told(loser: str, reason: str, termination: str = "time forfeit") -> bool:
        return faults.add(
            GameRecord(1, "a", "b", "1-0" if loser == "b" else "0-1", termination), reason
        )

    assert is_told("b", "Black (b) oversteps its time by 13 ms")
    assert not is_told("b", "White (b) oversteps its time by 1 ms")
    assert is_told("a", "White (a) oversteps its time by 1 ms")
    said = "ended with exit code 1: exception: b.py, line {}, in choose: KeyError: {}"
    assert is_told("b", said.format(3, 5), "abandoned")
    assert not is_told("b", said.format(3, 17), "abandoned")
    assert is_told("b", said.format(30, 5), "abandoned")


@given(counts)
def test_a_sequential_test_mirrors_the_opposite_one(pairs: list[int]) -> None:
    gain, loss = Sprt(0, 10), Sprt(-10, 0)
    ours = gain.log_likelihood_ratio(pairs)
    theirs = loss.log_likelihood_ratio(pairs[::-1])
    assert math.isclose(ours, -theirs, abs_tol=1e-6)


def test_a_clear_gain_and_a_clear_loss_are_recognized() -> None:
    test = Sprt(0, 10)
    assert test.verdict([5, 20, 100, 80, 45]) == "H1"
    assert test.verdict([45, 80, 100, 20, 5]) == "H0"
    assert test.verdict([1, 1, 2, 1, 1]) is None

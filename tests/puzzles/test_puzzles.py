"""Exercises from games: found, written, resumed, and solved on their page."""

from __future__ import annotations

import contextlib
import io
import json
import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING

import axe
import chess
import chess.engine
import chess.pgn
import pytest
from cluster import wait_for
from command_line import OPERA_GAME, Command
from page_of_a_tree import placement, square
from second_engine import STOCKFISH
from uci_client import children_of, has_proc

from halbzug.batch.positions import Failure, SourceGame, read
from halbzug.display.progress import ProgressBar
from halbzug.display.terminal import PlainConsole
from halbzug.puzzles.puzzle_files import read_puzzles
from halbzug.puzzles.puzzle_run import PuzzleOutputs, PuzzleRun
from halbzug.puzzles.puzzles import Puzzle, PuzzleFinder, without_parts

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

pytestmark = [pytest.mark.any_build, pytest.mark.slow]

HOSTILE = "</script><b>\\"

#: In turn: a fork that has to be carried out; a mate; a position without an exercise; one whose
#: check shows what to do; a promotion that nobody overlooks; an attacked rook with one flight
#: square; a king that may move back and forth before the winning pawn move; an extra piece that
#: only has to stop a pawn; a broken game.
GAMES = f"""[White "{HOSTILE}"]
[Black "Fork"]
[Date "2026.01.02"]
[SetUp "1"]
[FEN "q3k3/8/8/3N4/8/8/PP6/4K3 w - - 0 1"]

1. Nc7+ Kd7 2. Nxa8 *

[White "Mate"]
[Black "Back rank"]
[SetUp "1"]
[FEN "6k1/5ppp/8/8/8/8/q4PPP/3R2K1 w - - 0 1"]

1. Rd8# 1-0

[White "Nobody"]
[Black "Nothing"]

1. e4 e5 *

[White "Nobody"]
[Black "In check"]
[SetUp "1"]
[FEN "4k3/8/8/8/4q3/8/3R4/2R1K3 w - - 0 1"]

1. Re2 Qxe2+ 2. Kxe2 1-0

[White "Nobody"]
[Black "Promotes"]
[SetUp "1"]
[FEN "8/8/3rp1k1/2B1n3/6P1/PR5P/2Rp1P2/6K1 b - - 0 46"]

46... d1=Q+ 0-1

[White "Nobody"]
[Black "Flees"]
[SetUp "1"]
[FEN "6k1/ppp1bppp/8/3p4/8/8/P4PPP/R1N3K1 b - - 0 1"]

1... Bf6 2. Rb1 1-0

[White "Nobody"]
[Black "Repeats"]
[SetUp "1"]
[FEN "8/8/2R5/8/pp6/1kpK4/8/8 b - - 1 73"]

73... a3 0-1

[White "Nobody"]
[Black "Keeps what it has"]
[SetUp "1"]
[FEN "6k1/7p/6p1/p4p2/2PB1P2/2P5/P2p1KPP/8 w - - 0 31"]

31. Ke2 1-0

[White "Broken"]
[Black "Broken"]

1. e4 e5 2. Ke3 *
"""

FIND = ("puzzles", "games.pgn", "--nodes", "20000")


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the exercises made from the games."""
    command = Command(tmp_path_factory.mktemp("puzzles"))
    command.write("games.pgn", GAMES)
    outputs = ("-o", "p.pgn", "--epd", "p.epd", "--html", "p.html")
    process = command.run(*FIND, *outputs)
    assert process.returncode == 1  # the broken game
    assert process.stderr.count("\n") == 1 and "game 9" in process.stderr
    assert "Nc7+" in process.stdout and "mate in 1" in process.stdout
    return command.folder


def test_the_pgn_has_the_solutions_as_games(found: Path) -> None:
    with (found / "p.pgn").open() as file:
        games = list(iter(lambda: chess.pgn.read_game(file), None))
    solutions = {game.headers["Black"]: [node.san() for node in game.mainline()] for game in games}
    assert solutions.keys() == {"Back rank", "Fork"}
    assert solutions["Back rank"] == ["Rd8#"]
    assert solutions["Fork"][0] == "Nc7+" and solutions["Fork"][2] == "Nxa8"
    fork = next(game for game in games if game.headers["Black"] == "Fork")
    assert fork.end().comment.startswith("Then 3.") or fork.end().comment.startswith("Then 2...")
    assert [game.headers["PuzzleTheme"] for game in games if game.headers["Black"] == "Fork"] == [
        "fork"
    ]
    levels = [int(game.headers["PuzzleElo"]) for game in games]
    assert levels == sorted(levels)


def test_the_epd_is_a_test_suite(found: Path) -> None:
    for line in (found / "p.epd").read_text().splitlines():
        board = chess.Board()
        operations = board.set_epd(line)
        assert operations["bm"] == operations["pv"][:1]
        assert set(operations) >= {"id", "c0", "c1"}


def test_written_exercises_can_be_read_back(found: Path) -> None:
    puzzles = read_puzzles(found / "p.pgn")
    assert sorted(puzzle.game for puzzle in puzzles) == [1, 2]
    for puzzle in puzzles:
        board = puzzle.board.copy()
        for move in puzzle.solution:
            assert board.is_legal(move)
            board.push(move)
        assert puzzle.score >= 300 and puzzle.second <= 60


def test_a_run_resumes_after_the_last_game_with_an_exercise(halbzug: Command) -> None:
    first, second = GAMES.split("\n[White")[:2]
    halbzug.write("games.pgn", first)
    halbzug.output(*FIND, "-o", "p.pgn")
    once = (halbzug.folder / "p.pgn").read_text()
    halbzug.write("games.pgn", f"{first.replace('Nc7+ Kd7', 'Nc7+ Kd8')}\n[White{second}")
    lines = halbzug.json(*FIND, "-o", "p.pgn", "--resume", "--json")
    assert sorted(line["game"] for line in lines) == [1, 2]
    assert once.strip() in (halbzug.folder / "p.pgn").read_text()  # the first one is unchanged
    halbzug.write("p.pgn", "1. e4 *\n")
    process = halbzug.run(*FIND, "-o", "p.pgn", "--resume")
    assert process.returncode == 1 and process.stderr.count("\n") == 1
    assert "not an exercise" in process.stderr


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("missing.pgn",), "neither a position"),
        (("8/8/8/8/8/8/8/K1k5 w - - 0 1",), "not a game"),
        (("games.pgn", "-o", "games.pgn"), "is the input"),
        (("games.pgn", "-o", "x", "--epd", "x"), "its own file"),
        (("games.pgn", "--epd", "no/x"), "no/x"),
    ],
)
def test_invalid_input_is_one_line(halbzug: Command, arguments: tuple[str, ...], word: str) -> None:
    halbzug.write("games.pgn", '[White "A"]\n\n1. e4 *\n')
    process = halbzug.run("puzzles", *arguments, "--nodes", "1000")
    assert process.returncode != 0
    assert word in process.stderr and process.stderr.count("\n") == 1
    assert not process.stdout


def test_the_lack_of_exercises_is_reported(halbzug: Command) -> None:
    halbzug.write("games.pgn", '[White "A"]\n\n1. e4 *\n')
    assert "no exercise" in halbzug.output("puzzles", "games.pgn", "--nodes", "1000")


def test_exercises_are_solved_and_failed_on_the_page(browser: Chrome, found: Path) -> None:
    browser.get((found / "p.html").as_uri())
    _solve_and_fail(browser, read_puzzles(found / "p.pgn"))
    assert not browser.get_log("browser")


def test_a_sheet_with_all_exercises_can_be_printed(browser: Chrome, found: Path) -> None:
    browser.get((found / "p.html").as_uri())
    browser.execute_cdp_cmd("Page.printToPDF", {})
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        exercises = browser.find_elements("css selector", "#sheet figure")
        assert not browser.find_element("id", "board").is_displayed()
        puzzles = read_puzzles(found / "p.pgn")
        assert len(exercises) == len(puzzles)
        for number, (exercise, puzzle) in enumerate(zip(exercises, puzzles, strict=True), start=1):
            turn = "White" if puzzle.board.turn else "Black"
            assert exercise.text == f"{number}. {turn} to move and win"
        solutions = browser.find_element("css selector", "#sheet .solutions").text
        assert all(puzzle.board.san(puzzle.solution[0]) in solutions for puzzle in puzzles)
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


def test_axe_finds_nothing_serious(browser: Chrome, found: Path) -> None:
    browser.get((found / "p.html").as_uri())
    browser.find_element("id", "solution").click()
    assert axe.findings(browser) == []


def _solve_and_fail(page: Chrome, puzzles: list) -> None:
    def verdict() -> str:
        return page.find_element("id", "verdict").text

    def click(name: str) -> None:
        page.find_element("id", name).click()

    def play(move: chess.Move) -> None:
        for end in (move.from_square, move.to_square):
            square(page, chess.square_name(end)).click()

    for puzzle in puzzles:
        assert placement(page) == puzzle.board.board_fen()
        for move in puzzle.solution[::2]:
            assert not verdict().startswith("Solved")
            play(move)
        assert verdict().startswith("Solved")
        click("next")
    assert f"{len(puzzles)} of {len(puzzles)} solved" in page.find_element("id", "count").text
    page.refresh()
    wrong = next(
        move
        for move in puzzles[0].board.legal_moves
        if move != puzzles[0].solution[0] and not move.promotion
    )
    play(wrong)
    assert "is not the solution" in verdict()
    assert placement(page) == puzzles[0].board.board_fen()
    assert not page.find_elements("css selector", ".selected, .target")
    click("hint")
    assert verdict().startswith("Hint")
    click("solution")
    assert verdict().startswith("Solution")
    assert page.find_elements("css selector", "#list .failed")
    assert "</script>" not in page.find_element("id", "task").text


def size_of(path: Path) -> int:
    """In bytes; 0 if there is no file yet."""
    return path.stat().st_size if path.exists() else 0


def test_an_interrupt_keeps_the_exercises_found_so_far(halbzug: Command) -> None:
    halbzug.write("games.pgn", GAMES.split("\n[White")[0] + '\n[White "A"]\n\n1. e4 e5 *\n' * 99)
    process = halbzug.start("puzzles", "games.pgn", "-o", "p.pgn", "--nodes", "20000")
    wait_for(lambda: bool(size_of(halbzug.folder / "p.pgn")), process)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode not in (0, None)
    assert len(read_puzzles(halbzug.folder / "p.pgn")) == 1


def test_the_final_combination_of_a_game_counts(tmp_path: Path) -> None:
    """A queen is sacrificed for mate, although another move wins, too."""
    path = tmp_path / "opera.pgn"
    path.write_text(OPERA_GAME)
    (record,) = read(str(path))
    assert isinstance(record, SourceGame)
    with contextlib.closing(PuzzleFinder(20_000)) as finder:
        found = [puzzle for puzzle in finder.find(record) if isinstance(puzzle, Puzzle)]
    solutions = [puzzle.board.variation_san(puzzle.solution) for puzzle in without_parts(found)]
    assert any("Qb8+" in solution and "Rd8#" in solution for solution in solutions)


@pytest.mark.skipif(STOCKFISH is None, reason="stockfish is not installed")
def test_stockfish_agrees_that_only_this_move_wins(found: Path) -> None:
    with chess.engine.SimpleEngine.popen_uci(STOCKFISH or "") as engine:
        for puzzle in read_puzzles(found / "p.pgn"):
            lines = engine.analyse(puzzle.board, chess.engine.Limit(depth=16), multipv=2)
            assert lines[0]["pv"][0] == puzzle.solution[0]
            best, second = (line["score"].relative.score(mate_score=10000) for line in lines)
            assert best is not None and second is not None
            assert best > 150 and second < 100


def test_the_json_lines_agree_with_the_pgn(found: Path) -> None:
    command = Command(found)
    process = command.run(*FIND, "--json")
    lines = [json.loads(line) for line in io.StringIO(process.stdout)]
    expected = {puzzle.board.fen(): puzzle.level for puzzle in read_puzzles(found / "p.pgn")}
    assert {line["position"] for line in lines} == set(expected)


@pytest.mark.skipif(not has_proc(), reason="looks for processes in /proc")
def test_the_work_continues_when_engines_die(halbzug: Command) -> None:
    first, second = GAMES.split("\n[White")[:2]
    between = '\n[White "A"]\n\n1. e4 e5 *\n' * 5
    halbzug.write("games.pgn", f"{first}{between}\n[White{second}")
    process = halbzug.start("puzzles", "games.pgn", "-o", "p.pgn", "--nodes", "20000")
    wait_for(lambda: bool(size_of(halbzug.folder / "p.pgn")), process)
    for engine in children_of(process.pid):
        os.kill(engine, signal.SIGKILL)
    _, errors = process.communicate(timeout=120)
    assert (process.returncode, errors) == (0, "")
    assert len(read_puzzles(halbzug.folder / "p.pgn")) == 2


def test_a_position_on_which_engines_fail_is_named_and_skipped(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    seen = []

    def fails(finder: PuzzleFinder, board: chess.Board, *_: object) -> None:
        seen.append(board.ply())
        if board.ply() == 1:
            raise chess.engine.EngineError("it died")

    for name in ("_start", "close"):
        monkeypatch.setattr(PuzzleFinder, name, lambda finder: None)
    monkeypatch.setattr(PuzzleFinder, "_puzzle", fails)
    path = tmp_path / "games.pgn"
    path.write_text("1. e4 e5 *\n\n1. d4 *\n")
    failures: list[Failure] = []
    run = PuzzleRun(str(path), PuzzleOutputs(), 1000, failures.append)
    run.run(ProgressBar(PlainConsole(file=io.StringIO()), None))
    assert seen == [2, 1, 1, 1, 0, 1, 1, 1, 0]
    assert run.faults == 2
    assert [failure.place for failure in failures] == ["game 1, 1.e4", "game 2, 1.d4"]
    assert failures[0].message == "the engine failed 3 times here: it died"

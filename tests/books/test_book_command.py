"""The command `halbzug book`."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from checkout import ROOT
from click.testing import CliRunner, Result
from match_runs import fake

from halbzug.books import checker
from halbzug.books.opening_book import default_book_path
from halbzug.client.blocking import BlockingClient
from halbzug.commands.book import book

pytestmark = pytest.mark.any_build

ROOM = ROOT / "uci_engine" / "books"
SOURCE = ROOM / "source"
FEN = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"

FAKE_ENGINE = """
import sys
import chess

board = chess.Board()
for line in sys.stdin:
    if line.startswith("ucinewgame"):
        pass
    elif line.startswith("uci"):
        print("id name Fake\\nuciok", flush=True)
    elif line.startswith("isready"):
        print("readyok", flush=True)
    elif line.startswith("position"):
        board = chess.Board(" ".join(line.split()[2:8])) if "fen" in line else chess.Board()
    elif line.startswith("go"):
        print("info depth 1 score cp 10 nodes 1")
        print("bestmove", next(iter(board.legal_moves)), flush=True)
    elif line.startswith("quit"):
        break
"""


def run(*arguments: object) -> Result:
    return CliRunner().invoke(book, [str(argument) for argument in arguments])


def test_show_lists_moves_by_weight() -> None:
    result = run("show", FEN)
    assert result.exit_code == 0
    heading, *rows = result.stdout.splitlines()
    assert heading.split() == ["move", "weight", "share", "reply"]
    weights = [int(row.split()[1]) for row in rows]
    assert weights == sorted(weights, reverse=True)
    assert {"e5", "c5"} <= {row.split()[0] for row in rows}


def test_show_json() -> None:
    result = run("show", "startpos", "--json")
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert {"e2e4", "d2d4"} <= {row["move"] for row in rows}
    assert sum(row["share"] for row in rows) == pytest.approx(1, abs=0.01)


def test_show_without_an_entry() -> None:
    result = run("show", "8/8/8/8/8/4k3/4p3/4K3 w - - 0 1")
    assert (result.exit_code, result.stdout) == (0, "no move in the book\n")


@pytest.mark.slow
def test_build_reproduces_the_default_book(tmp_path: Path) -> None:
    result = run("build", SOURCE, "-o", tmp_path / "book.bin")
    assert result.exit_code == 0
    assert (tmp_path / "book.bin").read_bytes() == default_book_path().read_bytes()


def test_build_from_a_folder_of_games(tmp_path: Path) -> None:
    for name, moves in (("a", "1. e4 e5 1-0"), ("b", "1. e4 c5 1-0")):
        (tmp_path / f"{name}.pgn").write_text(f'[Result "1-0"]\n\n{moves}\n', encoding="utf-8")
    made = tmp_path / "book.bin"
    options = ("--min-games", 2, "--score", 3, 1, 0, "--max-plies", 10)
    assert run("build", tmp_path, "-o", made, *options).exit_code == 0
    rows = run("show", "--book", made, "--json").stdout.splitlines()
    assert [(row["san"], row["weight"]) for row in map(json.loads, rows)] == [("e4", 6)]


@pytest.mark.slow
def test_openings_are_reproduced(tmp_path: Path) -> None:
    result = run("openings", SOURCE, "--scores", SOURCE / "scores.epd", "-o", tmp_path)
    assert result.exit_code == 0
    for name in ("openings.epd", "openings.pgn"):
        assert (tmp_path / name).read_bytes() == (ROOM / name).read_bytes()


def write_engine(folder: Path) -> str:
    script = folder / "engine.py"
    script.write_text(FAKE_ENGINE, encoding="utf-8")
    return write_launcher(folder, f"'{sys.executable}' '{script}'")


def write_launcher(folder: Path, command: str) -> str:
    launcher = folder / "engine"
    launcher.write_text(f"#!/bin/sh\nexec {command}\n", encoding="utf-8")
    launcher.chmod(0o755)
    return str(launcher)


@pytest.mark.skipif(sys.platform == "win32", reason="the launcher is a shell script")
def test_check_judges_only_new_entries(tmp_path: Path) -> None:
    engine = write_engine(tmp_path)
    source, scores = tmp_path / "source.pgn", tmp_path / "scores.epd"
    source.write_text('[Repertoire "marks"]\n\n1. e4 e5 (1... c5) *\n', encoding="utf-8")
    arguments = ("check", source, "--scores", scores, "--engine", engine, "--nodes", 5)
    result = run(*arguments, "--report", tmp_path / "CHECKED.md")
    assert result.exit_code == 0
    assert "positions judged: 4" in (tmp_path / "CHECKED.md").read_text(encoding="utf-8")
    known = checker.read_scores(scores)
    assert set(known.values()) == {checker.BookScore(10, 5)}
    worse = {epd: checker.BookScore(90 if " w " in epd and "2p" in epd else 10, 9) for epd in known}
    checker.write_scores(scores, worse)
    result = run(*arguments)
    assert result.exit_code == 1
    assert "outside the bounds: -0.90 after c5" in result.stderr
    assert checker.read_scores(scores) == worse, "scores from more nodes are kept"
    result = run(*arguments, "--losses", 1, "--json")
    assert result.exit_code == 1
    report = json.loads(result.stdout)
    assert (report["positions"], report["moves"], report["nodes"]) == (4, 3, [9])
    assert [(bad["move"], bad["score"]) for bad in report["outside"]] == [("c5", -90)]
    assert [bad["move"] for bad in report["losses"]] == ["c5"]
    assert report["worst"]["black"] == report["outside"][0]
    source.write_text('[Repertoire "marks"]\n\n1. d4 *\n', encoding="utf-8")
    assert run(*arguments).exit_code == 0
    assert len(checker.read_scores(scores)) == 5, "scores of other sources are kept"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="the launcher is a shell script")
@pytest.mark.parametrize(
    ("behaviour", "words"),
    [
        ("illegal", "answers 'bestmove a1h7', which is not a legal move"),
        ("passing", "answers 'bestmove 0000', which is not a legal move"),
        ("dying", "was ended by signal 11"),
        ("closing", "closed its output"),
        ("dead", "does not start: ended with exit code 1: no network found"),
    ],
)
def test_a_failing_engine_is_named_in_one_line(tmp_path: Path, behaviour: str, words: str) -> None:
    engine = write_launcher(tmp_path, fake(behaviour))
    source, scores = tmp_path / "source.pgn", tmp_path / "scores.epd"
    source.write_text('[Repertoire "marks"]\n\n1. e4 e5 *\n', encoding="utf-8")
    result = run("check", source, "--scores", scores, "--engine", engine)
    assert result.exit_code == 1
    assert result.stderr.splitlines()[-1].startswith(f"Error: {engine} {words}")


@pytest.mark.skipif(sys.platform == "win32", reason="the launcher is a shell script")
def test_verdicts_before_a_failure_are_kept(tmp_path: Path) -> None:
    engine = write_engine(tmp_path)
    source, scores = tmp_path / "source.pgn", tmp_path / "scores.epd"
    source.write_text('[Repertoire "marks"]\n\n1. e4 e5 *\n', encoding="utf-8")
    with closing(BlockingClient("fake", [engine])) as client:
        judge = checker.BookJudge(client, "fake", 5)
        judged = 0

        def advance(done: int, total: int) -> None:
            nonlocal judged
            judged = done
            if done == 2:
                raise KeyboardInterrupt

        known: checker.Scores = {}
        with pytest.raises(KeyboardInterrupt):
            checker.score_source([source], judge, known, advance)
    checker.write_scores(scores, known)
    assert len(checker.read_scores(scores)) == judged == 2


@pytest.mark.parametrize(
    "arguments",
    [
        ("show", "not a position"),
        ("show", "--book", "{tmp}/missing.bin"),
        ("show", "--book", "{tmp}"),
        ("show", "--book", "{tmp}/odd.bin"),
        ("build", "{tmp}/missing.pgn", "-o", "{tmp}/out.bin"),
        ("build", "{tmp}/folder", "-o", "{tmp}/out.bin"),
        ("build", "{tmp}/empty.pgn", "-o", "{tmp}/out.bin"),
        ("build", "{source}", "-o", "{tmp}/no/such/folder/out.bin"),
        ("check", "{tmp}/empty.pgn", "--scores", "{tmp}/odd.bin", "--engine", "/no/such/engine"),
        ("openings", "{source}", "--scores", "{tmp}/none.epd", "-o", "{tmp}"),
        ("openings", "{source}", "--scores", "{tmp}/odd.bin", "-o", "{tmp}"),
        ("openings", "{tmp}/broken.pgn", "--scores", "{tmp}/none.epd", "-o", "{tmp}"),
        ("openings", "{tmp}/lost.pgn", "--scores", "{tmp}/none.epd", "-o", "{tmp}"),
        ("build",),
    ],
)
def test_errors_are_one_line(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    (tmp_path / "odd.bin").write_bytes(b"odd")
    (tmp_path / "empty.pgn").write_text("", encoding="utf-8")
    (tmp_path / "broken.pgn").write_text("1. e4 e5 2. Ke3 *\n", encoding="utf-8")
    lost = "1. e4 e5 (1... c5 $1 2. Nf3 r. Nf3) 2. Nf((((((pe) 2. Nf3 *\n"
    (tmp_path / "lost.pgn").write_text(lost, encoding="utf-8")
    (tmp_path / "folder").mkdir()
    result = run(*(text.format(tmp=tmp_path, source=SOURCE) for text in arguments))
    assert result.exit_code != 0
    assert isinstance(result.exception, SystemExit)
    assert result.stderr.splitlines()[-1].startswith("Error: ")
    assert not (tmp_path / "out.bin").exists()


def test_book_paths_from_another_folder() -> None:
    command = [sys.executable, "-m", "halbzug", "book", "show", FEN]
    result = subprocess.run(command, capture_output=True, text=True, timeout=30, check=True)
    assert "e5" in result.stdout
    result = subprocess.run(
        [*command, "--book", "/no/such/book"],
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert result.returncode != 0
    assert len(result.stderr.splitlines()) == 1


def test_the_lookup_is_quick_to_import() -> None:
    code = (
        "import sys, halbzug.books.opening_book;"
        "print([name for name in ('chess.pgn', 'chess.engine', 'asyncio', 'rich', 'click')"
        " if name in sys.modules])"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=30, check=True
    )
    assert result.stdout == "[]\n"

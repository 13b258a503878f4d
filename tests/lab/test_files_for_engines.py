"""A Python file can be used wherever an engine can; `halbzug new` creates one."""

from __future__ import annotations

import asyncio
from pathlib import Path

import chess
import chess.engine
import chess.pgn
import pytest
from command_line import Command
from file_engines import MATERIAL, write_engine
from uci_client import UciClient

import halbzug as package

pytestmark = pytest.mark.any_build

LAST = "def choose(board, clock):\n    return list(board.legal_moves)[-1]\n"


def test_a_new_file_can_play_unchanged(halbzug: Command) -> None:
    said = halbzug.output("new", "my_first.py")
    assert "halbzug play --engine my_first.py" in said
    with UciClient(halbzug.folder, "-m", "halbzug", "run", "my_first.py", own_book=True) as client:
        client.send("uci")
        assert "id name My First" in client.read_until("uciok")
        client.send("position fen 4k3/8/8/3q4/8/4N3/8/4K3 w - - 0 1")
        assert client.go("go depth 3").move == "e3d5"


def test_a_file_is_overwritten_only_on_request(halbzug: Command) -> None:
    halbzug.write("mine.py", "mine")
    result = halbzug.run("new", "mine.py")
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr == "halbzug: mine.py already exists; --force replaces it\n"
    assert (halbzug.folder / "mine.py").read_text() == "mine"
    halbzug.output("new", "mine.py", "--force")
    assert "def evaluate" in (halbzug.folder / "mine.py").read_text()


def test_invalid_names_end_with_one_line(halbzug: Command) -> None:
    for arguments in (["mine.txt"], ["mine.py", "--from", "nothing-like-this"], ["no/where/a.py"]):
        result = halbzug.run("new", *arguments)
        assert result.returncode != 0
        assert result.stderr.count("\n") == 1, result.stderr
    assert list(halbzug.folder.iterdir()) == []


@pytest.mark.slow
def test_files_play_a_match(halbzug: Command) -> None:
    write_engine(halbzug.folder, MATERIAL, "material.py")
    write_engine(halbzug.folder, LAST, "last.py")
    halbzug.output(
        *("match", "-e", "material.py; Hash=8", "-e", "other=last.py"),
        *("--nodes", "300", "--games", "2", "--pgn", "games.pgn"),
    )
    with (halbzug.folder / "games.pgn").open(encoding="utf-8") as file:
        game = chess.pgn.read_game(file)
    assert game is not None
    assert {game.headers["White"], game.headers["Black"]} == {"material", "other"}
    assert game.headers["Result"] in ("1-0", "0-1")  # mate against an engine without a plan
    assert game.headers["Termination"] == "normal"


def test_a_file_can_analyse(halbzug: Command) -> None:
    write_engine(halbzug.folder, MATERIAL)
    halbzug.write("one.fen", "4k3/8/8/3q4/8/4N3/8/4K3 w - - 0 1\n")
    said = halbzug.output("analyse", "one.fen", "--engine", "mine.py", "--depth", "4")
    assert "Nxd5" in said


def test_a_file_can_play_at_the_terminal(halbzug: Command) -> None:
    write_engine(halbzug.folder, f"name = 'Sunday'\n{LAST}")
    said = halbzug.output("play", "-e", "mine.py", "-t", "9", stdin="e4\nresign\n")
    assert "Sunday" in said
    assert 'Black "Sunday"' in (halbzug.folder / "halbzug-games.pgn").read_text()


def test_a_file_at_the_terminal_has_its_options_and_prints_its_output(halbzug: Command) -> None:
    source = """
OPTIONS = {"Boldness": (50, 0, 100)}
print("loaded")
def choose(board):
    print("first", OPTIONS["Boldness"])
    print("second")
    return list(board.legal_moves)[-1]
"""
    write_engine(halbzug.folder, source, "my engine.py")
    command = ("play", "-t", "9", "-e")
    said = halbzug.output(*command, "my engine.py; Boldness=70", stdin="e4\nquit\n")
    assert [said.count(text) for text in ("loaded\n", "first 70\n", "second\n")] == [1, 1, 1]
    for settings, message in {
        "Boldness=700": "Boldness must be from 0 to 100",
        "Baldness=7": "unknown option: Baldness",
        "Boldness": "not Option=Value",
    }.items():
        result = halbzug.run(*command, f"my engine.py; {settings}", stdin="quit\n")
        assert result.returncode == (1 if "=" in settings else 2) and message in result.stderr
        assert result.stderr.count("\n") == 1


def test_a_missing_file_ends_with_one_line(halbzug: Command) -> None:
    halbzug.write("one.fen", chess.STARTING_FEN)
    for arguments in (
        ["match", "-e", "gone.py", "-e", "gone2.py"],
        ["analyse", "one.fen", "--engine", "gone.py"],
        ["play", "--engine", "gone.py"],
        ["register", "pychess", "gone.py"],
    ):
        result = halbzug.run(*arguments)
        assert result.returncode != 0
        assert "there is no file gone.py" in result.stderr
        assert result.stderr.count("\n") == 1, result.stderr


def test_the_name_of_a_lecture_leads_to_its_file(halbzug: Command) -> None:
    hint = "halbzug new move_ordering.py --from move-ordering writes it"
    for arguments in (
        ["match", "-e", "halbzug", "-e", "mine=move-ordering; st=0.1"],
        ["rate", "move_ordering.py"],
        ["tournament", "move-ordering"],
    ):
        result = halbzug.run(*arguments)
        assert result.returncode == 2
        assert hint in result.stderr and result.stderr.count("\n") == 1, result.stderr
    halbzug.output("new", "move_ordering.py", "--from", "move-ordering")
    (halbzug.folder / "greedy").mkdir()
    assert hint not in halbzug.run("rate", "move_ordering.py", "--st", "0").stderr
    assert "no Python files" in halbzug.run("tournament", "greedy").stderr


def test_a_file_is_an_engine_for_python(tmp_path: Path) -> None:
    file = write_engine(tmp_path, f"name = 'Sunday'\n{LAST}")
    with package.Engine(file) as engine:
        assert engine.id["name"] == "Sunday"
        result = engine.play(chess.Board(), chess.engine.Limit(time=9))
        assert result.move == list(chess.Board().legal_moves)[-1]
    with pytest.raises(ValueError, match=r"no file .*gone\.py"):
        package.Engine(tmp_path / "gone.py")

    async def ask() -> str:
        transport, protocol = await package.popen(file)
        name = protocol.id["name"]
        await protocol.quit()
        transport.close()
        return name

    assert asyncio.run(ask()) == "Sunday"

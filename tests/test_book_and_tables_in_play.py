"""Book and tablebases through the real engine: on without any setting, and never in the way."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import chess
import pytest
from uci_client import UciClient

KQK = "8/8/8/8/8/2k5/8/KQ6 w - - 0 1"


@pytest.fixture
def uci(tmp_path: Path) -> Iterator[UciClient]:
    with UciClient(tmp_path, own_book=True) as client:
        client.send("uci")
        client.read_until("uciok")
        yield client


def test_a_book_move_comes_with_a_line_a_score_and_a_ponder_move(uci: UciClient) -> None:
    uci.send("position startpos")
    answer = uci.go("go wtime 60000 btime 60000")
    assert answer.last.numbers["nodes"] == 0
    assert answer.last.pv[:2] == [answer.move, answer.ponder]
    assert any("book" in text for text in answer.strings)
    board = chess.Board()
    board.push_uci(answer.move)
    board.push_uci(answer.ponder or "")


def test_a_book_move_waits_for_the_ponderhit(uci: UciClient) -> None:
    uci.send("position startpos", "go ponder wtime 9000 btime 9000")
    assert not [line for line in uci.synchronise() if line.startswith("bestmove")]
    uci.send("ponderhit")
    assert chess.Move.from_uci(uci.read_until("bestmove")[-1].split()[1])


@pytest.mark.parametrize(
    "setting",
    ["OwnBook value false", "UCI_AnalyseMode value true", "UCI_Chess960 value true"],
)
def test_without_the_book_it_searches(uci: UciClient, setting: str) -> None:
    uci.send(f"setoption name {setting}", "position startpos")
    assert uci.go("go depth 2").last.numbers["nodes"] > 0


def test_who_analyses_without_end_is_not_put_off_with_the_book(uci: UciClient) -> None:
    uci.send("position startpos", "go infinite", "stop")
    assert not any("book" in text for text in uci.wait_for_best_move().strings)


def test_the_book_ends_where_it_should(uci: UciClient) -> None:
    uci.send("setoption name BookDepth value 1", "position startpos moves e2e4 e7e5")
    assert uci.go("go depth 2").last.numbers["nodes"] > 0
    uci.send("position startpos")
    assert uci.go("go depth 2").last.numbers["nodes"] == 0
    assert uci.go("go depth 2 searchmoves a2a4").move == "a2a4"


def test_best_move_only_is_always_the_same(uci: UciClient) -> None:
    uci.send("setoption name BookVariety value 0", "position startpos moves e2e4")
    assert len({uci.go("go depth 1").move for _ in range(8)}) == 1


@pytest.mark.parametrize("damage", ["missing", "empty", "truncated", "folder"])
def test_a_bad_book_is_told_once_and_played_without(
    uci: UciClient, tmp_path: Path, damage: str
) -> None:
    path = tmp_path / "a book.bin"
    if damage == "folder":
        path.mkdir()
    elif damage != "missing":
        path.write_bytes(b"" if damage == "empty" else b"x" * 33)
    uci.send(f"setoption name BookFile value {path}", "position startpos")
    answer = uci.go("go depth 2")
    assert answer.last.numbers["nodes"] > 0
    assert len(answer.strings) == 1 and "book" in answer.strings[0]
    assert not uci.go("go depth 2").strings


def test_an_ending_is_known_without_any_setting(uci: UciClient) -> None:
    uci.send(f"position fen {KQK}")
    answer = uci.go("go depth 4")
    assert answer.last.numbers["tbhits"] > 0
    assert answer.last.mate or 19_800 < (answer.last.cp or 0) <= 20_000
    uci.send("setoption name SyzygyProbeLimit value 0", f"position fen {KQK}")
    assert uci.go("go depth 4").last.numbers["tbhits"] == 0


def test_missing_tables_are_told_and_played_without(uci: UciClient, tmp_path: Path) -> None:
    uci.send(f"setoption name SyzygyPath value {tmp_path / 'no where'}", "isready")
    lines = uci.read_until("readyok") + uci.synchronise()
    uci.send("position startpos moves a2a3 a7a6 a3a4 a6a5")
    answer = uci.go("go depth 2")
    told = [line for line in lines + answer.lines if line.startswith("info string")]
    assert any("no where" in line for line in told)
    assert answer.last.numbers["nodes"] > 0

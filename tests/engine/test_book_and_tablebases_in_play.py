"""Book and tablebases in the real engine: used by default, and never an obstacle."""

from __future__ import annotations

import errno
import os
import signal
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import chess
import pytest
from uci_client import Answer, SharedEngine, UciClient, has_proc

pytestmark = pytest.mark.any_build

KQK = "8/8/8/8/8/2k5/8/KQ6 w - - 0 1"


@pytest.fixture
def uci(engines: SharedEngine) -> Iterator[UciClient]:
    """An engine that plays from its book."""
    client = engines.take()
    client.send("setoption name OwnBook value true")
    client.synchronise()
    yield client
    client.send("setoption name OwnBook value false")
    engines.give_back()


def start_search(uci: UciClient, limits: str) -> Answer:
    """The answer to a search that is stopped at its first line with a score."""
    uci.send(f"go {limits}")
    lines: list[str] = []
    while not lines or " score " not in lines[-1]:
        lines.append(uci.read() or "")
    uci.send("stop")
    return Answer([*lines, *uci.read_until("bestmove")])


def test_a_book_move_comes_with_a_line_a_score_and_a_ponder_move(uci: UciClient) -> None:
    uci.send("position startpos")
    answer = uci.go("go wtime 60000 btime 60000")
    assert answer.last.numbers["nodes"] == 0
    assert answer.last.pv[:2] == [answer.move, answer.ponder]
    assert any("book" in text for text in answer.strings)
    board = chess.Board()
    board.push_uci(answer.move)
    board.push_uci(answer.ponder or "")


BOOK = "lichess-bot-source:Opening Book"
TABLEBASES = "lichess-bot-source:Syzygy EGTB"
DRAWN = "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1"  # only by taking the rook


@pytest.mark.parametrize(
    ("fen", "source"), [(chess.STARTING_FEN, BOOK), (KQK, TABLEBASES), (DRAWN, TABLEBASES)]
)
def test_lichess_bot_is_told_the_source_of_a_move(uci: UciClient, fen: str, source: str) -> None:
    uci.send(f"position fen {fen}")
    lines = uci.go("go movetime 9000").lines  # it does not take that long
    assert lines.index(f"info string {source}") < len(lines) - 2
    assert " score " in lines[-2]  # the line before `bestmove` belongs to the move


@pytest.mark.parametrize(("fen", "source"), [(chess.STARTING_FEN, BOOK), (KQK, TABLEBASES)])
def test_the_source_is_repeated_after_a_ponderhit(uci: UciClient, fen: str, source: str) -> None:
    # python-chess, which lichess-bot uses, forgets what was reported while pondering.
    uci.send(f"position fen {fen}", "go ponder wtime 9000 btime 9000")
    uci.synchronise()
    time.sleep(0.3)
    uci.synchronise()
    uci.send("ponderhit")
    lines = uci.read_until("bestmove")
    assert f"info string {source}" in lines
    assert " score " in lines[-2]


@pytest.mark.parametrize(
    ("setting", "fen", "limits"),
    [
        ("OwnBook value false", chess.STARTING_FEN, "movetime 50"),
        ("OwnBook value true", chess.STARTING_FEN, "depth 3"),
        ("SyzygyProbeLimit value 0", KQK, "depth 3"),
        ("MultiPV value 2", KQK, "depth 3"),
        ("OwnBook value true", "8/8/8/8/8/2k5/7P/K7 w - - 0 1", "depth 3"),  # several moves draw
    ],
)
def test_moves_of_the_search_name_no_other_source(
    uci: UciClient, setting: str, fen: str, limits: str
) -> None:
    uci.send(f"setoption name {setting}", f"position fen {fen}")
    assert not any("source" in text for text in uci.go(f"go {limits}").strings)


def test_a_book_move_waits_for_the_ponderhit(uci: UciClient) -> None:
    uci.send("position startpos", "go ponder wtime 9000 btime 9000")
    assert not [line for line in uci.synchronise() if line.startswith("bestmove")]
    uci.send("ponderhit")
    assert chess.Move.from_uci(uci.read_until("bestmove")[-1].split()[1])


@pytest.mark.parametrize(
    "setting",
    [
        *("OwnBook value false", "UCI_AnalyseMode value true", "UCI_Chess960 value true"),
        "MultiPV value 2",
    ],
)
def test_without_the_book_the_engine_searches(uci: UciClient, setting: str) -> None:
    uci.send(f"setoption name {setting}", "position startpos")
    assert start_search(uci, "movetime 9000").last.numbers["nodes"] > 0


@pytest.mark.parametrize(
    "limits",
    [
        *("depth 2", "nodes 200", "mate 1", "depth 2 wtime 9000 btime 9000"),
        *("nodes 200 movetime 900", "searchmoves e2e4 d2d4 movetime 9000"),
    ],
)
def test_limits_that_ask_for_a_search_get_one(uci: UciClient, limits: str) -> None:
    uci.send("position startpos")
    answer = start_search(uci, limits)
    assert not any("book" in text for text in answer.strings)
    assert answer.last.numbers["nodes"] > 0


@pytest.mark.parametrize(
    "limits", ["movetime 300", "wtime 9000", "btime 9000 winc 100", "ponder wtime 9000"]
)
@pytest.mark.parametrize("setting", ["MultiPV value 1", "UCI_LimitStrength value true"])
def test_a_game_is_played_from_the_book(uci: UciClient, limits: str, setting: str) -> None:
    uci.send(f"setoption name {setting}", "position startpos", f"go {limits}", "ponderhit")
    assert any("book" in text for text in uci.wait_for_best_move().strings)


def test_an_infinite_analysis_does_not_use_the_book(uci: UciClient) -> None:
    uci.send("position startpos", "go infinite", "stop")
    assert not any("book" in text for text in uci.wait_for_best_move().strings)


def test_the_book_ends_where_it_should(uci: UciClient) -> None:
    uci.send("setoption name BookDepth value 1", "position startpos moves e2e4 e7e5")
    assert start_search(uci, "movetime 9000").last.numbers["nodes"] > 0
    uci.send("position startpos")
    assert uci.go("go movetime 300").last.numbers["nodes"] == 0
    assert uci.go("go movetime 100 searchmoves a2a4").move == "a2a4"


def test_best_book_move_always_plays_the_same_move(uci: UciClient) -> None:
    uci.send("setoption name BookVariety value 0", "position startpos moves e2e4")
    assert len({uci.go("go movetime 100").move for _ in range(8)}) == 1


@pytest.mark.parametrize("damage", ["missing", "empty", "truncated", "folder"])
def test_a_damaged_book_is_reported_once_and_ignored(
    uci: UciClient, tmp_path: Path, damage: str
) -> None:
    path = tmp_path / "a book.bin"
    if damage == "folder":
        path.mkdir()
    elif damage != "missing":
        path.write_bytes(b"" if damage == "empty" else b"x" * 33)
    uci.send(f"setoption name BookFile value {path}", "position startpos")
    answer = start_search(uci, "movetime 9000")
    assert answer.last.numbers["nodes"] > 0
    assert len(answer.strings) == 1 and "book" in answer.strings[0]
    assert not start_search(uci, "movetime 9000").strings


def test_endings_are_known_without_any_setting(uci: UciClient) -> None:
    uci.send(f"position fen {KQK}")
    answer = uci.go("go depth 4")
    assert answer.last.numbers["tbhits"] > 0
    assert answer.last.mate or 19_800 < (answer.last.cp or 0) <= 20_000
    uci.send("setoption name SyzygyProbeLimit value 0", f"position fen {KQK}")
    assert uci.go("go depth 4").last.numbers["tbhits"] == 0


def test_missing_tables_are_reported_and_ignored(uci: UciClient, tmp_path: Path) -> None:
    uci.send(f"setoption name SyzygyPath value {tmp_path / 'no where'}", "isready")
    lines = uci.read_until("readyok") + uci.synchronise()
    uci.send("position startpos moves a2a3 a7a6 a3a4 a6a5")
    answer = uci.go("go depth 2")
    notices = [line for line in lines + answer.lines if line.startswith("info string")]
    assert any("no where" in line for line in notices)
    assert answer.last.numbers["nodes"] > 0


#: Messages of the operating system; some chess programs take them for an engine that cannot start.
SYSTEM_WORDS = {os.strerror(number) for number in errno.errorcode}


def is_in_own_words(line: str) -> bool:
    return not any(words.lower() in line.lower() for words in SYSTEM_WORDS)


@pytest.fixture
def short_path() -> Iterator[Path]:
    """A folder whose name a message shows in full; that of `tmp_path` may be too long."""
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


@pytest.mark.slow
@pytest.mark.skipif(not has_proc(), reason="needs /proc")
def test_a_message_about_an_option_comes_once_and_in_our_own_words(
    uci: UciClient, short_path: Path
) -> None:
    (short_path / "file").write_text("neither folder nor book")
    heard = []
    for option, value, words in (
        ("SyzygyPath", "no/where", "folder is missing"),
        ("SyzygyPath", "file", "not a folder"),
        ("BookFile", "no/where.bin", "file is missing"),
        ("BookFile", "file/book.bin", "not a folder"),
    ):
        setting = f"setoption name {option} value {short_path / value}"
        lines = []
        for _ in range(2):
            uci.send(setting, "ucinewgame", "position startpos")
            lines += uci.synchronise()
            lines += uci.go("go movetime 50").lines
        for pid in uci.children():
            os.kill(pid, signal.SIGKILL)
        lines += uci.go("go movetime 500").lines
        uci.send(setting)
        lines += uci.synchronise()
        lines += uci.go("go movetime 100").lines
        assert any("died" in line for line in lines)
        complaints = [line for line in lines if str(short_path / value) in line]
        assert len(complaints) == 1, complaints
        assert words in complaints[0]
        heard += lines
    for value in ("no/where.txt", "file/log.txt", "."):
        uci.send(f"setoption name Debug Log File value {short_path / value}")
        (line,) = uci.synchronise()
        heard.append(line)
    assert all(map(is_in_own_words, heard))
    uci.send(f"setoption name SyzygyPath value {short_path / 'no/where'}")  # not the value set last
    assert sum("folder is missing" in line for line in uci.synchronise()) == 1

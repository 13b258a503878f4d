"""Files and positions that nobody should give an engine: each causes a message and no harm.

These tests use the real process; single readers are tested in `test_fen`, `test_books` and
`test_tablebase`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import chess
import pytest
from uci_client import ENDGAME, UciClient

pytestmark = pytest.mark.any_build

START_MOVES = {move.uci() for move in chess.Board().legal_moves}

needs_fifos = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no FIFOs here")


@pytest.mark.parametrize(
    "fen",
    [
        pytest.param("rnbqkbnr/" * 1111 + "8 w - - 0 1", id="10,000 characters"),
        pytest.param("4k3/8/8/8/8/8/8/4K3 w - - 0 1" + " " * 9000 + "x" * 1000, id="long tail"),
        pytest.param("qqqqqqqq/" * 7 + "qqqqkKqq w - - 0 1", id="60 queens"),
        pytest.param("QQQQQQQQ/8/QQQQQQQQ/8/k1K5/8/8/8 b - - 0 1", id="16 queens and a king"),
        pytest.param("8/8/8/3QQ3/8/8/8/8 w - - 0 1", id="no king"),
        pytest.param("4k3/8/8/8/8/8/8/3KK3 w - - 0 1", id="two kings"),
        pytest.param("4k3/8/8/8/8/8/8/P3K3 w - - 0 1", id="pawn on the first rank"),
        pytest.param("p3k3/8/8/8/8/8/8/4K3 w - - 0 1", id="pawn on the last rank"),
        pytest.param("4k3/8/8/8/8/8/8/4K3 w - - 1_0 \u0663", id="other digits"),
    ],
)
def test_an_impossible_fen_is_refused_and_nothing_is_searched_in_its_place(
    uci: UciClient, fen: str
) -> None:
    uci.send(f"position fen {ENDGAME}", f"position fen {fen}")
    (message,) = uci.synchronise()
    assert message.startswith("info string position refused: ")
    assert len(message) < 300
    assert uci.go("go depth 1").move == "(none)"


@pytest.mark.parametrize(
    ("fen", "read"),
    [
        ("4k3/8/8/8/8/8/8/4K3 w KQkq e6 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
        ("r3k3/8/8/8/8/8/8/4K2R b KQkq e3 0 1", "r3k3/8/8/8/8/8/8/4K2R b Kq - 0 1"),
        ("4k3/8/8/8/3pP3/8/4P3/4K3 b - e3 0 1", "4k3/8/8/8/3pP3/8/4P3/4K3 b - - 0 1"),
    ],
)
def test_impossible_castling_rights_are_dropped(uci: UciClient, fen: str, read: str) -> None:
    uci.send(f"position fen {fen}", "d")
    assert f"Fen: {read}" in uci.synchronise()
    assert chess.Board(read).parse_uci(uci.go("go depth 2").move)


def test_a_position_line_with_six_thousand_moves(uci: UciClient) -> None:
    board = chess.Board()
    moves = ("g1f3 g8f6 f3g1 f6g8 " * 1500).split()
    uci.send(f"position startpos moves {' '.join(moves)}")
    assert uci.go("go depth 1").move in START_MOVES
    assert uci.go("go movetime 50").move in START_MOVES
    uci.send(f"position startpos moves {' '.join([*moves, 'e2e4', 'e2e4'])}")
    (message,) = uci.synchronise()
    assert message.startswith("info string illegal move")
    board.push_uci("e2e4")
    assert board.parse_uci(uci.go("go depth 1").move)


@pytest.fixture
def no_files(tmp_path: Path) -> Iterator[list[Path]]:
    """Paths that are neither a book, a table nor a folder."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "text.bin").write_text("not a book at all")
    (tmp_path / "loop").symlink_to(tmp_path / "loop2")
    (tmp_path / "loop2").symlink_to(tmp_path / "loop")
    (tmp_path / "dangling").symlink_to(tmp_path / "nothing")
    os.mkfifo(tmp_path / "fifo")
    devices = [Path("/dev/zero"), Path("/dev/full"), Path("/dev/tty")]
    yield [*sorted(tmp_path.iterdir()), *devices, tmp_path / ("x" * 5000), tmp_path / "\x1b[2J"]


@needs_fifos
def test_paths_that_are_not_books(tmp_path: Path, no_files: list[Path]) -> None:
    with UciClient(tmp_path, own_book=True) as client:
        client.handshake()
        for path in no_files:
            client.send(f"setoption name BookFile value {path}")
            answer = client.go("go movetime 50")
            assert answer.move in START_MOVES
            (message,) = [text for text in answer.strings if "without a book" in text]
            assert message.isprintable() and len(message) < 500
        client.send("setoption name BookFile value <empty>")
        assert any("book move" in text for text in client.go("go movetime 50").strings)


@needs_fifos
def test_paths_that_are_not_folders_of_tables(
    tmp_path: Path, no_files: list[Path], uci: UciClient
) -> None:
    uci.synchronise()
    for path in no_files:
        uci.send(f"setoption name SyzygyPath value {path}")
        (message,) = uci.synchronise()  # readyok waits until the tables have been opened
        assert message.startswith("info string ")
        assert message.isprintable() and len(message) < 300
    # The tables that ship with Halbzug still work.
    uci.send("position fen 8/8/8/8/4k3/8/1R6/K7 w - - 0 1")
    assert uci.go("go depth 2").last.numbers["tbhits"] > 0
    uci.send("setoption name SyzygyPath value <empty>")


@needs_fifos
def test_files_that_are_not_tables(tmp_path: Path, uci: UciClient) -> None:
    folder = tmp_path / "tables"
    folder.mkdir()
    os.mkfifo(folder / "KQvKR.rtbw")
    (folder / "KQvKR.rtbz").symlink_to("/dev/zero")
    (folder / "KRvK.rtbw").symlink_to(folder / "KRvK.rtbz")
    (folder / "KRvK.rtbz").symlink_to(folder / "KRvK.rtbw")
    (folder / "KBNvK.rtbw").symlink_to("/dev/full")
    (folder / "KBNvK.rtbz").mkdir()
    uci.synchronise()
    uci.send(f"setoption name SyzygyPath value {folder}")
    (message,) = uci.synchronise()
    assert message.endswith("(and 5 more)")
    uci.send("position fen 8/8/8/8/4k3/8/1R6/K7 w - - 0 1")
    assert uci.go("go depth 2").last.numbers["tbhits"] > 0
    uci.send("setoption name SyzygyPath value <empty>")


@needs_fifos
def test_paths_that_are_not_logs(no_files: list[Path], uci: UciClient) -> None:
    uci.synchronise()
    for path in no_files:
        if path.name in ("text.bin", "dangling", "\x1b[2J"):
            continue  # these can be written
        uci.send(f"setoption name Debug Log File value {path}")
        (message,) = uci.synchronise()
        assert message.startswith("info string cannot write the Debug Log File: ")

"""Whatever a file does, each `go` gets a legal move in time, with a report of what went wrong."""

from __future__ import annotations

import textwrap
import time
from pathlib import Path

import chess
import pytest
from file_engines import run_file, write_engine
from hostile_engines import HOSTILE
from uci_client import MIDDLEGAME, UciClient, has_proc, wait_until_gone

pytestmark = pytest.mark.any_build

#: Files tested in every run, for two moves; testing all of them takes a minute.
QUICK = ("endless loop", "printing", "os._exit", "memory hog", "changed board in evaluate")

#: More than an answer is late on a busy machine, in seconds.
PATIENCE = 30.0


def _play_moves(client: UciClient, count: int) -> list[str]:
    """Play against itself by the clock, and return all messages."""
    board = chess.Board()
    said = []
    for number in range(count):
        client.send(f"position startpos moves {' '.join(move.uci() for move in board.move_stack)}")
        command = "go movetime 150" if number % 2 else "go wtime 3000 btime 3000 winc 50 binc 50"
        started = time.perf_counter()
        answer = client.go(command)
        assert time.perf_counter() - started < PATIENCE
        move = chess.Move.from_uci(answer.move)
        assert move in board.legal_moves, answer.lines
        for line in answer.lines[:-1]:
            assert line.startswith("info "), line
        board.push(move)
        said += answer.strings
    return said


@pytest.mark.parametrize(
    "name",
    [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in HOSTILE],
)
def test_a_legal_move_comes_in_time(tmp_path: Path, name: str) -> None:
    source, words = HOSTILE[name]
    options = ("--memory", "300") if name == "memory hog" else ()
    with run_file(tmp_path, source, "hostile.py", *options) as client:
        said = [*client.hello, *_play_moves(client, 2 if name in QUICK else 4)]
        assert "uciok" in client.hello[-1]
        if words:
            assert any(words in line for line in said), said
        client.send("isready")
        client.read_until("readyok")


@pytest.mark.skipif(not has_proc(), reason="needs /proc")
@pytest.mark.slow
def test_no_process_is_left_behind(tmp_path: Path) -> None:
    for name in ("endless loop at import", "threads left running", "signals are spoiled"):
        with run_file(tmp_path, HOSTILE[name][0], "hostile.py") as client:
            children = client.children()
            assert children
        wait_until_gone(children)


def test_a_file_deleted_or_broken_during_the_game_costs_nothing(tmp_path: Path) -> None:
    source = "def choose(board, clock):\n    return list(board.legal_moves)[-1]\n"
    with run_file(tmp_path, source) as client:
        assert _play_moves(client, 2) == []
        write_engine(tmp_path, "def choose(")
        assert _play_moves(client, 2) == []
        (tmp_path / "mine.py").unlink()
        client.send("ucinewgame")
        client.synchronise()
        assert _play_moves(client, 2) == []
        write_engine(tmp_path, "def choose(")
        client.send("ucinewgame")
        client.synchronise()
        assert any("mine.py, line 1: SyntaxError" in line for line in _play_moves(client, 1))


def test_one_mistake_is_reported_and_logged_and_does_not_spoil_the_next_move(
    tmp_path: Path,
) -> None:
    source = """
    def choose(board, clock):
        if board.turn:
            raise ValueError("White is hard")
        return list(board.legal_moves)[-1]
    """
    with run_file(tmp_path, source) as client:
        client.send("setoption name Debug Log File value log.txt")
        assert any("White is hard" in line for line in client.go("go movetime 9000").strings)
        client.send("position startpos moves e2e4")
        answer = client.go("go movetime 9000")
        assert answer.strings == []
        board = chess.Board()
        board.push_uci("e2e4")
        assert answer.move == list(board.legal_moves)[-1].uci()
    assert "ValueError: White is hard" in (tmp_path / "log.txt").read_text(encoding="utf-8")


def test_a_corrupted_board_does_not_affect_the_search(tmp_path: Path) -> None:
    value = (
        "value = 10 * len(board.pieces(1, board.turn)) - 9 * len(board.pieces(1, not board.turn))"
    )
    spoil = """
    import random
    import chess
    generator = random.Random(1)
    def spoil(board):
        kind = generator.randrange(6)
        if kind == 0:
            board.push(generator.choice(list(board.pseudo_legal_moves) or [chess.Move.null()]))
        elif kind == 1:
            board.clear()
        elif kind == 2:
            board.turn = not board.turn
            board.castling_rights = board.occupied = generator.getrandbits(64)
        elif kind == 3:
            board.move_stack = [chess.Move.null()] * 3
        elif kind == 4:
            board.set_fen("8/8/8/8/8/8/8/8 w - - 0 1")
            board.chess960 = True
        else:
            board.ep_square, board.halfmove_clock, board.fullmove_number = 20, 99, -3
    """
    results = []
    for extra in ("", "spoil(board)"):
        lines = ["def evaluate(board):", f"    {value}", f"    {extra}", "    return value"]
        source = textwrap.dedent(spoil) + "\n".join(lines)
        with run_file(tmp_path, source) as client:
            client.send(f"position fen {MIDDLEGAME}")
            answer = client.go("go depth 5")
            results.append([(i.depth, i.cp, i.pv, i.numbers["nodes"]) for i in answer.infos])
    assert results[0] == results[1]

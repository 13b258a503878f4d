"""The benchmark: its positions, and that it counts the same nodes every time."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import chess
import pytest

from halbzug.board.movegen import BUILD
from halbzug.search import bench as benchmark
from halbzug.tuning import scaling
from halbzug.workers import shared_memory


def public_boards() -> list[chess.Board]:
    return [chess.Board(fen) for fen in benchmark.POSITIONS] + [
        chess.Board(fen, chess960=True) for fen in benchmark.CHESS960_POSITIONS
    ]


def test_there_are_at_least_fifty_different_legal_positions() -> None:
    boards = public_boards()
    assert len({board.fen() for board in boards}) == len(boards) >= 50
    assert [board.fen() for board in boards if not board.is_valid() or board.is_game_over()] == []


def test_the_positions_contain_every_kind_of_move() -> None:
    boards = public_boards()
    moves = [(board, move) for board in boards for move in board.legal_moves]
    assert any(board.is_check() for board in boards)
    assert any(board.is_castling(move) for board, move in moves)
    assert any(board.is_en_passant(move) for board, move in moves)
    assert {move.promotion for _, move in moves} > {chess.KNIGHT, chess.QUEEN}
    assert {board.turn for board in boards} == {True, False}


@pytest.mark.any_build
def test_the_signature_is_the_same_twice() -> None:
    first, second = benchmark.run(depth=1), benchmark.run(depth=1, hash_mb=1)
    assert first.nodes == second.nodes > first.positions
    assert first.build == BUILD
    assert first.nodes_per_second > 0


@pytest.mark.any_build
def test_progress_is_reported_after_each_position() -> None:
    heard: list[tuple[int, int]] = []
    result = benchmark.run(depth=1, on_position=lambda number, nodes: heard.append((number, nodes)))
    assert [number for number, _ in heard] == list(range(1, result.positions + 1))
    assert [nodes for _, nodes in heard] == sorted(nodes for _, nodes in heard)
    assert heard[-1][1] == result.nodes


def test_perft_is_repeated_until_it_can_be_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(benchmark, "PERFT_POSITIONS", ((chess.STARTING_FEN, 2),))
    result = benchmark.run_perft(least_seconds=0.05)
    assert result.nodes % 400 == 0
    assert result.seconds >= 0.05


@pytest.mark.slow
def test_as_a_module_it_prints_both_measurements_as_json() -> None:
    process = subprocess.run(
        [sys.executable, "-m", "halbzug.search.bench", "--depth", "1"],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    report = json.loads(process.stdout)
    assert report["search"]["nodes"] == benchmark.run(depth=1).nodes
    assert report["perft"]["seconds"] >= benchmark.MIN_PERFT_SECONDS
    assert report["build"] == BUILD


@pytest.mark.slow
@pytest.mark.any_build
def test_threads_are_compared_with_one() -> None:
    command = [sys.executable, "-m", "halbzug", "bench", "--threads", "2", "--depth", "2"]
    result = subprocess.run(
        [*command, "--json"], capture_output=True, text=True, timeout=120, check=True
    )
    report = json.loads(result.stdout)
    assert report["positions"] == len(report["time_ratios"]) == 30
    assert report["time_ratios"] == sorted(report["time_ratios"])
    assert report["nps_ratio"] > 0
    result = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    assert "2 threads" in result.stdout
    assert "30 middlegames, to depth 2" in result.stdout
    assert result.stderr == ""


def test_an_unavailable_number_of_threads_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "memfd_create", raising=False)
    monkeypatch.setattr(shared_memory, "FOLDERS", ())
    if os.name == "posix":
        with pytest.raises(RuntimeError, match="cannot be started"):
            next(scaling.measure(2, depth=1))

"""The distance to a real Stockfish, divided into its causes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import chess
import pytest
from second_engine import STOCKFISH

from halbzug.board.movegen import BUILD
from halbzug.tuning.decompose import report
from halbzug.tuning.teacher import Teacher

pytestmark = pytest.mark.any_build


def test_the_distance_is_divided_according_to_the_matches() -> None:
    lines = list(report([[60, 20, 15, 5, 0], [20, 30, 40, 8, 2], [0, 5, 15, 20, 60]], 8000))
    assert lines[0] == "8,000 nodes a move, Elo with 95 % intervals"
    assert lines[1].startswith(
        " H - SF    200 games, pairs [60, 20, 15, 5, 0], 16.2 %, -284.9 +/- "
    )
    assert lines[3].startswith(
        "HS - H     200 games, pairs [0, 5, 15, 20, 60], 83.8 %, +284.9 +/- "
    )
    assert lines[4].startswith("Of 285 Elo the evaluation makes 181 +/- ")
    assert "(64 %), the search 104 +/- " in lines[4] and lines[4].endswith("(36 %)")


def test_without_a_distance_nothing_is_divided() -> None:
    assert len(list(report([[0, 0, 4, 0, 0], [0] * 5, [0] * 5], 10))) == 4


@pytest.mark.skipif(not STOCKFISH, reason="Stockfish is not installed")
def test_the_search_plays_by_the_network_of_stockfish(tmp_path: Path) -> None:
    path = tmp_path / "network"
    with Teacher(str(STOCKFISH), 1) as teacher:
        path.write_bytes(teacher.network())
    board = chess.Board()
    board.remove_piece_at(chess.D8)
    result = subprocess.run(
        [sys.executable, "-m", "halbzug.tuning.grafted_player", str(path), "", "1"],
        input=f"new\ngo 60 {board.fen()};\n",
        capture_output=True, text=True, check=True, timeout=100,
    )  # fmt: skip
    move, score, nodes = result.stdout.splitlines()[-1].split()
    assert chess.Move.from_uci(move) in board.legal_moves
    assert 500 < int(score) < 2000 and int(nodes) <= 60


@pytest.mark.slow
@pytest.mark.skipif(not STOCKFISH or BUILD == "pure", reason="needs Stockfish and a compiler")
def test_a_run_continues_where_the_last_one_ended(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"

    def run(games: int) -> str:
        words = ("--nodes", "5", "--games", str(games), "--cores", "1", "--engine", str(STOCKFISH))
        result = subprocess.run(
            [sys.executable, "-m", "halbzug.tuning.decompose", str(path), *words],
            capture_output=True, text=True, check=False, timeout=250,
        )  # fmt: skip
        assert result.returncode == 0, result.stderr
        return result.stdout

    said = run(2)
    records = [json.loads(line) for line in path.read_text().splitlines()[1:]]
    assert [record["match"] for record in records] == [0, 1, 2]
    assert len({record["opening"] for record in records}) == 1
    assert said.count("2 games") == 3
    before = path.read_text()
    assert run(2) == said
    assert path.read_text() == before

"""What makes a move no exercise, below the door."""

from __future__ import annotations

import chess
import pytest

from halbzug.reasons.merits import retakes


@pytest.mark.parametrize(
    ("moves", "answer", "expected"),
    [
        pytest.param("e2e4 d7d5 e4d5", "d8d5", True, id="takes back"),
        pytest.param("e2e4 d7d5 e4d5", "c7c6", False, id="another square"),
        pytest.param("e2e4 d7d5 d2d3", "d5e4", False, id="nothing was taken"),
        pytest.param("e2e4 a7a6 e4e5 d7d5 e5d6", "c7d6", True, id="en passant"),
        pytest.param("", "e2e4", False, id="no move before"),
    ],
)
def test_a_recapture_takes_what_has_just_taken(moves: str, answer: str, expected: bool) -> None:
    board = chess.Board()
    for move in moves.split():
        board.push_uci(move)
    fen = board.fen()
    assert retakes(board, board.parse_uci(answer)) is expected
    assert board.fen() == fen and len(board.move_stack) == len(moves.split())

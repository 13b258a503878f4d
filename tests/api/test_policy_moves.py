"""`halbzug.moves_array` and its inverses."""

from __future__ import annotations

import subprocess
import sys

import chess
import chess.variant
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from positions import Game, endgames, games

import halbzug


@given(st.one_of(games(), endgames()))
def test_moves_become_numbers_and_moves_again(game: Game) -> None:
    plain = game.reference()
    for board in (plain, halbzug.Board.from_board(plain)):
        moves = list(board.legal_moves)
        codes = halbzug.moves_array(board)
        assert codes.dtype == np.uint16 and codes.flags.writeable
        found = [(int(c) & 63, int(c) >> 6 & 63, int(c) >> 12 or None) for c in codes]
        assert found == [(move.from_square, move.to_square, move.promotion) for move in moves]
        for policy in (1858, 4672):
            numbers = halbzug.moves_array(board, policy=policy)
            assert [
                halbzug.policy_move(board, number, policy=policy) for number in numbers
            ] == moves


def test_boards_that_no_game_can_reach() -> None:
    board = chess.Board(None)
    board.set_piece_map({square: chess.Piece(chess.QUEEN, square % 2 == 0) for square in range(64)})
    assert len(halbzug.moves_array(board)) == board.legal_moves.count() > 150
    assert halbzug.moves_array(chess.Board(None)).tolist() == []


def test_invalid_arguments_are_reported() -> None:
    board = chess.Board()
    with pytest.raises(ValueError, match="1858 or 4672"):
        halbzug.moves_array(board, policy=1968)
    with pytest.raises(TypeError, match=r"chess\.Board, not str"):
        halbzug.moves_array(chess.STARTING_FEN)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="atomic"):
        halbzug.moves_array(chess.variant.AtomicBoard())
    for number in (-1, 0, 4672, 10**6):
        with pytest.raises(
            chess.IllegalMoveError, match=f"number {number} of the policy with 4672"
        ):
            halbzug.policy_move(board, number, policy=4672)


def test_without_numpy_the_array_is_from_the_standard_library() -> None:
    program = (
        "import sys; sys.modules['numpy'] = None\nimport array, chess, halbzug\n"
        "found = halbzug.moves_array(chess.Board())\n"
        "assert isinstance(found, array.array) and len(found) == 20\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)

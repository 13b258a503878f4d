"""The fast reader of moves finds the same moves as python-chess."""

from __future__ import annotations

import random

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from halbzug.board.san import quick_move

pytestmark = pytest.mark.any_build


def theirs(board: chess.Board, san: str) -> chess.Move | None:
    try:
        return board.parse_san(san)
    except ValueError:
        return None


@given(st.integers(0, 1 << 32))
def test_a_quickly_read_move_is_the_one_that_python_chess_finds(seed: int) -> None:
    source = random.Random(seed)
    board = chess.Board()
    for _ in range(source.randrange(40)):
        board.push(source.choice(list(board.legal_moves)))
        if board.is_game_over():
            return
    for _ in range(8):
        legal = list(board.legal_moves)
        if not legal:
            break
        texts = [board.san(move) for move in legal]
        for text in texts:  # also with parts missing, superfluous or meaningless
            place = source.randrange(len(text) + 1)
            variant = text[:place] + source.choice(["", "x", "a", "5", "N", "+"]) + text[place:]
            place = source.randrange(len(text))
            for each in (
                text,
                variant,
                text[:place] + text[place + 1 :],
                source.choice("PNBRQK") + text,
            ):
                found = quick_move(board, each)
                assert found is None or found == theirs(board, each), (board.fen(), each)
        board.push(source.choice(legal))


def test_the_fast_reader_finds_most_moves() -> None:
    board = chess.Board()
    found = []
    game = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 Kf8 h3 Na5 Bc2 c5 d4"
    for san in game.split():
        found.append(quick_move(board, san) is not None)
        board.push_san(san)
    assert found.count(False) == 1  # castling

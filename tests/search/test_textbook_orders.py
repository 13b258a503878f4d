"""The move orders of textbooks, which `halbzug explain tree` compares with the engine's own."""

from __future__ import annotations

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st
from positions import Game, endgames, games
from uci_client import MIDDLEGAME

from halbzug.board.movegen import uci
from halbzug.search.history import History
from halbzug.search.move_picker import MovePicker
from halbzug.search.settings import KILLER_ORDER, NO_ORDER, TEXTBOOK_ORDER
from halbzug.search.transposition import TranspositionTable


def ordered(fen: str, order: int, tt_move: int = 0, noisy_only: bool = False) -> list[str]:
    picker = MovePicker(Game(fen).position(), History(), TranspositionTable(1), False, order)
    picker.begin(tt_move, 0, noisy_only)
    moves = []
    while move := picker.next():
        moves.append(uci(move))
    return moves


@given(st.one_of(endgames(6), games(80)), st.sampled_from([NO_ORDER, TEXTBOOK_ORDER, KILLER_ORDER]))
def test_every_order_contains_every_legal_move_once(game: Game, order: int) -> None:
    board = game.reference()
    picker = MovePicker(game.position(), History(), TranspositionTable(1), False, order)
    for noisy_only in (False, True):
        picker.begin(0, 0, noisy_only)
        moves = []
        while move := picker.next():
            moves.append(uci(move))
            tactical = board.is_capture(board.parse_uci(moves[-1])) or len(moves[-1]) == 5
            assert picker.is_noisy == tactical
        wanted = {
            board.uci(move)
            for move in board.legal_moves
            if not noisy_only or board.is_check() or board.is_capture(move) or move.promotion
        }
        assert sorted(moves) == sorted(wanted)


def test_no_order_is_that_of_python_chess() -> None:
    for fen in (chess.STARTING_FEN, MIDDLEGAME):
        assert ordered(fen, NO_ORDER) == [move.uci() for move in chess.Board(fen).legal_moves]


def test_the_textbook_order_is_captures_threats_forward_moves_the_rest() -> None:
    # The queen, then the pawn; no threats; three forward moves, then the backward ones.
    moves = ordered("3q3k/6p1/4N3/8/1r6/8/8/K7 w - - 0 1", TEXTBOOK_ORDER)
    assert moves[:2] == ["e6d8", "e6g7"]
    assert set(moves[2:5]) == {"e6c7", "e6f8", "a1a2"}
    assert set(moves[5:]) == {"e6c5", "e6d4", "e6f4", "e6g5"}


@pytest.mark.parametrize(
    ("fen", "threats"),
    [
        pytest.param("6k1/8/8/2r5/8/8/8/K1B5 w - - 0 1", {"c1a3", "c1e3"}, id="rook"),
        pytest.param("7k/8/8/8/8/8/R7/K7 w - - 0 1", {"a2a8", "a2h2"}, id="check"),
        pytest.param("7k/1n3n2/8/8/8/P1P5/8/K7 w - - 0 1", set(), id="too far"),
        pytest.param("7k/1n6/8/P7/8/8/8/K7 w - - 0 1", {"a5a6"}, id="pawn"),
        pytest.param("7k/8/8/8/3b4/5R2/8/7K w - - 0 1", {"f3f8", "f3h3"}, id="worth less"),
    ],
)
def test_a_threat_is_a_check_or_an_attack_on_a_more_valuable_piece(
    fen: str, threats: set[str]
) -> None:
    moves = ordered(fen, TEXTBOOK_ORDER)
    assert set(moves[: len(threats)]) == threats
    ranks = [int(move[3]) > int(move[1]) for move in moves[len(threats) :]]
    assert ranks == sorted(ranks, reverse=True)  # forward, then the rest


def test_the_hash_move_comes_first() -> None:
    board = chess.Board(MIDDLEGAME)
    last = ordered(MIDDLEGAME, KILLER_ORDER)[-1]
    move = board.parse_uci(last)
    code = move.from_square | move.to_square << 6
    assert ordered(MIDDLEGAME, KILLER_ORDER, code)[0] == last
    assert ordered(MIDDLEGAME, TEXTBOOK_ORDER, code)[-1] == last

"""Moves as indexes of a policy, and positions as planes."""

from __future__ import annotations

import random
from array import array

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st
from positions import Game, endgames, games

from halbzug.board import movegen
from halbzug.board.policy import (
    CHECKMATE,
    DRAWN,
    GOES_ON,
    OTHER_PLANES,
    PLANES_OF_POSITION,
    Planes,
    Policy,
    upside_down,
)

LEELA, ALPHA_ZERO = POLICIES = Policy(1858), Policy(4672)

any_game = st.one_of(games(), endgames())


@pytest.mark.parametrize("policy", POLICIES, ids=["1858", "4672"])
@given(any_game)
def test_each_legal_move_has_its_own_index(policy: Policy, game: Game) -> None:
    board = game.board()
    codes = movegen.generate_all(board)
    numbers = [policy.number_of(board, code) for code in codes]
    assert len(set(numbers)) == len(codes)
    assert [policy.code_of(board, number) for number in numbers] == codes
    legal = [number for number in range(-1, policy.size + 1) if policy.code_of(board, number)]
    assert sorted(numbers) == legal


@given(any_game)
def test_a_mirrored_position_has_the_same_indexes(game: Game) -> None:
    board = game.reference()
    mirrored = movegen.new_board(board.mirror().fen(shredder=board.chess960), (), board.chess960)
    for policy in POLICIES:
        assert {
            policy.number_of(game.board(), code) for code in movegen.generate_all(game.board())
        } == {policy.number_of(mirrored, code) for code in movegen.generate_all(mirrored)}


@pytest.mark.parametrize(
    ("fen", "move", "leela", "alpha_zero"),
    [
        # As in lc0 and pettingzoo.classic.chess.
        (chess.STARTING_FEN, "e2e4", 322, 2421),
        (chess.STARTING_FEN, "d2d4", 293, 1837),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", 103, 2350),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1", 97, 2345),
        ("r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1", "e8g8", 103, 2350),
        ("7k/P7/8/8/8/8/8/7K w - - 0 1", "a7a8n", 1401, 505),
        ("7k/P7/8/8/8/8/8/7K w - - 0 1", "a7a8q", 1792, 442),
        ("7k/P7/8/8/8/8/8/7K w - - 0 1", "a7a8b", 1794, 506),
        ("7k/8/8/8/8/8/p7/7K b - - 0 1", "a2a1r", 1793, 507),
    ],
)
def test_known_move_indexes(fen: str, move: str, leela: int, alpha_zero: int) -> None:
    board = movegen.new_board(fen)
    code = movegen.code_from_uci(board, move)
    assert LEELA.number_of(board, code) == leela
    assert ALPHA_ZERO.number_of(board, code) == alpha_zero


def test_castling_has_one_index() -> None:
    """In the other notation it is a rook move from the square of the king, and illegal."""
    board = movegen.new_board("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")
    rook = movegen.new_board("4k3/8/8/8/8/8/K7/4R3 w - - 0 1")
    for policy, text in ((LEELA, "e1g1"), (ALPHA_ZERO, "e1h1")):
        assert policy.code_of(board, policy.number_of(rook, movegen.code_from_uci(rook, text))) == 0


def test_there_are_two_policies() -> None:
    with pytest.raises(ValueError, match="1858 or 4672"):
        Policy(1968)


@given(st.integers(0, 2**64 - 1))
def test_upside_down(squares: int) -> None:
    assert upside_down(squares) == chess.flip_vertical(squares)


class Rows:
    """The planes of one game, with the arrays they are written to."""

    def __init__(self, policy: Policy = ALPHA_ZERO, history: int = 1) -> None:
        self.bitboards = array("Q", bytes(8 * (PLANES_OF_POSITION * history + OTHER_PLANES)))
        self.mask = array("B", bytes(policy.size))
        self.planes = Planes(policy, self.bitboards, self.mask, 1, history)


def expected_position(board: chess.Board, view: chess.Color) -> list[int]:
    """The planes of a position from one side's view."""
    turn = (lambda squares: squares) if view else chess.flip_vertical
    pieces = [
        turn(board.pieces_mask(piece, color))
        for color in (view, not view)
        for piece in chess.PIECE_TYPES
    ]
    return [*pieces, chess.BB_ALL if board.is_repetition(2) else 0]


@given(any_game)
def test_the_planes_show_the_position(game: Game) -> None:
    board, rows = game.board(), Rows(history=2)
    status = rows.planes.write(0, board)
    reference = game.reference().copy(stack=False)  # what was not written cannot be repeated
    planes = list(rows.bitboards)
    assert planes[:13] == expected_position(reference, reference.turn)
    assert planes[13:26] == [0] * 13  # it is written first
    own, other = reference.turn, not reference.turn
    rights = [
        reference.has_kingside_castling_rights(own),
        reference.has_queenside_castling_rights(own),
        reference.has_kingside_castling_rights(other),
        reference.has_queenside_castling_rights(other),
    ]
    assert planes[26:30] == [chess.BB_ALL if right else 0 for right in rights]
    square = reference.ep_square if reference.has_legal_en_passant() else None
    if square is not None and own == chess.BLACK:
        square ^= 56
    assert planes[30] == (0 if square is None else 1 << square)
    assert planes[31].bit_count() == min(reference.halfmove_clock, 100) * 64 // 100
    marked = {number for number in range(4672) if rows.mask[number]}
    codes = map(movegen.encode, reference.legal_moves)
    assert marked == {ALPHA_ZERO.number_of(board, code) for code in codes}
    if reference.is_checkmate():
        assert status == CHECKMATE
    else:
        is_drawn = not any(reference.legal_moves) or reference.is_insufficient_material()
        is_drawn |= reference.halfmove_clock >= 100
        assert status == (DRAWN if is_drawn else GOES_ON)


def test_a_game_is_written_move_by_move() -> None:
    rng, rows = random.Random(1), Rows(LEELA, history=8)
    board, reference = movegen.new_board(), chess.Board()
    rows.planes.write(0, board)
    seen = [reference.copy()]
    for _ in range(60):
        legal = [number for number in range(1858) if rows.mask[number]]
        number = rng.choice(legal)
        move = movegen.decode(LEELA.code_of(board, number))
        illegal = rng.choice([other for other in range(1858) if not rows.mask[other]])
        assert rows.planes.step(0, board, illegal) == -1
        if rows.planes.step(0, board, number) != GOES_ON:
            break
        reference.push(move)
        assert board.fen() == reference.fen()
        seen.insert(0, reference.copy())
        for place, past in enumerate(seen[:8]):
            found = list(rows.bitboards[13 * place : 13 * place + 13])
            assert found == expected_position(past, reference.turn)
    rows.planes.forget(0)
    rows.planes.write(0, movegen.new_board())
    assert not any(rows.bitboards[13 : 13 * 8])


def test_a_threefold_repetition_is_a_draw() -> None:
    board, rows = movegen.new_board(), Rows()
    found = [rows.planes.write(0, board)]
    for text in ("g1f3", "g8f6", "f3g1", "f6g8") * 2:
        number = ALPHA_ZERO.number_of(board, movegen.code_from_uci(board, text))
        found.append(rows.planes.step(0, board, number))
        assert (rows.bitboards[12] != 0) == (len(found) > 4)
    assert found == [GOES_ON] * 8 + [DRAWN]

"""The functions that the search uses, compared with python-chess's public board.

A compiled build replaces the module under test, so these tests cover both builds.
"""

from __future__ import annotations

import random
from array import array

import chess
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from positions import STARTS, Game, endgames, games

from halbzug.board import movegen

any_game = st.one_of(games(), endgames())
bitboards = st.integers(1, 2**64 - 1)
squares = st.integers(0, 63)


def room() -> array:
    return array("q", bytes(8 * movegen.MAX_MOVES))


def generated(game: Game) -> tuple[list[int], list[int]]:
    """The legal noisy and quiet moves as the search gets them; in check, evasions and nothing."""
    board = game.board()
    king = movegen.king_square(board, board.turn)
    blockers = movegen.slider_blockers(board, king)
    moves = room()
    checkers = movegen.checkers_of(board)
    if checkers:
        middle = end = movegen.generate_evasions(board, king, checkers, moves)
    else:
        middle = movegen.generate_noisy(board, moves, 0)
        end = movegen.generate_quiets(board, moves, middle)

    def legal(codes: array) -> list[int]:
        return [code for code in codes if movegen.is_safe(board, king, blockers, code)]

    return legal(moves[:middle]), legal(moves[middle:end])


@given(any_game)
def test_the_generators_give_each_legal_move_once(game: Game):
    noisy, quiet = generated(game)
    assert sorted(noisy + quiet) == sorted(map(movegen.encode, game.reference().legal_moves))


@given(any_game)
def test_noisy_moves_are_the_captures_and_promotions(game: Game):
    board = game.reference()
    if board.is_check():
        return
    expected = [move for move in board.legal_moves if board.is_capture(move) or move.promotion]
    assert sorted(generated(game)[0]) == sorted(map(movegen.encode, expected))


@given(games(20), st.integers(1, 40))
def test_generators_write_from_the_given_index(game: Game, first: int):
    board = game.board()
    for generate in (movegen.generate_noisy, movegen.generate_quiets):
        plain, shifted = room(), room()
        end = generate(board, plain, 0)
        assert generate(board, shifted, first) == first + end
        assert shifted[:first] == array("q", bytes(8 * first))
        assert shifted[first : first + end] == plain[:end]


@given(any_game, bitboards, bitboards)
def test_quiet_moves_can_be_limited_to_some_squares(game: Game, origins: int, targets: int):
    board = game.board()
    everything, some = room(), room()
    end = movegen.generate_quiets(board, everything, 0)
    castling = {movegen.encode(move) for move in game.reference().generate_castling_moves()}
    count = movegen.generate_quiets(board, some, 0, origins, targets)
    expected = [
        code for code in everything[:end] if origins >> (code & 63) & targets >> (code >> 6) & 1
    ]
    assert set(some[:count]) - castling == set(expected) - castling


@given(any_game)
def test_generate_all_gives_exactly_the_legal_moves(game: Game):
    codes = list(movegen.generate_all(game.board()))
    assert codes == [movegen.encode(move) for move in game.reference().legal_moves]


@given(any_game)
def test_codes_round_trip(game: Game):
    board = game.board()
    for move in game.reference().legal_moves:
        code = movegen.encode(move)
        assert 0 < code < 2**15
        assert movegen.decode(code) == move
        assert movegen.uci(code) == move.uci()
        assert movegen.from_square(code) == move.from_square
        assert movegen.to_square(code) == move.to_square
        assert movegen.promotion(code) == (move.promotion or 0)
        assert movegen.code_from_uci(board, move.uci()) == code


def test_the_null_move_has_code_0():
    assert movegen.encode(chess.Move.null()) == movegen.NULL_MOVE == 0
    assert movegen.decode(0) == chess.Move.null()
    assert movegen.uci(0) == "0000"


@pytest.mark.parametrize("text", ["e2e5", "e7e5", "e2", "", "xyzzy", "e2e4q", "0000"])
def test_code_from_uci_refuses_illegal_moves(text: str):
    with pytest.raises(ValueError):
        movegen.code_from_uci(movegen.new_board(), text)


@pytest.mark.parametrize(
    ("chess960", "code"),
    [(False, chess.E1 | chess.G1 << 6), (True, chess.E1 | chess.H1 << 6)],
)
def test_castling_is_encoded_as_the_board_does_it(chess960: bool, code: int):
    board = movegen.new_board("4k3/8/8/8/8/8/8/4K2R w K - 0 1", (), chess960)
    assert code in movegen.generate_all(board)
    for text in ("e1g1", "e1h1"):
        assert movegen.code_from_uci(board, text) == code


@pytest.mark.parametrize(
    "fen", ["", "8/8 w - - 0 1", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x"]
)
def test_new_board_refuses_an_invalid_fen(fen: str):
    with pytest.raises(ValueError):
        movegen.new_board(fen)


@pytest.mark.parametrize("move", ["e2e5", "d2d4", "e9e4", "hello", "0000"])
def test_new_board_refuses_an_illegal_move(move: str):
    with pytest.raises(ValueError):
        movegen.new_board(chess.STARTING_FEN, ["e2e4", move])


@given(any_game)
def test_a_board_is_read_as_by_python_chess(game: Game):
    board, reference = game.board(), game.reference()
    assert board.fen() == reference.fen()
    for square in chess.SQUARES:
        assert movegen.piece_on(board, square) == (reference.piece_type_at(square) or 0)
    for color in chess.COLORS:
        assert movegen.pieces_of(board, color) == reference.occupied_co[color]
        assert movegen.king_square(board, color) == reference.king(color)
    assert movegen.checkers_of(board) == reference.checkers_mask()
    expected = -1 if reference.ep_square is None else reference.ep_square
    assert movegen.en_passant_square(board) == expected
    assert bool(movegen.has_legal_en_passant(board)) == reference.has_legal_en_passant()
    assert bool(movegen.is_insufficient_material(board)) == reference.is_insufficient_material()


@given(any_game)
def test_push_and_pop(game: Game):
    board, reference = game.board(), game.reference()
    before = board.fen()
    for move in reference.legal_moves:
        movegen.push(board, movegen.encode(move))
        reference.push(move)
        assert board.fen() == reference.fen()
        movegen.pop(board)
        reference.pop()
        assert board.fen() == before


@given(any_game, st.integers(0, 2**32))
def test_a_foreign_code_is_pseudo_legal_only_if_it_could_be_generated(game: Game, seed: int):
    """Its form counts: castling is "king takes rook" in Chess960 mode only."""
    board = game.board()
    expected = set(map(movegen.encode, game.reference().pseudo_legal_moves))
    for code in expected.union(random.Random(seed).sample(range(2**15), 300)):
        assert bool(movegen.is_pseudo_legal(board, code)) == (code in expected), movegen.uci(code)


def rays(square: int, directions: tuple[tuple[int, int], ...], occupied: int) -> int:
    """The squares seen along straight lines, found step by step."""
    seen = 0
    for right, up in directions:
        file, rank = square % 8 + right, square // 8 + up
        while 0 <= file < 8 and 0 <= rank < 8:
            seen |= 1 << (8 * rank + file)
            if occupied >> (8 * rank + file) & 1:
                break
            file, rank = file + right, rank + up
    return seen


STRAIGHT = ((1, 0), (-1, 0), (0, 1), (0, -1))
DIAGONAL = ((1, 1), (1, -1), (-1, 1), (-1, -1))


@given(squares, st.integers(0, 2**64 - 1))
@example(0, 0)
@example(63, 2**64 - 1)
def test_sliders_see_up_to_the_first_piece(square: int, occupied: int):
    straight, diagonal = rays(square, STRAIGHT, occupied), rays(square, DIAGONAL, occupied)
    assert movegen.rook_attacks(square, occupied) == straight
    assert movegen.bishop_attacks(square, occupied) == diagonal


@pytest.mark.parametrize("square", chess.SQUARES)
def test_leapers(square: int):
    def leaps(*steps: tuple[int, int]) -> int:
        aims = [(square % 8 + right, square // 8 + up) for right, up in steps]
        return sum(1 << 8 * rank + file for file, rank in aims if 0 <= file < 8 and 0 <= rank < 8)

    knight = [(a, b) for a in (-2, -1, 1, 2) for b in (-2, -1, 1, 2) if abs(a) != abs(b)]
    assert movegen.knight_attacks(square) == leaps(*knight)
    assert movegen.king_attacks(square) == leaps(*STRAIGHT, *DIAGONAL)
    assert movegen.pawn_attacks(True, square) == leaps((-1, 1), (1, 1))
    assert movegen.pawn_attacks(False, square) == leaps((-1, -1), (1, -1))


@given(bitboards)
@example(1)
@example(1 << 63)
@example(2**64 - 1)
def test_bit_scans(bits: int):
    ones = [square for square in range(64) if bits >> square & 1]
    assert movegen.lsb(bits) == ones[0]
    assert movegen.msb(bits) == ones[-1]
    assert movegen.popcount(bits) == len(ones)


@given(st.lists(st.integers(-(2**40), 2**40), min_size=1, max_size=100), st.data())
def test_bring_best_swaps_the_best_move_of_a_slice_to_its_front(
    numbers: list[int], data: st.DataObject
):
    first = data.draw(st.integers(0, len(numbers) - 1))
    end = data.draw(st.integers(first + 1, len(numbers)))
    ratings = array("q", numbers)
    movegen.bring_best(ratings, first, end)
    assert ratings[first] == max(numbers[first:end])
    assert sorted(ratings[first:end]) == sorted(numbers[first:end])
    assert list(ratings[:first]) == numbers[:first]
    assert list(ratings[end:]) == numbers[end:]


@pytest.mark.parametrize("fen", STARTS)
def test_perft_of_depth_0_and_1(fen: str):
    board = movegen.new_board(fen)
    assert movegen.perft(board, 0) == 1
    assert movegen.perft(board, 1) == chess.Board(fen).legal_moves.count()
    assert board.fen() == chess.Board(fen).fen()

"""What `Position` updates with each move equals a fresh calculation."""

from __future__ import annotations

import random

import chess
import chess.polyglot
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle import identity
from positions import Game, endgames, games, shuffled

from halbzug.board import movegen
from halbzug.search.position import Position


def state(position: Position) -> tuple[object, ...]:
    """Everything that the search reads from a position."""
    accumulator = position.accumulator
    return (
        position.board.fen(),
        position.key,
        position.checkers,
        position.height,
        accumulator.score,
        accumulator.phase,
    )


def recomputed(position: Position, chess960: bool) -> tuple[object, ...]:
    """The same for the board set up from scratch, except for the height."""
    fen = position.board.fen()
    fresh = Position(movegen.new_board(fen, (), chess960))
    accumulator = fresh.accumulator
    return fen, fresh.key, fresh.checkers, accumulator.score, accumulator.phase


def without_height(values: tuple[object, ...]) -> tuple[object, ...]:
    return values[:3] + values[4:]


@given(games())
def test_making_a_move_agrees_with_setting_up_and_unmaking_it_restores_the_position(game: Game):
    position = Position(movegen.new_board(game.fen, (), game.chess960))
    trail = [state(position)]
    for move in game.moves:
        position.make(movegen.code_from_uci(position.board, move))
        trail.append(state(position))
        assert without_height(trail[-1]) == recomputed(position, game.chess960)
    assert position.height == len(game.moves)
    for before in reversed(trail[:-1]):
        position.unmake()
        assert state(position) == before


@pytest.mark.slow
@given(games(40))
def test_all_moves_of_a_position_can_be_taken_back(game: Game):
    position = game.position()
    before = state(position)
    for move in game.reference().legal_moves:
        position.make(movegen.encode(move))
        assert without_height(state(position)) == recomputed(position, game.chess960)
        position.unmake()
        assert state(position) == before


@given(games())
def test_the_moves_before_do_not_change_what_is_on_the_board(game: Game):
    position = game.position()
    assert without_height(state(position)) == recomputed(position, game.chess960)


@given(games())
def test_the_key_is_polyglots_with_en_passant_only_where_it_is_legal(game: Game):
    board = game.reference()
    if not board.has_legal_en_passant():
        board.ep_square = None
    assert game.position().key == chess.polyglot.zobrist_hash(board)


@given(games())
def test_the_key_is_known_before_an_ordinary_move(game: Game):
    position = game.position()
    board = game.reference()
    for move in board.legal_moves:
        is_ordinary = not (board.is_castling(move) or board.is_en_passant(move))
        rights = board.clean_castling_rights()
        expected = position.key_after(movegen.encode(move))
        board.push(move)
        position.make(movegen.encode(move))
        if is_ordinary and rights == board.clean_castling_rights() and board.ep_square is None:
            assert expected == position.key
        position.unmake()
        board.pop()


@given(games())
def test_checkers_are_those_of_python_chess(game: Game):
    assert game.position().checkers == game.reference().checkers_mask()


@given(games())
def test_a_null_move_can_be_taken_back(game: Game):
    position = game.position()
    if position.checkers:
        return
    before = state(position)
    position.make_null()
    assert without_height(state(position)) == recomputed(position, game.chess960)
    board = game.reference()
    board.push(chess.Move.null())
    assert position.board.fen() == board.fen()
    position.unmake()
    assert state(position) == before


@given(games(30), st.integers(0, 2**32))
def test_null_moves_between_moves(game: Game, seed: int):
    position = game.position()
    chooser = random.Random(seed)
    trail = []
    for _ in range(8):
        legal = movegen.generate_all(position.board)
        if not legal:
            break
        trail.append(state(position))
        if not position.checkers and chooser.random() < 0.4:
            position.make_null()
        else:
            position.make(chooser.choice(legal))
        assert without_height(state(position)) == recomputed(position, game.chess960)
    for before in reversed(trail):
        position.unmake()
        assert state(position) == before


@pytest.mark.parametrize(
    ("fen", "move", "after", "chess960"),
    [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "r3k2r/8/8/8/8/8/8/R4RK1", False),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8c8", "2kr3r/8/8/8/8/8/8/R3K2R", False),
        ("1r2k3/8/8/8/8/8/8/1R2K3 w Qq - 0 1", "e1b1", "1r2k3/8/8/8/8/8/8/2KR4", True),
        # The king stays, or swaps places with the rook.
        ("4k3/8/8/8/8/8/8/6KR w H - 0 1", "g1h1", "4k3/8/8/8/8/8/8/5RK1", True),
        ("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "f1g1", "4k3/8/8/8/8/8/8/5RK1", True),
        ("4k3/8/8/8/8/8/8/1R1K4 w B - 0 1", "d1b1", "4k3/8/8/8/8/8/8/2KR4", True),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "4k3/8/3P4/8/8/8/8/4K3", False),
        ("3rk3/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7d8n", "3Nk3/8/8/8/8/8/8/4K3", False),
    ],
)
def test_special_moves(fen: str, move: str, after: str, chess960: bool):
    position = Position(movegen.new_board(fen, (), chess960))
    before = state(position)
    position.make(movegen.code_from_uci(position.board, move))
    assert position.board.fen().split()[0] == after
    assert without_height(state(position)) == recomputed(position, chess960)
    position.unmake()
    assert state(position) == before


def test_a_pinned_pawn_cannot_capture_en_passant_so_the_file_does_not_count():
    pinned = "4k3/8/8/K2pP2r/8/8/8/8 w - {} 0 1"  # the capture clears the fifth rank
    free = "4k3/8/8/3pP2r/8/8/8/4K3 w - {} 0 1"
    assert Game(pinned.format("d6")).position().key == Game(pinned.format("-")).position().key
    assert Game(free.format("d6")).position().key != Game(free.format("-")).position().key


def test_different_rights_and_sides_have_different_keys():
    fens = [
        f"r3k2r/8/8/8/8/8/8/R3K2R {turn} {rights} - 0 1"
        for turn in "wb"
        for rights in ("-", "K", "Q", "k", "q", "KQ", "kq", "KQkq")
    ]
    assert len({Game(fen).position().key for fen in fens}) == len(fens)


@given(
    st.one_of(games(40), endgames(3, clocks=st.integers(0, 90))),
    st.integers(0, 4),
    st.integers(0, 12),
    st.integers(0, 2**32),
)
def test_repetition_equals_a_plain_count(game: Game, rounds: int, plies: int, seed: int):
    """One earlier occurrence is enough at or below the root; before it two are needed."""
    game = shuffled(game, rounds, seed)
    position = game.position()
    board = chess.Board(game.fen, chess960=game.chess960)
    line = [identity(board)]
    for move in game.moves:
        board.push_uci(move)
        line.append(identity(board))
    root = len(line) - 1
    chooser = random.Random(seed)
    for ply in range(plies + 1):
        *earlier, here = line
        expected = here in earlier[root:] or earlier.count(here) >= 2
        assert position.is_repetition(ply) == expected
        quiet = [move for move in board.legal_moves if not board.is_zeroing(move)]
        if not quiet:
            break
        stack = board.move_stack
        move = chooser.choice(quiet)
        if len(stack) >= 2 and chooser.random() < 0.8:
            back = chess.Move(stack[-2].to_square, stack[-2].from_square)
            if back in quiet:
                move = back
        position.make(movegen.encode(move))
        board.push(move)
        line.append(identity(board))


def test_lost_castling_rights_make_a_different_position():
    king_walks = ("e1e2", "e8e7", "e2e1", "e7e8")
    position = Game("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", king_walks).position()
    assert not position.is_repetition(4)
    position = Game("r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1", king_walks).position()
    assert position.is_repetition(4)


def test_a_long_game_fits():
    there_and_back = ("g1f3", "g8f6", "f3g1", "f6g8")
    position = Game(chess.STARTING_FEN, there_and_back * 100).position()
    assert position.is_repetition(0)
    assert position.key == Game(chess.STARTING_FEN).position().key


@pytest.mark.parametrize(
    ("fen", "is_drawn"),
    [
        ("8/8/4k3/8/8/4K3/8/8 w - - 0 1", True),
        ("8/8/4k3/8/8/4K3/8/6N1 w - - 0 1", True),
        ("8/8/4k3/8/8/4K3/8/6b1 w - - 0 1", True),
        ("8/8/4k3/8/3b4/4K3/8/6B1 w - - 0 1", True),  # bishops on squares of one colour
        ("8/8/4k3/8/4b3/4K3/8/6B1 w - - 0 1", False),
        ("8/8/4k3/8/8/4K3/8/5NN1 w - - 0 1", False),
        ("8/8/4k3/8/8/4K3/7P/8 w - - 0 1", False),
        ("8/8/4k3/8/8/4K3/8/7R w - - 0 1", False),
    ],
)
def test_insufficient_material(fen: str, is_drawn: bool):
    assert bool(Game(fen).position().has_insufficient_material()) == is_drawn

"""Garbage from Python callers raises exceptions in the compiled build, and never crashes it."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import chess
import pytest

from .positions import any_move
from .test_faithfulness import (
    GENERATORS,
    MOVE_QUERIES,
    POSITION_QUERIES,
    compiled,
    outcome,
    pychess,
    state,
)

GAMES = 500


class Anything:
    """Neither a square nor a move; its name is the same in every process."""

    def __repr__(self) -> str:
        return "anything"


ODD_SQUARES = (-1, -64, -65, 64, 99, 2**31, 2**70, -(2**70), None, "e2", 1.5, True, Anything())
ODD_PIECES = (0, 7, -1, 2**70, "q", None, 2.0)


def kind(function: Callable[..., Any], *arguments: Any) -> Any:
    """The result of a call, or the fact that it raised; the type is not promised for garbage."""
    result = outcome(function, *arguments)
    return Exception if isinstance(result, type) and issubclass(result, Exception) else result


def odd_moves() -> list[chess.Move]:
    """Move objects that are not valid moves."""
    moves = [chess.Move(square, 20) for square in ODD_SQUARES]  # type: ignore[arg-type]
    moves += [chess.Move(12, square) for square in ODD_SQUARES]  # type: ignore[arg-type]
    moves += [chess.Move(52, 60, piece) for piece in ODD_PIECES]  # type: ignore[arg-type]
    moves += [chess.Move(20, 20, drop=piece) for piece in ODD_PIECES]  # type: ignore[arg-type]
    return moves


@pytest.mark.parametrize("move", odd_moves(), ids=lambda move: repr(vars(move)))
def test_odd_moves(move: chess.Move) -> None:
    for fen in (chess.STARTING_FEN, "4k3/4P3/8/8/8/8/4p3/4K3 w - - 0 1"):
        for name in (*MOVE_QUERIES, "push", "san", "uci"):
            pure = chess.Board(fen)
            fast = compiled(pure)
            assert kind(getattr(fast, name), move) == kind(getattr(pure, name), move), name


@pytest.mark.parametrize("thing", [None, 0, "e2e4", object(), chess.Piece(1, True)])
def test_objects_that_are_not_moves(thing: Any) -> None:
    for name in (*MOVE_QUERIES, "push", "san", "uci"):
        pure, fast = chess.Board(), pychess.Board()
        assert outcome(getattr(fast, name), thing) == outcome(getattr(pure, name), thing), name


@pytest.mark.parametrize("square", ODD_SQUARES, ids=repr)
def test_odd_squares(square: Any) -> None:
    pure, fast = chess.Board(), pychess.Board()
    calls: tuple[Callable[[Any], Any], ...] = (
        lambda board: board.piece_type_at(square),
        lambda board: board.piece_at(square),
        lambda board: board.color_at(square),
        lambda board: board.attacks_mask(square),
        lambda board: board.attackers_mask(True, square),
        lambda board: board.is_attacked_by(False, square),
        lambda board: board.pin_mask(True, square),
        lambda board: board.is_pinned(True, square),
        lambda board: board.remove_piece_at(square),
        lambda board: board.set_piece_at(square, chess.Piece(1, True)),
        lambda board: board.find_move(square, 3),
    )
    for call in calls:
        assert kind(call, fast) == kind(call, pure)


def test_odd_fields() -> None:
    board = pychess.Board()
    for name in ("pawns", "kings", "occupied", "castling_rights"):
        for value in (-1, 2**64):
            with pytest.raises(OverflowError):
                setattr(board, name, value)
        with pytest.raises(TypeError):
            setattr(board, name, None)
    for square in (-1, 64, 2**40):
        with pytest.raises(ValueError):
            board.ep_square = square
    for name in ("move_stack", "_stack"):
        with pytest.raises(TypeError):
            setattr(board, name, None)
    for index in (2, -3, None, "a"):
        with pytest.raises((IndexError, TypeError)):
            board.occupied_co[index]
        with pytest.raises((IndexError, TypeError)):
            board.occupied_co[index] = 1
    view = type(board.occupied_co)
    with pytest.raises(TypeError):
        view(None)
    with pytest.raises((AttributeError, TypeError)):
        view.__new__(view)[0]
    with pytest.raises(TypeError):
        pychess.perft(None, 1)
    assert board == pychess.Board()


def test_uninitialised_boards() -> None:
    board = pychess.Board.__new__(pychess.Board)
    for name in POSITION_QUERIES:
        outcome(getattr(board, name))
    assert list(board.legal_moves) == []
    assert not pychess.BaseBoard.__new__(pychess.BaseBoard).piece_at(0)


@pytest.mark.parametrize(
    "fen", ["8/8/8/8/8/8/8/8 w - - 0 1", "8/PPPP4/8/2q5/8/8/8/Q6R b KQkq a3 0 1"]
)
def test_boards_without_kings(fen: str) -> None:
    pure, fast = chess.Board(fen), pychess.Board(fen)
    assert fast.king(True) is None is fast.king(False)
    for name in POSITION_QUERIES:
        assert outcome(getattr(fast, name)) == outcome(getattr(pure, name)), name
    for name in GENERATORS:
        assert list(getattr(fast, name)()) == list(getattr(pure, name)())
    for square in chess.SQUARES:
        assert fast.pin_mask(True, square) == pure.pin_mask(True, square)


def test_contradictory_bitboards() -> None:
    """Fields set to noise: the answers do not matter, but buffers hold and nothing crashes."""
    rng = random.Random(5)
    for _ in range(2000):
        board = pychess.Board(chess960=rng.random() < 0.5)
        for name in ("pawns", "knights", "bishops", "rooks", "queens", "kings", "promoted",
                     "occupied", "castling_rights"):  # fmt: skip
            setattr(board, name, rng.getrandbits(64) & rng.getrandbits(64))
        board.occupied_co = [rng.getrandbits(64), rng.getrandbits(64)]
        board.ep_square = rng.choice((None, rng.randrange(64)))
        for name in GENERATORS:
            assert len(list(getattr(board, name)())) < 2048
        for _ in range(5):
            move = any_move(rng)
            for name in MOVE_QUERIES:
                outcome(getattr(board, name), move)
            outcome(board.push, move)
        while board.move_stack:
            board.pop()
        pychess.perft(board, 1)


def test_the_most_moves() -> None:
    """The densest possible boards fit into the buffers."""
    for symbol in "QKNP":
        board = pychess.Board(None)
        for square in range(0, 64, 2):
            board.set_piece_at(square + (square >> 3) % 2, chess.Piece.from_symbol(symbol))
        assert 0 < board.legal_moves.count() < 2048


@pytest.mark.slow
@pytest.mark.parametrize("batch", range(10))
def test_games_of_legal_and_illegal_moves(batch: int) -> None:
    rng = random.Random(batch)
    for _ in range(GAMES // 10):
        pure = chess.Board(chess960=rng.random() < 0.3)
        fast = compiled(pure)
        for _ in range(60):
            legal = list(pure.legal_moves)
            move = rng.choice(legal) if legal and rng.random() < 0.7 else any_move(rng)
            assert fast.is_legal(move) == pure.is_legal(move)
            assert (move in fast.legal_moves) == (move in pure.legal_moves)
            expected = outcome(pure.push, move)
            assert outcome(fast.push, move) is expected
            if expected is AssertionError:  # the origin square was empty
                pure.pop()
                fast.pop()
            assert fast.fen() == pure.fen()
        while pure.move_stack:
            assert fast.pop() == pure.pop()
        assert state(fast) == state(pure)

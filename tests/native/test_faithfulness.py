"""The compiled python-chess does exactly what the ordinary one does, on any position."""

from __future__ import annotations

import copy
import os
import pickle
import random
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import chess
import pytest

from .positions import any_move, positions

pychess: Any = pytest.importorskip("halbzug.board.pychess", reason="the extensions are not built")

POSITIONS = int(os.environ.get("HALBZUG_FUZZ_POSITIONS", "10000"))
BATCHES = 10

POSITION_QUERIES = (
    "fen", "checkers_mask", "is_check", "was_into_check", "clean_castling_rights",
    "has_legal_en_passant", "has_pseudo_legal_en_passant", "is_insufficient_material",
    "status", "_transposition_key", "is_checkmate", "is_stalemate",
)  # fmt: skip
MOVE_QUERIES = (
    "is_legal", "is_pseudo_legal", "is_into_check", "is_capture", "is_en_passant", "is_zeroing",
    "is_castling", "gives_check", "is_irreversible",
)  # fmt: skip
GENERATORS = (
    "generate_legal_moves", "generate_pseudo_legal_moves", "generate_legal_captures",
    "generate_pseudo_legal_captures", "generate_legal_ep", "generate_pseudo_legal_ep",
    "generate_castling_moves",
)  # fmt: skip
STATE = (
    "pawns", "knights", "bishops", "rooks", "queens", "kings", "promoted", "occupied", "turn",
    "castling_rights", "ep_square", "halfmove_clock", "fullmove_number", "chess960",
)  # fmt: skip


class PlainBoard(pychess.Board):  # type: ignore[misc]
    """A subclass, which the twins must leave to python-chess's own methods."""


def compiled(board: chess.Board, cls: Any = pychess.Board) -> Any:
    """A compiled board in the same state, stack included."""
    twin = cls(None, chess960=board.chess960)
    twin.__setstate__(copy.deepcopy(board.__dict__))
    return twin


def state(board: Any) -> tuple[Any, ...]:
    """The whole state of a board."""
    fields = tuple(getattr(board, name) for name in STATE)
    return (*fields, list(board.occupied_co), list(board.move_stack))


def outcome(function: Callable[..., Any], *arguments: Any) -> Any:
    """The result of a call (a list for an iterator), or the type of the exception it raises."""
    try:
        result = function(*arguments)
        return list(result) if isinstance(result, Iterator) else result
    except Exception as error:
        return type(error)


def compare_queries(pure: chess.Board, fast: Any, rng: random.Random) -> None:
    """All position queries, and the square queries on a few squares."""
    for name in POSITION_QUERIES:
        assert outcome(getattr(fast, name)) == outcome(getattr(pure, name)), name
    for square in rng.sample(chess.SQUARES, 6):
        assert fast.piece_type_at(square) == pure.piece_type_at(square)
        assert fast.piece_at(square) == pure.piece_at(square)
        assert fast.attacks_mask(square) == pure.attacks_mask(square)
        for color in chess.COLORS:
            occupied = rng.choice((None, rng.getrandbits(64), ~pure.pawns))
            expected = outcome(pure.attackers_mask, color, square, occupied)
            assert outcome(fast.attackers_mask, color, square, occupied) == expected
            assert fast.pin_mask(color, square) == pure.pin_mask(color, square)
            assert fast.king(color) == pure.king(color)


def compare_generators(pure: chess.Board, fast: Any, rng: random.Random) -> None:
    """All generators, order included, unmasked and with masks."""
    noise, more_noise = rng.getrandbits(64), rng.getrandbits(64)
    masks = rng.choice(((noise, more_noise), (pure.rooks, ~pure.pawns), (~pure.rooks, noise)))
    if not pure.pawns & chess.BB_BACKRANKS:  # pure would let such pawns leave the board
        masks = rng.choice((masks, (chess.BB_ALL, ~pure.occupied), (~noise, ~more_noise)))
    for name in GENERATORS:
        for arguments in ((), masks):
            expected = outcome(getattr(pure, name), *arguments)
            assert outcome(getattr(fast, name), *arguments) == expected, name


def compare_moves(pure: chess.Board, fast: Any, rng: random.Random) -> None:
    """Move queries and making and unmaking, for moves of every kind."""
    before = state(pure)
    moves = list(pure.generate_pseudo_legal_moves())
    chosen = [*rng.sample(moves, min(4, len(moves))), any_move(rng), any_move(rng)]
    for move in chosen:
        for name in MOVE_QUERIES:
            expected = outcome(getattr(pure, name), move)
            assert outcome(getattr(fast, name), move) == expected, (name, move)
            if expected is AssertionError:  # gives_check leaves the board halfway through a push
                return
        expected = outcome(pure.push, move)
        assert outcome(fast.push, move) == expected, move
        assert state(fast) == state(pure), move
        if expected is AssertionError:
            return
        assert fast.pop() == pure.pop()
        assert state(fast) == state(pure) == before


@pytest.mark.parametrize(
    "batch", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in range(1, BATCHES))]
)
def test_fuzz(batch: int) -> None:
    rng = random.Random(batch)
    count = POSITIONS // BATCHES if batch else POSITIONS // 60
    for number, pure in enumerate(positions(count, seed=batch)):
        pure = pure.copy()
        fast = compiled(pure, PlainBoard if number % 20 == 0 else pychess.Board)
        where = f"{pure.fen()} (seed {batch}, position {number}, stack {len(pure.move_stack)})"
        try:
            assert state(fast) == state(pure)
            compare_queries(pure, fast, rng)
            compare_generators(pure, fast, rng)
            compare_moves(pure, fast, rng)
        except AssertionError as error:
            raise AssertionError(where) from error


@pytest.mark.parametrize("seed", range(20))
def test_a_game_played_on_both(seed: int) -> None:
    """A pair of boards through a whole game, undone back to the start."""
    rng = random.Random(1000 + seed)
    chess960 = rng.random() < 0.5
    number = rng.randrange(960) if chess960 else 518
    pure, fast = chess.Board.from_chess960_pos(number), pychess.Board.from_chess960_pos(number)
    pure.chess960 = fast.chess960 = chess960
    while not pure.is_game_over() and pure.ply() < 160:
        move = rng.choice(list(pure.legal_moves))
        assert fast.san(move) == pure.san(move)
        assert fast.uci(move) == pure.uci(move)
        pure.push(move)
        fast.push(move)
        if rng.random() < 0.1:
            assert fast.move_stack == pure.move_stack
            assert fast.is_repetition(3) == pure.is_repetition(3)
            assert fast.can_claim_draw() == pure.can_claim_draw()
            assert state(fast.copy(stack=3)) == state(pure.copy(stack=3))
            assert fast.root().fen() == pure.root().fen()
        assert fast.fen() == pure.fen()
    assert fast.outcome() == pure.outcome()
    while pure.move_stack:
        assert fast.pop() == pure.pop()
        assert fast.fen() == pure.fen()
    with pytest.raises(IndexError):
        fast.pop()


PERFT = (
    (chess.STARTING_FEN, False, 4, 197281),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", False, 4, 4085603),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", False, 5, 674624),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", False, 4, 422333),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", False, 4, 2103487),
    ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", True, 4, 326672),
    ("2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9", True, 4, 667366),
)


@pytest.mark.parametrize(("fen", "chess960", "depth", "leaves"), PERFT)
def test_perft(fen: str, chess960: bool, depth: int, leaves: int) -> None:
    board = pychess.Board(fen, chess960=chess960)
    assert pychess.perft(board, depth) == leaves
    assert board.fen() == pychess.Board(fen, chess960=chess960).fen()
    assert pychess.perft(board, 0) == pychess.perft(board, -1) == 1


def test_values_are_shared() -> None:
    for name in ("Move", "Piece", "SquareSet", "IllegalMoveError", "Status", "Termination"):
        assert getattr(pychess, name) is getattr(chess, name)
    assert pychess.Board is not chess.Board
    for own, theirs in (
        (pychess, chess), (pychess.BaseBoard, chess.BaseBoard), (pychess.Board, chess.Board)
    ):  # fmt: skip
        # Submodules of python-chess that were imported in the meantime are attributes of the
        # package, too.
        names = {
            name
            for name, value in vars(theirs).items()
            if not name.startswith("__") and not isinstance(value, ModuleType)
        }
        assert not names - set(dir(own))


@pytest.mark.parametrize("cls", [pychess.Board, PlainBoard])
def test_copies_and_pickles(cls: Any) -> None:
    board = cls(chess960=True)
    for uci in ("e2e4", "e7e5", "g1f3"):
        board.push_uci(uci)
    for other in (board.copy(), copy.copy(board), copy.deepcopy(board)):
        assert type(other) is cls and other == board and state(other) == state(board)
    assert state(pickle.loads(pickle.dumps(board))) == state(board)
    base = pychess.BaseBoard()
    assert pickle.loads(pickle.dumps(base)) == base


def test_stacks_read_between_moves_in_c() -> None:
    """The stacks are read or changed between moves that are made in C."""
    board = pychess.Board()
    for uci in ("e2e4", "e7e5"):
        board.push_uci(uci)
    assert [move.uci() for move in board.move_stack] == ["e2e4", "e7e5"]
    assert len(board._stack) == 2 and type(board._stack[0]).__name__ == "_BoardState"
    board.push_uci("g1f3")
    assert board.peek() == chess.Move.from_uci("g1f3")
    board.push_uci("b8c6")
    assert board.root() == pychess.Board()
    for uci in ("b8c6", "g1f3", "e7e5", "e2e4"):
        assert board.pop().uci() == uci
    board.push_uci("d2d4")
    board.clear_stack()
    assert board.move_stack == [] == board._stack
    board.move_stack = [chess.Move.null()]
    assert board.peek() == chess.Move.null()

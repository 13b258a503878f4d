"""`halbzug.Board` equals python-chess's board in everything that a program can observe."""

from __future__ import annotations

import copy
import dataclasses
import functools
import inspect
import io
import json
import os
import pickle
import random
import subprocess
import sys
import weakref
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import chess
import chess.pgn
import chess.polyglot
import chess.svg
import chess.variant
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from positions import any_text

import halbzug
from halbzug import Board
from halbzug.board import movegen

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
FENS = (
    chess.STARTING_FEN,
    KIWIPETE,
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",  # en passant
    "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1",  # en passant with a pinned pawn
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",  # promotions
    "5rk1/8/8/8/8/8/8/R3K2R w KQ - 149 90",  # the 75-move rule
    "k7/2Q5/8/8/8/8/8/K7 b - - 0 1",  # stalemate
    "R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1",  # mate
    "8/8/4k3/8/8/3BK3/8/8 w - - 0 1",  # insufficient material
    "3k4/8/8/1N3N2/8/8/1N3N2/3K4 w - - 0 1",  # four knights can reach one square
)

#: Methods that ask about a position and need no argument.
POSITION = (
    *("fen", "epd", "board_fen", "shredder_fen", "castling_xfen", "castling_shredder_fen"),
    *("is_check", "is_checkmate", "is_stalemate", "is_game_over", "outcome", "result"),
    *("is_insufficient_material", "is_repetition", "is_fivefold_repetition", "is_fifty_moves"),
    *("is_seventyfive_moves", "can_claim_draw", "can_claim_fifty_moves"),
    *("can_claim_threefold_repetition", "is_variant_draw", "is_variant_end", "is_variant_loss"),
    *("is_variant_win", "checkers", "checkers_mask", "was_into_check", "is_valid", "status", "ply"),
    *("has_legal_en_passant", "has_pseudo_legal_en_passant", "has_chess960_castling_rights"),
    *("clean_castling_rights", "piece_map", "peek", "root", "copy", "mirror", "chess960_pos"),
    *("unicode", "__str__", "__repr__", "_repr_svg_", "_transposition_key"),
)
GENERATORS = tuple(name for name in dir(chess.Board) if name.startswith("generate_"))
MOVE = (
    *("is_legal", "is_pseudo_legal", "is_capture", "is_castling", "is_kingside_castling"),
    *("is_queenside_castling", "is_en_passant", "is_zeroing", "is_irreversible", "is_into_check"),
    *("gives_check", "uci", "xboard", "san", "lan"),
)
COLOR = (
    *("king", "has_insufficient_material", "has_castling_rights"),
    *("has_kingside_castling_rights", "has_queenside_castling_rights"),
)
SQUARE = ("piece_at", "piece_type_at", "color_at", "attacks", "attacks_mask")
COLOR_SQUARE = (
    "attackers",
    "attackers_mask",
    "is_attacked_by",
    "pin",
    "pin_mask",
    "is_pinned",
)
PIECE = ("pieces", "pieces_mask")
FIELDS = (
    *("pawns", "knights", "bishops", "rooks", "queens", "kings", "promoted", "occupied", "turn"),
    *("castling_rights", "ep_square", "halfmove_clock", "fullmove_number", "chess960"),
    "move_stack",
)
CLASS = (
    *("aliases", "captures_compulsory", "connected_kings", "one_king", "starting_fen"),
    *("uci_variant", "xboard_variant", "tbw_suffix", "tbz_suffix", "tbw_magic", "tbz_magic"),
    *("pawnless_tbw_suffix", "pawnless_tbz_suffix", "pawnless_tbw_magic", "pawnless_tbz_magic"),
)
#: Methods that change the board; `test_methods_that_change_a_board` or the games call each.
CHANGES = (
    *("push", "pop", "push_san", "push_uci", "push_xboard", "san_and_push", "clear", "reset"),
    *("clear_board", "reset_board", "clear_stack", "set_fen", "set_board_fen", "set_epd"),
    *("set_castling_fen", "set_chess960_pos", "set_piece_at", "remove_piece_at"),
    *("set_piece_map", "apply_mirror", "apply_transform", "transform"),
)
ELSEWHERE = (
    *("legal_moves", "pseudo_legal_moves", "find_move", "parse_san", "parse_uci", "parse_xboard"),
    *("variation_san", "empty", "from_epd", "from_chess960_pos"),
)


def outcome(function: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
    """The result of a call and its type, or the error it raises, with its text."""
    try:
        result = function(*arguments, **named)
    except Exception as error:
        return type(error), str(error)
    if isinstance(result, Iterator):
        return list(result)
    if isinstance(result, chess.Board):
        return state(result)
    return result.__class__, result  # a shared move counts as a chess.Move


def state(board: chess.Board) -> list[Any]:
    """The whole state of a board."""
    stack = [vars(one) for one in board._stack]
    return [*(getattr(board, name) for name in FIELDS), list(board.occupied_co), stack]


def compare(plain: chess.Board, ours: chess.Board, rng: random.Random) -> None:
    """Compare the answers of both boards to every question."""
    for name in POSITION:
        assert outcome(getattr(ours, name)) == outcome(getattr(plain, name)), name
    for specification in ("legal", "fen", "xfen", "strange"):
        for shredder in (False, True):
            for promoted in (None, True):
                named: dict[str, Any] = {"en_passant": specification, "shredder": shredder}
                named["promoted"] = promoted
                assert ours.fen(**named) == plain.fen(**named)
                assert ours.epd(**named) == plain.epd(**named)
    for name in GENERATORS:
        for masks in ((), (rng.getrandbits(64), rng.getrandbits(64))):
            expected = list(getattr(plain, name)(*masks))
            assert list(getattr(ours, name)(*masks)) == expected, name
    for view in ("legal_moves", "pseudo_legal_moves"):
        seen, expected = getattr(ours, view), getattr(plain, view)
        assert isinstance(seen, type(expected)) and seen.board is ours
        assert list(seen) == list(expected)
        assert seen.count() == expected.count() and bool(seen) == bool(expected)
        assert repr(seen).partition("(")[2] == repr(expected).partition("(")[2]
    for move in (*plain.pseudo_legal_moves, any_move(rng), any_move(rng)):
        for name in MOVE:
            if outcome(getattr(plain.copy(), name), move)[0] is AssertionError:
                continue  # python-chess leaves its board halfway through a push
            assert outcome(getattr(ours, name), move) == outcome(getattr(plain, name), move), name
        assert (move in ours.legal_moves) == (move in plain.legal_moves)
        text = plain.uci(move)
        assert outcome(ours.parse_uci, text) == outcome(plain.parse_uci, text)
        for mode in (False, True):
            assert ours.uci(move, chess960=mode) == plain.uci(move, chess960=mode)
    for move in plain.legal_moves:
        for text in spellings(plain, move):
            assert outcome(ours.parse_san, text) == outcome(plain.parse_san, text), text
    squares = rng.sample(chess.SQUARES, 8)
    for color in chess.COLORS:
        for name in COLOR:
            assert outcome(getattr(ours, name), color) == outcome(getattr(plain, name), color)
        for piece in chess.PIECE_TYPES:
            for name in PIECE:
                assert getattr(ours, name)(piece, color) == getattr(plain, name)(piece, color)
        for square in squares:
            for name in COLOR_SQUARE:
                expected = getattr(plain, name)(color, square)
                assert getattr(ours, name)(color, square) == expected, name
    for square in squares:
        for name in SQUARE:
            assert outcome(getattr(ours, name), square) == outcome(getattr(plain, name), square)
        for target in squares:
            found = outcome(ours.find_move, square, target)
            assert found == outcome(plain.find_move, square, target)
    assert state(ours) == state(plain)


def spellings(board: chess.Board, move: chess.Move) -> Iterable[str]:
    """Ways in which people write a move, right and wrong."""
    san, lan = board.san(move), board.lan(move)
    bare = san.rstrip("+#")
    yield from (san, lan, bare, bare + "+", bare + "#", bare + "!", bare + "\n", " " + bare)
    yield from (bare.replace("x", ""), bare.replace("=", ""), bare.replace("O", "0"))
    yield from (bare.lower(), bare.replace("=Q", "=q"), bare[:1] + bare[2:], bare[:-1], "P" + bare)
    yield from (move.uci(), bare.replace("x", "-"), bare + "=K", bare + "=Q", "N" + bare)


def any_move(rng: random.Random) -> chess.Move:
    promotion = rng.choice((None, None, *chess.PIECE_TYPES))
    return chess.Move(rng.randrange(64), rng.randrange(64), promotion)


def both(fen: str | None = chess.STARTING_FEN, chess960: bool = False) -> tuple[chess.Board, Board]:
    return chess.Board(fen, chess960=chess960), Board(fen, chess960=chess960)


def test_every_public_name_is_compared() -> None:
    compared = {
        *POSITION, *GENERATORS, *MOVE, *COLOR, *SQUARE, *COLOR_SQUARE, *PIECE, *FIELDS, *CLASS,
        *CHANGES, *ELSEWHERE,
    }  # fmt: skip
    names = {name for name in dir(chess.Board) if not name.startswith("_")}
    assert names <= compared
    assert {name for name in dir(Board) if not name.startswith("_")} - names <= {
        *("from_board", "to_chess_board", "occupied_co", *FIELDS)
    }
    for name in CLASS:
        assert getattr(Board, name) == getattr(chess.Board, name)


@pytest.mark.slow
@given(
    st.sampled_from(FENS) | st.integers(0, 959),
    st.lists(st.integers(0, 255), max_size=30),
    st.integers(0, 2**32),
)
@example(518, [0, 0, 3, 3] * 6, 1)
def test_games(start: str | int, choices: list[int], seed: int) -> None:
    """Play a random game on both boards, compare everything at its end, and undo it all."""
    rng = random.Random(seed)
    if isinstance(start, int):
        plain, ours = chess.Board.from_chess960_pos(start), Board.from_chess960_pos(start)
    else:
        plain, ours = both(start)
    assert type(ours) is Board
    for choice in choices:
        moves = list(plain.legal_moves)
        if not moves:
            break
        move = moves[choice % len(moves)]
        if choice == 255:
            move = chess.Move.null()
        way = choice % 4
        if way == 0 or not move:
            plain.push(move)
            ours.push(move)
        elif way == 1:
            assert ours.san_and_push(move) == plain.san_and_push(move)
        elif way == 2:
            san = plain.san(move)
            assert ours.push_san(san) == plain.push_san(san)
        else:
            uci = plain.uci(move)
            assert ours.push_uci(uci) == plain.push_uci(uci)
        if rng.random() < 0.2:
            assert ours.move_stack == plain.move_stack and ours.peek() == plain.peek()
    compare(plain, ours, rng)
    for copied in (ours.copy(stack=3), ours.copy(stack=False), ours.copy(stack=100), ours.copy()):
        assert type(copied) is Board
    for stack in (True, False, 0, 1, 3, 100, -2):
        assert state(ours.copy(stack=stack)) == state(plain.copy(stack=stack))
    assert ours == plain and plain == ours
    line = list(plain.legal_moves)[:1]
    assert ours.variation_san(line) == plain.variation_san(line)
    while plain.move_stack:
        assert ours.pop() == plain.pop()
        assert ours.fen() == plain.fen()
    assert outcome(ours.pop) == outcome(plain.pop)


@given(st.integers(0, 2**32))
def test_positions_that_no_game_can_reach(seed: int) -> None:
    rng = random.Random(seed)
    plain, ours = both(None, rng.random() < 0.5)
    for square in chess.SQUARES:
        if rng.random() < rng.choice((0.1, 0.4)):
            piece = chess.Piece(rng.choice(chess.PIECE_TYPES), rng.random() < 0.5)
            promoted = rng.random() < 0.1
            for board in (plain, ours):
                board.set_piece_at(square, piece, promoted)
    rights = rng.getrandbits(64) & rng.choice((chess.BB_BACKRANKS, chess.BB_CORNERS))
    for board in (plain, ours):
        board.turn = seed % 2 == 0
        board.castling_rights = rights
        board.halfmove_clock = seed % 160
    assert state(ours) == state(plain)
    for name in ("fen", "epd", "board_fen", "shredder_fen", "status", "piece_map"):
        assert outcome(getattr(ours, name)) == outcome(getattr(plain, name)), name
    assert ours.board_fen(promoted=True) == plain.board_fen(promoted=True)
    assert list(ours.legal_moves) == list(plain.legal_moves)
    for move in plain.legal_moves:
        assert ours.san(move) == plain.san(move)
        assert outcome(ours.parse_san, plain.san(move)) == outcome(plain.parse_san, plain.san(move))


CHARACTERS = st.text("/12345678pnbrqkPNBRQK wb-KQkqAHah36~x90", max_size=90)


@given(CHARACTERS | any_text(20) | st.sampled_from(FENS), st.data())
def test_fens_of_all_kinds(fen: str, data: st.DataObject) -> None:
    """Well-formed ones, nearly so, and nonsense: the same board, or the same error."""
    if fen in FENS:
        place = data.draw(st.integers(0, len(fen)))
        cut = data.draw(st.integers(0, 2))
        fen = fen[:place] + data.draw(CHARACTERS.map(lambda text: text[:2])) + fen[place + cut :]
    plain, ours = both()
    assert outcome(ours.set_fen, fen) == outcome(plain.set_fen, fen)
    assert state(ours) == state(plain)
    assert outcome(Board, fen) == outcome(chess.Board, fen)


@pytest.mark.parametrize(
    "fen",
    [
        *FENS,
        "8/8/8/8/8/8/8/8 w - - 0 1",
        "rkbqnbnr/pppppppp/8/8/8/8/PPPPPPPP/RKBQNBNR w AHah - 12 34",
        "r3k3/8/8/8/8/8/8/4K2R b Kq - 0 0",
        "rr2k1rr/8/8/8/8/8/8/RR2K1RR w KQkq - 0 1",
        "rr2k1rr/8/8/8/8/8/8/RR2K1RR w BGbg - 0 1",
        "8/8/8/8/8/8/8/8 w KQkq - 0 1",
        "7k/8/8/8/8/8/8/R6K w KKQ - 0 1",
        "4k3/8/8/8/8/8/8/4K3 w KQAkq - 0 1",
        "4k3/8/8/8/8/8/8/4K3 w kK - 0 1",
        "4k3/8/8/8/8/8/8/4K3/ w - - 0 1",
        "4k3/8/8/8/8/8/8/4K3 w - e3 0000000001 999999999999",
        "4k3/8/8/8/8/8/8/4K3 w - e3 -1 1",
        "4k3/8/8/8/8/8/8/4K2Q~ w - - 0 1",
        "4k3/8/8/8/8/8/8/4K11Q w - - 0 1",
        "4k3/8/8/8/8/8/8/4K3  w - - 0 1 ",
        "4k3/8/8/8/8/8/8/4K3 w",
        "4k3/8/8/8/8/8/8/4K3 w - - \N{ARABIC-INDIC DIGIT ONE} 1",
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1 \ud800",
        "",
        " ",
    ],
)
def test_fens_with_small_differences(fen: str) -> None:
    for chess960 in (False, True):
        plain, ours = both(chess960=chess960)
        plain.push_san("e4")
        ours.push_san("e4")
        assert outcome(ours.set_fen, fen) == outcome(plain.set_fen, fen)
        assert state(ours) == state(plain)
        assert ours.fen() == plain.fen() and ours.shredder_fen() == plain.shredder_fen()


def test_methods_that_change_a_board() -> None:
    pieces = {chess.E1: chess.Piece(6, True), chess.E8: chess.Piece(6, False)}
    changes: tuple[Callable[[chess.Board], Any], ...] = (
        lambda board: board.clear_board(),
        lambda board: board.clear(),
        lambda board: board.reset_board(),
        lambda board: board.reset(),
        lambda board: board.push_xboard("Nf3"),
        lambda board: board.push_san("Nf6"),
        lambda board: board.push_san("Ke3"),
        lambda board: board.push_uci("e1e8"),
        lambda board: board.clear_stack(),
        lambda board: board.set_board_fen("k7/8/8/8/8/8/8/K7"),
        lambda board: board.set_board_fen("k7/8"),
        lambda board: board.set_fen(KIWIPETE),
        lambda board: board.set_epd('k7/8/8/8/8/8/7P/K7 w - - hmvc 3; id "one"; bm h4;'),
        lambda board: board.set_chess960_pos(17),
        lambda board: board.set_castling_fen("Kq"),
        lambda board: board.set_castling_fen("x"),
        lambda board: board.set_piece_at(chess.E4, chess.Piece(5, True), promoted=True),
        lambda board: board.set_piece_at(chess.E4, None),
        lambda board: board.remove_piece_at(chess.E4),
        lambda board: board.apply_mirror(),
        lambda board: board.apply_transform(chess.flip_vertical),
        lambda board: board.transform(chess.flip_horizontal).fen(),
        lambda board: board.set_piece_map(pieces),
        lambda board: board.__init__(KIWIPETE),  # type: ignore[misc]
        lambda board: type(board).empty(chess960=True).shredder_fen(),
        lambda board: type(board).from_epd("k7/8/8/8/8/8/7P/K7 b - - id 1;")[1],
    )
    plain, ours = both()
    for number, change in enumerate(changes):
        assert outcome(change, ours) == outcome(change, plain), number
        assert state(ours) == state(plain), number


@pytest.mark.parametrize("arguments", [(1,), (b"",), (None, 5), (KIWIPETE, True), ([],)])
def test_invalid_arguments_raise_the_same_error(arguments: tuple[Any, ...]) -> None:
    expected = outcome(chess.Board, *arguments)
    found = outcome(Board, *arguments)
    assert found[0] is expected[0]
    for name in ("push", "san", "parse_san", "parse_uci", "set_fen", "is_legal", "piece_at"):
        plain, ours = both()
        found = outcome(getattr(ours, name), arguments[0])
        assert found == outcome(getattr(plain, name), arguments[0]), name


def test_illegal_moves_raise_the_same_error() -> None:
    for fen in FENS:
        plain, ours = both(fen)
        for text in ("e9", "Ke4", "Nf3", "exd5", "e2e5", "O-O-O", "--", "Z0", "0000", "", "Qa1,b2"):
            assert outcome(ours.parse_san, text) == outcome(plain.parse_san, text)
            assert outcome(ours.push_uci, text) == outcome(plain.push_uci, text)
        assert state(ours) == state(plain)


# -- as a subclass of python-chess's board --------------------------------------------------------


def test_it_is_a_python_chess_board() -> None:
    board = Board()
    assert isinstance(board, chess.Board) and issubclass(Board, chess.Board)
    assert isinstance(board.legal_moves, chess.LegalMoveGenerator)
    assert all(isinstance(move, chess.Move) for move in board.legal_moves)
    assert type(board.piece_at(0)) is chess.Piece
    assert Board.__name__ == "Board" and f"{Board.__module__}.Board" == "halbzug.Board"
    assert repr(board) == repr(chess.Board())
    assert halbzug.Board is Board
    if movegen.BUILD == "compiled":
        assert issubclass(Board, movegen.Board) and movegen.Board is not chess.Board


def every_move() -> Iterable[chess.Move]:
    """Every move of a queen, knight or pawn, and the null move, as boards create them."""
    yield Board("4k3/8/8/8/8/8/8/4K3 w - - 0 1").parse_uci("0000")
    for square in chess.SQUARES:
        for piece in (chess.QUEEN, chess.KNIGHT, chess.PAWN):
            if piece == chess.PAWN and chess.square_rank(square) in (0, 7):
                continue
            board = Board(None)
            board.set_piece_at(square, chess.Piece(piece, chess.WHITE))
            yield from board.generate_pseudo_legal_moves()


def test_a_move_of_a_board_is_a_python_chess_move() -> None:
    rng = random.Random(1)
    for move in every_move():
        own = chess.Move(move.from_square, move.to_square, move.promotion, move.drop)
        assert type(own) is chess.Move is move.__class__
        assert move == own and own == move and (move != own, own != move) == (False, False)
        assert chess.Move.__eq__(own, move) and hash(move) == hash(own)
        assert {own: 1}[move] == {move: 1}[own] == 1
        assert (str(move), repr(move), bool(move)) == (str(own), repr(own), bool(own))
        assert (move.uci(), move.xboard()) == (own.uci(), own.xboard())
        assert vars(move) == vars(own) and dataclasses.asdict(move) == dataclasses.asdict(own)
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            assert pickle.dumps(move, protocol) == pickle.dumps(own, protocol)
        other = any_move(rng)
        assert (move == other) == (own == other) == (other == move)


def test_a_move_of_a_board_differs_from_other_objects() -> None:
    class Other(chess.Move):
        pass

    move = Board().parse_uci("e2e4")
    for other in (Other(12, 28), "e2e4", (12, 28), None, chess.Move(12, 28, drop=1)):
        assert move != other and other != move
    assert move == chess.Move(12.0, 28) == move  # type: ignore[arg-type]  # as in python-chess


@pytest.mark.skipif(movegen.BUILD != "compiled", reason="needs python-chess's own moves")
def test_moves_are_shared_and_immutable() -> None:
    board = Board()
    move = next(iter(board.legal_moves))
    assert board.parse_san("Nh3") is board.parse_uci("g1h3") is move
    board.push(chess.Move.from_uci("g1h3"))
    assert board.peek() is board.copy().move_stack[0] is board.pop() is move
    changes: tuple[Callable[[], object], ...] = (
        lambda: setattr(move, "note", "mine"),
        lambda: setattr(move, "to_square", chess.A1),
        lambda: delattr(move, "drop"),
        lambda: move.__init__(0, 1),  # type: ignore[misc]
    )
    for change in changes:
        with pytest.raises(AttributeError, match=r"belongs to all boards.*copy\.copy"):
            change()
    with pytest.raises((AttributeError, TypeError)):
        vars(move)["to_square"] = chess.A1
    assert vars(move) == vars(chess.Move(6, 23))


def test_a_copy_of_a_move_may_be_changed() -> None:
    move = next(iter(Board().legal_moves))
    for own in (
        copy.copy(move),
        copy.deepcopy(move),
        pickle.loads(pickle.dumps(move)),
        dataclasses.replace(move),
        type(move)(6, 23),
        type(move).from_uci("g1h3"),
    ):
        assert type(own) is chess.Move and own == move
        own.note = "mine"  # type: ignore[attr-defined]
        own.to_square = chess.A1
    assert vars(move) == vars(chess.Move(6, 23))
    assert type(move).null() == chess.Move.null()


def test_a_move_put_onto_the_stack_by_hand_is_copied() -> None:
    board = Board()
    board.push_san("e4")
    board.move_stack[0] = own = chess.Move(12, 28)
    copied = board.copy()
    own.to_square = chess.A1
    assert copied.move_stack == [chess.Move(12, 28)]


def test_a_generator_reads_the_board_at_its_first_step() -> None:
    for board in both():
        moves = board.generate_legal_moves()
        board.push_san("e4")
        assert next(moves) == chess.Move.from_uci("g8h6")
        board.push_san("e5")
        if isinstance(board, movegen.Board) and movegen.BUILD == "compiled":
            assert len(list(moves)) == 19  # and then knows all moves
        assert iter(moves) is moves


def test_equality_works_in_both_directions() -> None:
    plain, ours = both()
    assert ours == plain and plain == ours and ours == Board()
    assert (ours != plain) is False and (plain != ours) is False
    plain.push_san("e4")
    assert ours != plain and plain != ours
    ours.push_san("e4")
    assert ours == plain and plain == ours
    atomic = chess.variant.AtomicBoard()
    assert Board() != atomic and atomic != Board()
    base = chess.BaseBoard()
    assert (Board() == base) == (chess.Board() == base) and (base == Board()) == (
        base == chess.Board()
    )
    assert Board() != chess.STARTING_FEN and Board() != None  # noqa: E711
    assert Board() == movegen.Board() and movegen.Board() == Board()
    with pytest.raises(TypeError, match="unhashable"):
        hash(ours)
    assert ours in [plain] and plain in [ours]


def test_conversion_from_and_to_other_boards() -> None:
    plain = chess.Board.from_chess960_pos(0)
    for _ in range(6):
        plain.push(next(iter(plain.legal_moves)))
    ours = Board.from_board(plain)
    assert type(ours) is Board and state(ours) == state(plain)
    back = ours.to_chess_board()
    assert type(back) is chess.Board and state(back) == state(plain)
    back.pop()
    ours.push(next(iter(ours.legal_moves)))
    assert len(plain.move_stack) == 6
    assert len(Board.from_board(plain, stack=2).move_stack) == 2
    assert ours.to_chess_board(stack=False).move_stack == []
    for move_stack in (back.move_stack, Board.from_board(back).move_stack):
        assert move_stack == plain.move_stack[:5]
    with pytest.raises(ValueError, match="atomic, which is a different game"):
        Board.from_board(chess.variant.AtomicBoard())
    assert type(Mine.from_board(plain)) is Mine


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_boards_can_be_pickled(protocol: int) -> None:
    plain, ours = both(chess960=True)
    for board in (plain, ours):
        board.push_san("e4")
        board.note = "mine"  # type: ignore[attr-defined]
    copied = pickle.loads(pickle.dumps(ours, protocol))
    assert type(copied) is Board and copied.note == "mine"
    assert state(copied) == state(plain) and copied.pop() == plain.pop()
    mine = pickle.loads(pickle.dumps(Mine(KIWIPETE), protocol))
    assert type(mine) is Mine and mine.fen() == KIWIPETE


@pytest.mark.parametrize("protocol", [0, 2, pickle.HIGHEST_PROTOCOL])
def test_pickles_can_be_exchanged_with_the_other_build(protocol: int) -> None:
    code = (
        "import pickle, sys; from halbzug.board import movegen; "
        "board = pickle.loads(bytes.fromhex(sys.argv[1])); board.push_san('e5'); "
        "print(movegen.BUILD, pickle.dumps(board, int(sys.argv[2])).hex())"
    )
    board = Board()
    board.push_san("e4")
    result = subprocess.run(
        [sys.executable, "-c", code, pickle.dumps(board, protocol).hex(), str(protocol)],
        env={**os.environ, "HALBZUG_PURE": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    build, pickled = result.stdout.split()
    assert build == "pure"
    back = pickle.loads(bytes.fromhex(pickled))
    board.push_san("e5")
    assert type(back) is Board and state(back) == state(board)


def test_copies() -> None:
    board = Board()
    board.note = "mine"  # type: ignore[attr-defined]
    for uci in ("e2e4", "e7e5", "g1f3"):
        board.push_uci(uci)
    assert board.peek() == board.move_stack[-1]
    board.push_uci("b8c6")
    for copied in (board.copy(), copy.copy(board), copy.deepcopy(board)):
        assert type(copied) is Board and state(copied) == state(board)
        assert not hasattr(copied, "note")  # as in python-chess
        copied.pop()
        copied.pop()
    assert len(board.move_stack) == 4
    assert board.copy(stack=False).move_stack == [] and board.root() == Board()


def test_attributes_can_be_set() -> None:
    board = Board()
    board.note = "mine"  # type: ignore[attr-defined]
    assert vars(board)["note"] == "mine"
    board.turn = chess.BLACK
    board.castling_rights &= chess.BB_RANK_8
    board.ep_square = None
    board.halfmove_clock, board.fullmove_number = 3, 7
    board.occupied_co[chess.WHITE] |= 0
    assert board.fen() == "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b kq - 3 7"
    board.move_stack = [chess.Move.null()]
    assert board.peek() == chess.Move.null()
    with pytest.raises(AttributeError):
        board.nonsense  # type: ignore[attr-defined]  # noqa: B018
    assert weakref.ref(board)() is board


def test_help_and_signatures() -> None:
    for name in dir(chess.Board):
        theirs, ours = getattr(chess.Board, name), getattr(Board, name)
        if name.startswith("_") or not callable(theirs):
            continue
        assert inspect.getdoc(ours) == inspect.getdoc(theirs), name
        expected = [
            (one.name, one.default) for one in inspect.signature(theirs).parameters.values()
        ]
        found = [(one.name, one.default) for one in inspect.signature(ours).parameters.values()]
        assert found == expected, name


# -- subclasses -----------------------------------------------------------------------------------


class Mine(Board):
    """Adds a method."""

    def first_move(self) -> chess.Move:
        return next(iter(self.legal_moves))


class Logged(Board):
    """Records the calls of python-chess's own methods."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        self.seen: list[str] = []
        super().__init__(*arguments, **named)

    def push(self, move: chess.Move) -> None:
        self.seen.append(f"push {move}")
        super().push(move)

    def is_check(self) -> bool:
        self.seen.append("check?")
        return super().is_check()


class NoCastling(Board):
    """Changes the rules."""

    def generate_castling_moves(
        self, from_mask: chess.Bitboard = chess.BB_ALL, to_mask: chess.Bitboard = chess.BB_ALL
    ) -> Iterator[chess.Move]:
        return iter(())


def as_plain(cls: type[chess.Board]) -> Any:
    """The same subclass, derived from python-chess's board."""
    namespace: dict[str, Any] = {"chess": chess, "Board": chess.Board, "Any": Any}
    namespace |= {"Iterator": Iterator}
    source = inspect.getsource(cls)
    exec(source, namespace)
    return namespace[cls.__name__]


@pytest.mark.parametrize("cls", [Mine, Logged, NoCastling])
@pytest.mark.parametrize("fen", FENS)
def test_subclasses_behave_like_those_of_python_chess(cls: type[Board], fen: str) -> None:
    ours, plain = cls(fen), as_plain(cls)(fen)
    rng = random.Random(fen)
    compare(plain, ours, rng)
    for board in (plain, ours):
        vars(board).get("seen", []).clear()  # comparing calls one of them once more
    for _ in range(20):
        moves = list(plain.legal_moves)
        if not moves:
            break
        move = rng.choice(moves)
        assert ours.san(move) == plain.san(move)
        assert ours.gives_check(move) == plain.gives_check(move)
        ours.push(move)
        plain.push(move)
    copied = ours.copy()
    assert type(copied) is cls and state(copied) == state(plain)
    assert vars(ours).get("seen") == vars(plain).get("seen")
    while plain.move_stack:
        assert ours.pop() == plain.pop()
    assert state(ours) == state(plain)


def test_a_subclass_that_only_adds_methods_has_them() -> None:
    board = Mine()
    assert board.first_move() == chess.Move.from_uci("g1h3")
    assert type(board.copy()) is type(board.root()) is Mine


def test_mixed_with_a_variant() -> None:
    class Both(chess.variant.KingOfTheHillBoard, Board):  # type: ignore[misc]
        pass

    board = Both("8/8/3k4/8/3K4/8/8/8 b - - 0 1")
    assert board.is_variant_loss() and board.is_game_over()
    assert not Board(board.fen()).is_variant_loss()


# -- with the rest of python-chess ----------------------------------------------------------------


def test_other_modules_of_python_chess_accept_it() -> None:
    for fen in FENS:
        plain, ours = both(fen)
        assert chess.polyglot.zobrist_hash(ours) == chess.polyglot.zobrist_hash(plain)
        assert chess.svg.board(ours) == chess.svg.board(plain)
    board = Board()
    board.push_san("e4")
    game = chess.pgn.Game.from_board(board)
    assert str(game).endswith("1. e4 *")
    assert chess.Board.copy(board).fen() == board.fen()
    assert chess.Board.fen(board) == board.fen()
    chess.Board.push(board, chess.Move.from_uci("e7e5"))
    assert board.pop() == chess.Move.from_uci("e7e5")


PGN = """[Event "Three games"]
[White "A"]

1. e4 e5 (1... c5 2. Nf3 {open}) 2. Nf3! Nc6 3. Bb5 $6 *

[Event "Chess960"]
[Variant "Chess960"]
[FEN "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"]

9. O-O b6 1-0

[Event "Atomic"]
[Variant "Atomic"]

1. Nf3 f6 2. Ne5 fxe5 *

[Event "Broken"]

1. e4 e5 2. Ke3 *
"""


@pytest.mark.filterwarnings("ignore")
def test_games_contain_our_boards() -> None:
    plain, ours = io.StringIO(PGN), io.StringIO(PGN)
    for _ in range(4):
        expected = chess.pgn.read_game(plain)
        game = chess.pgn.read_game(ours, Visitor=halbzug.GameBuilder)
        assert expected and game
        assert isinstance(game, halbzug.Game) and isinstance(game, chess.pgn.Game)
        assert str(game) == str(expected) and game.headers == expected.headers
        assert [str(error) for error in game.errors] == [str(error) for error in expected.errors]
        kind = chess.variant.AtomicBoard if "Atomic" in str(game) else Board
        assert type(game.board()) is type(game.end().board()) is kind
        assert game.end().board().fen() == expected.end().board().fen()
        assert type(game.headers.copy()) is type(game.headers)
    assert chess.pgn.read_game(ours, Visitor=halbzug.GameBuilder) is None
    assert halbzug.Game().headers == chess.pgn.Game().headers
    assert not halbzug.Game.without_tag_roster().headers


def test_games_with_custom_nodes_get_our_boards() -> None:
    class Root(chess.pgn.Game):
        added: list[chess.Move]

        def add_variation(self, move: chess.Move, **fields: Any) -> chess.pgn.ChildNode:
            self.added = [move]
            return super().add_variation(move, **fields)

    builder = functools.partial(halbzug.GameBuilder, Game=Root)
    game = chess.pgn.read_game(io.StringIO("1. e4 {a} (1. d4 {b}) e5 $1 *"), Visitor=builder)
    assert game
    assert [move.uci() for move in game.added] == ["d2d4"]
    assert str(game).endswith("1. e4 { a } ( 1. d4 { b } ) 1... e5 $1 *")


def test_importing_halbzug_changes_nothing_in_python_chess() -> None:
    code = """
import json, chess, chess.pgn
def seen():
    return {
        f"{place.__name__}.{name}": id(value)
        for place in (chess, chess.pgn, chess.Board, chess.BaseBoard, chess.Move, chess.pgn.Game)
        for name, value in vars(place).items()
    }
before = seen()
import halbzug
halbzug.Board().push_san("e4"), halbzug.GameBuilder, halbzug.Engine
after = seen()
print(json.dumps([sorted(after.keys() ^ before.keys()),
                  sorted(name for name in before if before[name] != after[name])]))
"""
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    added, changed = json.loads(result.stdout)
    # Submodules that were imported in the meantime are attributes of the package.
    assert [name for name in added if not name.startswith("chess.") or name.count(".") > 1] == []
    assert all(name in ("chess.engine", "chess.polyglot", "chess.syzygy") for name in added)
    assert changed == []

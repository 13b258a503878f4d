"""Reading positions: legal ones pass unchanged, others are refused with a reason."""

from __future__ import annotations

import random
import re
import time

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st
from positions import any_text

from halbzug.batch.positions import Failure
from halbzug.batch.positions import read as read_source
from halbzug.board.epd import read_record
from halbzug.board.fen import chess960_number, read_position


def refused(fen: str, chess960: bool = False) -> str:
    """The reason why a FEN is refused."""
    with pytest.raises(ValueError, match=r".") as caught:
        read_position(fen, chess960)
    message = str(caught.value)
    assert message.isprintable()
    assert len(message) < 400
    return message


@given(st.integers(0, 959), st.integers(0, 2**32), st.booleans())
def test_positions_of_games_pass_unchanged(start: int, seed: int, shredder: bool) -> None:
    chess960 = start % 2 == 0
    board = chess.Board.from_chess960_pos(start) if chess960 else chess.Board()
    rng = random.Random(seed)
    for _ in range(rng.randrange(80)):
        moves = list(board.legal_moves)
        if not moves:
            break
        board.push(rng.choice(moves))
    fen = board.fen(shredder=shredder and chess960)
    read = read_position(fen, chess960)
    assert read.fen() == board.fen()
    assert read.castling_rights == board.castling_rights
    assert read.ep_square == board.ep_square or not board.has_legal_en_passant()
    assert {move.uci() for move in read.legal_moves} == {move.uci() for move in board.legal_moves}


@pytest.mark.parametrize(
    ("fen", "reason"),
    [
        ("8/8/8/8/8/8/8/8 w - - 0 1", "the board is empty"),
        ("4k3/8/8/8/8/8/8/8 w - - 0 1", "White has no king"),
        ("8/8/8/8/8/8/8/4K3 w - - 0 1", "Black has no king"),
        ("4k3/8/8/8/8/8/8/K3K3 w - - 0 1", "more than one king"),
        ("4k3/4k3/8/8/8/8/8/K7 w - - 0 1", "more than one king"),
        ("4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1", "White has more than eight pawns"),
        ("4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1", "Black has more than eight pawns"),
        ("4k3/8/8/8/8/8/QQQQQQQQ/QQQQKQQQ w - - 0 1", "stands in check"),
        ("k7/8/8/8/8/8/NNNNNNNN/NNNNNNKN b - - 0 1", None),
        ("k7/8/8/8/8/N7/NNNNNNNN/NNNNNNKN b - - 0 1", "White has more than sixteen pieces"),
        ("K7/8/8/8/8/n7/nnnnnnnn/nnnnnnkn w - - 0 1", "Black has more than sixteen pieces"),
        ("P3k3/8/8/8/8/8/8/4K3 w - - 0 1", "first or last rank"),
        ("4k3/8/8/8/8/8/8/p3K3 w - - 0 1", "first or last rank"),
        ("4k3/8/8/8/8/8/8/r3K3 b - - 0 1", "not to move stands in check"),
        ("8/8/8/3kK3/8/8/8/8 w - - 0 1", "not to move stands in check"),
    ],
)
def test_each_impossible_position_is_refused_with_its_reason(fen: str, reason: str | None) -> None:
    for chess960 in (False, True):
        if reason is None:
            assert read_position(fen, chess960).is_valid()
        else:
            assert reason in refused(fen, chess960)


@pytest.mark.parametrize(
    "fen",
    [
        "",
        " ",
        "x",
        "8/8/8/8 w - - 0 1",
        "9/8/8/8/8/8/8/8 w - - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq z9 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w XYZ! - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - x 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 x",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - -1 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 -5",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 10000 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 99999999999999999999",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 more",
        "qqqqqqqq/" * 7 + "qqqqkqqq w - - 0 1",
        "8/" * 5000,
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w " + "KQkq" * 2500 + " - 0 1",
        "\x00\x1b[2J w - - 0 1",
    ],
)
def test_hostile_texts_are_refused(fen: str) -> None:
    start = time.monotonic()
    refused(fen)
    refused(fen, True)
    assert time.monotonic() - start < 30


@given(any_text(300))
def test_arbitrary_text_raises_only_value_error(fen: str) -> None:
    for chess960 in (False, True):
        try:
            board = read_position(fen, chess960)
        except ValueError:
            continue
        assert board.king(True) is not None


fields = st.tuples(
    st.text("pnbrqkPNBRQK12345678/~", min_size=1, max_size=40) | st.just("4k3/8/8/8/8/8/8/4K3"),
    st.sampled_from(["w", "b", "x"]),
    st.text("KQkqABHabh-", min_size=1, max_size=5),
    st.sampled_from(["-", "e3", "e6", "a1", "h8", "e9"]),
    st.sampled_from(["0", "99", "9999", "-1", "\u0663", "1_0", "+5"]),
    st.sampled_from(["0", "1", "9999", "-9", "\xb2"]),
)


@given(fields.map(" ".join), st.booleans())
def test_an_almost_valid_fen_raises_only_value_error(fen: str, chess960: bool) -> None:
    try:
        board = read_position(fen, chess960)
    except ValueError:
        return
    status = board.status() & ~chess.STATUS_TOO_MANY_CHECKERS & ~chess.STATUS_IMPOSSIBLE_CHECK
    assert status == chess.STATUS_VALID
    for move in list(board.legal_moves):
        board.push(move)
        board.pop()


@pytest.mark.parametrize(
    ("fen", "rights"),
    [
        ("4k3/8/8/8/8/8/8/4K2R w KQkq - 0 1", "K"),
        ("4k3/8/8/8/8/8/8/R3K3 w KQkq - 0 1", "Q"),
        ("4k3/8/8/8/8/8/4K3/R6R w KQ - 0 1", "-"),
        ("r3k2r/8/8/8/8/8/8/4K3 w KQkq - 0 1", "kq"),
        ("4k3/8/8/8/8/8/8/4K2B w K - 0 1", "-"),
    ],
)
def test_impossible_castling_rights_are_dropped(fen: str, rights: str) -> None:
    for chess960 in (False, True):
        assert read_position(fen, chess960).castling_xfen() == rights


@pytest.mark.parametrize(
    "fen",
    [
        "4k3/8/8/8/8/8/8/4K3 w - e6 0 1",
        "4k3/8/8/8/8/8/8/4K3 b - e3 0 1",
        "4k3/8/8/4p3/8/8/8/4K3 w - e3 0 1",
        "4k3/4p3/8/4p3/8/8/8/4K3 w - e6 0 1",
    ],
)
def test_an_impossible_en_passant_square_is_dropped(fen: str) -> None:
    assert read_position(fen).ep_square is None


def test_a_possible_en_passant_square_is_kept() -> None:
    board = read_position("4k3/8/8/3Pp3/8/8/8/4K3 w - e6 0 2")
    assert chess.Move.from_uci("d5e6") in board.legal_moves


def test_missing_counters_get_their_defaults() -> None:
    assert read_position("4k3/8/8/8/8/8/8/4K2R w K -").fen() == "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
    assert read_position("  4k3/8/8/8/8/8/8/4K2R \t w  ").turn


def test_both_notations_of_castling_rights_are_equivalent() -> None:
    squares = "1rk3r1/pppppppp/8/8/8/8/PPPPPPPP/1RK3R1"
    x_fen = read_position(f"{squares} w KQkq - 0 1", True)
    shredder = read_position(f"{squares} w GBgb - 0 1", True)
    assert x_fen.castling_rights == shredder.castling_rights != 0


def test_a_random_position_of_chess960_is_one_of_960() -> None:
    # One of them is missing with a probability of one in a million.
    assert {chess960_number("random") for _ in range(20_000)} == set(range(960))


@pytest.mark.parametrize("text", ["960", "-1", "1.5", "", "Random"])
def test_invalid_chess960_numbers_are_refused(text: str) -> None:
    assert (chess960_number("0"), chess960_number("959")) == (0, 959)
    with pytest.raises(ValueError, match="not a number from 0 to 959"):
        chess960_number(text)


@pytest.mark.parametrize(
    ("fen", "fault"),
    [
        ("rnbqkbnr/ppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - -", "rank 7, 'ppppppp', has 7 squares"),
        ("4k3/8/8/8/8/8/PP44/4K3 w - - 0 1", "rank 2, 'PP44', has 10 squares, not 8"),
        ("4k3/8/8/8/8/8/44/4K3 w - - 0 1", "rank 2, '44', has two numbers side by side"),
        ("4k3/8/8/3D4/8/8/8/4K3 w - - 0 1", "rank 5, '3D4', has 'D', which is neither a piece"),
        ("4k3/8/8/8/8/8/4K3 w - - 0 1", "there are 7 ranks, not 8"),
        ("4k3/8/8/8/8/8/8/8/4K3 w - - 0 1", "there are 9 ranks, not 8"),
        ("4k3/8/8/8/8/8/8/4K3 W - - 0 1", "the side to move is w or b, not 'W'"),
        ("4k3/8/8/8/8/8/8/4K3 w KX - 0 1", "such as KQkq, or -, not 'KX'"),
        ("4k3/8/8/8/8/8/8/4K3 w - z3 0 1", "the en passant square is one such as e3, or -, not"),
        ("hello", "'hello' is not a board"),
    ],
)
def test_an_error_names_the_invalid_field(fen: str, fault: str) -> None:
    for read in (read_position, read_record):
        with pytest.raises(ValueError, match=f"^not a FEN: .*{re.escape(fault)}"):
            read(fen)
    if "/" in fen:
        (failure,) = read_source(fen)
        assert isinstance(failure, Failure) and fault in failure.message


@pytest.mark.parametrize(
    ("counters", "fault"),
    [
        ("x 1", "the halfmove clock is a number, not 'x'"),
        ("-3 1", "the halfmove clock is a number, not '-3'"),
        ("0 one", "the move number is a number, not 'one'"),
        ("0 1 2", "nothing belongs behind the move number, not '2'"),
    ],
)
def test_an_error_names_the_invalid_counter(counters: str, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        read_position(f"4k3/8/8/8/8/8/8/4K3 w - - {counters}")

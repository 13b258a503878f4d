"""The evaluation by squares: the contributions of all squares add up to the evaluation."""

from __future__ import annotations

from collections import Counter

import chess
from hypothesis import given
from hypothesis import strategies as st
from positions import Game, endgames, games

from halbzug.eval.features import Counts, count
from halbzug.eval.places import count_by_square

MIDDLEGAME = "r1b2rk1/2q1bppp/p2p1n2/npp1p3/3PP3/2P2N1P/PPB2PP1/RNBQR1K1 w - - 1 12"


@given(st.one_of(games(), endgames(8)))
def test_the_counts_of_all_squares_add_up_to_those_of_the_board(game: Game) -> None:
    sides: dict[bool, Counts] = {True: Counter(), False: Counter()}
    for placed, number in count_by_square(game.board()).items():
        sides[placed.is_white][placed.feature] += number
    white, black = count(game.board())
    for found, whole in ((sides[True], white), (sides[False], black)):
        assert {k: n for k, n in found.items() if n} == {k: n for k, n in whole.items() if n}


@given(st.one_of(games(), endgames(8)))
def test_the_value_of_a_piece_is_on_its_square(game: Game) -> None:
    found = {
        (placed.square, placed.is_white, placed.feature[1] + 1)
        for placed in count_by_square(game.board())
        if placed.feature[0] == "material"
    }
    pieces = game.reference().piece_map().items()
    assert found == {(square, piece.color, piece.piece_type) for square, piece in pieces}


def test_terms_are_on_the_squares_where_readers_expect_them() -> None:
    places: dict[tuple[str, bool], set[str]] = {}
    for placed in count_by_square(Game(MIDDLEGAME).board()):
        if placed.square is not None:
            key = (placed.feature[0], placed.is_white)
            places.setdefault(key, set()).add(chess.square_name(placed.square))
    assert places["knight_mobility", True] == {"b1", "f3"}
    assert places["bad_bishop", True] == {"c1", "c2"}
    assert places["backward_pawn", False] == {"d6"}
    assert places["shelter", True] == {"g1"}
    assert places["king_danger", True] == {"g8"}  # White's attack on it
    assert places["minor_threat", False] == {"e4"}  # the knight on f6 attacks a pawn

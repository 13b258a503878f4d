"""The sum of the features is the evaluation."""

from __future__ import annotations

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st
from positions import Game, endgames, games

from halbzug.eval import features
from halbzug.eval.evaluation import Evaluator
from halbzug.eval.weights import WEIGHTS

any_game = st.one_of(games(), endgames(8))


def counts(fen: str) -> tuple[features.Counts, features.Counts]:
    return features.count(Game(fen).board())


@given(any_game)
def test_the_weighted_sum_is_the_evaluation(game: Game):
    position = game.position()
    expected = Evaluator().evaluate(position.board, position.accumulator)
    assert features.score(position.board) == expected


@given(any_game)
def test_swapped_colours_swap_the_counts(game: Game):
    board = game.reference()
    white, black = counts(board.fen())
    assert counts(board.mirror().fen()) == (black, white)


@given(any_game)
def test_every_feature_has_a_weight(game: Game):
    for side in features.count(game.board()):
        for (name, index), number in side.items():
            assert number > 0
            assert 0 <= index < len(WEIGHTS[name])


def test_the_start_has_the_same_features_on_both_sides():
    white, black = counts(chess.STARTING_FEN)
    assert white - black == {("tempo", 0): 1}
    assert white["material", 0] == 8
    assert white["own_pair", 5] == 1  # the two bishops
    assert white["knight_mobility", 2] == 2


@pytest.mark.parametrize(
    ("fen", "name", "index", "number"),
    [
        pytest.param("4k3/8/8/3P4/8/8/8/4K3 w - - 0 1", "passed_pawn", 4, 1, id="passed"),
        pytest.param("4k3/8/2p5/8/3P4/8/8/4K3 w - - 0 1", "passed_pawn", 3, 0, id="guarded"),
        pytest.param("4k3/8/8/8/3P4/3P4/8/4K3 w - - 0 1", "doubled_pawn", 0, 1, id="doubled"),
        pytest.param("4k3/8/8/8/3P4/3P4/8/4K3 w - - 0 1", "isolated_pawn", 0, 2, id="isolated"),
        pytest.param("4k3/8/8/2pP4/8/2P5/8/4K3 w - - 0 1", "isolated_pawn", 0, 0, id="joined"),
        pytest.param("4k3/8/8/4p3/2P5/3P4/8/4K3 w - - 0 1", "backward_pawn", 0, 1, id="backward"),
        pytest.param("4k3/8/8/8/3PP3/8/8/4K3 w - - 0 1", "phalanx_pawn", 3, 2, id="phalanx"),
        pytest.param("4k3/8/8/4P3/3P4/8/8/4K3 w - - 0 1", "supported_pawn", 4, 1, id="supported"),
        pytest.param("4k3/4p3/8/8/4P3/8/8/4K3 w - - 0 1", "pawn_island", 0, 1, id="one island"),
        pytest.param("4k3/8/8/8/8/8/P2P3P/4K3 w - - 0 1", "pawn_island", 0, 3, id="three islands"),
        pytest.param("4k3/4p3/8/8/3PP3/8/8/4K3 w - - 0 1", "phalanx_pawn", 11, 1, id="opposed"),
        pytest.param("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "lever", 3, 1, id="lever"),
        pytest.param("4k3/8/8/3p4/4P3/3P4/8/4K3 w - - 0 1", "loose_lever", 0, 0, id="firm lever"),
        pytest.param("4k3/8/8/3PP3/8/8/8/4K3 w - - 0 1", "passed_connected", 4, 2, id="connected"),
        pytest.param("r3k3/8/8/P7/8/8/8/4K3 w - - 0 1", "passed_chased", 0, 0, id="in front"),
        pytest.param("4k3/8/8/P7/8/8/r7/4K3 w - - 0 1", "passed_chased", 0, 2, id="from behind"),
        pytest.param("4k3/8/8/4P3/4N3/8/8/4K3 w - - 0 1", "minor_behind_pawn", 0, 1, id="hidden"),
        pytest.param("3qk3/3p4/8/8/8/8/8/3RK3 w - - 0 1", "rook_on_queen_file", 0, 1, id="aimed"),
        pytest.param("4k3/8/2n5/1B6/8/8/8/4K3 w - - 0 1", "pin", 0, 1, id="pinned"),
        pytest.param("4k3/3p4/2n5/1B6/8/8/8/4K3 w - - 0 1", "pin", 0, 0, id="shielded"),
        pytest.param("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", "pawnless_flank", 0, 1, id="no flank"),
        pytest.param("6k1/8/8/8/8/8/8/R3K3 w - - 0 1", "king_mobility", 5, 1, id="free king"),
        pytest.param("4k3/p7/8/3N4/4P3/8/8/4K3 w - - 0 1", "knight_outpost", 0, 1, id="outpost"),
        pytest.param("4k3/2p5/8/3N4/4P3/8/8/4K3 w - - 0 1", "knight_outpost", 0, 0, id="chased"),
        pytest.param("4k3/8/8/8/8/8/8/3RK3 w - - 0 1", "rook_open_file", 0, 1, id="open file"),
        pytest.param("4k3/3p4/8/8/8/8/8/3RK3 w - - 0 1", "rook_half_open_file", 0, 1, id="half"),
        pytest.param("4k3/R7/8/8/8/8/8/4K3 w - - 0 1", "rook_seventh_rank", 0, 1, id="seventh"),
        pytest.param("4k3/8/2n5/1P6/8/8/8/4K3 w - - 0 1", "pawn_attacks_minor", 0, 1, id="fork"),
        pytest.param("4k3/8/8/3r4/8/4N3/8/4K3 w - - 0 1", "minor_threat", 4, 1, id="threat"),
        pytest.param("4k3/8/2p5/3p4/8/4N3/8/4K3 w - - 0 1", "minor_threat", 1, 0, id="guarded"),
        pytest.param("4k3/8/2p5/3q4/8/8/8/3RK3 w - - 0 1", "rook_threat", 5, 1, id="on a queen"),
        pytest.param("4k3/8/2p5/3b4/8/8/8/3RK3 w - - 0 1", "rook_threat", 3, 0, id="held"),
        pytest.param("4k3/8/8/3n4/8/8/8/3RK3 w - - 0 1", "hanging_piece", 0, 1, id="hanging"),
        pytest.param("4k3/8/2n5/8/1P6/8/8/4K3 w - - 0 1", "pawn_push_threat", 0, 1, id="push"),
        pytest.param("3k4/3P4/3K4/8/8/8/8/8 w - - 0 1", "passed_blocked", 0, 4, id="blockade"),
        pytest.param("8/8/8/8/8/8/8/k1K4R w - - 0 1", "mop_up_edge", 0, 6, id="cornered"),
        pytest.param("k7/8/1K6/8/8/8/8/5BN1 w - - 0 1", "mop_up_corner", 0, 7, id="right corner"),
        pytest.param("7k/8/6K1/8/8/8/8/5BN1 w - - 0 1", "mop_up_corner", 0, 0, id="wrong corner"),
    ],
)
def test_features_that_books_name(fen: str, name: str, index: int, number: int):
    assert counts(fen)[0][name, index] == number

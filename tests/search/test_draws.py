"""Draws: the better side avoids them, the worse side aims for them."""

from __future__ import annotations

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st
from positions import Game, place_at_random, search

from halbzug.base.events import BestMove
from halbzug.base.limits import Limits
from halbzug.base.scores import MATE

DEPTHS = (1, 2, 4)


def ends_in(fen: str, move: str) -> chess.Board:
    """The position after a move."""
    board = chess.Board(fen)
    board.push_uci(move)
    return board


# -- repetition ---------------------------------------------------------------------------------


def played_twice(fen: str, move: str) -> Game | None:
    """A game in which `move` has led twice to one position and may be played again.

    The other side moves back and forth as well. None if there is no such game.
    """
    for reply in ends_in(fen, move).legal_moves:
        there = (move, reply.uci())
        back = tuple(text[2:4] + text[:2] for text in there)
        game = Game(fen, (*there, *back) * 2)
        try:
            board = game.reference()
        except ValueError:
            continue
        if board.halfmove_clock == 8 and board.is_repetition(3):
            return game
    return None


@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize(
    "fen",
    [
        "8/8/8/3k4/8/8/8/R3K3 w - - 0 1",
        "8/8/8/3k4/8/8/8/Q3K3 w - - 0 1",
        "1r6/8/8/3k4/8/8/8/Q3K3 w - - 0 1",
        "q3k3/8/8/4K3/8/8/8/3R4 b - - 0 1",
        "4k3/2p2p2/2P2P2/8/8/8/3R4/4K3 w - - 0 1",
    ],
)
def test_the_better_side_does_not_repeat_a_third_time(fen: str, depth: int):
    liked = search(fen, Limits(depth=depth)).best.move
    game = played_twice(fen, liked)
    assert game is not None
    found = search(game, Limits(depth=depth))
    assert found.best.move != liked
    assert found.score > 0


@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize(
    ("fen", "move"),
    [
        ("1r6/8/8/3k4/8/8/8/Q3K3 b - - 0 1", "b8b7"),
        ("1r6/8/8/3k4/8/8/8/Q3K3 b - - 0 1", "b8g8"),
        ("8/6k1/8/4q3/8/8/6P1/2R3K1 w - - 0 1", "c1b1"),
        ("4k3/2p2p2/2P2P2/8/8/8/R7/3RK3 b - - 0 1", "e8f8"),
    ],
)
def test_the_worse_side_takes_the_third_repetition(fen: str, move: str, depth: int):
    assert search(fen, Limits(depth=depth)).score < 0
    game = played_twice(fen, move)
    assert game is not None
    found = search(game, Limits(depth=depth))
    assert found.score == 0
    assert found.best.move == move


def test_a_draw_needs_two_occurrences_before_the_root():
    fen = "1r6/8/8/3k4/8/8/8/Q3K3 b - - 0 1"
    twice = played_twice(fen, "b8b7")
    once = Game(fen, twice.moves[:4])
    assert search(once, Limits(depth=1)).score < 0
    assert search(twice, Limits(depth=1)).score == 0


@pytest.mark.parametrize("depth", [5, 6])
def test_a_perpetual_check_saves_the_worse_side(depth: int):
    """The queen checks forever from the back rank and the h-file; everything else loses."""
    fen = "6k1/6p1/8/7Q/p7/n7/rr3PPP/6K1 w - - 0 1"
    found = search(fen, Limits(depth=depth))
    assert found.score == 0
    assert ends_in(fen, found.best.move).is_check()


# -- fifty moves --------------------------------------------------------------------------------


@pytest.mark.parametrize("depth", DEPTHS)
def test_the_better_side_moves_a_pawn_before_the_fifty_moves_are_over(depth: int):
    found = search("8/8/8/4k3/8/3K4/4P3/7R w - - 99 80", Limits(depth=depth))
    assert found.best.move in ("e2e3", "e2e4")
    assert found.score > 0


@pytest.mark.parametrize("depth", DEPTHS)
def test_the_better_side_captures_before_the_fifty_moves_are_over(depth: int):
    found = search("8/8/8/4k3/7n/3K4/8/1R5R w - - 99 80", Limits(depth=depth))
    assert found.best.move == "h1h4"
    assert found.score > 0


@pytest.mark.parametrize("depth", DEPTHS)
def test_the_worse_side_lets_the_fifty_moves_pass(depth: int):
    """Capturing or pushing the pawn would reset the count."""
    found = search("8/8/8/4k3/8/3K4/3p4/q7 w - - 99 80", Limits(depth=depth))
    assert found.score == 0
    assert found.best.move != "d3d2"
    found = search("8/8/p7/3k4/8/3K4/8/Q7 b - - 99 80", Limits(depth=depth))
    assert found.score == 0
    assert found.best.move != "a6a5"


@pytest.mark.parametrize("depth", DEPTHS)
def test_an_unavoidable_fifty_move_draw_is_a_draw_whatever_the_material(depth: int):
    found = search("8/8/4k3/8/8/3K4/8/Q6R w - - 99 80", Limits(depth=depth))
    assert found.score == 0
    assert search("8/8/4k3/8/8/3K4/8/Q6R w - - 0 80", Limits(depth=depth)).score > 0


@pytest.mark.parametrize("depth", DEPTHS)
def test_a_mate_on_the_hundredth_half_move_is_a_mate(depth: int):
    found = search("7k/8/6K1/8/8/8/8/R7 w - - 99 80", Limits(depth=depth))
    assert found.best == BestMove("a1a8")
    assert found.score == MATE - 1


def test_a_mate_one_move_too_late_is_a_draw():
    """Mate two plies beyond the count; with a lower count it is found."""
    fen = "7k/8/5K2/8/8/8/8/R7 w - - {} 80"  # Kg6 Kg8 Ra8
    assert search(fen.format(90), Limits(depth=4)).score == MATE - 3
    assert search(fen.format(97), Limits(depth=4)).score == MATE - 3
    assert search(fen.format(98), Limits(depth=4)).score == 0


def test_the_count_continues_from_the_game():
    fen = "8/8/4k3/8/8/3K4/8/Q6R w - - 91 80"
    moves = ("d3e3", "e6d6", "e3f3", "d6d7", "f3g3", "d7e7", "g3g4", "e7f7")
    game = Game(fen, moves)
    assert game.reference().halfmove_clock == 99
    assert search(game, Limits(depth=2)).score == 0
    assert search(Game(fen, moves[:6]), Limits(depth=2)).score > 0


# -- stalemate ----------------------------------------------------------------------------------


@given(st.integers(0, 2**32), st.sampled_from(["Q", "QP", "R", "P"]), st.integers(2, 3))
def test_the_better_side_does_not_stalemate(seed: int, pieces: str, depth: int):
    game = place_at_random(pieces, True, 0, seed)
    if game is None or not any(
        ends_in(game.fen, move.uci()).is_stalemate() for move in chess.Board(game.fen).legal_moves
    ):
        return
    found = search(game, Limits(depth=depth))
    if found.score > 0:
        assert not ends_in(game.fen, found.best.move).is_stalemate()
    else:
        assert pieces == "P"


@pytest.mark.parametrize(
    "fen", ["k7/8/2K5/1Q6/8/8/8/8 w - - 0 1", "7k/5K2/8/8/6Q1/8/8/8 w - - 0 1"]
)
def test_a_queen_up_does_not_stalemate(fen: str):
    assert any(ends_in(fen, move.uci()).is_stalemate() for move in chess.Board(fen).legal_moves)
    for depth in (2, 3, 4):
        found = search(fen, Limits(depth=depth))
        assert found.score > 0
        assert not ends_in(fen, found.best.move).is_stalemate()


@pytest.mark.parametrize("depth", [6, 8])
@pytest.mark.parametrize(
    "fen",
    [
        "2Q4K/k7/6q1/8/8/8/8/3r4 w - - 0 1",
        "1r6/8/8/8/4Q3/k7/7q/K7 w - - 0 1",
    ],
)
def test_the_worse_side_sacrifices_its_queen_for_stalemate(fen: str, depth: int):
    found = search(fen, Limits(depth=depth))
    assert found.score == 0
    board = ends_in(fen, found.best.move)
    assert all(ends_in(board.fen(), reply.uci()).is_stalemate() for reply in board.legal_moves)


# -- dead positions and the end of the game -----------------------------------------------------


@pytest.mark.parametrize(
    "fen",
    [
        "8/8/4k3/8/8/4K3/8/8 w - - 0 1",
        "8/8/4k3/8/8/4K3/8/6N1 w - - 0 1",
        "8/8/4k3/8/8/4K3/8/6b1 w - - 0 1",
        "8/8/4k3/8/3b4/8/4K3/6B1 b - - 0 1",
    ],
)
@pytest.mark.parametrize("depth", DEPTHS)
def test_insufficient_material_scores_0(fen: str, depth: int):
    found = search(fen, Limits(depth=depth))
    assert found.score == 0
    assert found.best.move is not None


def test_the_last_pawn_is_captured_to_leave_insufficient_material():
    found = search("8/8/4k3/8/8/8/3p4/2K4b w - - 0 1", Limits(depth=2))
    assert found.best.move == "c1d2"
    assert found.score == 0


@pytest.mark.parametrize(
    ("fen", "score"),
    [
        ("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", -MATE),
        ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", -MATE),
        ("R5k1/5ppp/8/8/8/8/8/6K1 b - - 100 90", -MATE),  # mate comes before the count
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 0),
        ("k7/P7/K7/8/8/8/8/8 b - - 0 1", 0),
    ],
)
@pytest.mark.parametrize("limits", [Limits(depth=3), Limits(nodes=100), Limits(mate=2), Limits()])
def test_a_finished_game_has_a_score_and_no_move(fen: str, score: int, limits: Limits):
    found = search(fen, limits, multi_pv=3)
    assert found.best == BestMove(None)
    assert [(info.score, info.pv, info.depth) for info in found.infos] == [(score, (), 0)]


@pytest.mark.parametrize("clock", [100, 120])
def test_beyond_the_fifty_moves_a_move_is_still_given(clock: int):
    """The GUI decides when the game ends; if asked for a move, the engine gives one."""
    found = search(f"8/8/4k3/8/8/3K4/8/Q6R w - - {clock} 99", Limits(depth=3))
    assert found.best.move is not None

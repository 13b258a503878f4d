"""`halbzug.evaluate` and `evaluate_many`: one number and, on request, the terms it consists of."""

from __future__ import annotations

import sys
from array import array
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import chess
import chess.variant
import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st
from positions import Game, endgames, games

import halbzug

QUEEN = "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1"

some_games = st.lists(st.one_of(games(), endgames(8)), max_size=5)


@given(st.one_of(games(), endgames(8)))
def test_the_total_is_the_sum_of_its_terms_on_any_board(game: Game) -> None:
    board = game.reference()
    evaluation = halbzug.evaluate(board)
    assert evaluation.relative == evaluation.breakdown.value
    assert evaluation.white == evaluation.breakdown.white_value
    assert halbzug.evaluate(halbzug.Board.from_board(board)).white == evaluation.white
    (white,) = halbzug.evaluate_many([board.fen(shredder=board.chess960)])
    assert white == evaluation.white


def test_the_terms_belong_to_the_given_position() -> None:
    board = chess.Board()
    board.push_san("e4")
    evaluation = halbzug.evaluate(board)
    terms = dict(halbzug.evaluate(chess.Board(board.fen())))
    board.push_san("e5")
    board.remove_piece_at(chess.D8)
    assert evaluation.board.move_stack == [] and evaluation.board.fen() != board.fen()
    assert dict(evaluation) == terms


@given(some_games)
def test_many_positions_are_evaluated_like_single_ones(found: list[Game]) -> None:
    boards = [game.reference() for game in found]
    values = [halbzug.evaluate(board).white for board in boards]
    assert halbzug.evaluate_many(boards).tolist() == values
    assert halbzug.evaluate_many(board.fen() for board in boards).tolist() == values


@pytest.mark.parametrize(
    "text",
    ["startpos", f"  {chess.STARTING_FEN} ", chess.STARTING_FEN[:-4], chess.STARTING_FEN[:-8]],
    ids=["startpos", "blanks", "no counters", "no en passant square"],
)
def test_a_position_may_be_given_in_every_usual_form(text: str) -> None:
    assert halbzug.evaluate_many([text]).tolist() == [halbzug.evaluate(chess.Board()).white]


def test_many_evaluations_are_an_array(monkeypatch: pytest.MonkeyPatch) -> None:
    values = halbzug.evaluate_many([QUEEN, chess.Board(QUEEN).mirror()])
    assert isinstance(values, numpy.ndarray) and values.dtype == numpy.int32
    assert values[0] == -values[1] > 500
    assert halbzug.evaluate_many([]).shape == (0,)
    monkeypatch.setitem(sys.modules, "numpy", None)
    assert halbzug.evaluate_many([QUEEN]) == array("i", [values[0]])


def test_a_table_has_the_same_columns_for_all_positions() -> None:
    positions = [QUEEN, chess.STARTING_FEN, "4k3/8/8/3p4/8/8/3R4/4K3 b - - 0 1"]
    table = halbzug.evaluate_many(positions, terms=True)
    white = table["white"]
    assert white.tolist() == halbzug.evaluate_many(positions).tolist()
    assert all(column.shape == (3,) for column in table.values())
    terms = sum(column for name, column in table.items() if name != "white")
    assert terms == pytest.approx(white)
    assert table["queen"][0] == halbzug.evaluate(chess.Board(QUEEN))["queen"]
    assert table["queen"][1:].tolist() == [0, 0]
    assert list(halbzug.evaluate_many([], terms=True)) == list(table)


@pytest.mark.parametrize(
    ("position", "words"),
    [
        ("nonsense", r"board 1 \(nonsense\): not a FEN"),
        ("8/8/8/8/8/8/8/8 w - - 0 1", "impossible position: the board is empty"),
        (chess.Board(None), "board 1 .*: impossible position: the board is empty"),
        (chess.Board("4k3/4R3/8/8/8/8/8/4K3 w - - 0 1"), "not to move stands in check"),
        (chess.variant.AtomicBoard(), "not atomic"),
        (f"{chess.STARTING_FEN[:-1]}99999", "a move counter is out of range"),
        (None, "board 1: the board must be a chess.Board, not NoneType"),
    ],
)
@pytest.mark.parametrize("terms", [False, True])
def test_an_invalid_position_is_named(position: Any, words: str, terms: bool) -> None:
    with pytest.raises(halbzug.BoardError, match=words) as caught:
        halbzug.evaluate_many([QUEEN, position], terms=terms)  # type: ignore[call-overload]
    assert caught.value.index == 1


def test_threads_do_not_disturb_each_other() -> None:
    boards = [chess.Board.from_chess960_pos(number) for number in range(0, 960, 8)]
    values = halbzug.evaluate_many(boards).tolist()
    with ThreadPoolExecutor(4) as pool:
        found = pool.map(lambda board: halbzug.evaluate(board).white, boards)
    assert list(found) == values

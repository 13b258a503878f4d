"""The evaluation as a sum: its terms and the rounding add up to the engine's number."""

from __future__ import annotations

from fractions import Fraction

import chess
import pytest
from command_line import Command
from hypothesis import given
from hypothesis import strategies as st
from positions import Game, endgames, games

from halbzug.api.breakdown import Breakdown, break_down
from halbzug.board.movegen import new_board
from halbzug.eval.evaluation import Evaluator
from halbzug.eval.network_file import NETWORK, evaluating_by
from halbzug.eval.tables import FULL_PHASE
from halbzug.eval.weights import GROUPS, WEIGHTS
from halbzug.explain.network_parts import network_parts
from halbzug.search.position import Position

MIDDLEGAME = "r1b2rk1/2q1bppp/p2p1n2/npp1p3/3PP3/2P2N1P/PPB2PP1/RNBQR1K1 w - - 1 12"
BISHOPS = "8/5k2/8/8/1B6/8/3K2P1/6b1 b - - 0 1"


def weighed(game: Game | str) -> Breakdown:
    return break_down((Game(game) if isinstance(game, str) else game).board())


@given(st.one_of(games(), endgames(8)))
def test_the_terms_and_the_rounding_are_the_evaluation(game: Game):
    breakdown = weighed(game)
    position = game.position()
    value = Evaluator().evaluate(position.board, position.accumulator)
    total = sum((term.contribution for term in breakdown.terms), Fraction())
    assert breakdown.value == value
    assert total + breakdown.rounding == (value if position.board.turn else -value)
    assert abs(breakdown.rounding) < 2  # the search rounds twice


@given(st.one_of(games(), endgames(8)))
def test_the_totals_are_the_sums_of_the_terms(game: Game):
    breakdown = weighed(game)
    differences = [(term, term.white - term.black) for term in breakdown.terms]
    assert breakdown.middlegame == sum(term.middlegame * number for term, number in differences)
    assert breakdown.endgame == sum(term.endgame * number for term, number in differences)
    assert 0 <= breakdown.phase <= FULL_PHASE
    for term, number in differences:
        assert term.white or term.black
        assert term.cancels == (number == 0)
        assert not (term.cancels and term.contribution)
        name, index = term.feature
        assert (term.middlegame, term.endgame) == WEIGHTS[name][index]
    assert len({term.name for term in breakdown.terms}) == len(breakdown.terms)


@given(st.one_of(games(), endgames(8)))
def test_the_mirrored_position_has_the_same_terms_for_the_other_side(game: Game):
    board = game.reference()
    one, other = weighed(board.fen()), weighed(board.mirror().fen())
    assert one.value == other.value
    assert {term.name: (term.white, term.black) for term in one.terms} == {
        term.name: (term.black, term.white) for term in other.terms
    }


def test_every_weight_belongs_to_one_group():
    assert sum(len(names) for names in GROUPS.values()) == len(WEIGHTS)


@pytest.mark.parametrize(
    ("fen", "name", "white", "black"),
    [
        pytest.param(chess.STARTING_FEN, "knight on b1", 1, 1, id="square"),
        pytest.param(chess.STARTING_FEN, "knight, 2 squares to go to", 2, 2, id="mobility"),
        pytest.param("4k3/8/8/3P4/8/8/8/4K3 w - - 0 1", "passed pawn on rank 5", 1, 0, id="rank"),
        pytest.param("4k3/3p4/8/8/8/8/8/4K3 w - - 0 1", "pawn on d2", 0, 1, id="own side"),
        pytest.param(
            "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "shelter, own file: pawn on rank 2", 1, 0, id="king"
        ),
    ],
)
def test_terms_have_familiar_names(fen: str, name: str, white: int, black: int):
    (term,) = (term for term in weighed(fen).terms if term.name == name)
    assert (term.white, term.black) == (white, black)


# -- the command --------------------------------------------------------------------------------


def test_the_table_ends_with_the_engines_number(halbzug: Command):
    text = halbzug.output("explain", "eval", MIDDLEGAME)
    value = weighed(MIDDLEGAME).value
    assert max(map(len, text.splitlines())) <= 80
    assert f"{'Evaluation, for White, who moves':34}{value:>+6}" in text
    assert f"({value / 100:+.2f} pawns), by terms" in text
    assert "Squares" in text and "knight on b1" in text
    assert "pawn on f2" not in text and "cancel; --all shows them" in text
    assert "pawn on f2" in halbzug.output("explain", "eval", MIDDLEGAME, "--all")


def test_an_advantage_that_cannot_be_won_is_said_to_be_smaller(halbzug: Command):
    text = halbzug.output("explain", "eval", BISHOPS)
    assert "/64 of the endgame's advantage can be won" in text
    assert "Evaluation, for Black, who moves" in text


def test_json_adds_up(halbzug: Command):
    (report,) = halbzug.json("explain", "eval", BISHOPS, "--json")
    total = sum((Fraction(term["exact"]) for term in report["terms"]), Fraction())
    assert total + Fraction(report["rounding"]) == report["white_value"] == -report["value"]
    assert report["value"] == weighed(BISHOPS).value


def test_a_side_in_check_is_told_that_the_search_would_not_evaluate(halbzug: Command):
    text = halbzug.output("explain", "eval", "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1")
    assert "in check: the search would not evaluate here" in text


def test_an_invalid_position_is_one_line(halbzug: Command):
    process = halbzug.run("explain", "eval", "8/8/8/8/8/8/8/K7 w - - 0 1")
    assert (process.returncode, process.stdout) == (1, "")
    assert process.stderr == "halbzug: impossible position: Black has no king\n"


@pytest.mark.slow
def test_a_plot_is_drawn(halbzug: Command):
    pytest.importorskip("matplotlib")
    text = halbzug.output("explain", "eval", "startpos", "--plot", "a.svg")
    assert text.endswith("\nThe plot is in a.svg.\n")
    assert (halbzug.folder / "a.svg").read_bytes().startswith(b"<?xml")
    halbzug.json("explain", "eval", "startpos", "--plot", "a.png", "--json")
    assert (halbzug.folder / "a.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    "fen",
    [
        chess.STARTING_FEN,
        "r1bq1rk1/pp3ppp/2n1pn2/2bp4/8/2PBPN2/PP3PPP/RNBQ1RK1 b - - 0 9",
        "8/8/8/4k3/8/8/4K3/1B6 w - - 0 1",  # a known draw
        "8/8/8/5k2/8/8/8/KBN5 b - - 0 1",  # known technique
    ],
)
def test_the_parts_of_the_network_add_up_to_its_output(fen: str) -> None:
    parts = network_parts(chess.Board(fen))
    assert sum(one.own for one in parts.pieces) == parts.position
    assert parts.position + parts.neurons + parts.endgame == parts.value
    with evaluating_by(NETWORK):
        position = Position(new_board(fen))
        played = Evaluator().evaluate(position.board, position.accumulator)
    assert parts.value == (played if position.board.turn else -played)


def test_a_piece_is_worth_the_difference_that_its_removal_makes() -> None:
    board = chess.Board("4k3/8/8/3q4/8/4N3/8/Q3K3 w - - 0 1")
    parts = network_parts(board)
    worth = {one.square: one.whole for one in parts.pieces}
    without = board.copy()
    without.remove_piece_at(chess.A1)
    less = network_parts(without)
    assert worth[chess.A1] == parts.value - parts.endgame - (less.value - less.endgame) > 300
    assert worth[chess.D5] < -300
    assert worth[chess.E1] is None


def test_both_evaluations_are_shown_and_in_the_json(halbzug: Command) -> None:
    text = halbzug.output("explain", "eval", chess.STARTING_FEN)
    value = network_parts(chess.Board()).value
    assert f"{value:+.1f}" in text.partition("Evaluation by the network, for White")[2]
    data = halbzug.json("explain", "eval", chess.STARTING_FEN, "--json")[0]["network"]
    assert data["white_value"] == data["position"] + data["neurons"] + data["endgame"] == value
    assert len(data["pieces"]) == 32

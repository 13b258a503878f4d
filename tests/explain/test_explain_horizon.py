"""The horizon effect: the engine errs without its remedies, and is right with them."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import cache

import chess
import hypothesis
import pytest
from command_line import Command
from hypothesis import assume, given
from hypothesis import strategies as st
from positions import COMPILED, Game, endgames, games, search

import halbzug
from halbzug.base.limits import Limits
from halbzug.search.settings import Settings
from halbzug.teaching import horizon_effect as horizon
from halbzug.teaching.examples import EXAMPLES, Example

pytestmark = pytest.mark.any_build

BY_NAME = {example.name: example for example in EXAMPLES}
every_example = pytest.mark.parametrize("example", EXAMPLES, ids=list(BY_NAME))


@cache
def compared(example: Example) -> horizon.Comparison:
    return horizon.compare(chess.Board(example.fen), example.depth)


@every_example
def test_the_engine_errs_without_quiescence_and_is_right_with_it(example: Example):
    bare = replace(Settings(), quiescence=False, check_extension=False, singular_extension=False)
    limits = Limits(depth=example.depth)
    assert search(example.fen, limits, bare).best.move == example.wrong
    assert search(example.fen, limits).best.move == example.right


@every_example
def test_the_wrong_move_loses_what_it_seems_to_keep(example: Example):
    comparison = compared(example)
    assert comparison.is_mistake
    assert comparison.cost >= 300
    without, full = comparison.without, comparison.full
    assert (without.moves[0], full.moves[0]) == (example.wrong, example.right)
    assert len(without.moves) == example.depth  # it stops at that depth
    assert without.judged < without.value - 150
    assert min(without.materials[example.depth :]) < without.materials[example.depth - 1]


def test_two_of_the_five_examples_are_from_the_lectures():
    assert len(EXAMPLES) >= 5
    assert len(BY_NAME) == len(EXAMPLES)
    for example in EXAMPLES:
        assert chess.Board(example.fen).is_valid()
        assert len(example.fen) < 80

    hidden = BY_NAME["hidden"]
    board = chess.Board(hidden.fen)
    queen = board.pieces(chess.QUEEN, board.turn).pop()
    assert not board.is_attacked_by(not board.turn, queen)
    board.push_uci(hidden.wrong)
    assert board.is_attacked_by(board.turn, queen)  # the move itself exposes the queen

    promotion = BY_NAME["promotion"]
    board = chess.Board(promotion.fen)
    line = compared(promotion).without
    for ply, move in enumerate(line.moves):
        board.push_uci(move)
        assert board.is_check() == (ply % 2 == 0)
    assert any(len(move) == 5 for move in line.beyond)
    assert not any(len(move) == 5 for move in line.moves)


@hypothesis.settings(
    max_examples=min(hypothesis.settings.default.max_examples, 25 if COMPILED else 5)
)
@given(st.one_of(endgames(4), games(60)) if COMPILED else endgames(3), st.integers(1, 2))
def test_lines_can_be_played_and_the_material_is_counted(game: Game, depth: int):
    board = game.reference()
    assume(any(board.legal_moves))
    comparison = horizon.compare(board, depth)
    assert comparison.material == horizon.material(board, board.turn)
    for line in (comparison.without, comparison.full):
        after = board.copy()
        worths = [after := played(after, move) for move in line.moves + line.beyond]
        assert line.materials == tuple(horizon.material(one, board.turn) for one in worths)
    assert len(comparison.without.moves) <= depth
    assert len(comparison.without.beyond) <= horizon.BEYOND_PLIES


def played(board: chess.Board, move: str) -> chess.Board:
    after = board.copy()
    assert after.is_legal(chess.Move.from_uci(move))
    after.push_uci(move)
    return after


def test_material_is_counted_for_one_side():
    board = chess.Board("3qk3/8/8/8/8/8/PP6/RN2K3 w - - 0 1")
    assert horizon.material(board, chess.WHITE) == 5 + 3 + 2 - 9
    assert horizon.material(board, chess.BLACK) == -1


def test_a_quiet_position_shows_no_effect():
    assert horizon.find(chess.Board("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")) is None
    found = horizon.find(chess.Board(BY_NAME["hidden"].fen))
    assert found and found.depth == 1


# -- the command --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "example", EXAMPLES if COMPILED else EXAMPLES[2:], ids=lambda example: example.name
)
def test_the_two_lines_stand_side_by_side_with_their_material(halbzug: Command, example: Example):
    text = halbzug.output("explain", "horizon", example.name)
    assert text.startswith(f"{example.title}\n{example.fen}\n")
    assert max(map(len, text.splitlines())) <= 80
    board = chess.Board(example.fen)
    wrong, right = (board.san(chess.Move.from_uci(move)) for move in (example.wrong, example.right))
    first = next(line for line in text.splitlines() if line.startswith("   1 "))
    assert wrong in first and right in first
    assert text.count("- horizon -") == 2
    assert f"The loss caused by {wrong} lies behind the horizon" in text


def test_without_a_position_it_shows_the_first(halbzug: Command):
    assert halbzug.output("explain", "horizon") == halbzug.output(
        "explain", "horizon", EXAMPLES[0].name
    )


def test_the_list_names_all_examples(halbzug: Command):
    text = halbzug.output("explain", "horizon", "--list")
    for example in EXAMPLES:
        assert example.name in text and example.title in text and example.fen in text
    lines = halbzug.json("explain", "horizon", "--list", "--json")
    assert [line["name"] for line in lines] == list(BY_NAME)


def test_the_depth_is_found_for_the_users_own_position(halbzug: Command):
    fen = BY_NAME["mate"].fen
    (report,) = halbzug.json("explain", "horizon", fen, "--json")
    assert report["mistake"] and report["name"] is None
    assert report["depth"] <= BY_NAME["mate"].depth
    (deeper,) = halbzug.json("explain", "horizon", fen, "--depth", "5", "--json")
    assert deeper["depth"] == 5
    quiet = halbzug.output("explain", "horizon", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    assert "the horizon does no harm" in quiet


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["nobody"], 1, "'nobody' is neither a position nor one of hidden, promotion"),
        (["8/8/8/8/8/8/8/8 w - - 0 1"], 1, "empty"),
        (["7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"], 1, "the game is over"),
        (["hidden", "--depth", "x"], 2, "'x'"),
    ],
)
def test_invalid_arguments_are_one_line(
    halbzug: Command, arguments: list[str], code: int, words: str
):
    process = halbzug.run("explain", "horizon", *arguments)
    assert (process.returncode, process.stdout) == (code, "")
    assert process.stderr.startswith("halbzug: ") and process.stderr.count("\n") == 1
    assert words in process.stderr


def test_castling_is_written_the_chess960_way(halbzug: Command):
    fen = "4k3/8/8/8/8/8/8/1R1K4 w B - 0 1"
    output = halbzug.output("explain", "horizon", fen, "--chess960", "--depth", "2", "--json")
    assert json.loads(output)["with"]["pv"]


@pytest.mark.slow
def test_a_plot_is_drawn(halbzug: Command):
    pytest.importorskip("matplotlib")
    text = halbzug.output("explain", "horizon", "promotion", "--plot", "a.svg")
    assert text.endswith("\nThe plot is in a.svg.\n")
    assert (halbzug.folder / "a.svg").read_bytes().startswith(b"<?xml")
    halbzug.json("explain", "horizon", "promotion", "--plot", "a.png", "--json")
    assert (halbzug.folder / "a.png").read_bytes().startswith(b"\x89PNG")


def test_a_drawing_with_a_long_title_has_its_tree_in_the_middle() -> None:
    drawing = halbzug.explain.horizon("promotion").svg()
    width = float(re.findall(r'viewBox="0 0 (\d+)', drawing)[0])
    lines = re.findall(r'<line [^>]*x1="([\d.]+)"[^>]*x2="\1"', drawing)  # the vertical moves
    assert lines and all(abs(float(x) - width / 2) <= 1 for x in lines)

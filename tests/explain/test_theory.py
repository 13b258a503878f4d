"""The statements of the pages on transpositions, keys, quiescence and the evaluation are true."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from fractions import Fraction
from pathlib import Path

import pytest
from command_line import Command
from hypothesis import given
from hypothesis import strategies as st
from positions import Game, endgames, games

import halbzug
from halbzug.api.term_titles_de import german_title
from halbzug.eval.weights import WEIGHTS
from halbzug.explain.eval_map import eval_map
from halbzug.teaching import tree_texts
from halbzug.teaching.examples import EXAMPLES
from halbzug.teaching.game_trees import value_for_white
from halbzug.teaching.quiescence_tree import MAX_NODES, quiescence_tree
from halbzug.teaching.tree_search import search
from halbzug.teaching.zobrist_parts import Keyed, changes, key_of, parts

pytestmark = pytest.mark.any_build


@given(games())
def test_the_parts_of_a_position_combine_to_its_key(game: Game) -> None:
    key = 0
    for part in parts(game.reference()):
        key ^= part.number
    assert key == game.position().key == key_of(game.reference())


@given(games())
def test_the_changes_of_a_move_turn_one_key_into_the_other(game: Game) -> None:
    board = game.reference()
    if not board.move_stack:
        return
    after = board.copy()
    board.pop()
    key = key_of(board)
    for change in changes(Keyed(board), Keyed(after)):
        key ^= change.part.number
    assert key == key_of(after)


@given(
    game=games(),
    depth=st.integers(1, 4),
    width=st.integers(1, 3),
    order=st.sampled_from(["given", "best", "worst"]),
)
def test_a_table_changes_no_value_and_saves_nodes(
    game: Game, depth: int, width: int, order: halbzug.teaching.game_trees.Order
) -> None:
    board = game.reference()
    if board.is_game_over() or not any(board.legal_moves):
        return
    found = halbzug.explain.transpositions(board, depth=depth, width=width, order=order)
    assert len({run.value for run in found.runs.values()}) == 1
    nodes = {name: run.nodes for name, run in found.runs.items()}
    assert nodes["minimax-table"] <= nodes["minimax"] == len(found.nodes)
    assert nodes["alpha-beta-table"] <= nodes["alpha-beta"]
    for number, mark in found.marks.items():
        same = [one for one, other in found.marks.items() if other.letter == mark.letter]
        assert {found.keys[one] for one in same} == {found.keys[number]}


@given(st.one_of(games(), endgames(8)))
def test_squares_remainder_and_rounding_add_up_to_the_evaluation(game: Game) -> None:
    board = game.reference()
    found = eval_map(board)
    total = sum(found.squares().values(), Fraction()) + found.breakdown.rounding
    assert total == found.breakdown.white_value
    terms = {term.feature: Fraction() for term in found.breakdown.terms}
    for share in found.shares:
        terms[share.term.feature] += share.worth
    assert terms == {term.feature: term.contribution for term in found.breakdown.terms}


@given(games())
def test_the_value_of_a_quiescence_tree_is_that_of_a_plain_search(game: Game) -> None:
    board = game.reference()
    tree = quiescence_tree(board)
    assert tree.root.size <= MAX_NODES + 1 or tree.plies == 1
    value = search(tree.root, "alpha-beta").value
    assert value == search(tree.root, "minimax").value
    if not board.is_check() and tree.root.moves:  # standing pat is always possible
        static = value_for_white(board)
        assert value >= static if board.turn else value <= static


def test_all_features_have_german_titles() -> None:
    for name, table in WEIGHTS.items():
        for index in range(len(table)):
            assert german_title(name, index)
    assert german_title("knight_square", 45) == "Springer auf f3"
    assert german_title("passed_pawn", 5) == "Freibauer auf Reihe 6"


@pytest.mark.parametrize("name", ["long_diagonal", "knight_fork", "queen", "trapped"])
def test_a_term_without_a_german_title_has_its_english_one(name: str) -> None:
    assert german_title(name, 0) == name.replace("_", " ")


def test_an_untranslated_text_is_english(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = {
        "en": {"title": "A page", "new": "{number} moves", "new_1": "1 move", "more": "m"},
        "de": {"title": "Eine Seite", "new": "{number} Zug"},
    }
    monkeypatch.setattr(tree_texts, "read_part", lambda room, name: json.dumps(parts))
    german = tree_texts.texts.__wrapped__("new")["de"]
    assert german == {"title": "Eine Seite", "new": "{number} Zug", "more": "m"}
    assert tree_texts.phrase(german, "new", {"number": 1}) == "1 Zug"
    assert german["a name of no text"] == "a name of no text"


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda one: one.name)
def test_a_search_without_quiescence_returns_the_evaluation(
    example: halbzug.teaching.examples.Example,
) -> None:
    found = halbzug.explain.horizon(example.name)
    board = found.board.copy()
    for move in found.without.moves:
        board.push_uci(move)
    static = value_for_white(board)
    assert found.without.value == (static if found.board.turn else -static)


@pytest.mark.slow
def test_pages_and_drawings_are_written(halbzug: Command, tmp_path: Path) -> None:
    for arguments in (
        ("transpositions", "kings"),
        ("horizon", "exchange"),
        ("eval", "startpos"),
    ):
        page, drawing = tmp_path / "page.html", tmp_path / "drawing.svg"
        halbzug.output("explain", *arguments, "--html", str(page), "--svg", str(drawing))
        assert "Content-Security-Policy" in page.read_text(encoding="utf-8")
        assert ET.parse(drawing).getroot().tag.endswith("svg")
        page.unlink()
        drawing.unlink()

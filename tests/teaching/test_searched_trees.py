"""Drawn searches of games: each step is true by the definitions."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import pairwise

import chess
import pytest
from command_line import Command
from drawn_oracle import value, values
from hypothesis import given
from hypothesis import strategies as st

import halbzug
from halbzug.explain.drawn import SearchDrawing
from halbzug.teaching.games.backgammon import BackgammonState, plays, side_of
from halbzug.teaching.games.knapsack import Knapsack
from halbzug.teaching.games.nim import Nim
from halbzug.teaching.games.one_more_roll import OneMoreRoll
from halbzug.teaching.lookup_search import ENDING
from halbzug.teaching.recorded import RecordedNode, Recording, SearchedTree, exact
from halbzug.teaching.searched_trees import (
    ALLIANCES,
    SEARCHED,
    backgammon_tree,
    bracket_tree,
    queens,
)
from halbzug.teaching.tree_texts import page_texts

pytestmark = pytest.mark.any_build


@cache
def made(name: str) -> SearchedTree:
    """A tree from the lectures, made only once."""
    return SEARCHED[name]()


def brackets(shares: Sequence[int], below: Sequence[str]) -> str:
    total = sum(shares)
    return "[" + " ".join(f"{s}/{total}:{b}" for s, b in zip(shares, below, strict=True)) + "]"


def inner(below: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    children = st.lists(below, min_size=1, max_size=3)
    chance = children.flatmap(
        lambda some: st.lists(st.integers(1, 6), min_size=len(some), max_size=len(some)).map(
            lambda shares: brackets(shares, some)
        )
    )
    return children.map(lambda some: f"({' '.join(some)})") | chance


CHANCE_TREES = st.recursive(
    st.fractions(-9, 9, max_denominator=4).map(str), inner, max_leaves=20
).filter(lambda text: " " in text)  # of more than one leaf

MAX_N_TREES = st.recursive(
    st.tuples(*[st.integers(-2, 2)] * 3).map(lambda three: ",".join(map(str, three))),
    lambda below: st.lists(below, min_size=1, max_size=3).map(lambda all_: f"({' '.join(all_)})"),
    max_leaves=20,
).filter(lambda text: " " in text)


def returned(run: Recording) -> dict[int, str]:
    return {s.node: s.values["value"] for s in run.steps if s.kind in ("leaf", "return")}


@given(text=CHANCE_TREES, is_max=st.booleans())
def test_every_value_of_expectiminimax_is_right(text: str, is_max: bool) -> None:
    tree = bracket_tree(text, "max" if is_max else "min")
    nodes, run = list(tree.root.walk()), tree.runs["expectiminimax"]
    assert run.nodes == len(nodes) and tree.runs["star1"].nodes <= len(nodes)
    assert tree.runs["star1"].result == run.result
    found = returned(run)
    for number, node in enumerate(nodes):
        assert found[number] == exact(Fraction(value(node)))


@given(text=MAX_N_TREES, name=st.sampled_from(list(ALLIANCES)))
def test_every_value_of_max_n_is_right(text: str, name: str) -> None:
    tree = bracket_tree(text)
    found = returned(tree.runs[name])
    for number, node in enumerate(tree.root.walk()):
        assert found[number] == exact(values(node, ALLIANCES[name]))


@pytest.mark.parametrize(("size", "cheapest", "nodes"), [(4, "11", 13), (5, "17", 42)])
def test_the_queens_are_placed_at_the_lowest_cost(size: int, cheapest: str, nodes: int) -> None:
    tree = queens(size)
    full, bounded = tree.runs["backtracking"], tree.runs["branch-and-bound"]
    assert (full.result, full.nodes) == (cheapest, tree.root.size)
    assert (bounded.result, bounded.nodes) == (cheapest, nodes)
    names = [node.name for node in tree.root.walk()]
    assert names[full.line[-1]] == names[bounded.line[-1]]


HOMES = st.lists(st.integers(1, 6), min_size=1, max_size=3).map(lambda some: tuple(sorted(some)))


@given(home=HOMES, roll=st.tuples(st.integers(1, 6), st.integers(1, 6)))
def test_a_roll_is_borne_off_according_to_a_second_reading_of_the_rules(home, roll) -> None:
    state = BackgammonState(
        (side_of({one: home.count(one) for one in home}), side_of({1: 1})),
        0,
        (min(roll), max(roll)),
    )
    found = {tuple(at for at in range(1, 7) for _ in range(own[at])) for own, _ in plays(state)}
    assert found == _borne_off(home, roll)


def _borne_off(home: tuple[int, ...], roll: tuple[int, int]) -> set[tuple[int, ...]]:
    """The checkers borne off by a roll; nobody is in the way, so the numbers can be played in any
    order.
    """
    found = set()
    for numbers in [(roll[0],) * 4] if roll[0] == roll[1] else [roll, roll[::-1]]:
        homes = {home}
        for number in numbers:
            homes = {
                tuple(sorted([*one[:at], *((p - number,) if p > number else ()), *one[at + 1 :]]))
                for one in homes
                for at, p in enumerate(one)
                if p >= number or p == max(one)
            } | ({()} & homes)
        found |= homes
    return found


@pytest.mark.parametrize(("home", "wins"), [((2, 5), 19), ((3, 4), 17), ((1, 6), 15), ((1, 1), 36)])
def test_the_probability_of_winning_is_the_known_one(home: tuple[int, ...], wins: int) -> None:
    tree = backgammon_tree(home, (1, 1), 2)
    assert value(tree) == Fraction(wins, 36)


def test_two_drawn_rolls_have_the_value_of_the_whole_game() -> None:
    run = made("bearing-off").runs["expectiminimax"]
    assert Fraction(run.result) == value(backgammon_tree((2, 5), (6,), 2)) == Fraction(209, 324)


def test_a_looked_up_ending_is_won_only_by_the_pawn_capture() -> None:
    tree = made("database")
    nodes = list(tree.root.walk())
    best = {
        name: next(move for move, child in tree.root.moves if child is nodes[run.line[1]])
        for name, run in tree.runs.items()
    }
    assert best == {"by-material": "Kxd4", "looked-up": "cxd4"}
    assert tree.runs["looked-up"].nodes < tree.root.size == tree.runs["by-material"].nodes
    assert tree.runs["looked-up"].result == "1" and chess.Board(ENDING).is_valid()


def test_two_of_three_players_win_together() -> None:
    runs = made("three-players").runs
    minus = "\N{MINUS SIGN}"
    assert {name: run.result for name, run in runs.items()} == {
        "max-n": f"{minus}2 1 1",
        "max-n-12": f"1 1 {minus}2",
        "max-n-13": f"{minus}2 1 1",
        "max-n-23": f"{minus}2 1 1",
        "paranoid": f"{minus}2",
    }


def test_the_table_of_searches_says_who_is_allied() -> None:
    shown = str(halbzug.explain.draw("three-players"))
    assert "Max^n, 1 and 2 are allied" in shown and "max-n" not in shown


@pytest.mark.parametrize("name", ["nim", "connect-four"])
def test_all_searches_of_a_small_game_find_its_value(name: str) -> None:
    tree = made(name)
    full = tree.runs["minimax"]
    assert full.nodes == tree.root.size and full.result == exact(Fraction(value(tree.root)))
    assert tree.runs["alpha-beta"].result == tree.runs["negamax-table"].result == full.result
    nodes = list(tree.root.walk())
    best = next(move for move, child in tree.root.moves if child is nodes[full.line[1]])
    assert tree.runs["uct"].result == tree.runs["puct"].result == best
    kinds = {step.kind for step in tree.runs["negamax-table"].steps}
    assert ("hit" in kinds) == (name == "nim")


def test_a_custom_game_can_be_drawn() -> None:
    drawing = halbzug.explain.draw(Nim((1, 2)))
    assert drawing.values["negamax-table"] == drawing.values["alpha-beta"] == "1"
    three = halbzug.explain.draw(Nim((3,), players=3))
    assert set(three.values) == {*ALLIANCES, "paranoid"}
    assert "expectiminimax" in halbzug.explain.draw(OneMoreRoll(), plies=3).values
    with pytest.raises(ValueError, match="two or three players"):
        halbzug.explain.draw(Knapsack())
    with pytest.raises(ValueError, match="at most 5,000 nodes"):
        halbzug.explain.draw(Nim((3, 4, 5)))


def test_the_four_plays_of_the_slides_are_drawn_with_all_rolls() -> None:
    tree = made("backgammon-slide")
    assert [move for move, _ in tree.root.moves] == [
        *("20/14* 20/15", "20/14* 14/9", "20/14* 6/1", "20/15 15/9"),
    ]
    assert all(len(child.moves) == 21 for _, child in tree.root.moves)


def test_two_players_learn_to_bluff() -> None:
    tree = made("kuhn")
    run = tree.runs["regret"]
    assert abs(float(run.result.replace("\N{MINUS SIGN}", "-")) + 1 / 18) < 0.002
    assert tree.root.size == 55 and run.values[1].startswith("bet ")


def test_every_step_has_a_sentence_in_both_languages() -> None:
    said = {step.sentence for name in SEARCHED for run in made(name).runs.values()
            for step in run.steps}  # fmt: skip
    for language in ("en", "de"):
        assert said <= page_texts()[language].keys()


@pytest.mark.parametrize("name", SEARCHED)
def test_the_moves_in_a_row_do_not_touch(name: str) -> None:
    rows: dict[str, list[tuple[float, float]]] = {}
    for text in ET.fromstring(SearchDrawing(made(name)).svg()).findall(".//{*}text"):
        if text.get("class", "").startswith("move"):
            x, half = float(text.get("x", "")), 2.9 * len(text.text or "")
            rows.setdefault(text.get("y", ""), []).append((x - half, x + half))
    for row in rows.values():
        ends = sorted(row)
        assert all(one[1] < other[0] for one, other in pairwise(ends))


@pytest.mark.parametrize("name", SEARCHED)
def test_the_names_of_nodes_touch_no_other_node(name: str) -> None:
    drawing = ET.fromstring(SearchDrawing(made(name)).svg())
    figures = [
        [[float(number) for number in point.split(",")] for point in one.get("points", "").split()]
        for one in drawing.findall(".//{*}polygon")
    ]
    for one in drawing.findall(".//{*}rect"):
        x, y, size = (float(one.get(key, "")) for key in ("x", "y", "width"))
        figures.append([[x, y], [x + size, y + size]])
    for text in drawing.findall(".//{*}text"):
        if text.get("class", "").startswith("name"):
            x, y, half = (
                float(text.get("x", "")),
                float(text.get("y", "")),
                2.5 * len(text.text or ""),
            )
            for figure in figures:
                xs, ys = zip(*figure, strict=True)
                if min(ys) < y < max(ys):
                    assert max(xs) + 2 < x - half or x + half < min(xs), text.text


@pytest.mark.parametrize("name", SEARCHED)
def test_each_tree_can_be_put_on_a_slide(name: str) -> None:
    drawing = SearchDrawing(made(name))
    for search in drawing.tree.runs:
        for language in ("en", "de"):
            ET.fromstring(drawing.svg(search, language))
    assert drawing.svg().count("<polygon") + drawing.svg().count("<rect") < 150
    assert f"{drawing.nodes:,} node" in repr(drawing) and drawing._repr_svg_() == drawing.svg()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(3 [6 0)", "a tree has a ] where there is a )"),
        ("[1/2:3 1/3:4]", "add up to 1"),
        ("[1/2:3 4]", "add up to 1"),
        ("[0:3 1:4]", "each above 0"),
        ("[5]", "a tree has two leaves or more"),
        ("[]", "needs children"),
        ("[3 x]", "a leaf is a number"),
        ("(1,2 3,4,5)", "a leaf has a number for each player, as 1,2,6, not '1,2'"),
        ("[1 2] 3", "and not more"),
        ("[" * 60, "at most 50 nested brackets"),
        ("[" + "1 " * 20_000 + "]", "at most 5,000 nodes"),
        ("<script>", "is neither a tree"),
    ],
)
def test_invalid_trees_are_refused_in_one_line(text: str, message: str) -> None:
    with pytest.raises(ValueError, match="a") as caught:
        halbzug.explain.draw(text)
    assert message in str(caught.value) and "\n" not in str(caught.value)


def test_the_command_draws(halbzug: Command) -> None:
    text = halbzug.output("explain", "draw", "(3 [1/3:6 2/3:0])", "--svg", "a.svg")
    assert "Expectiminimax      5       3        0      3" in text
    assert "1/3" in (halbzug.folder / "a.svg").read_text(encoding="utf-8")
    (data,) = halbzug.json("explain", "draw", "three-players", "--json")
    assert data["searches"]["max-n-12"]["value"] == "1 1 -2"
    process = halbzug.run("explain", "draw", "nonsense")
    assert (process.returncode, process.stderr.count("\n")) == (1, 1)


def test_nodes_are_distinguished_by_identity() -> None:
    leaf = RecordedNode("leaf", worth=Fraction(1))
    assert leaf != RecordedNode("leaf", worth=Fraction(1)) and leaf.size == 1

"""Drawn searches with chance, three players, queens and tablebases: each step is the oracle's.

The oracles are the searches of `examples/`.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Sequence
from fractions import Fraction

import chess
import pytest
from backgammon_ending import BearingOff, Ending
from backgammon_ending import plays as oracle_plays
from command_line import Command
from database_lookup import Database
from database_lookup import Ending as ChessEnding
from expectimax import expectimax
from game import Player
from hypothesis import given, settings
from hypothesis import strategies as st
from minimax import minimax
from queens import COSTS, Cheapest, backtrack, cost
from three_players import TakeAwayForThree, max_n

import halbzug
from halbzug.explain.drawn import SearchDrawing
from halbzug.teaching.bearing_off import backgammon_tree, plays, win_probability
from halbzug.teaching.bracket_trees import read_bracket_tree
from halbzug.teaching.chance_search import expectiminimax
from halbzug.teaching.lookup_search import ENDING
from halbzug.teaching.party_search import ALLIANCES, PLAYERS
from halbzug.teaching.party_search import max_n as drawn_max_n
from halbzug.teaching.queens_search import COSTS as DRAWN_COSTS
from halbzug.teaching.queens_search import backtracking, branch_and_bound, queens_tree
from halbzug.teaching.recorded import RecordedNode, Recording, exact
from halbzug.teaching.searched_trees import SEARCHED

pytestmark = pytest.mark.any_build


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

PARTY_TREES = st.recursive(
    st.tuples(*[st.integers(-2, 2)] * 3).map(lambda three: ",".join(map(str, three))),
    lambda below: st.lists(below, min_size=1, max_size=3).map(lambda all_: f"({' '.join(all_)})"),
    max_leaves=20,
).filter(lambda text: " " in text)

BOARDS = st.integers(1, 5).flatmap(
    lambda n: st.lists(st.lists(st.integers(0, 9), min_size=n, max_size=n), min_size=n, max_size=n)
)


class Drawn:
    """A drawn tree as a game for the searches of `examples/`."""

    def player(self, state):
        sides = {"max": Player.MAX, "min": Player.MIN, "chance": Player.CHANCE, "leaf": Player.MAX}
        return PLAYERS.index(state.figure) if state.figure in PLAYERS else sides[state.figure]

    def rolls(self, state):
        return [(child.chance, child) for _, child in state.moves]

    def moves(self, state):
        return range(len(state.moves))

    def after(self, state, move):
        return state.moves[move][1]

    def value(self, state):
        return state.worth

    def values(self, state):
        return state.worth


def returned(run: Recording) -> dict[int, str]:
    return {s.node: s.values["value"] for s in run.steps if s.kind in ("leaf", "return")}


@given(text=CHANCE_TREES, is_max=st.booleans())
@settings(deadline=None, max_examples=40)
def test_every_value_of_expectiminimax_is_the_oracles(text: str, is_max: bool) -> None:
    root = read_bracket_tree(text, "max" if is_max else "min")
    run = expectiminimax(root)
    truth = expectimax(Drawn(), root)
    assert (run.result, run.nodes) == (exact(Fraction(truth.value)), truth.nodes)
    values = returned(run)
    for number, node in enumerate(root.walk()):
        assert values[number] == exact(Fraction(expectimax(Drawn(), node).value))


@given(text=PARTY_TREES, name=st.sampled_from(list(ALLIANCES)))
@settings(deadline=None)
def test_every_value_of_max_n_is_the_oracles(text: str, name: str) -> None:
    root = read_bracket_tree(text)
    run = drawn_max_n(root, name)
    truth = max_n(Drawn(), root, ALLIANCES[name])
    assert (run.result, run.nodes) == (exact(truth.values), truth.nodes)
    values = returned(run)
    for number, node in enumerate(root.walk()):
        assert values[number] == exact(max_n(Drawn(), node, ALLIANCES[name]).values)


@given(costs=BOARDS)
@settings(deadline=None)
def test_the_queens_are_placed_as_the_oracle_places_them(costs: list[list[int]]) -> None:
    root = queens_tree(costs)
    oracle = Cheapest(costs)
    oracle.search()
    full, bounded = backtracking(root, costs), branch_and_bound(root, costs)
    assert full.nodes == root.size == len(list(backtrack(len(costs))))
    assert bounded.nodes == oracle.nodes
    wanted = "" if oracle.placement is None else str(cost(oracle.placement, costs))
    assert full.result == bounded.result == wanted
    if oracle.placement is not None:
        name = "".join(map(str, oracle.placement))
        nodes = list(root.walk())
        assert nodes[bounded.line[-1]].name == nodes[full.line[-1]].name == name


HOMES = st.lists(st.integers(1, 6), min_size=1, max_size=3).map(lambda some: tuple(sorted(some)))


@given(home=HOMES, roll=st.tuples(st.integers(1, 6), st.integers(1, 6)))
def test_a_roll_is_played_as_the_rules_of_the_example_say(home, roll) -> None:
    assert list(plays(home, roll)) == oracle_plays(home, roll)


@pytest.mark.parametrize(("home", "other"), [((2, 5), (1, 1)), ((6,), (1,)), ((1, 1), (6,))])
def test_the_chance_to_win_is_the_oracles(home, other) -> None:
    truth = expectimax(BearingOff(), Ending(home, other)).value
    assert win_probability(home, other) == truth
    assert expectiminimax(backgammon_tree(home, other, 1)).result == str(truth)


def test_two_drawn_rolls_are_worth_what_all_of_the_game_is() -> None:
    run = SEARCHED["bearing-off"]().runs["expectiminimax"]
    assert Fraction(run.result) == win_probability((2, 5), (6,))


def test_a_looked_up_ending_is_the_oracles() -> None:
    runs = SEARCHED["database"]().runs
    for name, database in (("by-material", None), ("looked-up", Database())):
        truth = minimax(ChessEnding(database), (ENDING, 2))
        assert (runs[name].result, runs[name].nodes) == (str(truth.value), truth.nodes)
        root = SEARCHED["database"]().root
        nodes = list(root.walk())
        best = next(move for move, child in root.moves if child is nodes[runs[name].line[1]])
        assert best == chess.Board(ENDING).san(truth.move)


def test_the_game_of_matches_for_three_is_the_oracles() -> None:
    for name, alliance in ALLIANCES.items():
        truth = max_n(TakeAwayForThree(), (5, 0), alliance)
        assert SEARCHED["three-players"]().runs[name].result == exact(truth.values)


def test_the_board_with_five_columns_is_the_examples() -> None:
    assert [list(row) for row in DRAWN_COSTS[5]] == [list(row) for row in COSTS]


@pytest.mark.parametrize("name", SEARCHED)
def test_each_tree_can_be_put_on_a_slide(name: str) -> None:
    drawing = SearchDrawing(SEARCHED[name]())
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
        ("[" * 60, "at most 50 brackets"),
        ("[" + "1 " * 20_000 + "]", "at most 5,000 nodes"),
        ("<script>", "is neither a tree"),
    ],
)
def test_what_is_no_tree_is_refused_in_one_line(text: str, message: str) -> None:
    with pytest.raises(ValueError, match="a") as caught:
        halbzug.explain.draw(text)
    assert message in str(caught.value) and "\n" not in str(caught.value)


def test_the_command_draws(halbzug: Command) -> None:
    text = halbzug.output("explain", "draw", "(3 [1/3:6 2/3:0])", "--svg", "a.svg")
    assert "expectiminimax      5       3        0      3" in text
    assert "1/3" in (halbzug.folder / "a.svg").read_text(encoding="utf-8")
    (data,) = halbzug.json("explain", "draw", "three-players", "--json")
    assert data["searches"]["max-n-12"]["value"] == "1 1 -2"
    process = halbzug.run("explain", "draw", "nonsense")
    assert (process.returncode, process.stderr.count("\n")) == (1, 1)


def test_nodes_are_told_apart_by_identity() -> None:
    leaf = RecordedNode("leaf", worth=Fraction(1))
    assert leaf != RecordedNode("leaf", worth=Fraction(1)) and leaf.size == 1

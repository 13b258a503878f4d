"""Game trees and their searches: the drawings show what textbook searches do."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import chess
import pytest
from command_line import Command
from drawn_oracle import WatchedGame, value
from hypothesis import given, settings
from hypothesis import strategies as st

import halbzug
from halbzug.explain.experiment_results import Drawing
from halbzug.teaching.game_trees import TreeNode, noughts_and_crosses, ordered, read_tree
from halbzug.teaching.searches.alpha_beta import alpha_beta
from halbzug.teaching.tree_search import search

pytestmark = pytest.mark.any_build

LECTURE = "((3 12 8) (2 4 6) (14 5 2))"

#: Trees in brackets, up to five levels deep.
TREES = st.recursive(
    st.integers(-20, 20).map(str),
    lambda below: st.lists(below, min_size=1, max_size=4).map(lambda all_: f"({' '.join(all_)})"),
    max_leaves=40,
).filter(lambda text: " " in text)  # of more than one leaf


@given(text=TREES, is_max=st.booleans())
@settings(max_examples=2 * settings.default.max_examples, deadline=None)
def test_values_and_counts_equal_those_of_the_oracle(text: str, is_max: bool) -> None:
    root = read_tree(text, "max" if is_max else "min").root
    quick = alpha_beta(WatchedGame(root), root)
    runs = Drawing(halbzug.explain.alpha_beta(text, player=root.player or "max").tree).runs
    assert {run.value for run in runs.values()} == {value(root)} == {quick.value}
    assert runs["minimax"].nodes == root.size
    assert runs["alpha-beta"].nodes == runs["fail-hard"].nodes == quick.nodes
    for number, node in enumerate(root.walk()):
        assert runs["minimax"].values[number] == value(node)


def is_true(told: str, truth: float) -> bool:
    """Whether a drawing's statement about the value of a node is true."""
    sign, number = told[:1], float(told.lstrip("≥≤").replace("\N{MINUS SIGN}", "-"))
    return {"≥": truth >= number, "≤": truth <= number}.get(sign, truth == number)


def drawn_values(svg: str) -> list[str]:
    """The texts in the nodes of a drawing, in the order of their numbers."""
    return [one.text or "" for one in ET.fromstring(svg).iter() if "inside" in one.get("class", "")]


@given(text=TREES, is_max=st.booleans())
def test_a_bound_is_drawn_as_a_bound(text: str, is_max: bool) -> None:
    drawing = halbzug.explain.alpha_beta(text, player="max" if is_max else "min")
    truth = [value(node) for node in drawing.tree.root.walk()]
    for name, run in drawing.runs.items():
        told = drawn_values(drawing.svg(name))
        for number in run.values:
            assert is_true(told[number], truth[number]), (name, number)
        # A value that the bounds of the search prove exact is not drawn as a bound.
        for step in run.steps:
            if step.kind == "return" and run.algorithm == "alpha-beta" and not step.sign:
                assert truth[step.node] == step.value
    assert not any("≥" in one or "≤" in one for one in drawn_values(drawing.svg("minimax")))


def test_a_cutoff_leaves_a_bound() -> None:
    """A teacher noticed it at these nodes: F is worth 9 and C is worth 1."""
    svg = halbzug.explain.alpha_beta("(((5 3) (6 9 1)) ((2 4) (7 8)) ((1 0) (9 6)))").svg()
    assert "≥6" in drawn_values(svg)
    assert drawn_values(halbzug.explain.alpha_beta("((4 6) (4 1) (4 5))").svg())[4] == "≤4"


@given(text=TREES, new=st.integers(-1000, 1000))
@settings(max_examples=2 * settings.default.max_examples, deadline=None)
def test_cut_off_nodes_cannot_change_the_value(text: str, new: int) -> None:
    root = read_tree(text).root
    run = search(root, "alpha-beta")
    numbers = {id(node): number for number, node in enumerate(root.walk())}

    def changed(node: TreeNode) -> TreeNode:
        if node.value is not None:
            return TreeNode(value=new) if numbers[id(node)] in run.cut else node
        return TreeNode(
            player=node.player, moves=tuple((m, changed(child)) for m, child in node.moves)
        )

    assert search(changed(root), "minimax").value == run.value


@given(text=TREES)
@settings(max_examples=2 * settings.default.max_examples, deadline=None)
def test_the_best_order_needs_no_more_nodes_than_any_other(text: str) -> None:
    tree = read_tree(text)
    best, worst, given_ = (
        search(ordered(tree, order).root, "alpha-beta") for order in ("best", "worst", "given")
    )
    assert best.value == worst.value == given_.value
    assert search(ordered(tree, "worst").root, "minimax").nodes == worst.nodes or worst.cut


def test_the_lectures_trees_have_their_published_values() -> None:
    two = halbzug.explain.alpha_beta("two-plies")
    assert (two.value, two.runs["alpha-beta"].nodes) == (3, 11)
    leaves = [node.value for node in two.tree.root.walk() if node.value is not None]
    cut = [
        node.value
        for number, node in enumerate(two.tree.root.walk())
        if number in two.runs["alpha-beta"].cut
    ]
    assert (leaves, cut) == ([3, 12, 8, 2, 4, 6, 14, 5, 2], [4, 6])
    assert halbzug.explain.alpha_beta("matches").value == 1
    noughts = noughts_and_crosses().root
    replies = {
        (move, reply): leaf.value for move, after in noughts.moves for reply, leaf in after.moves
    }
    assert replies["b2", "b3"] == 6 - 4
    assert len(noughts.moves) == 3
    assert halbzug.explain.alpha_beta("noughts-and-crosses").value == 1


def test_fail_hard_returns_a_bound_where_fail_soft_knows_more() -> None:
    runs = halbzug.explain.alpha_beta(LECTURE).runs
    soft, hard, true = (runs[name].values for name in ("alpha-beta", "fail-hard", "minimax"))
    names = {node.name: number for number, node in enumerate(read_tree(LECTURE).root.walk())}
    assert (soft[names["C"]], hard[names["C"]], true[names["C"]]) == (2, 3, 2)


def test_the_leaves_of_a_position_have_the_engines_evaluation() -> None:
    board = chess.Board("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3")
    drawing = halbzug.explain.alpha_beta(board, depth=2, width=3)
    leaves = [node for node in drawing.tree.root.walk() if node.value is not None]
    assert len(leaves) == 9
    for leaf in leaves:
        after = chess.Board(leaf.fen)
        assert leaf.value == halbzug.evaluate(after).white


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("((3", "a tree has a ) for each ("),
        ("(3))", "a tree has a ) for each (, and not more"),
        ("(5)", "a tree has two leaves or more, such as ((3 5) (2 9))"),
        ("()", "a node in brackets needs children: ()"),
        ("(1 2) (3)", "a tree is one pair of brackets"),
        ("(1 x)", "a leaf is an integer from -1,000,000 to 1,000,000, not 'x'"),
        ("(1 99999999999)", "a leaf is an integer"),
        ("(" * 60_000, "at most 50,000 nodes"),
        ("<script>", "is neither a tree"),
    ],
)
def test_invalid_trees_are_refused_in_one_line(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)) as caught:
        halbzug.explain.alpha_beta(text)
    assert "\n" not in str(caught.value)


def test_a_deep_tree_is_read_and_searched() -> None:
    drawing = halbzug.explain.alpha_beta("(" * 400 + "7 7" + ")" * 400)
    assert (drawing.value, drawing.nodes) == (7, 402)


def test_the_command_writes_a_page_and_a_drawing(halbzug: Command, tmp_path: Path) -> None:
    page, drawing = tmp_path / "tree.html", tmp_path / "tree.svg"
    words = ["explain", "alpha-beta", LECTURE, "--html", str(page), "--svg", str(drawing)]
    process = halbzug.run(*words)
    assert (process.returncode, process.stderr) == (0, "")
    assert "Alpha-beta                11" in process.stdout
    root = ET.parse(drawing).getroot()
    assert root.tag.endswith("svg")
    slashes = [one for one in root.iter() if one.get("class") == "slash"]
    assert len(slashes) == 2
    assert "://" not in page.read_text(encoding="utf-8").replace("http://www.w3.org", "")


def test_a_tree_is_drawn_without_its_search(halbzug: Command) -> None:
    for command, leaves in ((["alpha-beta", LECTURE], 9), (["draw", "(3 [8 2] [1 5])"], 5)):
        words = ["--unsolved", "--svg", "-", "--title", "Find it"]
        svg = halbzug.output("explain", *command, *words)
        told = [
            one.text
            for one in ET.fromstring(svg).iter()
            if one.get("class") in ("inside", "value") and one.text
        ]
        assert len(told) == leaves, command
        assert "Find it" in svg and "slash" not in svg and "\N{INFINITY}" not in svg


def test_a_nonexistent_step_is_one_line(halbzug: Command) -> None:
    for words in (["--step", "99"], ["--step", "3", "--unsolved"]):
        process = halbzug.run("explain", "alpha-beta", "--svg", "a.svg", *words)
        assert process.returncode == 1 and process.stderr.count("\n") == 1
        assert "step" in process.stderr


def test_the_command_can_use_german(halbzug: Command) -> None:
    text = halbzug.output("explain", "alpha-beta", "--language", "de")
    assert "Suche" in text and "Kürzungen" in text and "Beide spielen: 1, 1" in text
    assert "Search" not in text and "Zwei Halbzüge" in text
    text = halbzug.output("explain", "draw", "queens", "--language", "de")
    assert "4 Damen" in text and "Branch and Bound" in text


def test_a_named_tree_may_have_numbers(halbzug: Command) -> None:
    text = halbzug.output(
        "explain", "alpha-beta", "matches 4", "--svg", "a.svg", "--html", "a.html"
    )
    assert text.startswith("The game of matches: 4") and "Minimax                   12" in text
    assert halbzug.output("explain", "alpha-beta", "uniform 2 3").startswith("A uniform tree")
    process = halbzug.run("explain", "alpha-beta", "matches 99")
    assert process.returncode == 1 and "matches is from 1 to 12" in process.stderr

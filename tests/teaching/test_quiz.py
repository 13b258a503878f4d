"""Questions: each solution agrees with an oracle, and a wrong answer is marked as wrong."""

from __future__ import annotations

import re
from fractions import Fraction

import chess
import pytest
from command_line import Command
from drawn_oracle import PLAYERS, WatchedGame, leaf_value, value, values
from hypothesis import given
from hypothesis import strategies as st
from positions import any_text

import halbzug
from halbzug.base.language import LANGUAGES
from halbzug.teaching.examples import EXAMPLES
from halbzug.teaching.game_trees import GameTree
from halbzug.teaching.games.knapsack import Knapsack
from halbzug.teaching.games.nim import take_away
from halbzug.teaching.games.queens import COSTS, Queens
from halbzug.teaching.quiz_file import own_questions, read_questions
from halbzug.teaching.quiz_solutions import ASKS, QuizQuestion
from halbzug.teaching.recorded import SearchedTree
from halbzug.teaching.searched_trees import ALLIANCES
from halbzug.teaching.searches.alpha_beta import alpha_beta
from halbzug.teaching.searches.branch_and_bound import branch_and_bound
from halbzug.teaching.tree_texts import page_texts, phrase

pytestmark = pytest.mark.any_build

#: The items that can be packed: value and weight.
THINGS = ((60, 10), (100, 20), (120, 30), (30, 12))

LECTURE = "((3 12 8) (2 4 6) (14 5 2))"


@pytest.fixture(scope="module")
def own() -> list[QuizQuestion]:
    """The questions that come with Halbzug; their solutions are computed."""
    return own_questions()


def number(text: object) -> Fraction:
    return Fraction(str(text))


def asked_node(question: QuizQuestion):
    """The node that a question is about, found by its letter or its moves."""
    root, name = question.asked.tree.root, question.asked.node
    for node in root.walk():
        if name and node.name == name:
            return node
    node = root
    for move in name.split():
        node = dict(node.moves)[move]
    return node


def best_moves(question: QuizQuestion, key) -> set[int]:
    root = question.asked.tree.root
    numbers = {id(node): place for place, node in enumerate(root.walk())}
    worth = {numbers[id(child)]: key(child) for _, child in root.moves}
    return {place for place, value in worth.items() if value == max(worth.values())}


def check_two_players(question: QuizQuestion) -> None:
    asked = question.asked
    root = asked.tree.root
    nodes = list(root.walk())
    leaves = [node for node in nodes if not node.moves]
    watched = WatchedGame(root)
    alpha_beta(watched, root)
    unseen = {
        place for place, one in enumerate(nodes) if one in leaves and id(one) not in watched.seen
    }
    sign = 1 if root.player == "max" else -1
    if asked.ask == "value":
        assert number(question.solution) == value(asked_node(question))
    elif asked.ask == "move":
        best = best_moves(question, lambda child: sign * value(child))
        assert set(question.solution) == best
    elif asked.ask == "cut":
        assert set(question.solution) == unseen
    elif asked.ask in ("visited", "least"):
        assert number(question.solution) == len(leaves) - len(unseen)
    elif asked.ask == "different":
        game = take_away(int(root.name))
        states, pending = set(), [game.start()]
        while pending:
            states.add(state := pending.pop())
            pending += [game.apply(state, move) for move in game.moves(state)]
        assert number(question.solution) == len(states)
    elif asked.ask == "inequality":
        alpha, beta = map(number, re.findall(r"-?\d+", question.solution.replace("\u2212", "-")))
        assert alpha >= beta and "≥" in question.solution
        assert alpha == value(root.moves[0][1])
        assert beta in [leaf_value(leaf) for leaf in leaves if id(leaf) in watched.seen]
    elif asked.ask == "returned":
        # The value of the first move is a bound for its parent.
        alpha = value(root.moves[0][1])
        soft = alpha_beta(watched, asked_node(question), alpha=alpha).value
        hard = max(alpha, soft)
        assert number(question.solution) == (hard if asked.search == "fail-hard" else soft)
    else:
        raise AssertionError(asked.ask)


def check_other(question: QuizQuestion) -> None:
    asked = question.asked
    root, kind = asked.tree.root, asked.tree.kind
    if root.figure == "queens":
        game = Queens(4, COSTS[4])
        oracle = branch_and_bound(game, ())
        if asked.ask == "placements":
            assert number(question.solution) == 2, "the known number"
        elif asked.ask == "cheapest":
            assert number(question.solution) == min(map(game.cost, ((1, 3, 0, 2), (2, 0, 3, 1))))
        else:
            names = {node.name for node in root.walk()}
            assert len(question.solution) < len(names)
            assert root.size - oracle.nodes == below(question)
    elif kind == "knapsack":
        game = Knapsack(THINGS, 50)
        oracle = branch_and_bound(game, game.start())
        assert all(list(root.walk())[place].moves for place in question.solution)
        assert root.size - oracle.nodes == below(question)
    elif root.figure in PLAYERS:
        alliance = ALLIANCES[asked.search or "max-n"]
        truth = values(root, alliance)
        if asked.ask == "share":
            assert number(question.solution) == truth[asked.number - 1]
        else:
            assert best_moves(
                question,
                lambda child: [values(child, alliance)[one] for one in (0, alliance.get(0, 0))],
            ) == set(question.solution)
    elif kind == "database":
        numbers = {id(node): place for place, node in enumerate(root.walk())}
        assert question.solution == [numbers[id(dict(root.moves)["cxd4"])]]
    elif asked.ask == "alike":
        check_alike(question)
    elif asked.ask == "value":
        assert number(question.solution) == value(root)
    else:
        best = best_moves(question, value)
        assert set(question.solution) == best


def check_shot(question: QuizQuestion) -> None:
    """Count the fleets square by square."""

    def ships(length: int) -> list[set[tuple[int, int]]]:
        rows = [[(at + step, row) for step in range(length)] for row in range(5)
                for at in range(6 - length)]  # fmt: skip
        return [set(row) for row in rows] + [{(y, x) for x, y in row} for row in rows]

    shots = {divmod(square, 5)[::-1]: hit for square, hit in question.asked.shots.items()}
    fleets = [long | short for long in ships(3) for short in ships(2) if not long & short]
    left = [one for one in fleets if all((at in one) == hit for at, hit in shots.items())]
    counts = {
        choice: sum(("abcde".index(choice[0]), int(choice[1]) - 1) in one for one in left)
        for choice in question.choices
    }
    assert question.values["number"] == str(len(left))
    assert [one for one in counts if counts[one] == max(counts.values())] == [question.solution]
    assert question.values["part"] == str(Fraction(max(counts.values()), len(left)))


def check_alike(question: QuizQuestion) -> None:
    """The other card may be any."""
    nodes = list(question.asked.tree.root.walk())
    cards, _, actions = nodes[question.at].name.partition(" ")
    player = len(actions) % 2
    same = [
        place
        for place, node in enumerate(nodes)
        if node.name[player : player + 1] == cards[player] and node.name[3:] == actions
    ]
    assert question.solution == same and len(same) == 2


def below(question: QuizQuestion) -> int:
    """The number of nodes below those of the solution."""
    nodes = list(question.asked.tree.root.walk())
    return sum(nodes[place].size - 1 for place in question.solution)


def test_each_solution_agrees_with_the_oracle(own: list[QuizQuestion]) -> None:
    for question in own:
        if isinstance(question.asked.tree, GameTree):
            check_two_players(question)
        elif isinstance(question.asked.tree, SearchedTree):
            check_other(question)
        elif question.asked.ask == "shot":
            check_shot(question)
        else:
            board, _ = question.asked.board
            example = next(one for one in EXAMPLES if chess.Board(one.fen) == board)
            move = example.wrong if question.asked.ask == "horizon" else example.right
            assert question.solution == board.san(chess.Move.from_uci(move))


def test_a_wrong_answer_is_marked_as_wrong(own: list[QuizQuestion]) -> None:
    for question in own:
        check_answers(question)


def check_answers(question: QuizQuestion) -> None:
    if question.answer == "number":
        right = number(question.solution)
        assert question.is_right(str(right)) and not question.is_right(str(right + 1))
        assert not question.is_right("") and not question.is_right("1/0")
    elif question.answer == "choice":
        rights = [question.is_right(place) for place in range(len(question.choices))]
        assert rights.count(True) == 1 and len(rights) >= 2
    elif question.answer == "nodes":
        right = frozenset(question.solution)
        assert right, "something is cut off"
        assert question.is_right(right) and not question.is_right(frozenset())
        assert not question.is_right(right | {0})
    else:
        root = question.asked.tree.root
        numbers = [place for place, node in enumerate(root.walk())]
        right = [place for place in numbers if question.is_right(frozenset({place}))]
        assert right == list(question.solution)
        assert len(right) < len(root.moves), "there is a wrong move"
        assert not question.is_right(frozenset(right) | {0})


def test_there_are_at_least_twenty_questions_of_every_kind(own: list[QuizQuestion]) -> None:
    assert len(own) >= 20
    assert {question.asked.ask for question in own} == set(ASKS)
    for language in LANGUAGES:
        for question in own:
            text = question.text(page_texts()[language])
            assert "{" not in text and text
            assert f"why_{question.key}" in page_texts()[language]


def english(lines: str) -> tuple[str, str]:
    """A question and the explanation of its solution, in English."""
    (question,) = read_questions(lines)
    words = page_texts()["en"]
    reason = phrase(words, f"why_{question.reason or question.key}", question.told(words))
    return question.text(words), reason


def test_a_question_names_its_search() -> None:
    text, reason = english("ask: visited\ntree: ((3 5) (2 9))\nsearch: minimax")
    assert text == "How many leaves does Minimax visit, from left to right?"
    assert reason == "Minimax visits 4 of 4 leaves."
    assert "Alpha-beta visits 3 of 4" in english("ask: visited\ntree: ((3 5) (2 9))")[1]


def test_a_node_is_named_as_in_the_picture() -> None:
    """In matches 5, three nodes have the label 2, and the move 2 leads to one with a different
    label.
    """
    text, _ = english("ask: returned\ntree: matches 5\nnode: 2")
    assert text == "What does Alpha-beta return at the node after 2?"
    text, reason = english("ask: value\ntree: matches 5\nnode: 1")
    assert text == "What is the node after 1 worth?"
    assert reason == "The values come back from the leaves: the node after 1 is worth 1."
    (question,) = read_questions("ask: value\ntree: matches 3\nnode: 2")
    nodes = list(question.asked.tree.root.walk())
    assert nodes[question.at] is dict(question.asked.tree.root.moves)["2"]
    assert english("ask: value\ntree: ((3 5) (2 9))\nnode: C2")[1].startswith("C2 is a leaf")
    german = page_texts()["de"]
    assert question.text(german) == "Was ist der Knoten nach 2 wert?"
    assert english("ask: returned\ntree: ((3 5) (2 6))")[0].endswith("return at the root?") is False


T1 = "(((5 3) (6 9 1)) ((2 4) (7 8)) ((1 0) (9 6)))"


@pytest.mark.parametrize(
    ("node", "search", "reason"),
    [
        ("G", "fail-hard", "At G nothing is cut off, but no move gets past the bound 5"),
        ("F", "fail-soft", "At F moves are cut off. Fail-soft returns the best value"),
        ("F", "fail-hard", "At F moves are cut off. Fail-hard returns the bound that allowed"),
        ("B", "fail-hard", "B returns 5, and that is its value"),
    ],
)
def test_the_explanation_of_a_returned_value_is_right(node: str, search: str, reason: str) -> None:
    search = "alpha-beta" if search == "fail-soft" else search
    found = english(f"ask: returned\ntree: {T1}\nnode: {node}\nsearch: {search}")[1]
    assert found.startswith(reason)


@given(text=st.lists(st.integers(-9, 9), min_size=4, max_size=9))
def test_inequalities_to_choose_from_are_true(text: list[int]) -> None:
    leaves = [" ".join(map(str, text[at : at + 3])) for at in range(0, len(text), 3)]
    tree = "(" + " ".join(f"({group})" for group in leaves) + ")"
    try:
        (question,) = read_questions(f"ask: inequality\ntree: {tree}")
    except ValueError:
        return  # nothing is cut off
    assert len(set(question.choices)) == 4
    for choice in question.choices:
        high, low = map(number, re.findall(r"-?\d+", choice.replace("\N{MINUS SIGN}", "-")))
        assert high >= low and "≥" in choice


def test_one_ply_and_one_leaf_are_in_the_singular() -> None:
    (question,) = read_questions("ask: horizon\nposition: guarded\ndepth: 1")
    for language, plural in (("en", "1 plies"), ("de", "1 Halbzügen")):
        assert plural not in question.text(page_texts()[language])
    assert "nach einem Halbzug" in question.text(page_texts()["de"])
    assert "a depth of one ply" in english("ask: least\ntree: uniform 3 1")[0]


def test_minus_signs_are_read_as_the_page_prints_them() -> None:
    for tree in ("((-3 2) (\N{MINUS SIGN}1 7))", "[1/2:\N{MINUS SIGN}1 1/2:-1]"):
        (question,) = read_questions(f"ask: value\ntree: {tree}")
        assert question.solution == "-1"


@pytest.mark.parametrize(
    ("ask", "node", "solution"),
    [
        ("cut", "C", [9]),
        ("cut", "D", [13]),
        ("move", "C", [8]),
        ("inequality", "C", "alpha = 5 ≥ beta = 2"),
        ("inequality", "D", "alpha = 5 ≥ beta = 1"),
    ],
)
def test_a_question_about_a_node_is_answered_below_it(
    ask: str, node: str, solution: object
) -> None:
    (question,) = read_questions(f"ask: {ask}\ntree: ((5 6) ((4 9) 2 8) (7 1 3))\nnode: {node}")
    assert question.solution == solution
    assert f" {node}" in question.text(page_texts()["en"])


TREES = st.recursive(
    st.integers(-20, 20).map(str),
    lambda below: st.lists(below, min_size=1, max_size=4).map(lambda all_: f"({' '.join(all_)})"),
    max_leaves=20,
).filter(lambda text: " " in text)  # of more than one leaf


@given(text=TREES, ask=st.sampled_from(["value", "move", "cut", "visited"]), is_max=st.booleans())
def test_questions_about_any_tree_have_the_oracles_solution(text: str, ask: str, is_max: bool):
    player = "max" if is_max else "min"
    (question,) = read_questions(f"ask: {ask}\ntree: {text}\nplayer: {player}")
    check_two_players(question)


def test_the_well_known_answers_of_the_lectures() -> None:
    def solution(*lines: str) -> object:
        return halbzug.explain.quiz("\n".join(lines))[0].solution

    assert solution("ask: cut", f"tree: {LECTURE}") == [7, 8]  # the leaves 4 and 6
    assert solution("ask: value", "tree: noughts-and-crosses", "node: b2 b3") == str(6 - 4)
    assert solution("ask: least", "tree: uniform 3 3") == str(3**2 + 3**1 - 1)
    assert solution("ask: placements", "tree: five-queens") == "10"


def test_a_teachers_text_contains_no_control_characters() -> None:
    (question,) = read_questions("ask: cut\ntree: (1 2)\ntext: a\x1b[31m\u202eb")
    assert question.text(page_texts()["en"]) == "a [31m b"


LESSON = """\
# Five minutes before the break.

ask: cut
tree: ((3 12 8) (2 4 6) (14 5 2))
order: best
text: Was wird <b>abgeschnitten</b>?

ask: value
tree: [1/6:12 5/6:(0 6)]
"""


def test_a_teachers_file_can_be_asked_and_answered(halbzug: Command) -> None:
    halbzug.write("lesson.txt", LESSON)
    text = halbzug.output("explain", "questions", "lesson.txt", "--html", "a.html")
    assert text.splitlines()[0] == " 1 Was wird <b>abgeschnitten</b>?"
    page = (halbzug.folder / "a.html").read_text(encoding="utf-8")
    assert "<b>abgeschnitten" not in page
    (data,) = halbzug.json("explain", "questions", "lesson.txt", "--json")
    assert [one["solution"] for one in data] == [[7, 8, 11, 12], "7"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "there is no question"),
        ("# ask: cut", "there is no question"),
        ("tree: (1 2)", "question 1: it has no line ask:"),
        ("ask: cut", "question 1: '' is neither a tree"),
        (
            "ask: cut\ntree: (1 2)\n\nask: why\ntree: (1 2)",
            "question 2: about this tree one can ask",
        ),
        ("ask: cut\ntree: (1 2", "question 1: a tree has a ) for each ("),
        ("ask: cut\nask: cut\ntree: (1 2)", "question 1: ask: appears twice; separate two"),
        ("ask: cut\nnonsense\ntree: (1 2)", "question 1: a line is one of ask, tree"),
        ("ask: cut\ntree: (1 2)\nnumber: 2", "cut is asked with ask, tree, order, node, search"),
        ("ask: move\ntree: (1 2)\nsearch: minimax", "not with search"),
        ("ask: move\ntree: matches\nplayer: min", "order, node, text here, not with player"),
        (
            "ask: share\ntree: three-players\norder: best",
            "search, number, text here, not with order",
        ),
        ("ask: horizon\nposition: hidden\nnode: C", "position, depth, text here, not with node"),
        ("ask: cut\ntree: (1 2)\nsearch: minimax", "minimax cuts nothing off"),
        ("ask: move\ntree: (1 2)\nnode: 1", "at a node with moves"),
        ("ask: value\ntree: matches 5\nnode: 3", "there is no node '3' in this tree: a node is"),
        ("ask: inequality\ntree: ((3 5) (2 6))\nnode: B", "nothing is cut off at 'B'"),
        ("ask: cut\ntree: (1 2)\nanswer: 7", "once each, not 'answer: 7'"),
        ("ask: value\ntree: (1 2)\nnode: Z", "there is no node 'Z'"),
        ("ask: cut\ntree: (1 2)\norder: nice", "order is given, best or worst"),
        ("ask: cut\ntree: (1 2)\nplayer: me", "player is max or min"),
        ("ask: inequality\ntree: (1 2)", "nothing is cut off"),
        ("ask: returned\ntree: (1 2)\nsearch: magic", "a search is minimax"),
        ("ask: move\ntree: three-players\nsearch: magic", "a search of this tree is max-n"),
        ("ask: least\ntree: (1 (2 3))", "a uniform tree"),
        ("ask: value\ntree: uniform 9 9", "a uniform tree has"),
        ("ask: value\ntree: matches 99", "matches is from 1 to 12"),
        ("ask: share\ntree: three-players\nnumber: 4", "number is from 1 to 3"),
        ("ask: share\ntree: coin", "share is asked about a tree of three players"),
        ("ask: cheapest\ntree: coin", "cheapest is asked about queens"),
        ("ask: given-up\ntree: coin", "given-up is asked about queens"),
        ("ask: alike\ntree: coin", "alike is asked about hidden cards: tree: kuhn"),
        ("ask: alike\ntree: kuhn", "alike is asked at a node with a player"),
        ("ask: shot\nshots: c9 hit", "shots are like c3 hit, b3 miss, not 'c9 hit'"),
        ("ask: shot\nshots: a1 hit, e5 hit, c3 hit", "no fleet of three and two squares"),
        ("ask: shot\ntree: kuhn", "shot is asked with ask, shots, text here, not with tree"),
        ("ask: move\ntree: [1 2]", "a player at its root"),
        ("ask: value\ntree: three-players", "a tree of MAX, MIN and CHANCE"),
        ("ask: cut\nposition: promotion", "horizon, quiescence, not 'cut'"),
        ("ask: horizon\nposition: nonsense", "question 1: "),
        ("ask: horizon\nposition: 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "the game is over"),
        ("ask: horizon\nposition: promotion\ndepth: 9", "depth is from 1 to 6"),
        ("ask: different\ntree: (1 2)", "nodes all have their states"),
        ("\n\n".join(["ask: cut\ntree: (1 2)"] * 201), "at most 200 questions"),
        ("ask: cut\ntree: (1 2)\ntext: " + "x" * 1001, "at most 1,000 characters"),
    ],
)
def test_invalid_questions_are_one_line(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        read_questions(text)
    assert message in str(caught.value) and "\n" not in str(caught.value)


@given(any_text(200) | st.text(alphabet="ask: tree\n()[]123/,#", max_size=200))
def test_no_file_breaks_the_reader(text: str) -> None:
    try:
        read_questions(text)
    except ValueError as error:
        assert len(str(error).splitlines()) == 1

"""The pages of other searches, and the page that asks questions, in a real Chromium."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import chess
import pytest
from page_requests import requests_to_hosts

import halbzug
from halbzug.explain.drawn import Quiz
from halbzug.teaching.quiz_solutions import QuizQuestion
from halbzug.teaching.searched_trees import SEARCHED
from halbzug.teaching.tree_texts import page_texts

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

pytestmark = pytest.mark.any_build


@cache
def quiz() -> Quiz:
    """The questions that come with Halbzug, which take a while to solve."""
    return halbzug.explain.quiz()


LESSON = """\
ask: cut
tree: ((3 12 8) (2 4 6) (14 5 2))

ask: value
tree: [1/2:(3 7) 1/2:(0 4)]
text: What is <i>that</i> worth?

ask: horizon
position: guarded

ask: move
tree: matches 5
"""


class Page:
    """A page in the browser."""

    def __init__(self, driver: Chrome, path: Path) -> None:
        self.driver, self._path = driver, path

    def show(self, html: str) -> None:
        self._path.write_text(html, encoding="utf-8")
        self.driver.get(self._path.as_uri())

    def text(self, name: str) -> str:
        return str(
            self.driver.execute_script(f"return document.getElementById('{name}').textContent")
        )

    def press(self, name: str) -> None:
        self.driver.execute_script(f"document.getElementById('{name}').click()")

    def choose(self, name: str, value: object) -> None:
        self.driver.execute_script(
            f"const e = document.getElementById('{name}'); e.value = '{value}';"
            "e.dispatchEvent(new Event('change'))"
        )

    def answer(self, question: QuizQuestion, given: object) -> tuple[str, bool]:
        """Answer a question; return the verdict, and whether the search can be stepped through."""
        verdict, has_steps = self.driver.execute_script(ANSWER, question.answer, given)
        return verdict, has_steps

    def is_shown(self, selector: str) -> bool:
        return bool(
            self.driver.execute_script(
                f"return document.querySelector('{selector}').getClientRects().length > 0"
            )
        )


@pytest.fixture(scope="module")
def page(browser: Chrome, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    browser.get_log("browser")
    yield Page(browser, tmp_path_factory.mktemp("quiz") / "page.html")
    assert browser.get_log("browser") == []  # no error, and nothing that the policy had to block


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("coin", "The tree is worth 10/3: 16 of 16 nodes were visited."),
        ("backgammon", "The tree is worth 95/216"),
        ("bearing-off", "The tree is worth 209/324: 1023 of 1023 nodes"),
        ("three-players", "The players get \N{MINUS SIGN}2 1 1: 20 of 20 nodes"),
        ("queens", "The cheapest placement costs 11: 13 of 17 nodes were visited."),
        pytest.param(
            *("five-queens", "The cheapest placement costs 17: 42 of 54 nodes"),
            marks=pytest.mark.slow,  # the same as "queens", with more steps
        ),
        ("database", "The tree is worth 1: 50 of 63 nodes"),
    ],
)
def test_each_search_is_stepped_to_its_end_and_back(page: Page, name: str, words: str) -> None:
    page.show(halbzug.explain.draw(name).html())
    start, *said = page.driver.execute_script(WALK, 300)
    assert not [line for line in said if "{" in line or "undefined" in line or not line]
    page.press("last")
    assert words in page.text("said")
    page.press("previous")
    assert words not in page.text("said")
    page.press("first")
    assert page.text("said") == start
    assert not page.is_shown(".questions")


WALK = """
const seen = [document.getElementById('said').textContent];
const next = document.getElementById('next');
while (!next.disabled && seen.length <= arguments[0]) {
  next.click();
  seen.push(document.getElementById('said').textContent);
}
return seen;
"""

#: A preposition before a name in the wrong grammatical case.
WRONG_CASE = re.compile(r"\b(bei|von|unter|mit|am) (die|der Knoten|den)\b", re.IGNORECASE)


@pytest.mark.parametrize(
    "source", ["matches", "noughts-and-crosses", chess.Board(), "backgammon", "queens", "database"]
)
def test_german_sentences_have_the_right_case(page: Page, source: str | chess.Board) -> None:
    if isinstance(source, str) and source in SEARCHED:
        page.show(halbzug.explain.draw(source).html("de"))
    else:
        page.show(halbzug.explain.alpha_beta(source).html("de"))
    seen = page.driver.execute_script(WALK, 400)
    assert not [said for said in seen if WRONG_CASE.search(said) or "{" in said]
    assert seen[0].startswith(("Die Suche beginnt bei der Wurzel.", "Die Suche beginnt bei ...."))


def test_the_searches_of_a_tree_are_switched(page: Page) -> None:
    page.show(halbzug.explain.draw("three-players").html())
    page.choose("algorithm", "max-n-12")
    page.press("last")
    assert "The players get 1 1 \N{MINUS SIGN}2" in page.text("said")
    assert "equal and v[2] > best[2]" in page.text("code")
    page.choose("language", "de")
    assert "gleich und w[2] > bester[2]" in page.text("code")
    page.press("last")
    assert "Die Spieler bekommen 1 1 \N{MINUS SIGN}2" in page.text("said")


#: Answers a question as a user does: by clicks on nodes and buttons, or a number and Enter.
ANSWER = """
const [kind, answer] = arguments, node = n => document.querySelector(`g.node[data-node="${n}"]`);
if (kind === "number") {
  document.getElementById("number").value = answer;
  document.getElementById("number").dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" }));
} else if (kind === "choice") {
  const buttons = Array.from(document.querySelectorAll("#choices button"));
  buttons.find(button => button.textContent === answer).click();
} else {
  answer.forEach(n => node(n).dispatchEvent(new MouseEvent("click", { bubbles: true })));
  if (kind === "nodes") { document.getElementById("check").click(); }
}
return [document.getElementById("verdict").textContent,
  document.querySelector(".steps").getClientRects().length > 0];
"""

#: Runs in the browser: one call for each of hundreds of steps took most of the time.
ANSWER_ALL = f"""
const answer = function () {{ {ANSWER} }};
return arguments[0].map(([kind, wrong, right], place) => {{
  const list = document.getElementById("quiz-list");
  list.value = place;
  list.dispatchEvent(new Event("change"));
  return [answer(kind, wrong), answer(kind, right),
    ["question", "why"].map(name => document.getElementById(name).textContent)];
}});
"""


def wrong_answer(question: QuizQuestion) -> Any:
    if question.answer == "number":
        return "999"
    if question.answer == "choice":
        texts, right = (
            question.choice_texts(page_texts()["de"]),
            question.choices.index(question.solution),
        )
        return next(one for place, one in enumerate(texts) if place != right)
    tree = question.asked.tree
    if question.answer == "nodes" and tree:
        nodes = enumerate(tree.root.walk())
        if question.asked.ask == "alike":
            places = [place for place, node in nodes if node.figure in ("max", "min")]
        else:
            places = [place for place, node in nodes if not node.moves]
        return [next(place for place in places if place not in question.solution)]
    assert tree is not None and isinstance(question.right, frozenset)
    numbers = {id(node): place for place, node in enumerate(tree.root.walk())}
    children = [numbers[id(child)] for _, child in tree.root.moves]
    return [next(one for one in children if one not in question.right)]


def right_answer(question: QuizQuestion) -> Any:
    if question.answer == "node" and isinstance(question.right, frozenset):
        return [min(question.right)]
    if question.answer == "choice":
        return question.named_solution(page_texts()["de"])
    return question.solution


def test_every_question_is_answered_wrong_and_right_and_its_search_is_shown(page: Page) -> None:
    page.show(quiz().html("de"))
    given = []
    for question in quiz():
        wrong, right = wrong_answer(question), right_answer(question)
        if question.answer == "nodes":  # the wrong choice is undone
            right = [*wrong, *right]
        given.append((question.answer, wrong, right))
    said = page.driver.execute_script(ANSWER_ALL, given)
    for question, (wrong, right, words) in zip(quiz(), said, strict=True):
        verdict, has_steps = wrong
        assert verdict not in ("", "Richtig.") and not has_steps, question.asked.ask
        assert right == ["Richtig.", question.asked.tree is not None], question.asked.ask
        assert all(text and "{" not in text for text in words)
    assert page.text("score") == "0 von 42 auf Anhieb richtig"
    page.press("last")
    assert page.text("said").startswith("Die Wurzel gibt 1 zurück.")


def test_a_lesson_is_answered_with_the_keyboard_alone(page: Page) -> None:
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys

    page.show(halbzug.explain.quiz(LESSON).html())

    def press(*keys: str) -> None:
        ActionChains(page.driver).send_keys(*keys).perform()

    def tab_to(selector: str) -> None:
        for _ in range(40):
            press(Keys.TAB)
            if page.driver.execute_script(f"return document.activeElement.matches('{selector}')"):
                return
        raise AssertionError(selector)

    for node in (7, 8):
        tab_to(f'g.node[data-node="{node}"]')
        press(Keys.ENTER)
    label = page.driver.execute_script("return document.activeElement.getAttribute('aria-label')")
    assert label == "C3: 6"
    tab_to("#check")
    press(Keys.ENTER)
    assert (page.text("verdict"), page.text("score")) == ("Right.", "1 of 1 right at once")
    page.driver.execute_script("document.activeElement.blur()")
    press(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    assert page.text("said").startswith("A tries 1") or "MAX tries 1" in page.text("said")
    tab_to("#quiz-next")
    press(Keys.ENTER)
    assert page.text("question") == "What is <i>that</i> worth?"
    tab_to("#number")
    press("5,", Keys.ENTER)
    assert page.text("verdict").startswith("That is not a number")
    press("5", Keys.ENTER)
    assert page.text("verdict") == "Right."  # 5,5 is 11/2
    page.choose("quiz-list", 2)
    assert page.is_shown("#board svg") and not page.is_shown(".drawing")
    page.press("solution")
    assert page.text("verdict") == "The solution: Qxf5."
    assert page.text("score") == "2 of 3 right at once"


def test_the_node_in_question_is_highlighted_and_answered_below(page: Page) -> None:
    lesson = "ask: move\ntree: matches 5\nnode: 2\n\nask: value\ntree: matches 5"
    page.show(halbzug.explain.quiz(lesson).html())
    assert page.text("question").startswith(
        "MIN is to move at the node after 2. Which move is best? The node is marked in the tree."
    )
    marked = "return Array.from(document.querySelectorAll('g.asked'), e => e.textContent)"
    assert page.driver.execute_script(marked) == ["3"]
    (question, _) = halbzug.explain.quiz(lesson)
    verdict, _ = page.answer(question, question.solution[:1])
    assert verdict == "Right." and page.text("why") == "The best move is worth \N{MINUS SIGN}1."
    page.choose("quiz-list", 1)
    assert page.driver.execute_script(marked) == []


@pytest.mark.parametrize(
    "name",
    [
        *("quiz", "backgammon", "three-players", "database"),
        *(
            pytest.param(name, marks=pytest.mark.slow)
            for name in SEARCHED
            if name not in ("backgammon", "three-players", "database")
        ),
    ],
)
def test_nothing_is_wider_than_a_small_phone(page: Page, name: str) -> None:
    drawn = quiz() if name == "quiz" else halbzug.explain.draw(name)
    size = {"width": 320, "height": 700, "deviceScaleFactor": 1, "mobile": True}
    page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        page.show(drawn.html("de"))
        assert page.driver.execute_script("return document.documentElement.scrollWidth") <= 320
    finally:
        page.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_a_question_about_a_position_in_german(page: Page) -> None:
    page.show(halbzug.explain.quiz("ask: horizon\nposition: promotion").html("de"))
    page.press("solution")
    assert page.text("verdict") == "Die Lösung: Te1+."
    assert re.search(r"mit [+\N{MINUS SIGN}]\d+,\d\d für die Seite am Zug", page.text("why"))
    assert "...Te1+" in page.text("why") and "." + "68" not in page.text("why")


def test_nothing_is_fetched(page: Page) -> None:
    page.driver.get_log("performance")
    page.show(quiz().html())
    page.choose("quiz-list", 18)
    assert requests_to_hosts(page.driver) == []

"""The page that steps through a game tree, in a real Chromium."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import axe
import chess
import pytest
from page_requests import requests_to_hosts

import halbzug
from halbzug import teaching
from halbzug.teaching.tree_drawing import value_text

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

pytestmark = pytest.mark.any_build

TEXTS = Path(teaching.__file__).parent / "html"

LECTURE = "((3 12 8) (2 4 6) (14 5 2))"


def show(driver: Chrome, folder: Path, source: str | chess.Board, **options: Any) -> None:
    path = folder / "tree.html"
    path.write_text(halbzug.explain.alpha_beta(source, **options).html(), encoding="utf-8")
    driver.get_log("performance")
    driver.get(path.as_uri())


def press(driver: Chrome, name: str, times: int = 1) -> None:
    driver.execute_script(
        f"for (let i = 0; i < {times}; i += 1) {{ document.getElementById('{name}').click(); }}"
    )


def text(driver: Chrome, name: str) -> str:
    return str(driver.execute_script(f"return document.getElementById('{name}').textContent"))


def click_node(driver: Chrome, number: int) -> None:
    driver.execute_script(
        f"document.querySelector('g.node[data-node=\"{number}\"]')"
        ".dispatchEvent(new MouseEvent('click', { bubbles: true }))"
    )


@pytest.mark.parametrize("file", sorted(TEXTS.glob("*.json")), ids=lambda file: file.stem)
def test_all_texts_are_in_both_languages(file: Path) -> None:
    texts = json.loads(file.read_text(encoding="utf-8"))
    english, german = texts["en"], texts["de"]
    assert english.keys() == german.keys()
    for name, words in english.items():
        assert words, name
        assert german[name], name
        holes = [sorted(re.findall(r"\{\w+\}", one)) for one in (words, german[name])]
        assert holes[0] == holes[1], name


def test_a_search_is_stepped_through_to_its_end_and_back(browser: Chrome, tmp_path: Path) -> None:
    show(browser, tmp_path, LECTURE)
    assert text(browser, "said") == "The search begins at A. Step with the arrow keys."
    assert not browser.find_elements("css selector", "#code .now")  # nothing is playing yet
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import WebDriverWait

    body = browser.find_element("tag name", "body")
    body.send_keys(Keys.ARROW_RIGHT)
    assert text(browser, "said") == "A is searched with alpha −∞ and beta +∞."  # noqa: RUF001
    seen = [said for said, _ in browser.execute_script(WALK)]
    assert any(line.startswith("Alpha cutoff at C: beta 2 ≤ alpha 3.") for line in seen)
    assert seen[-1] == "A returns 3. The tree is worth 3 for MAX: 11 of 13 nodes were visited."
    press(browser, "previous")
    assert browser.execute_script(PLAY) == "Pause"
    WebDriverWait(browser, 20).until(lambda page: text(page, "play") == "▶▶")
    assert text(browser, "said") == seen[-1]
    body.send_keys(Keys.HOME)
    assert text(browser, "said").startswith("The search begins")
    body.send_keys(Keys.END, Keys.ARROW_LEFT)
    assert text(browser, "said") == seen[-2]


#: The name of the button, before the next step.
PLAY = """
const play = document.getElementById('play');
play.click();
return play.getAttribute('aria-label');
"""

#: The text in each node, and the comment, after each step.
WALK = """
const seen = [], next = document.getElementById('next');
document.getElementById('first').click();
while (!next.disabled) {
  next.click();
  seen.push([document.getElementById('said').textContent,
    Array.from(document.querySelectorAll('g.node .value'), e => e.textContent)]);
}
return seen;
"""

SEARCHES = ("minimax", "alpha-beta", "fail-hard")


def is_true(told: str, truth: float) -> bool:
    sign, number = told[:1], float(told.lstrip("≥≤").replace("\N{MINUS SIGN}", "-"))
    return {"≥": truth >= number, "≤": truth <= number}.get(sign, truth == number)


def choose(driver: Chrome, name: str, value: str) -> None:
    driver.execute_script(
        f"const e = document.getElementById('{name}'); e.value = '{value}';"
        "e.dispatchEvent(new Event('change'))"
    )


@pytest.mark.parametrize("player", ["max", "min"])
def test_the_text_of_a_node_is_true_at_every_step(
    browser: Chrome, tmp_path: Path, player: Any
) -> None:
    tree = "(((5 3) (6 9 1)) ((2 4) (7 8)) ((1 0) (9 6)))"
    show(browser, tmp_path, tree, player=player)
    true = halbzug.explain.alpha_beta(tree, player=player).runs["minimax"].values
    for search in SEARCHES:
        choose(browser, "algorithm", search)
        for said, values in browser.execute_script(WALK):
            for number, told in enumerate(values):
                assert not told or is_true(told, true[number]), (search, said)


def test_a_step_is_drawn_as_the_page_shows_it(browser: Chrome, tmp_path: Path) -> None:
    found = halbzug.explain.alpha_beta("((5 (1 9)) (3 7) (6 2))")
    show(browser, tmp_path, "((5 (1 9)) (3 7) (6 2))")
    for search in SEARCHES:
        choose(browser, "algorithm", search)
        for step, (_, values) in enumerate(browser.execute_script(WALK), 1):
            drawn = ET.fromstring(found.svg(search, step=step))
            told = [one.text or "" for one in drawn.iter() if "inside" in one.get("class", "")]
            assert told == values, (search, step)


def test_a_custom_title_stays_in_both_languages(browser: Chrome, tmp_path: Path) -> None:
    (tmp_path / "tree.html").write_text(
        halbzug.explain.alpha_beta(LECTURE).html(title="Class 10b: <alpha>"), encoding="utf-8"
    )
    browser.get((tmp_path / "tree.html").as_uri())
    choose(browser, "language", "de")
    assert browser.title == "Class 10b: <alpha>"
    assert browser.find_element("tag name", "h1").text == "Class 10b: <alpha>"


def test_a_bound_is_described_as_a_bound(browser: Chrome, tmp_path: Path) -> None:
    show(browser, tmp_path, "((4 6) (4 1) (4 5))")
    sentences = [said for said, _ in browser.execute_script(WALK)]
    assert "C is worth at most 4, and so is the move 2 of A." in sentences
    assert "C returns 4, which is a bound: its value is at most 4." in sentences
    choose(browser, "language", "de")
    sentences = [said for said, _ in browser.execute_script(WALK)]
    assert "C ist höchstens 4 wert, und damit auch der Zug 2 von A." in sentences
    show(browser, tmp_path, LECTURE)
    assert text(browser, "differences").endswith("minimaxC≤2≤32D2≤32")


def test_a_question_is_answered_wrong_and_right(browser: Chrome, tmp_path: Path) -> None:
    show(browser, tmp_path, LECTURE)
    press(browser, "ask-cut")
    press(browser, "check")
    assert text(browser, "verdict").startswith("Nothing is chosen.")
    click_node(browser, 6)  # the leaf 2, which is visited
    press(browser, "check")
    assert (
        text(browser, "verdict")
        == "Not quite: something is missing, and not all of these belong to it."
    )
    for number in (6, 7, 8):
        click_node(browser, number)
    press(browser, "check")
    assert text(browser, "verdict") == "Right."
    press(browser, "ask-move")
    click_node(browser, 5)
    assert text(browser, "verdict") == "No: this move is worth 2."
    click_node(browser, 1)
    assert text(browser, "verdict") == "Right."


def test_results_are_hidden_until_the_end(browser: Chrome, tmp_path: Path) -> None:
    show(browser, tmp_path, LECTURE)
    results = browser.find_element("id", "results")
    assert results.get_property("open") is False
    press(browser, "next")
    assert results.get_property("open") is False
    press(browser, "last")
    assert results.get_property("open") is True
    html = halbzug.explain.alpha_beta(LECTURE).html(has_results=False)
    (tmp_path / "tree.html").write_text(html, encoding="utf-8")
    browser.get((tmp_path / "tree.html").as_uri())
    press(browser, "last")
    assert not browser.find_element("id", "results").is_displayed()


def test_the_next_cutoff_has_a_key_and_a_button(browser: Chrome, tmp_path: Path) -> None:
    show(browser, tmp_path, "((5 6) (4 9) (1 2))")
    press(browser, "cutoff")
    assert text(browser, "said").startswith("Alpha cutoff at C")
    browser.find_element("tag name", "body").send_keys("c")
    assert text(browser, "said").startswith("Alpha cutoff at D")
    assert browser.find_element("id", "cutoff").get_property("disabled")


def test_a_tree_fills_its_frame_and_can_be_zoomed(browser: Chrome, tmp_path: Path) -> None:
    width = "return document.getElementById('tree').getBoundingClientRect().width"
    room = "return document.querySelector('.drawing').clientWidth"
    show(browser, tmp_path, LECTURE)
    drawn = browser.execute_script(width)
    assert drawn > 520  # its size without a scale
    press(browser, "larger")
    assert browser.execute_script(width) == pytest.approx(1.25 * drawn, abs=2)
    show(browser, tmp_path, "matches", order="given")
    press(browser, "larger", 6)
    assert browser.execute_script(width) > browser.execute_script(room)
    press(browser, "fit")
    assert browser.execute_script(width) <= browser.execute_script(room)


#: The figures that are partly outside the frame, and how many there are.
HIDDEN = """
const frame = document.querySelector('.drawing').getBoundingClientRect();
const nodes = Array.from(document.querySelectorAll('g.node'), g => g.getBoundingClientRect());
return [nodes.filter(box => box.left < frame.left - 1 || box.right > frame.right + 1 ||
  box.top < frame.top - 1 || box.bottom > frame.bottom + 1).length, nodes.length];
"""


@pytest.mark.parametrize(
    ("source", "number", "width"),
    [
        *((LECTURE, 13, 390), ("backgammon", 4, 390), ("database", 8, 390), ("coin", 16, 390)),
        ("backgammon", 4, 1280),
        *(
            pytest.param(source, number, 1280, marks=pytest.mark.slow)
            for source, number in ((LECTURE, 13), ("database", 8), ("coin", 16))
        ),
    ],
)
def test_a_tree_fits_on_a_phone_when_it_opens(
    browser: Chrome, tmp_path: Path, source: str, number: int, width: int
) -> None:
    metrics = {"width": width, "height": 844, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    try:
        explained = halbzug.explain.alpha_beta if source == LECTURE else halbzug.explain.draw
        path = tmp_path / "tree.html"
        path.write_text(explained(source).html(), encoding="utf-8")
        browser.get(path.as_uri())
        assert browser.execute_script(HIDDEN) == [0, number]
        if (
            source == "backgammon"
        ):  # a step shows its node, and the end shows the line that is played
            press(browser, "next", 3)
            assert browser.execute_script(HIDDEN)[1] == 4 + 21
            press(browser, "last")
            assert browser.execute_script(HIDDEN)[1] == 4 + 21
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_a_leaf_is_as_wide_as_its_value(browser: Chrome, tmp_path: Path) -> None:
    show(browser, tmp_path, "((-29998 12345 8) (2 4 6))")
    widths = browser.execute_script(
        "return Array.from(document.querySelectorAll('g.node'), node => [node.querySelector("
        "'.figure').getBBox().width, node.querySelector('.value').getBBox().width])"
    )
    assert len(widths) == 9 and all(figure > value for figure, value in widths)


def test_moves_of_a_wide_node_do_not_overlap(browser: Chrome, tmp_path: Path) -> None:
    path = tmp_path / "database.html"
    path.write_text(halbzug.explain.draw("database").html(), encoding="utf-8")
    browser.get(path.as_uri())
    spans = browser.execute_script(
        "return Array.from(document.querySelectorAll('text.move'), move => move.getBBox())"
        ".sort((one, other) => one.x - other.x).map(box => [box.x, box.x + box.width])"
    )
    assert len(spans) == 7
    assert all(left[1] <= right[0] for left, right in pairwise(spans))


#: The texts that overlap others of their kind, and the names of nodes that overlap other nodes.
OVERLAPPING = """
const touch = function (one, other) {
  const a = one.getBoundingClientRect(), b = other.getBoundingClientRect();
  return a.left < b.right && b.left < a.right && a.top + 4 < b.bottom && b.top + 4 < a.bottom;
};
const all = (what) => Array.from(document.querySelectorAll("#tree " + what));
const pairs = (texts) => texts.filter((one, at) =>
  texts.slice(at + 1).some((two) => touch(one, two)));
const figures = all(".figure");
return pairs(all("text.move")).concat(pairs(all("text.bounds, text.mark, text.value")),
  all("text.name").filter((name) => figures.some((figure) => touch(name, figure) &&
    figure.parentNode !== name.parentNode))).map((text) => text.textContent);
"""


@pytest.mark.parametrize("name", ["nim", "knapsack", "backgammon-slide", "kuhn", "connect-four"])
def test_names_and_moves_touch_nothing(browser: Chrome, tmp_path: Path, name: str) -> None:
    path = tmp_path / "tree.html"
    path.write_text(halbzug.explain.draw(name).html(), encoding="utf-8")
    browser.get(path.as_uri())
    assert browser.execute_script(OVERLAPPING) == []


@pytest.mark.parametrize("width", [1280, 390])
def test_bounds_and_marks_touch_nothing(browser: Chrome, tmp_path: Path, width: int) -> None:
    metrics = {"width": width, "height": 844, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    try:
        path = tmp_path / "tree.html"
        path.write_text(halbzug.explain.transpositions().html(), encoding="utf-8")
        browser.get(path.as_uri())
        press(browser, "last")
        assert browser.execute_script(OVERLAPPING) == []
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_language_and_search_are_switched(browser: Chrome, tmp_path: Path) -> None:
    show(browser, tmp_path, "matches")
    for name, value in (("language", "de"), ("algorithm", "fail-hard")):
        browser.execute_script(
            f"const e = document.getElementById('{name}'); e.value = '{value}';"
            "e.dispatchEvent(new Event('change'))"
        )
    press(browser, "last")
    assert "Der Baum ist für MAX 1 wert: 17 von 20 Knoten wurden besucht." in text(browser, "said")
    assert "wenn alpha ≥ beta: gib beta" in text(browser, "code")
    assert browser.title == "Das Streichholzspiel: 5"
    press(browser, "first")
    assert text(browser, "said").startswith("Die Suche beginnt bei der Wurzel.")


def test_the_page_starts_with_the_requested_order(browser: Chrome, tmp_path: Path) -> None:
    show(browser, tmp_path, "matches", order="best")
    order = "return document.getElementById('order').value"
    assert browser.execute_script(order) == "best"
    press(browser, "last")
    assert "14 of 20 nodes were visited" in text(browser, "said")


def test_german_has_german_pieces_and_pseudocode(browser: Chrome, tmp_path: Path) -> None:
    board = chess.Board("4k3/8/8/8/8/8/3R4/4KQ2 w - - 0 1")
    show(browser, tmp_path, board, depth=2, width=2)
    moves = "return Array.from(document.querySelectorAll('#tree .move'), e => e.textContent)"
    english = browser.execute_script(moves)
    choose(browser, "language", "de")
    german = browser.execute_script(moves)
    assert [one.translate(str.maketrans("KQRBN", "KDTLS")) for one in english] == german
    assert english != german
    press(browser, "last")
    assert "funktion wert(knoten" in text(browser, "code")
    choose(browser, "language", "en")
    assert browser.execute_script(moves) == english
    drawn = halbzug.explain.alpha_beta(board, depth=2, width=2).svg(language="de")
    told = [one.text for one in ET.fromstring(drawn).iter() if one.get("class") == "move"]
    assert set(told) <= {*german, ""}


#: The state of the nodes (class, value, window) and the number of cut edges, at each step to the
#: end, at each step back, and after a jump to the end.
_DRAWN = """
const drawn = () => [Array.from(document.querySelectorAll("g.node"), (one) => [
  one.className.baseVal, ...["value", "bounds"].map(
    (name) => (one.querySelector("." + name) || {}).textContent || "")]),
  Array.from(document.querySelectorAll(".slash"))
    .filter((one) => one.getAttribute("visibility") === "visible").length];
const steps = (name) => {
  const button = document.getElementById(name), seen = [];
  while (!button.disabled) { button.click(); seen.push(drawn()); }
  return seen;
};
const begin = drawn(), forward = steps("next"), back = steps("previous");
document.getElementById("last").click();
return [[begin, ...forward], back, drawn()];
"""


@pytest.mark.parametrize("source", [LECTURE, "matches"])
def test_each_step_shows_what_the_search_has_done(
    browser: Chrome, tmp_path: Path, source: str
) -> None:
    show(browser, tmp_path, source)
    found = halbzug.explain.alpha_beta(source)
    nodes, run = list(found.tree.root.walk()), found.runs["alpha-beta"]
    forward, back, last = browser.execute_script(_DRAWN)
    assert len(forward) == len(run.steps) + 1
    for place, (drawn, slashes) in enumerate(forward):
        visited = {step.node for step in run.steps[:place]}
        seen = {number for number, (classes, *_) in enumerate(drawn) if "unseen" not in classes}
        assert seen == visited
        windows = {
            step.node: f"[{value_text(step.alpha)}, {value_text(step.beta)}]"
            for step in run.steps[:place]
            if nodes[step.node].moves
        }
        assert {number: one[2] for number, one in enumerate(drawn) if one[2]} == windows
        assert (slashes > 0) == any(step.kind == "cut" for step in run.steps[:place])
    off = {number for number, (classes, *_) in enumerate(forward[-1][0]) if "off" in classes}
    assert off == run.cut
    assert back == forward[-2::-1]
    assert last == forward[-1]


def test_a_wide_tree_appears_where_the_reader_scrolls(browser: Chrome, tmp_path: Path) -> None:
    show(browser, tmp_path, f"({' '.join(map(str, range(200)))})")
    is_shown = (
        "return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done("
        "[1, 200].map((one) => document.querySelector(`g.node[data-node='${one}']`)"
        ".getClientRects().length > 0)))))"
    )
    frame = "document.querySelector('.drawing')"
    browser.execute_script(f"{frame}.scrollLeft = 0")
    assert browser.execute_script(is_shown) == [True, False]
    browser.execute_script(f"{frame}.scrollLeft = {frame}.scrollWidth")
    assert browser.execute_script(is_shown) == [False, True]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    assert browser.execute_script(is_shown) == [True, True]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


def test_a_page_can_be_stepped_through_in_a_notebook_frame(browser: Chrome, tmp_path: Path) -> None:
    page = halbzug.explain.alpha_beta(LECTURE).html()
    path = tmp_path / "notebook.html"
    path.write_text(f"<!DOCTYPE html><title>A cell</title>{page._repr_html_()}", encoding="utf-8")
    browser.get(path.as_uri())
    browser.switch_to.frame(0)
    press(browser, "last")
    assert text(browser, "said").startswith("A returns 3.")
    browser.switch_to.default_content()


@pytest.mark.slow
def test_a_large_tree_is_folded_and_says_so(browser: Chrome, tmp_path: Path) -> None:
    show(browser, tmp_path, chess.Board(), depth=4, width=9)
    total, shown = (
        browser.execute_script(
            "return JSON.parse(document.getElementById('data').textContent)"
            ".orders.given.nodes.length"
        ),
        browser.execute_script("return document.querySelectorAll('g.node').length"),
    )
    assert total > 5000 >= shown
    assert text(browser, "folded").startswith(f"{total - shown} nodes are folded")


def test_nothing_is_fetched(browser: Chrome, tmp_path: Path) -> None:
    show(browser, tmp_path, "noughts-and-crosses")
    press(browser, "last")
    assert requests_to_hosts(browser) == []
    assert browser.get_log("browser") == []


@pytest.mark.slow
def test_axe_finds_nothing_serious(browser: Chrome, tmp_path: Path) -> None:
    show(browser, tmp_path, LECTURE)
    press(browser, "next", 3)
    press(browser, "ask-cut")
    assert axe.findings(browser) == []

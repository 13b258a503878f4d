"""The page on which a Monte Carlo tree grows, in a real Chromium."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from page_requests import requests_to_hosts

import halbzug
from halbzug.explain.monte_carlo_result import MonteCarlo
from halbzug.teaching.tree_growth import MODULES
from halbzug.teaching.tree_texts import texts

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

pytestmark = pytest.mark.any_build

SIMULATIONS = 150


@pytest.fixture(scope="module")
def found() -> MonteCarlo:
    return halbzug.explain.monte_carlo("promotion", simulations=SIMULATIONS, progress=False)


@pytest.fixture(scope="module")
def page(
    browser: Chrome, found: MonteCarlo, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Chrome]:
    path = tmp_path_factory.mktemp("page") / "monte-carlo.html"
    path.write_text(found.html(), encoding="utf-8")
    browser.get_log("performance")
    browser.get(path.as_uri())
    yield browser
    assert browser.get_log("browser") == []


def text(page: Chrome, name: str) -> str:
    return str(page.execute_script(f"return document.getElementById('{name}').textContent"))


def choose(page: Chrome, name: str, value: str) -> None:
    page.execute_script(
        f"const e = document.getElementById('{name}'); e.value = '{value}';"
        f"e.dispatchEvent(new Event('{'input' if name == 'place' else 'change'}'))"
    )


def click_node(page: Chrome, number: int) -> None:
    page.execute_script(
        f"document.querySelector('g.node-mark[data-node=\"{number}\"]')"
        ".dispatchEvent(new MouseEvent('click', { bubbles: true }))"
    )


def rows(page: Chrome, name: str) -> list[list[str]]:
    script = (
        f"return Array.from(document.querySelectorAll('#{name} tbody tr'), row =>"
        "Array.from(row.cells, cell => cell.textContent))"
    )
    return list(page.execute_script(script))


def keys(page: Chrome, *names: str) -> None:
    from selenium.webdriver.common.keys import Keys

    page.find_element("tag name", "body").send_keys(*(getattr(Keys, name) for name in names))


def test_all_texts_are_in_both_languages() -> None:
    english, german = (texts("monte-carlo-texts")[name] for name in ("en", "de"))
    assert english.keys() == german.keys()
    for name, words in english.items():
        holes = [sorted(re.findall(r"\{\w+\}", one)) for one in (words, german[name])]
        assert words and german[name] and holes[0] == holes[1], name


@pytest.mark.parametrize("method", MODULES)
@pytest.mark.parametrize("number", [1, 12, 77, SIMULATIONS])
def test_the_page_shows_the_engines_visits_and_values(
    page: Chrome, found: MonteCarlo, method: Any, number: int
) -> None:
    growth = found.growths[method]
    choose(page, "search", method)
    choose(page, "place", str(number))
    click_node(page, 0)
    visits, _ = growth.at(number)
    wanted = {
        node.san: visits[place]
        for place, node in enumerate(growth.nodes)
        if node.parent == 0 and visits[place]
    }
    assert {row[0]: int(row[1]) for row in rows(page, "moves")} == wanted
    assert f"After {number} of {SIMULATIONS} simulations" in text(page, "said")


@pytest.mark.parametrize("method", MODULES)
def test_the_rule_says_where_the_next_simulation_goes(
    page: Chrome, found: MonteCarlo, method: Any
) -> None:
    growth = found.growths[method]
    choose(page, "search", method)
    first_moves = growth.first_moves()
    for number in (20, 50, 90, 140):
        choose(page, "place", str(number))
        click_node(page, 0)
        marked = page.execute_script(
            "return Array.from(document.querySelectorAll('#moves tr.now'),"
            "row => row.cells[0].textContent)"
        )
        assert growth.nodes[first_moves[number]].san in marked


def test_the_formula_has_the_numbers_of_the_engine(page: Chrome, found: MonteCarlo) -> None:
    growth = found.growths["playouts"]
    choose(page, "search", "playouts")
    choose(page, "place", str(SIMULATIONS))
    number = growth.first_moves()[-1]
    click_node(page, number)
    move = next(m for m in growth.root.children if m.uci() == growth.nodes[number].move)
    child = growth.root.children[move]
    words = text(page, "formula")
    assert words.startswith(f"UCT of {growth.nodes[number].san}: {child.points:.1f}/{child.visits}")
    assert words.endswith(f"= {child.urgency(growth.root.visits):.3f}")


def test_keys_step_and_select(page: Chrome) -> None:
    choose(page, "search", "policy-value")
    keys(page, "HOME")
    assert "No simulation yet" in text(page, "said")
    keys(page, "ARROW_RIGHT", "PAGE_UP", "ARROW_RIGHT", "ARROW_LEFT")
    assert "After 51 of 150 simulations" in text(page, "said")
    keys(page, "END")
    assert text(page, "node") == "The position"
    keys(page, "ARROW_DOWN")
    assert text(page, "node") == "g7+"
    assert "PUCT of g7+" in text(page, "formula")


def test_the_verdict_of_alpha_beta_is_beside_the_choices(page: Chrome, found: MonteCarlo) -> None:
    keys(page, "END")
    *_, last = rows(page, "choices")
    assert last == ["alpha-beta, depth 4", "g7+", "", "", "+2.42"]
    assert len(rows(page, "choices")) == len(MODULES) + 1


def test_the_language_is_switched(page: Chrome) -> None:
    choose(page, "language", "de")
    assert page.title == "Einen Turm schlagen oder einen Bauern umwandeln?"
    assert text(page, "said").startswith("Nach 150 von 150 Simulationen")
    *_, last = rows(page, "choices")
    assert last[-1] == "+2,42"
    drawn = "return Array.from(document.querySelectorAll('#tree text'), e => e.textContent)"
    moves = page.execute_script(drawn)
    assert any(re.match("[DT]", move) for move in moves)
    assert not any(re.search("[QRBN]", move) for move in moves)
    # The separator of thousands is missing among the digits after a decimal point.
    script = "return Theory.text('after', { number: '1.000', all: '2.000' })"
    assert page.execute_script(script) == "Nach 1.000 von 2.000 Simulationen"
    choose(page, "language", "en")
    assert any(re.match("[QR]", move) for move in page.execute_script(drawn))


@pytest.mark.parametrize("width", [320, 400, 1280])
def test_nothing_overflows_and_nothing_is_fetched(page: Chrome, width: int) -> None:
    size = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 500}
    page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    assert page.execute_script("return document.documentElement.scrollWidth") <= width
    assert requests_to_hosts(page) == []


def test_a_long_line_can_be_read_on_a_phone(page: Chrome) -> None:
    size = {"width": 390, "height": 800, "deviceScaleFactor": 1, "mobile": True}
    page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    choose(page, "search", "policy-value")
    drawn = page.execute_script("return tree.viewBox.baseVal.width")
    shown = page.find_element("id", "tree").rect["width"]
    assert drawn > 2 * 390, "the tree is long"
    assert 13 * shown / drawn > 7, "the height of the text in pixels"
    assert page.execute_script("return document.documentElement.scrollWidth") == 390

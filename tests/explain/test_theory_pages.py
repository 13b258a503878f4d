"""The pages on transpositions, the horizon and the evaluation, in a real Chromium."""

from __future__ import annotations

import base64
import itertools
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import chess
import pytest
from page_of_a_tree import placement
from page_requests import requests_to_hosts

import halbzug
from halbzug.base.language import LANGUAGES
from halbzug.display.page import read_part
from halbzug.explain.experiment_results import Terms
from halbzug.explain.network_parts import NetworkParts
from halbzug.teaching.examples import EXAMPLES
from halbzug.teaching.tree_texts import texts

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

pytestmark = pytest.mark.any_build

MIDDLEGAME = "r1b2rk1/2q1bppp/p2p1n2/npp1p3/3PP3/2P2N1P/PPB2PP1/RNBQR1K1 w - - 1 12"
LATER = "r1b2rk1/2q1bppp/p2p1n2/nppPp3/4P3/2P2N1P/PPB2PP1/RNBQR1K1 b - - 0 12"


@pytest.fixture
def quiet(browser: Chrome) -> Iterator[Chrome]:
    """A browser that must fetch nothing and log no errors."""
    browser.get_log("performance")
    browser.get_log("browser")
    yield browser
    assert requests_to_hosts(browser) == []
    assert browser.get_log("browser") == []


def show(driver: Chrome, folder: Path, found: Any) -> None:
    path = folder / "page.html"
    path.write_text(found.html(), encoding="utf-8")
    driver.get(path.as_uri())


def press(driver: Chrome, name: str) -> None:
    driver.execute_script(f"document.getElementById('{name}').click()")


def text(driver: Chrome, name: str) -> str:
    return str(driver.execute_script(f"return document.getElementById('{name}').textContent"))


def choose(driver: Chrome, name: str, value: str) -> None:
    driver.execute_script(
        f"const e = document.getElementById('{name}'); e.value = '{value}';"
        "e.dispatchEvent(new Event('change'))"
    )


@pytest.mark.parametrize("part", ["transpositions", "horizon", "eval"])
def test_all_texts_are_in_both_languages(part: str) -> None:
    english, german = (texts(part)[language] for language in LANGUAGES)
    assert english.keys() == german.keys()
    for name, words in english.items():
        assert words, name
        assert german[name], name
        holes = [sorted(re.findall(r"\{\w+\}", one)) for one in (words, german[name])]
        assert holes[0] == holes[1], name
    used = read_part("halbzug.teaching", f"{part}.js") + read_part(
        "halbzug.teaching", f"{part}.html"
    )
    # A name that ends with an underscore is the start of several names.
    for name in re.findall(r'(?:text\(|data-text=|data-label=)"(\w*[^\W_])"', used):
        assert name in english, name


def test_the_named_horizon_positions_have_german_stories() -> None:
    wanted = {f"{one.name}_{part}" for one in EXAMPLES for part in ("title", "story")}
    assert texts("horizon")["examples_de"].keys() == wanted


def back_to(driver: Chrome, name: str, words: str) -> None:
    """Step back from the end until an element contains these words."""
    driver.execute_script(
        "const shown = document.getElementById(arguments[0]);"
        "const previous = document.getElementById('previous');"
        "document.getElementById('last').click();"
        "while (!previous.disabled && !shown.textContent.includes(arguments[1])) {"
        " previous.click(); }",
        name,
        words,
    )


def test_keys_are_shown_and_a_repeated_position_is_found(quiet: Chrome, tmp_path: Path) -> None:
    found = halbzug.explain.transpositions()
    show(quiet, tmp_path, found)
    assert text(quiet, "key-table") == f"key{found.keys[0]:016X}"
    back_to(quiet, "said", "table has")
    assert text(quiet, "said").startswith(
        "The table has the node after Kf2 Kf6 Ke2 a5: at least 56"
    )
    assert text(quiet, "same").startswith("One position, M: the node after Kf2 a5 Ke2 Kf6; ")
    rows = text(quiet, "key-table")
    assert "black pawn leaves a7⊕ " in rows
    assert "White is to move⊕ F8D626AAAF278509" in rows
    numbers = re.findall(r"[0-9A-F]{16}", rows)
    total = 0
    for number in numbers[:-1]:
        total ^= int(number, 16)
    assert total == int(numbers[-1], 16)
    marked = "return Array.from(document.querySelectorAll('g.alike .mark'), e => e.textContent)"
    assert quiet.execute_script(marked) == ["M", "M"]
    choose(quiet, "language", "de")
    assert text(quiet, "key-title") == "Schlüssel: der Knoten nach Kf2 Kf6 Ke2 a5"
    assert "Zwei Stellungen, zwei Schlüssel" in text(quiet, "pairs")
    assert "nur 47 verschiedene Stellungen" in text(quiet, "saved")


def test_en_passant_distinguishes_positions_with_the_same_placement(
    quiet: Chrome, tmp_path: Path
) -> None:
    show(quiet, tmp_path, halbzug.explain.transpositions())
    back_to(quiet, "same", "en passant")
    assert "Looks the same, but is another position, " in text(quiet, "same")
    assert "Different are: possible: capture en passant on the c file" in text(quiet, "same")


def test_both_lines_can_be_stepped_through_beyond_the_horizon(
    quiet: Chrome, tmp_path: Path
) -> None:
    from selenium.webdriver.common.keys import Keys

    found = halbzug.explain.horizon("hidden")
    show(quiet, tmp_path, found)
    assert text(quiet, "where") == "before the first move"
    body = quiet.find_element("tag name", "body")
    body.send_keys(Keys.ARROW_RIGHT)
    assert text(quiet, "where") == "ply 1 of 1"
    body.send_keys(Keys.ARROW_RIGHT)
    assert text(quiet, "where") == "behind the horizon"
    behind = "return Array.from(document.querySelectorAll('.board'), e => e.className)"
    assert quiet.execute_script(behind) == ["board behind", "board behind"]
    board = found.board.copy()
    for move in (found.without.moves + found.without.beyond)[:2]:
        board.push_uci(move)
    quiet.execute_script("document.querySelectorAll('.side')[1].remove()")
    assert placement(quiet) == board.board_fen()
    assert "says −284 centipawns for White" in text(quiet, "below")  # noqa: RUF001
    assert text(quiet, "below").endswith("It finds +751.")
    assert "horizon" in text(quiet, "tree")
    choose(quiet, "language", "de")
    assert "Der Verlust, den Sxd5 bringt" in text(quiet, "verdict")
    moves = re.findall(r"[A-Z](?=x?[a-h][1-8])", quiet.find_element("css selector", ".two").text)
    assert set(moves) <= set("KDTLS")
    assert re.search(r"[+\u2212]\d+,\d\d", quiet.find_element("css selector", ".seems").text)


def _own(network: NetworkParts, square: chess.Square) -> str:
    own = next(one.own for one in network.pieces if one.square == square)
    return f"{own:+.1f}".replace(".", ",")


def test_squares_and_groups_can_be_inspected(quiet: Chrome, tmp_path: Path) -> None:
    from selenium.webdriver.common.keys import Keys

    found = halbzug.explain.terms(chess.Board(MIDDLEGAME))
    show(quiet, tmp_path, found)
    assert text(quiet, "whole").endswith("Evaluation, for White: −5")  # noqa: RUF001
    choose(quiet, "layer", "Mobility")
    board = quiet.find_element("id", "board")
    board.send_keys(Keys.ARROW_UP)  # a1
    board.send_keys(Keys.ARROW_RIGHT)  # b1
    assert text(quiet, "at").startswith("b1: −")  # noqa: RUF001
    assert "knight, 2 squares to go to" in text(quiet, "terms-here")
    press(quiet, "unfold")
    assert "queen, 10 squares to go to" in text(quiet, "terms")
    choose(quiet, "language", "de")
    assert "Dame, 10 Felder erreichbar" in text(quiet, "terms")
    assert quiet.title == "Die Bewertung, Feld für Feld"
    network = found.network
    choose(quiet, "layer", "network_whole")
    worth = next(one.whole for one in network.pieces if one.square == chess.B1)
    assert text(quiet, "at") == f"b1: +{worth},0"
    assert f"♘ b1{_own(network, chess.B1)}+{worth},0" in text(quiet, "terms")
    assert re.search(rf"für Weiß: [+−]?{abs(network.value)}$", text(quiet, "whole"))  # noqa: RUF001
    choose(quiet, "layer", "network_own")
    assert text(quiet, "at") == f"b1: {_own(network, chess.B1)}"


def test_two_positions_can_be_compared(quiet: Chrome, tmp_path: Path) -> None:
    first, second = (halbzug.explain.terms(chess.Board(fen)) for fen in (MIDDLEGAME, LATER))
    show(quiet, tmp_path, first.beside(second))
    gain, value = (
        f"{number:+}".replace("-", "−")  # noqa: RUF001
        for number in (second.white - first.white, second.white)
    )
    assert text(quiet, "whole").endswith(f"Evaluation, for White: {gain}")
    choose(quiet, "shown", "second")
    assert text(quiet, "whole").endswith(f"Evaluation, for White: {value}")
    choose(quiet, "layer", "network_own")
    choose(quiet, "shown", "difference")
    gain = f"{second.network.value - first.network.value:+}".replace("-", "−")  # noqa: RUF001
    assert text(quiet, "whole").endswith(f"Evaluation by the network, for White: {gain}")
    assert "♙ d5" in text(quiet, "terms") and "♙ d4" in text(quiet, "terms")
    choose(quiet, "layer", "positional")
    choose(quiet, "shown", "second")
    printed = quiet.execute_cdp_cmd("Page.printToPDF", {"paperWidth": 8.27, "paperHeight": 11.69})
    assert len(re.findall(rb"/Type\s*/Page\b", base64.b64decode(printed["data"]))) == 1


def test_two_positions_are_drawn_side_by_side() -> None:
    first, second = (halbzug.explain.terms(chess.Board(fen)) for fen in (MIDDLEGAME, LATER))
    drawn = ET.fromstring(first.beside(second).svg("de"))
    boards = [part for part in drawn if part.tag.endswith("svg")]
    assert [part.get("x") for part in boards] == ["0", "424"]
    captions = [part.text for part in drawn if part.tag.endswith("text")]
    numbers = [f"{one.white / 100:+.2f}".replace(".", ",") for one in (first, second)]
    assert [(one or "").replace("\N{MINUS SIGN}", "-") for one in captions] == [
        f"erste Stellung: {numbers[0]}",
        f"zweite Stellung: {numbers[1]}",
    ]
    assert len(ET.fromstring(first.svg())) > 10


def test_nothing_is_wider_than_the_screen(quiet: Chrome, tmp_path: Path) -> None:
    board = chess.Board(MIDDLEGAME)
    found = (
        halbzug.explain.transpositions("kings"),
        halbzug.explain.horizon("guarded"),
        halbzug.explain.terms(board),
    )
    for one in found:
        show(quiet, tmp_path, one)
        for width, language in itertools.product((320, 1280), LANGUAGES):
            size = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False}
            quiet.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
            choose(quiet, "language", language)
            script = "return document.documentElement.scrollWidth"
            assert quiet.execute_script(script) <= width, (type(one), language)
            if isinstance(one, Terms):
                sizes = "const e = document.querySelector('.side .wide');"
                hidden = quiet.execute_script(f"{sizes} return e.scrollWidth - e.clientWidth")
                assert hidden <= 0, (width, language)
    quiet.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})

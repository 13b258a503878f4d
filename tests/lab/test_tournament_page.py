"""The page of a tournament in a real browser: stepping through games, names as plain text."""

from __future__ import annotations

import json
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

import axe
import chess
import chess.pgn
import pytest
from command_line import Command
from file_engines import write_engine
from page_of_a_tree import placement

pytestmark = [pytest.mark.any_build, pytest.mark.slow]

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

RIGHT, END, ESCAPE = "\ue014", "\ue010", "\ue00c"

#: A name and a message that imitate markup, the end of a comment and the end of a script.
NAME = "<img src=x onerror=alert(1)> & 'a'"
MESSAGE = "</script><script>document.title = 'caught'</script><a href=//x>} [%eval 9]"

FILES = {
    NAME: f"def choose(board, clock):\n    raise RuntimeError({MESSAGE!r})\n",
    "first": "def choose(board, clock):\n    return list(board.legal_moves)[0]\n",
    "last": "def choose(board, clock):\n    return list(board.legal_moves)[-1]\n",
    "no_colon": "def choose(board, clock)\n    pass\n",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    halbzug = Command(tmp_path_factory.mktemp("tournament"))
    (halbzug.folder / "class").mkdir()
    for name, source in FILES.items():
        try:
            write_engine(halbzug.folder / "class", source, f"{name}.py")
        except OSError:
            pytest.skip("this system does not allow such file names")
    process = halbzug.run(
        *("tournament", "class", "--no-ladder", "--st", "0.02", "--time-margin", "2000"),
        *("--max-moves", "12"),
    )
    assert process.returncode == 0, process.stderr
    return halbzug.folder


@pytest.fixture
def page(browser: Chrome, folder: Path) -> Chrome:
    browser.get("about:blank")
    browser.get((folder / "tournament.html").as_uri())
    return browser


def texts(page: Chrome, selector: str) -> list[str]:
    return [found.text for found in page.find_elements("css selector", selector)]


def press(page: Chrome, keys: str) -> None:
    page.find_element("css selector", "body").send_keys(keys)


def open_game(page: Chrome, folder: Path) -> chess.pgn.Game:
    """Open the first game of `first` against `last`, and return it from the PGN."""
    page.execute_script("document.querySelectorAll('details').forEach(d => { d.open = true; })")
    with (folder / "tournament.pgn").open(encoding="utf-8") as file:
        while game := chess.pgn.read_game(file):
            if (game.headers["White"], game.headers["Black"]) == ("first", "last"):
                break
    assert game is not None
    data = json.loads(
        page.find_element("css selector", ".all-games").get_attribute("textContent") or ""
    )
    index = [(one["white"], one["black"]) for one in data].index(("first", "last"))
    page.execute_script(
        f"document.querySelector(\"[data-game='{index}']\").click()"  # the name occurs twice
    )
    return game


def test_names_and_messages_are_text(page: Chrome) -> None:
    assert NAME in texts(page, ".standings tbody th")
    assert texts(page, ".out li")[0].startswith("no_colon exception: no_colon.py, line 1")
    page.execute_script("document.querySelectorAll('details').forEach(d => { d.open = true; })")
    # A comment in PGN can hold neither braces nor its own end mark.
    shown = MESSAGE.partition("}")[0]
    assert any(shown in text for text in texts(page, ".messages li"))
    assert page.title == "class \u2013 tournament"
    assert page.find_elements("css selector", "main img, main script:not([type])") == []
    assert page.find_elements("css selector", "a:not([href^='#'])") == []


def test_the_table_has_the_points(page: Chrome) -> None:
    rows = texts(page, ".standings tbody tr")
    assert len(rows) == 3
    row = next(text for text in rows if NAME in text)
    assert row.startswith("3 ")
    assert texts(page, ".kinds thead th")[1:] == ["exception", "illegal move", "too late", "crash"]


def test_a_game_can_be_stepped_through(page: Chrome, folder: Path) -> None:
    assert not page.find_element("css selector", ".viewer").is_displayed()
    game = open_game(page, folder)
    assert placement(page) == game.board().board_fen()
    for node in game.mainline():
        press(page, RIGHT)
        assert placement(page) == node.board().board_fen()
        (current,) = page.find_elements("css selector", ".viewer .hz-move[aria-current]")
        assert current.text == node.san()
    assert "first \u2013 last" in texts(page, ".viewer .score")[0]
    page.find_element("css selector", ".viewer .hz-move[data-node='3']").click()
    assert placement(page) == list(game.mainline())[2].board().board_fen()
    press(page, END)
    assert placement(page) == game.end().board().board_fen()
    press(page, ESCAPE)
    assert not page.find_element("css selector", ".viewer").is_displayed()


def test_a_name_in_the_table_leads_to_its_games(page: Chrome) -> None:
    assert not page.find_element("css selector", "#player-3 .games").is_displayed()
    page.find_element("css selector", ".standings a[href='#player-3']").click()
    assert page.find_element("css selector", "#player-3 .games").is_displayed()


@pytest.mark.parametrize("width", [320, 400, 1280])
def test_nothing_overflows(page: Chrome, folder: Path, width: int) -> None:
    size = {"width": width, "height": 800, "deviceScaleFactor": 2, "mobile": True}
    page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        open_game(page, folder)
        assert page.execute_script("return document.documentElement.scrollWidth") <= width
    finally:
        page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_nothing_is_loaded_and_no_error_is_logged(page: Chrome, folder: Path) -> None:
    page.get_log("browser")  # type: ignore[no-untyped-call]
    open_game(page, folder)
    press(page, RIGHT * 3)
    assert page.execute_script("return performance.getEntriesByType('resource').length") == 0
    assert page.get_log("browser") == []  # type: ignore[no-untyped-call]
    text = (folder / "tournament.html").read_text(encoding="utf-8")
    assert "default-src 'none'" in text and escape(NAME) in text and NAME not in text


def test_axe_finds_nothing_serious(page: Chrome, folder: Path) -> None:
    open_game(page, folder)
    press(page, RIGHT * 3)
    assert axe.findings(page) == []

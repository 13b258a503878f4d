"""The board of our pages in a real browser, with real clicks and keys but no server."""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import chess
import chess.pgn
import pytest
from page_of_a_tree import placement, square, write_page

from halbzug.display.board_tree import legal_steps, line_steps, tree_data

pytestmark = pytest.mark.any_build

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

LEFT, RIGHT, UP, DOWN, HOME, END = "\ue012", "\ue014", "\ue013", "\ue015", "\ue011", "\ue010"
ENTER, ESCAPE = "\ue007", "\ue00c"

HOSTILE = "<img src=x onerror=alert(1)></script><b>bold</b>"

PGN = f"""\
[White "{HOSTILE.replace('"', "'")}"]
[Result "0-1"]

{{{HOSTILE}}} 1. e4 {{[%clk 0:05:09] best}} e5 2. Nf3 Nc6 3. Bc4 (3. Bb5 a6 (3... Nf6 4. O-O
Nxe4) 4. Ba4) 3... Nd4?? 4. Nxe5 Qg5 5. Nxf7 Qxg2 6. Rf1 Qxe4+ 7. Be2 Nf3# 0-1
"""

LINE = ("d2d4", "d7d5", "c2c4")


def facts(node: chess.pgn.GameNode, board: chess.Board) -> Mapping[str, Any]:
    if node.parent:
        return {"eval": f"{node.ply() / 100:+.2f}", "chances": 50}
    moves = [chess.Move.from_uci(move) for move in LINE]
    lines = [{"eval": "+0.25", "steps": line_steps(board, moves)}]
    return {"lines": lines, "legal": legal_steps(board)}


@pytest.fixture(scope="module")
def game() -> chess.pgn.Game:
    game = chess.pgn.read_game(io.StringIO(PGN))
    assert game is not None
    return game


@pytest.fixture
def page(browser: Chrome, tmp_path: Path, game: chess.pgn.Game) -> Chrome:
    motion = [{"name": "prefers-reduced-motion", "value": "no-preference"}]  # pieces slide
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": motion})
    browser.get(write_page(tmp_path / "page.html", tree_data(game, facts)))
    return browser


def press(page: Chrome, keys: str) -> None:
    page.switch_to.active_element.send_keys(keys)


def said(page: Chrome) -> str:
    text: str = page.execute_script("return player.board.live.textContent")
    return text


def show_position(page: Chrome, tmp_path: Path, fen: str) -> None:
    """A page on which the moves of a position can be tried out."""
    board = chess.Board(fen)
    game = chess.pgn.Game.without_tag_roster()
    game.setup(board)
    data = tree_data(game, lambda _node, _board: {"legal": legal_steps(board)})
    page.get(write_page(tmp_path / "position.html", data))


def drag(page: Chrome, start: str, end: str) -> None:
    from selenium.webdriver import ActionChains

    ActionChains(page, duration=20).drag_and_drop(square(page, start), square(page, end)).perform()


@pytest.mark.slow
def test_the_keys_step_through_the_game_and_its_variations(
    page: Chrome, game: chess.pgn.Game
) -> None:
    for node in game.mainline():
        press(page, RIGHT)
        assert placement(page) == node.board().board_fen()
        current = page.find_elements("css selector", ".hz-move[aria-current]")
        assert len(current) == 1 and current[0].text.startswith(node.san())
        label = page.find_element("css selector", ".hz-gauge").get_attribute("aria-label")
        assert label == f"Evaluation: {node.ply() / 100:+.2f}"
    assert said(page) == "7. Black, knight f3, mate; evaluation +0.14"
    assert len(page.find_elements("css selector", ".hz-square.check")) == 1
    press(page, HOME + RIGHT * 5)
    press(page, DOWN)
    variation = game.variations[0].variations[0].variations[0].variations[0].variations[1]
    assert placement(page) == variation.board().board_fen()
    press(page, END)
    assert placement(page) == variation.end().board().board_fen()
    press(page, LEFT + UP)
    press(page, HOME)
    assert placement(page) == chess.STARTING_BOARD_FEN


def test_a_click_on_a_move_of_a_variation_shows_it(page: Chrome) -> None:
    for button in page.find_elements("css selector", ".hz-variation .hz-variation .hz-move"):
        button.click()
    assert page.find_element("css selector", ".hz-move[aria-current]").text == "Nxe4"
    assert "n" in placement(page).split("/")[4]


def test_a_line_of_analysis_is_played_through_and_joins_the_tree(page: Chrome) -> None:
    page.find_elements("css selector", ".hz-line-move")[-1].click()
    board = chess.Board()
    for move in LINE:
        board.push_uci(move)
    assert placement(page) == board.board_fen()
    assert [one.text for one in page.find_elements("css selector", ".hz-variation .hz-move")][
        :3
    ] == [
        "d4",
        "d5",
        "c4",
    ]


def test_a_move_is_made_by_dragging_by_two_clicks_or_by_keys(page: Chrome, tmp_path: Path) -> None:
    fen = "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 2"
    results = set()
    for way in ("drag", "click", "keys"):
        show_position(page, tmp_path, fen)
        if way == "drag":
            drag(page, "e1", "h1")
        elif way == "click":
            square(page, "e1").click()
            assert len(page.find_elements("css selector", ".hz-square.target")) == 7
            square(page, "g1").click()
        else:
            page.execute_script("player.board.cellOf(0).focus()")
            press(page, RIGHT * 4 + ENTER)
            assert said(page).startswith("white king on e1 selected; to ")
            press(page, RIGHT * 2 + ENTER)
        results.add(placement(page))
    after = chess.Board(fen)
    after.push_san("O-O")
    assert results == {after.board_fen()}
    show_position(page, tmp_path, fen)
    drag(page, "e5", "d6")
    assert placement(page).split("/")[2:4] == ["3P4", "8"], "en passant"
    show_position(page, tmp_path, fen)
    drag(page, "e1", "e3")
    assert placement(page) == fen.split(" ")[0], "an illegal move is refused"


def test_a_promotion_asks_for_the_piece(page: Chrome, tmp_path: Path) -> None:
    show_position(page, tmp_path, "4k3/P7/8/8/8/8/8/4K3 w - - 0 1")
    drag(page, "a7", "a8")
    press(page, DOWN + ENTER)
    assert placement(page) == "N3k3/8/8/8/8/8/8/4K3"
    show_position(page, tmp_path, "4k3/P7/8/8/8/8/8/4K3 w - - 0 1")
    drag(page, "a7", "a8")
    press(page, ESCAPE)
    assert placement(page) == "4k3/P7/8/8/8/8/8/4K3"


def test_the_board_turns_and_the_wheel_steps(page: Chrome) -> None:
    from selenium.webdriver import ActionChains
    from selenium.webdriver.common.actions.wheel_input import ScrollOrigin
    from selenium.webdriver.support.wait import WebDriverWait

    first = page.find_element("css selector", ".hz-square")
    assert first.get_attribute("data-square") == "a8"
    press(page, "f")
    assert first.get_attribute("data-square") == "h1"
    origin = ScrollOrigin.from_element(square(page, "e4"))
    for delta, expected in ((100, "RNBQKBNR/PPPP1PPP/8/4P3"), (-100, "RNBQKBNR/PPPPPPPP/8/8")):
        # The browser delivers wheel events when it likes, and a step takes a moment.
        ActionChains(page).pause(0.2).scroll_from_origin(origin, 0, delta).perform()
        wanted = "/".join(reversed(expected.split("/")))
        WebDriverWait(page, 10).until(lambda page, wanted=wanted: placement(page).endswith(wanted))


def test_every_square_names_the_piece_on_it(page: Chrome) -> None:
    names = {
        one.get_attribute("aria-label") for one in page.find_elements("css selector", ".hz-square")
    }
    assert {"e1, white king", "d8, black queen", "e4, empty"} <= names
    assert len(names) == 64


def test_markup_in_a_comment_is_text(page: Chrome) -> None:
    assert page.find_element("css selector", ".hz-comment").text == HOSTILE
    assert not page.find_elements("css selector", ".hz-moves img, .hz-moves b")
    assert page.get_log("browser") == []  # type: ignore[no-untyped-call]


@pytest.mark.parametrize("width", [320, 400, 1280])
def test_nothing_overflows_the_page(page: Chrome, width: int) -> None:
    size = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 500}
    page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        assert page.execute_script("return document.documentElement.scrollWidth") <= width
    finally:
        page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})

"""The report of a game in a real browser: stepped through by keyboard, silent on the network."""

from __future__ import annotations

import io
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import chess
import chess.pgn
import pytest
from chromium import start_chromium
from command_line import FISCHER_GAME, OPERA_GAME, Command
from positions import COMPILED

pytestmark = pytest.mark.any_build

if TYPE_CHECKING:
    from selenium.webdriver import Chrome


#: Keys as WebDriver names them.
LEFT, RIGHT, HOME, END = "\ue012", "\ue014", "\ue011", "\ue010"


class Trap:
    """A web server that remembers who asks."""

    def __init__(self) -> None:
        requests = self.requests = []

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                requests.append(self.path)
                self.send_response(204)
                self.end_headers()

            def log_message(self, format: str, *arguments: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    driver = start_chromium(tmp_path_factory.mktemp("chromium"))
    yield driver
    driver.quit()


@pytest.fixture(scope="module")
def trap() -> Iterator[Trap]:
    trap = Trap()
    yield trap
    trap.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, trap: Trap) -> Path:
    """A report on two games, and the same games as annotated PGN.

    The second one tries everything that a PGN can try to make a page load something.
    """
    halbzug = Command(tmp_path_factory.mktemp("report"))
    image = f'<img src="{trap.address}/image"><script src="{trap.address}/script"></script>'
    second = OPERA_GAME.replace("Morphy, Paul", image.replace('"', "'")).replace(
        '[Event "Paris"]', f'[Event "Paris"]\n[Site "{trap.address}/site"]'
    )
    games = halbzug.write("games.pgn", f"{FISCHER_GAME}\n{second}")
    halbzug.output(
        "analyse",
        games,
        "--depth",
        "4" if COMPILED else "2",
        "--html",
        "report.html",
        "--pgn",
        "annotated.pgn",
    )
    return halbzug.folder


@pytest.fixture
def page(browser: Chrome, folder: Path) -> Chrome:
    browser.get((folder / "report.html").as_uri())
    return browser


@pytest.fixture(scope="module")
def game(folder: Path) -> chess.pgn.Game:
    text = (folder / "annotated.pgn").read_text(encoding="utf-8")
    game = chess.pgn.read_game(io.StringIO(text))
    assert game is not None
    return game


def text(page: Chrome, selector: str) -> str:
    return page.find_element("css selector", f"#game-1 {selector}").text


def press(page: Chrome, keys: str) -> None:
    page.find_element("css selector", "body").send_keys(keys)


def evaluation(node: chess.pgn.GameNode) -> str:
    """As the report writes it."""
    if node.board().is_checkmate():
        return "1-0" if node.turn() == chess.BLACK else "0-1"
    score = node.eval()
    assert score is not None
    mate = score.white().mate()
    if mate is not None:
        return f"#{mate}"
    pawns = (score.white().score() or 0) / 100
    return f"{pawns:+.2f}" if pawns else "0.00"


def placement(page: Chrome) -> str:
    """What stands on the board that is seen, as the first field of a FEN."""
    pieces = page.execute_script(
        "return Array.from(document.querySelectorAll('#game-1 svg.board use')).map("
        "u => [u.getAttribute('href'), u.getAttribute('transform')])"
    )
    board = chess.Board.empty()
    for name, place in pieces:
        color, kind = name.lstrip("#").split("-")
        x, y = (float(number) for number in place[place.index("(") + 1 : -1].split(","))
        square = chess.square(int(x // 45), 7 - int(y // 45))
        piece = chess.Piece(chess.PIECE_NAMES.index(kind), color == "white")
        board.set_piece_at(square, piece)
    return board.board_fen()


@pytest.mark.slow
def test_arrow_keys_step_through_the_game(page: Chrome, game: chess.pgn.Game) -> None:
    """At each step the board, the move and its evaluation are those of the annotated game."""
    for node in game.mainline():
        press(page, RIGHT)
        assert placement(page) == node.board().board_fen()
        assert text(page, ".evaluation") == evaluation(node)
        assert node.san() in text(page, ".played")
        current = page.find_elements("css selector", "#game-1 .move[aria-current]")
        assert len(current) == 1 and current[0].text.startswith(node.san())
    press(page, RIGHT)
    assert placement(page) == game.end().board().board_fen(), "the end is the end"
    press(page, LEFT)
    assert placement(page) == game.end().parent.board().board_fen()  # type: ignore[union-attr]
    press(page, HOME)
    assert placement(page) == chess.STARTING_BOARD_FEN
    press(page, END)
    assert text(page, ".evaluation") == "0-1"


def test_a_mistake_is_explained_where_it_happens(page: Chrome, game: chess.pgn.Game) -> None:
    judged = next(node for node in game.mainline() if node.nags)
    press(page, "c")
    assert placement(page) == judged.board().board_fen()
    assert "Best was" in text(page, ".verdict")
    assert text(page, ".played").endswith("?") or text(page, ".played").endswith("!")


def test_a_click_on_a_move_or_a_diagram_goes_there(page: Chrome, game: chess.pgn.Game) -> None:
    third = list(game.mainline())[2]
    page.find_element("css selector", "#game-1 .move[data-ply='3']").click()
    assert placement(page) == third.board().board_fen()
    figure = page.find_element("css selector", "#game-1 figure")
    ply = int(figure.get_attribute("data-ply") or "")
    page.execute_script("arguments[0].scrollIntoView()", figure)
    figure.click()
    assert placement(page) == list(game.mainline())[ply - 1].board().board_fen()


def test_the_board_turns(page: Chrome) -> None:
    upright = placement(page)
    press(page, "f")
    turned = placement(page)
    assert (
        turned
        == chess.Board(upright + " w - - 0 1")
        .transform(lambda bitboard: chess.flip_vertical(chess.flip_horizontal(bitboard)))
        .board_fen()
    )
    press(page, "f")
    assert placement(page) == upright


def test_games_are_shown_one_at_a_time(page: Chrome) -> None:
    first, second = page.find_elements("css selector", ".game")
    assert first.is_displayed() and not second.is_displayed()
    page.find_elements("css selector", "nav a")[1].click()
    assert second.is_displayed() and not first.is_displayed()


@pytest.mark.parametrize("width", [320, 390, 820])
def test_nothing_sticks_out_on_a_small_screen(page: Chrome, width: int) -> None:
    size = {"width": width, "height": 800, "deviceScaleFactor": 2, "mobile": True}
    page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        assert page.execute_script("return document.documentElement.scrollWidth") <= width
    finally:
        page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_print_has_the_diagrams_and_no_buttons(page: Chrome) -> None:
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        assert not page.find_element("css selector", "#game-1 .controls").is_displayed()
        assert page.find_element("css selector", "#game-1 figure").is_displayed()
        assert page.find_element("css selector", "#game-2 .moves").is_displayed(), "every game"
    finally:
        page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


def test_no_request_leaves_the_page(page: Chrome, trap: Trap) -> None:
    for key in (RIGHT * 10, END, "c", "f"):
        press(page, key)
    page.find_elements("css selector", "nav a")[1].click()
    assert page.execute_script("return performance.getEntriesByType('resource').length") == 0
    assert trap.requests == []
    sent = [entry["message"] for entry in page.get_log("performance")]  # type: ignore[no-untyped-call]
    events = [json.loads(message)["message"] for message in sent]
    addresses = [
        event["params"]["request"]["url"]
        for event in events
        if event["method"] == "Network.requestWillBeSent"
        and event["params"]["documentURL"] == page.current_url.partition("#")[0]
    ]
    assert set(addresses) == {page.current_url.partition("#")[0]}, "the page, and no more"


def test_the_page_may_not_load_anything_even_if_it_wanted(page: Chrome, trap: Trap) -> None:
    blocked = page.execute_async_script(
        "const done = arguments[1];"
        "document.addEventListener('securitypolicyviolation', e => done(e.blockedURI));"
        "const image = new Image(); image.src = arguments[0] + '/image';"
        "document.body.append(image);",
        trap.address,
    )
    assert blocked.startswith(trap.address)
    assert trap.requests == []


def test_the_script_complains_about_nothing(page: Chrome) -> None:
    page.get_log("browser")  # type: ignore[no-untyped-call]
    page.refresh()
    press(page, RIGHT * 3)
    assert page.get_log("browser") == []  # type: ignore[no-untyped-call]

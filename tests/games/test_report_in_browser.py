"""Reports in a real browser: playing through, exercises, many games, no network connections."""

from __future__ import annotations

import io
import itertools
import json
import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import axe
import chess
import chess.pgn
import pytest
from command_line import FISCHER_GAME, OPERA_GAME, Command
from made_games import PLAYERS, made_report
from page_of_a_tree import placement, square
from positions import COMPILED

pytestmark = pytest.mark.any_build

if TYPE_CHECKING:
    from selenium.webdriver import Chrome


#: Keys by their WebDriver codes.
LEFT, RIGHT, HOME, END = "\ue012", "\ue014", "\ue011", "\ue010"

#: Numbers that make each address of a page unique.
LOADS = itertools.count()

#: A game annotated by its author.
OWN_PGN = """[White "A"]
[Black "B"]
[ECO "C57"]
[Opening "Italian Game"]
[Result "1-0"]

{Before the game} 1. e4 {[%clk 0:05:00] best by test} e5 {[%clk 0:04:58]} 2. Bc4 {[%clk 0:04:50]}
(2. Nf3 Nc6 {a main line} (2... d6 3. d4)) 2... Nc6 3. Qh5 Nf6?? {[%clk 0:04:30]} 4. Qxf7# 1-0
"""

#: Markup and addresses that a PGN may contain.
HOSTILE = "<img src=x onerror=alert(1)></script><b>b</b>\x1b[31m\u202e\x00"
HOSTILE_PGN = f"""[Event "{HOSTILE}"]
[White "{HOSTILE}"]
[Black "$&${{white}}"]
[Opening "{HOSTILE}"]

1. e4 {{ {HOSTILE} }} e5 ( 1... d5 {{ {HOSTILE} }} ) 2. Ke2 {{ [%clk 99999999:00:00] }} Nc6 *
"""

#: Variations that are illegal or do not end.
BROKEN_PGN = f"""{OWN_PGN}
[White "Broken"]

1. e4 e5 (1... Kxd9 2. zz) 2. Nf3 (2. Qxe5 ((( Nc6 *
"""


class Trap:
    """A web server that records its requests."""

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
def trap() -> Iterator[Trap]:
    trap = Trap()
    yield trap
    trap.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, trap: Trap) -> Path:
    """A report on two games, and the same games as annotated PGN.

    The second game tries everything that a PGN can try to make a page load something.
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
        "9" if COMPILED else "4",
        "--html",
        "report.html",
        "--pgn",
        "annotated.pgn",
    )
    return halbzug.folder


@pytest.fixture
def page(browser: Chrome, folder: Path) -> Chrome:
    return opened(browser, folder / "report.html", "#game-1")


def opened(browser: Chrome, path: Path, address: str = "") -> Chrome:
    # A new query; without it an address on the open page would load nothing.
    browser.get(f"{path.as_uri()}?{next(LOADS)}{address}")
    return browser


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of a game with its own comments, variations and clock times."""
    halbzug = Command(tmp_path_factory.mktemp("own"))
    path = halbzug.write("own.pgn", OWN_PGN)
    halbzug.output("analyse", path, "--depth", "4", "--multipv", "2", "--html", "own.html")
    return halbzug.folder / "own.html"


@pytest.fixture(scope="module")
def game(folder: Path) -> chess.pgn.Game:
    text = (folder / "annotated.pgn").read_text(encoding="utf-8")
    game = chess.pgn.read_game(io.StringIO(text))
    assert game is not None
    return game


def text(page: Chrome, selector: str) -> str:
    return page.find_element("css selector", f".game {selector}").text


def is_at_game_of(page: Chrome, player: str) -> bool:
    """Whether the page shows a game of this player, now or soon: addresses are followed with a
    delay.
    """
    from selenium.webdriver.support.wait import WebDriverWait

    return WebDriverWait(page, 30).until(lambda page: player in text(page, "h1"))


def is_shown_soon(page: Chrome, selector: str) -> bool:
    """Whether an element is shown, now or as soon as the address has been followed."""
    from selenium.webdriver.support.wait import WebDriverWait

    return WebDriverWait(page, 30).until(
        lambda page: page.find_element("css selector", selector).is_displayed()
    )


def press(page: Chrome, keys: str) -> None:
    page.find_element("css selector", "body").send_keys(keys)


def click(page: Chrome, selector: str, number: int = 0) -> None:
    element = page.find_elements("css selector", selector)[number]
    page.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
    element.click()


def choose(page: Chrome, selector: str, value: str) -> None:
    from selenium.webdriver.support.select import Select

    Select(page.find_element("css selector", selector)).select_by_value(value)


def evaluation(node: chess.pgn.GameNode) -> str:
    """An evaluation in the format of the report."""
    if node.board().is_checkmate():
        return "1-0" if node.turn() == chess.BLACK else "0-1"
    score = node.eval()
    assert score is not None
    mate = score.white().mate()
    if mate is not None:
        return f"#{mate}"
    pawns = (score.white().score() or 0) / 100
    return f"{pawns:+.2f}" if pawns else "0.00"


def judged(game: chess.pgn.Game) -> chess.pgn.ChildNode:
    """The first mistake for which the report has an exercise."""
    return next(node for node in game.mainline() if node.nags & {2, 4})


def play(page: Chrome, move: chess.Move) -> None:
    """Make a move on the board by two clicks."""
    page.execute_script("document.querySelector('.table').scrollIntoView()")
    square(page, chess.square_name(move.from_square)).click()
    square(page, chess.square_name(move.to_square)).click()


# -- one game -----------------------------------------------------------------------------------


@pytest.mark.slow
def test_arrow_keys_step_through_the_game(page: Chrome, game: chess.pgn.Game) -> None:
    """At each step the board, the move and its evaluation are those of the annotated game."""
    for node in game.mainline():
        press(page, RIGHT)
        assert placement(page) == node.board().board_fen()
        assert text(page, ".evaluation") == evaluation(node)
        assert node.san() in text(page, ".played")
        current = page.find_elements("css selector", ".hz-move[aria-current]")
        assert len(current) == 1 and current[0].text.startswith(node.san())
    press(page, RIGHT)
    assert placement(page) == game.end().board().board_fen(), "the end is the end"
    press(page, LEFT)
    assert placement(page) == game.end().parent.board().board_fen()  # type: ignore[union-attr]
    press(page, HOME)
    assert placement(page) == chess.STARTING_BOARD_FEN
    press(page, END)
    assert text(page, ".evaluation") == "0-1"


def test_a_mistake_is_explained_and_its_lines_are_played_through(
    page: Chrome, game: chess.pgn.Game
) -> None:
    first = next(node for node in game.mainline() if node.nags)
    press(page, "c")
    assert placement(page) == first.board().board_fen()
    assert "was best" in text(page, ".verdict")
    assert text(page, ".played").endswith(("?", "!"))
    better = first.parent.variations[1]
    click(page, ".better .hz-line-move", -1)
    assert placement(page) == better.end().board().board_fen()
    press(page, LEFT)
    while len(text(page, ".played")) and better.board().board_fen() != placement(page):
        press(page, LEFT)
    assert better.san() in text(page, ".played")
    click(page, ".return")
    assert placement(page) == first.parent.board().board_fen()
    press(page, RIGHT + LEFT)
    click(page, f".hz-move[data-node='{first.ply()}']")
    refutation = page.find_elements("css selector", ".onward .hz-line-move")
    names = [one.text for one in refutation]
    refutation[-1].click()
    board = first.board()
    for name in names:
        board.push_san(name)
    assert placement(page) == board.board_fen()


def test_a_click_on_a_diagram_or_the_graph_goes_to_its_move(
    page: Chrome, game: chess.pgn.Game
) -> None:
    figure = page.find_element("css selector", "figure .to-diagram")
    ply = int(figure.get_attribute("data-node") or "")
    click(page, "figure .to-diagram")
    assert placement(page) == list(game.mainline())[ply - 1].board().board_fen()
    click(page, ".graph")
    middle = int(re.findall(r"\d+", text(page, ".played"))[0])
    assert abs(middle - game.end().ply() / 4) <= 1


def test_each_move_has_an_address(page: Chrome, folder: Path, game: chess.pgn.Game) -> None:
    from selenium.webdriver.support.wait import WebDriverWait

    opened(page, folder / "report.html", "#game-1/35")
    assert placement(page) == list(game.mainline())[34].board().board_fen()
    press(page, RIGHT)
    WebDriverWait(page, 10).until(lambda page: page.current_url.endswith("#game-1/36"))
    page.refresh()
    assert placement(page) == list(game.mainline())[35].board().board_fen()
    for nonsense in ("#game-99", "#game-1/9999", "#x<b>"):
        opened(page, folder / "report.html", nonsense)
    assert page.get_log("browser") == []  # type: ignore[no-untyped-call]


def test_the_fen_and_the_pgn_are_those_of_the_game(page: Chrome, game: chess.pgn.Game) -> None:
    fens = page.execute_script(
        "return HalbzugReport.game.mainLine.map("
        "node => HalbzugExport.fenOf(HalbzugReport.game.player.tree, node))"
    )
    assert fens == [game.board().fen(), *(node.board().fen() for node in game.mainline())]
    press(page, "c")
    click(page, ".better .hz-line-move", -1)
    click(page, ".share summary")
    first = next(node for node in game.mainline() if node.nags)
    end = first.parent.variations[1].end()
    fen = page.find_element("css selector", ".fen").get_attribute("value")
    assert fen == end.board().fen()
    link = page.find_element("css selector", ".elsewhere").get_attribute("href")
    assert link == "https://lichess.org/analysis/standard/" + end.board().fen().replace(" ", "_")
    written = page.find_element("css selector", ".pgn").get_attribute("value") or ""
    copy = chess.pgn.read_game(io.StringIO(written))
    assert copy is not None and not copy.errors
    assert list(copy.mainline_moves()) == list(game.mainline_moves())
    assert copy.headers["White"] == "Byrne, Donald"
    for _ in range(first.ply() - 1):
        copy = copy.variations[0]  # type: ignore[assignment]
    assert copy.variations[1].end().board().fen() == end.board().fen()
    click(page, ".copy-fen")
    page.execute_script("document.querySelector('.pgn').readOnly = false")
    page.find_element("css selector", ".pgn").clear()
    page.find_element("css selector", ".pgn").send_keys("\ue009v")
    pasted = page.find_element("css selector", ".pgn").get_attribute("value")
    assert pasted == end.board().fen()


def test_the_report_has_the_comments_variations_and_clock_times_of_the_pgn(
    browser: Chrome, own: Path
) -> None:
    page = opened(browser, own)
    moves = text(page, ".moves")
    for part in ("Before the game", "best by test", "a main line", "d6", "d4"):
        assert part in moves
    assert "%clk" not in moves and "C57 Italian Game" in text(page, ".facts")
    click(page, ".hz-variation .hz-variation .hz-move", -1)
    board = chess.Board()
    for san in ["e4", "e5", "Nf3", "d6", "d4"]:
        board.push_san(san)
    assert placement(page) == board.board_fen()
    press(page, HOME + RIGHT * 2)
    assert text(page, ".hz-side.is-white .hz-time") == "5:00"
    assert text(page, ".hz-side.is-black .hz-time") == "4:58"
    click(page, ".hz-pair .hz-move", -1)
    assert text(page, ".hz-side.is-black .hz-time") == "4:30"


# -- exercises ----------------------------------------------------------------------------------


def test_an_exercise_is_failed_and_then_solved(page: Chrome, game: chess.pgn.Game) -> None:
    mistake = judged(game)
    best = mistake.parent.variations[1].move
    before = mistake.parent.board()
    click(page, f".exercise-item[data-node='{mistake.ply()}']")
    assert placement(page) == before.board_fen()
    assert not page.find_elements("css selector", ".hz-player .hz-arrow"), "nothing gives it away"
    assert not page.find_element("css selector", ".moves").is_displayed()
    play(page, mistake.move)
    assert placement(page) == before.board_fen()
    assert "is the mistake" in text(page, ".answer")
    other = next(move for move in before.legal_moves if move not in (best, mistake.move))
    play(page, other)
    assert "Try another" in text(page, ".answer")
    click(page, ".hint")
    click(page, ".hint")
    assert chess.square_name(best.from_square) in text(page, ".answer")
    play(page, best)
    after = before.copy()
    after.push(best)
    assert placement(page) == after.board_fen()
    assert "is right, on attempt 3. In the game, " in text(page, ".answer")
    click(page, ".leave")
    assert placement(page) == mistake.board().board_fen()
    solved = page.find_element("css selector", f".exercise-item[data-node='{mistake.ply()}']")
    assert "solved" in solved.text
    press(page, LEFT)
    play(page, best)
    assert placement(page) == before.board_fen(), "no move can be tried outside an exercise"


def test_the_solution_is_shown_and_the_next_exercise_follows(
    page: Chrome, game: chess.pgn.Game
) -> None:
    items = page.find_elements("css selector", ".exercise-item")
    click(page, ".exercise-item")
    click(page, ".solution")
    mistake = judged(game)
    after = mistake.parent.board()
    after.push(mistake.parent.variations[1].move)
    assert placement(page) == after.board_fen()
    assert mistake.parent.variations[1].san() in text(page, ".answer")
    another = page.find_element("css selector", ".another")
    assert another.is_displayed() == (len(items) > 1)
    press(page, HOME)
    assert not page.find_element("css selector", ".exercise").is_displayed(), "stepping leaves it"


# -- many games ---------------------------------------------------------------------------------


def test_the_index_leads_to_each_game_and_back(browser: Chrome, folder: Path) -> None:
    page = opened(browser, folder / "report.html")
    assert not page.find_element("css selector", ".game").is_displayed()
    rows = page.find_elements("css selector", ".row")
    assert len(rows) == 2 and "Byrne" in rows[0].text
    click(page, ".row a", 1)
    assert is_at_game_of(page, "Allies")
    click(page, ".to-previous")
    assert is_at_game_of(page, "Byrne")
    click(page, ".to-index")
    assert is_shown_soon(page, ".index")
    page.back()
    assert is_at_game_of(page, "Byrne")


def test_a_link_followed_before_the_address_is_updated_is_not_lost(
    browser: Chrome, folder: Path
) -> None:
    page = opened(browser, folder / "report.html")
    click(page, ".row a", 0)
    assert is_at_game_of(page, "Byrne")
    page.execute_script(
        "const real = window.setTimeout, waiting = [];"
        "window.setTimeout = (work) => { waiting.push(work); };"
        "HalbzugReport.game.player.show(3);"
        "location.hash = '#games';"  # its event comes after this script
        "waiting.forEach((work) => work());"
        "window.setTimeout = real;"
    )
    assert is_shown_soon(page, ".index")


@pytest.fixture(scope="module")
def thousand(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("many") / "many.html"
    path.write_text(made_report(1000, plies=14, line_plies=1), encoding="utf-8")
    return path


@pytest.mark.slow
def test_a_thousand_games_are_filtered_and_sorted(browser: Chrome, thousand: Path) -> None:
    page = opened(browser, thousand)

    def count() -> str:
        return page.find_element("css selector", ".count").text

    def rows() -> list[str]:
        return [row.text for row in page.find_elements("css selector", ".row")]

    assert count() == "1,000 games"
    click(page, ".more")
    assert len(rows()) == 200
    search = page.find_element("css selector", ".filter-text")
    search.send_keys("najdorf clara")
    assert count().endswith("of 1,000 games")
    assert rows() and all("Clara" in row and "Najdorf" in row for row in rows())
    search.clear()
    choose(page, ".filter-player", PLAYERS[0])
    choose(page, ".filter-color", "1")
    choose(page, ".filter-result", "0-1")
    choose(page, ".sort", "lowest accuracy first")
    shown = [re.sub(r"\s+", " ", row) for row in rows()]
    assert shown and all(f"{PLAYERS[0]} 1" in row for row in shown)
    accuracies = [float(re.findall(r"([\d.]+) %", row)[1]) for row in shown]
    assert accuracies == sorted(accuracies)
    click(page, ".statistics summary")
    statistics = page.find_element("css selector", ".statistics-body").text
    assert f"{PLAYERS[0]} by colour" in statistics
    for word in ("By phase", "By opening", "Ruy Lopez", "Black", "opening"):
        assert word in statistics
    games = int(count().split()[0])
    by_color = page.find_element("css selector", ".statistics-body table").text
    assert re.search(rf"Black {games} {games} of {games} ", by_color)
    click(page, ".row a")
    assert is_at_game_of(page, PLAYERS[0])
    below = page.find_elements("css selector", ".hz-square")[0].get_attribute("data-square")
    assert below == "h1", "the chosen player is at the bottom"


def test_a_report_grows_with_its_moves() -> None:
    short, one, two = (len(made_report(*size)) for size in ((1, 20), (1, 40), (2, 40)))
    game = two - one
    assert one - short < 0.7 * game, "half the moves need about half the size"
    assert 120 * 2 * game < 5_000_000, "120 games of 80 plies"


# -- accessibility and printing -----------------------------------------------------------------


@pytest.mark.parametrize(
    "width", [320, *(pytest.param(width, marks=pytest.mark.slow) for width in (390, 820))]
)
def test_nothing_overflows_on_a_small_screen(
    browser: Chrome, folder: Path, own: Path, width: int
) -> None:
    size = {"width": width, "height": 800, "deviceScaleFactor": 2, "mobile": True}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        for path, address in (
            (folder / "report.html", ""),
            (folder / "report.html", "#game-1/35"),
            (folder / "report.html", "#game-2"),
            (own, ""),
        ):
            page = opened(browser, path, address)
            page.execute_script("document.querySelectorAll('details').forEach(d => d.open = true)")
            assert page.execute_script("return document.documentElement.scrollWidth") <= width
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_accuracy_and_loss_are_shown_by_phase_and_print_well(page: Chrome) -> None:
    """The position, the moves and the diagrams are printed, but no buttons."""
    summary = text(page, ".summary")
    for word in ("opening", "middlegame", "endgame", "Accuracy", "Loss"):
        assert word in summary
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        assert not page.find_element("css selector", ".hz-controls").is_displayed()
        for shown in ("figure", ".moves", ".hz-board", ".hz-side"):
            assert page.find_element("css selector", shown).is_displayed()
    finally:
        page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


# -- nothing but text ---------------------------------------------------------------------------


def test_a_hostile_game_is_text(browser: Chrome, tmp_path: Path) -> None:
    halbzug = Command(tmp_path)
    halbzug.write("game.pgn", f"{HOSTILE_PGN}\n{OWN_PGN}")
    halbzug.output("analyse", "game.pgn", "--depth", "2", "--html", "report.html")
    page = opened(browser, tmp_path / "report.html")
    click(page, ".statistics summary")
    markup = "<img src=x onerror=alert(1)></script><b>b</b>"
    assert markup in page.find_element("css selector", ".row").text
    click(page, ".row a")
    press(page, RIGHT * 3)
    for selector in ("h1", ".facts", ".moves"):
        assert markup in text(page, selector)
    click(page, ".share summary")
    written = page.find_element("css selector", ".pgn").get_attribute("value") or ""
    assert markup in written and "\x1b" not in written and "\u202e" not in written
    assert not page.find_elements("css selector", "main img, main b, main script")
    assert page.get_log("browser") == []  # type: ignore[no-untyped-call]


def test_broken_variations_do_not_break_the_report(browser: Chrome, tmp_path: Path) -> None:
    halbzug = Command(tmp_path)
    halbzug.write("game.pgn", BROKEN_PGN)
    process = halbzug.run("analyse", "game.pgn", "--depth", "2", "--html", "report.html")
    assert all(line.startswith("halbzug: game 2: ") for line in process.stderr.splitlines())
    page = opened(browser, tmp_path / "report.html", "#game-1")
    press(page, END)
    assert text(page, ".evaluation") == "1-0"
    assert page.get_log("browser") == []  # type: ignore[no-untyped-call]


def test_no_request_leaves_the_page_and_the_script_complains_about_nothing(
    page: Chrome, trap: Trap
) -> None:
    press(page, RIGHT * 10 + END + "cf")
    click(page, ".share summary")
    click(page, ".to-next")
    press(page, RIGHT * 3)
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
    assert set(addresses) == {page.current_url.partition("#")[0]}, "only the page itself"
    assert page.get_log("browser") == []  # type: ignore[no-untyped-call]


def test_the_page_is_not_allowed_to_load_anything(page: Chrome, trap: Trap) -> None:
    blocked = page.execute_async_script(
        "const done = arguments[1];"
        "document.addEventListener('securitypolicyviolation', e => done(e.blockedURI));"
        "const image = new Image(); image.src = arguments[0] + '/image';"
        "document.body.append(image);",
        trap.address,
    )
    assert blocked.startswith(trap.address)
    assert trap.requests == []


@pytest.mark.slow
def test_axe_finds_nothing_serious(browser: Chrome, folder: Path) -> None:
    page = opened(browser, folder / "report.html")
    open_all = "document.querySelectorAll('details').forEach(one => { one.open = true; })"
    page.execute_script(open_all)
    assert axe.findings(page) == []
    opened(page, folder / "report.html", "#game-1/35")
    page.execute_script(open_all)
    assert axe.findings(page) == []
    click(page, ".exercise-item")
    assert axe.findings(page) == []

"""The board in a real browser, with real clicks and keys, beside a real engine."""

from __future__ import annotations

import io
import json
import signal
from pathlib import Path
from typing import TYPE_CHECKING

import axe
import chess
import chess.pgn
import pytest
from board_server import BoardServer, Page
from page_of_a_tree import placement, square

pytest.importorskip("uvicorn", reason="the extra halbzug[board] is not installed")

pytestmark = pytest.mark.any_build

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

LEFT, UP, RIGHT, DOWN = "\ue012", "\ue013", "\ue014", "\ue015"
HOME, END, ENTER = "\ue011", "\ue010", "\ue007"

HOSTILE = "<img src=x onerror=alert(1)></script><b>bold</b>"

GAMES = f"""\
[Event "One"]
[White "{HOSTILE.replace('"', "'")}"]
[WhiteTitle "GM"]
[WhiteElo "2700"]
[Black "Rook \x1b[31mred\x07"]
[Result "1-0"]

1. e4 {{{HOSTILE}}} e5 2. Nf3 (2. Bc4 Nf6 (2... Bc5)) 2... Nc6 3. Bb5 a6 1-0

[Event "Two"]
[White "Broken"]
[Black "Variation"]
[Result "*"]

1. d4 d5 (1... Ke5 2. c4) 2. c4 *
"""


def press(page: Page, keys: str) -> None:
    page.browser.switch_to.active_element.send_keys(keys)


def drag(page: Page, start: str, end: str) -> None:
    from selenium.webdriver import ActionChains

    pieces = square(page.browser, start), square(page.browser, end)
    ActionChains(page.browser, duration=20).drag_and_drop(*pieces).perform()


def draw(page: Page, start: str, end: str) -> None:
    """Draw an arrow or a circle with the right button, in red."""
    from selenium.webdriver import ActionChains, Keys

    actions = ActionChains(page.browser, duration=20)
    pointer = actions.w3c_actions.pointer_action
    actions.key_down(Keys.SHIFT).move_to_element(square(page.browser, start)).perform()
    pointer.pointer_down(button=2)
    pointer.move_to(square(page.browser, end))
    pointer.pointer_up(2)
    actions.w3c_actions.perform()
    ActionChains(page.browser).key_up(Keys.SHIFT).perform()


@pytest.mark.slow
def test_a_pasted_position_is_analysed_and_moves_are_added(browser: Chrome, tmp_path: Path) -> None:
    with BoardServer(tmp_path) as server:
        page = Page(browser, server.address)
        page.wait_for(".engine .hz-line-move")
        page.paste("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 2 4")
        page.until(lambda: page.text(".engine .hz-line-move") == "Qxf7#")
        page.wait_for_text(".engine-value", "#1")
        assert page.find(".hz-gauge").get_attribute("aria-label") == "Evaluation: #1"
        drag(page, "f3", "f7")
        page.wait_for_text("#status", "1-0 White mates")
        press(page, LEFT)
        page.play("Nh3")
        page.until(lambda: page.text(".hz-move[aria-current] .hz-san") == "Nh3")
        page.browser.refresh()
        page.until(lambda: page.text(".hz-move[aria-current] .hz-san") == "Nh3")
        fen, pgn = page.export()
        game = chess.pgn.read_game(io.StringIO(pgn))
        assert game is not None
        assert [child.san() for child in game.variations] == ["Qxf7#", "Nh3"]
        assert fen == game.variations[1].board().fen()
        assert page.browser.get_log("browser") == []  # type: ignore[no-untyped-call]


@pytest.mark.slow
def test_a_king_castles_both_ways_and_keys_choose_the_promotion(
    browser: Chrome, tmp_path: Path
) -> None:
    with BoardServer(tmp_path, "r3k2r/1P6/8/8/8/8/8/R3K2R w KQkq - 0 1") as server:
        page = Page(browser, server.address)
        page.wait_for_text("#status", "White to move")  # and the legal moves are known
        for target, name in (("g1", "O-O"), ("a1", "O-O-O")):
            drag(page, "e1", target)
            page.until(lambda name=name: page.text(".hz-move[aria-current] .hz-san") == name)
            press(page, LEFT)
            page.until(lambda: placement(browser).endswith("R3K2R"))
        browser.execute_script("document.querySelector('[data-square=b7]').focus()")  # type: ignore[no-untyped-call]
        press(page, ENTER)
        press(page, UP)
        press(page, ENTER)
        page.wait_for("button[data-piece=n]")
        press(page, DOWN)
        press(page, ENTER)
        page.until(lambda: page.text(".hz-move[aria-current] .hz-san") == "b8=N")
        # "12" fits into the bar, "12.34" does not.
        texts = {"+12.34": "12", "-0.30": "0.3", "#-10": "#10", "TB win": "TB"}
        script = (
            "const gauge = new HalbzugBoard.Gauge(document.createElement('div'));"
            "return arguments[0].map((text) => { gauge.show(50, text);"
            " return gauge.text.textContent; });"
        )
        assert browser.execute_script(script, list(texts)) == list(texts.values())  # type: ignore[no-untyped-call]


@pytest.mark.slow
def test_a_game_is_played_to_mate_against_the_engine(browser: Chrome, tmp_path: Path) -> None:
    with BoardServer(tmp_path, "7k/8/5K2/6R1/8/8/8/8 w - - 0 1") as server:
        page = Page(browser, server.address)
        page.click("[data-open=match]")
        page.browser.execute_script(
            "document.querySelector('#match-start').value = 'here';"
            "document.querySelector('#elo').value = 800;"
        )
        page.click("#match-begin")
        page.wait_for_text("#match", "against Halbzug")
        # The rook mates after either reply of the king.
        page.until(lambda: "Your move" in page.text("#match"))
        square(browser, "f6").click()
        square(browser, "f7").click()
        page.until(lambda: len(page.all(".hz-move")) == 2 and "Your move" in page.text("#match"))
        page.play("Rh5")
        page.wait_for_text("#match", "1-0 White mates")
        assert chess.Board(page.export()[0]).is_checkmate()
        assert 'Result "1-0"' in page.export()[1]
        assert not page.find("#take-back").is_displayed()
        page.click("#rematch")
        page.wait_for_text("#match", "You play Black")
        page.wait_for(".hz-player.is-flipped")
        page.click("#leave")
        page.until(lambda: not page.find("#match").is_displayed())


@pytest.mark.slow
def test_both_clocks_run_and_the_flag_loses_the_game(browser: Chrome, tmp_path: Path) -> None:
    with BoardServer(tmp_path) as server:
        page = Page(browser, server.address)

        def clocks() -> list[str]:
            return [page.text(f".hz-side.is-{color} .hz-time") for color in ("white", "black")]

        page.wait_for_text("#status", "White to move")
        assert not page.find(".hz-side").is_displayed()
        page.click("[data-open=match]")
        page.browser.execute_script(
            "const choose = (id, value) => { const one = document.querySelector(id);"
            " one.value = value; one.dispatchEvent(new Event('change')); };"
            "choose('#elo', 800); choose('#match-clock', 'own');"
            "choose('#match-minutes', 0.05); choose('#match-increment', 1);"
        )
        page.click("#match-begin")
        page.until(lambda: "Your move" in page.text("#match"))
        page.play("e4")
        page.until(lambda: len(page.all(".hz-move .hz-clock")) == 2)
        assert all(text.startswith("0:0") for text in clocks())
        assert page.find(".hz-side.is-white .hz-time.is-running")
        page.wait_for_text("#match", "0-1 White loses on time")
        assert page.text("#status") == "0-1 White loses on time"
        assert clocks()[0] == "0:00.0"
        pgn = page.export()[1]
        assert '[Termination "time forfeit"]' in pgn and '[TimeControl "3+1"]' in pgn
        assert pgn.count("[%clk 0:00:0") == 2


@pytest.mark.slow
def test_a_long_list_of_games_is_shown_to_its_end(browser: Chrome, tmp_path: Path) -> None:
    # With two blank lines between games, as exported by lichess.
    games = (f'[White "Player {number}"]\n\n1. e4 *\n\n\n' for number in range(1, 702))
    (tmp_path / "many.pgn").write_text("".join(games))
    with BoardServer(tmp_path, "many.pgn") as server:
        page = Page(browser, server.address)
        page.click("#games-button")
        page.wait_for_text("#games-count", "701 games, 300 of them shown")
        page.click("#games-more")
        page.click("#games-more")
        page.wait_for_text("#games-count", "701 games")
        assert not page.find("#games-more").is_displayed()
        page.find("#games-list li:last-child button").click()
        page.wait_for_text(".hz-side.is-white", "Player 701")


@pytest.mark.slow
def test_a_file_that_is_too_long_is_refused_with_a_message(browser: Chrome, tmp_path: Path) -> None:
    (tmp_path / "long.pgn").write_text("1. e4 e5 *\n\n" * 400_000)
    with BoardServer(tmp_path) as server:
        page = Page(browser, server.address)
        page.wait_for_text("#status", "White to move")
        page.click("[data-open=new]")
        page.find("#file").send_keys(str(tmp_path / "long.pgn"))
        page.wait_for_text("#new-dialog .fault", "4 million characters")


@pytest.mark.slow
def test_games_of_a_file_are_text_whatever_they_contain(browser: Chrome, tmp_path: Path) -> None:
    (tmp_path / "games.pgn").write_text(GAMES, encoding="utf-8")
    with BoardServer(tmp_path, "games.pgn") as server:
        page = Page(browser, server.address)
        browser.get_log("browser")  # type: ignore[no-untyped-call]  # pages of other tests
        page.wait_for_text("#moves", HOSTILE)
        assert page.text(".hz-side.is-white .hz-name") == f"GM {HOSTILE} (2700)"
        assert not page.all("#side img, #moves b")
        page.click("#games-button")
        page.enter("#games-filter", "broken two")
        assert page.text("#games-count") == "1 game"
        page.click("#games-list button")
        page.wait_for_text("#notice", "1...Ke5 is not legal")
        page.until(lambda: "d5" in page.text("#moves"))
        page.paste(f"{HOSTILE} nonsense")
        page.wait_for_text("#new-dialog .fault", "neither a FEN nor a game")
        assert page.find("#paste").get_attribute("value") == f"{HOSTILE} nonsense"
        page.enter("#paste", "8/8/8/8/8/8/8/K7 w - - 0 1")
        page.click("#paste-button")
        page.wait_for_text("#new-dialog .fault", "Black has no king")
        assert not page.find("#notice").is_displayed()
        page.click("#new-dialog button[value=close]")
        page.click("[data-open=match]")
        assert page.text("#match-dialog .fault") == ""
        page.click("#match-dialog button[value=close]")
        page.click("#games-button")
        page.enter("#games-filter", "one")
        page.click("#games-list button")
        page.wait_for_text("#moves", HOSTILE)
        press(page, HOME + RIGHT * 3)
        page.until(lambda: page.text(".hz-move[aria-current] .hz-san") == "Nf3")
        press(page, DOWN)
        page.until(lambda: page.text(".hz-move[aria-current] .hz-san") == "Bc4")
        page.wait_for_text("#opening", "Bishop's Opening")
        page.click("#promote")
        page.until(lambda: page.text(".hz-pair .hz-move[aria-current] .hz-san") == "Bc4")
        page.click("#delete")
        page.until(lambda: "Bc4" not in page.text("#moves"))
        messages = browser.get_log("browser")  # type: ignore[no-untyped-call]
        assert messages == []


def test_the_page_shows_moves_without_the_server_and_keeps_the_game_when_it_is_killed(
    browser: Chrome, tmp_path: Path
) -> None:
    with BoardServer(tmp_path) as server:
        page = Page(browser, server.address)
        page.until(lambda: "White to move" in page.text("#status"))
        page.play("e4")
        page.until(lambda: page.text(".hz-move[aria-current] .hz-san") == "e4")
        page.wait_for_text("#status", "Black to move")
        page.click("[data-act=back]")
        page.wait_for_text("#status", "White to move")
        server.process.send_signal(signal.SIGSTOP)  # moves are shown before it answers
        drag(page, "e2", "e4")
        page.until(lambda: page.text(".hz-move[aria-current] .hz-san") == "e4")
        server.process.send_signal(signal.SIGCONT)
        page.wait_for_text("#status", "Black to move")
        server.process.send_signal(signal.SIGSTOP)
        drag(page, "e7", "e5")
        page.until(lambda: placement(browser).startswith("rnbqkbnr/pppp1ppp/8/4p3/4P3"))
        # The page tries to connect again, after pauses that are shortened here.
        browser.execute_script("const wait = setTimeout; setTimeout = (f, ms) => wait(f, ms / 20)")
        server.kill()
        page.wait_for_text("#notice", "has ended")
        page.click("[data-open=export]")
        page.until(lambda: "1. e4" in str(page.find("#pgn").get_attribute("value")))
        link = page.find("#download")
        assert str(link.get_attribute("href")).startswith("blob:")
        page.click("#export-dialog button[value=close]")
        press(page, LEFT)
        assert placement(browser) == chess.STARTING_BOARD_FEN


@pytest.mark.slow
def test_a_position_is_set_up_and_the_threat_is_shown(browser: Chrome, tmp_path: Path) -> None:
    with BoardServer(tmp_path) as server:
        page = Page(browser, server.address)
        page.wait_for_text("#status", "White to move")
        page.click("#edit")
        page.click("#edit-clear")
        page.click("#edit-done")
        page.wait_for_text("#notice", "the board is empty")  # it can be corrected
        for letter, name in (("K", "g1"), ("k", "g8"), ("r", "a4")):
            page.click(f".brushes [data-brush={letter}]")
            square(browser, name).click()
        for name in ("f2", "g2", "h2"):
            page.click(".brushes [data-brush=P]")
            square(browser, name).click()
        page.click("#edit-done")
        page.wait_for_text("#status", "White to move")
        page.until(lambda: page.all(".engine .hz-line-move"))
        page.click(".engine-head button:last-child")  # the threat
        page.until(lambda: [one.text for one in page.all(".hz-line-move")][:2] == ["--", "Ra1#"])
        page.wait_for_text(".engine-name", "threat")
        assert page.export()[0] == "6k1/8/8/8/r7/8/5PPP/6K1 w - - 0 1"
        page.paste("8/8/8/8/8/2k5/8/K6Q w - - 0 1")
        page.wait_for_text("#tablebase", "White to move: win")
        page.click("#terms-box summary")
        page.wait_for_text("#terms", "Material")


@pytest.mark.slow
def test_a_bad_move_has_its_reason_in_chess960_and_in_a_variation(
    browser: Chrome, tmp_path: Path
) -> None:
    (tmp_path / "game.pgn").write_text(
        '[Variant "Chess960"]\n[SetUp "1"]\n'
        '[FEN "5k1r/3q1ppp/8/8/7Q/3B4/8/4K3 b h - 0 1"]\n\n1... Qe7+ (1... O-O) *\n'
    )
    mate = "Allows mate in 1: 2.Qxh7#. Better is 1...Q"
    with BoardServer(tmp_path, "game.pgn") as server:
        page = Page(browser, server.address)
        page.wait_for_text("#status", "Black to move")
        assert not page.find("#reason-button").is_enabled()
        press(page, RIGHT + DOWN)
        page.wait_for_text("#reason-button", "Explain 1...O-O")
        assert page.text("#reason-answer") == ""
        press(page, "w")
        page.wait_for_text("#reason-answer", "Comparing 1...O-O with the best move")
        press(page, LEFT)  # without waiting for the answer
        page.wait_for_text("#reason-button", "Explain the last move")
        assert page.text("#reason-answer") == ""
        press(page, RIGHT + DOWN)
        page.until(lambda: page.text(".hz-move[aria-current] .hz-san") == "O-O")
        page.click("#reason-button")
        page.wait_for_text("#reason-answer", mate)
        assert "Refutation: 2.Qxh7#" in page.text("#reason-answer")
        assert "Scores are from Black's side." in page.text("#reason-answer")
        page.wait_for_text(".engine-name", "depth")  # and the analysis continues
        browser.refresh()
        page.wait_for_text("#reason-answer", mate)
        assert page.find("#reason-answer").get_attribute("role") == "status"
        page.assert_fits(320, 1280)
        assert axe.findings(browser) == []
        page.click("#pass")
        page.until(lambda: not page.find("#reason-button").is_enabled())


@pytest.mark.slow
def test_a_whole_game_is_analysed_while_it_is_played_through(
    browser: Chrome, tmp_path: Path
) -> None:
    with BoardServer(tmp_path) as server:
        page = Page(browser, server.address)
        page.wait_for_text("#status", "White to move")
        browser.get_log("browser")  # type: ignore[no-untyped-call]  # pages of other tests
        page.click("[data-open=review]")
        page.click("#review-begin")
        page.wait_for_text("#review-dialog .fault", "the game has no moves")
        page.click("#review-dialog button[value=close]")
        page.paste("1. f3 e5 2. g4 Qh4# 0-1")
        page.wait_for_text("#moves", "Qh4#")
        page.click("[data-open=review]")
        page.click("#review-begin")
        page.wait_for_text("#review-words", "of 5 positions")
        press(page, RIGHT)
        page.wait_for_text("#review-sides", "White: accuracy")
        page.until(lambda: page.find("#graph img").get_property("naturalWidth"))
        press(page, "c")
        page.until(lambda: page.text(".hz-move[aria-current] .hz-san") == "g4")
        page.wait_for("p.hz-verdict.blunder, p.hz-verdict.mistake")
        page.assert_fits(320, 1280)
        assert axe.findings(browser) == []
        press(page, LEFT)
        page.click("#exercise-button")
        page.wait_for_text("#exercise", "Find a better move for White than 2.g4.")
        assert not page.find("#moves").is_displayed()
        page.wait_for_text("#status", "White to move")
        page.play("g4")
        page.wait_for_text("#exercise", "2.g4 is the mistake that was played.")
        page.click("#exercise-hint")
        page.wait_for_text("#exercise", "Move the piece on")
        page.click("#exercise-solution")
        page.wait_for_text("#exercise", "The better move was 2.")
        assert ". In the game, White played 2.g4. " in page.text("#exercise")
        page.wait_for(".hz-variation .hz-move[aria-current]")
        page.click("#exercise-next")
        page.wait_for_text("#exercise", "There are no more exercises in this game.")
        assert not page.find("#exercise-next").is_displayed()
        press(page, HOME)
        page.until(lambda: not page.find("#exercise").is_displayed())
        page.click("#review-sides .mistake, #review-sides .blunder")
        page.until(lambda: page.text(".hz-move[aria-current] .hz-san") == "g4")
        browser.refresh()
        page.wait_for_text("#review-sides", "Black: accuracy")
        page.wait_for(".hz-nag.blunder, .hz-nag.mistake")
        assert browser.get_log("browser") == []  # type: ignore[no-untyped-call]
        page.paste("1. e4 e5 *")
        page.wait_for_text("#moves", "e5")
        page.click("[data-open=review]")
        page.click("#review-begin")
        page.wait_for_text("#review-sides", "Black: accuracy")
        assert page.find("#review-report").is_displayed()
        assert not page.find("#exercise-button").is_displayed(), "there is none"


@pytest.mark.slow
def test_the_users_own_games_are_explored_once_indexed(
    browser: Chrome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "games.pgn").write_text(GAMES, encoding="utf-8")
    with BoardServer(tmp_path, "--explorer", "games.pgn") as server:
        page = Page(browser, server.address)
        browser.get_log("browser")  # type: ignore[no-untyped-call]  # pages of other tests
        page.wait_for_text("#explorer", "games.pgn: 2 games")
        page.until(lambda: page.text("#explorer-total") == "2 games")
        page.wait_for_text("#explorer .games", HOSTILE.replace('"', "'"))
        # What is below the moves is read beside the board.
        page.resize(1280, 600)
        script = (
            "scrollTo(0, 1e6); return document.querySelector('#board').getBoundingClientRect().top"
        )
        assert browser.execute_script("return document.body.scrollHeight > innerHeight + 100")
        assert browser.execute_script(script) >= 0
        page.click("#explorer .choices button")
        page.until(lambda: page.text("#explorer-total") == "1 game")
        page.assert_fits(320, 1280)
        assert axe.findings(browser) == []
        page.click("#explorer .games button")
        page.until(lambda: page.text(".hz-move[aria-current] .hz-san") == "d4")
        page.wait_for_text("#moves", "c4")
        assert browser.get_log("browser") == []  # type: ignore[no-untyped-call]


@pytest.mark.slow
def test_two_pages_show_the_same_board_and_quick_steps_end_where_they_should(
    browser: Chrome, tmp_path: Path
) -> None:
    (tmp_path / "game.pgn").write_text(GAMES, encoding="utf-8")
    with BoardServer(tmp_path, "game.pgn") as server:
        page = Page(browser, server.address)
        page.wait_for_text("#status", "White to move")
        first = browser.current_window_handle
        browser.switch_to.new_window("tab")
        other = Page(browser, server.address)
        other.wait_for_text("#status", "White to move")
        press(other, RIGHT * 6 + LEFT * 3 + RIGHT * 2)
        other.until(lambda: other.text(".hz-move[aria-current] .hz-san") == "Bb5")
        other.wait_for_text("#opening", "Ruy Lopez")
        draw(other, "b5", "c6")
        browser.switch_to.window(first)
        page.until(lambda: page.text(".hz-move[aria-current] .hz-san") == "Bb5")
        page.wait_for(".hz-arrow.red line")
        draw(page, "c6", "c6")
        page.wait_for(".hz-arrow.red circle")
        press(page, LEFT + RIGHT)
        page.wait_for(".hz-arrow.red circle")
        assert "[%csl Rc6][%cal Rb5c6]" in page.export()[1]
        browser.switch_to.window(browser.window_handles[-1])
        browser.close()
        browser.switch_to.window(first)


@pytest.mark.slow
def test_chess960_and_another_engine(browser: Chrome, tmp_path: Path) -> None:
    (tmp_path / "greedy.py").write_text(
        "import chess\n\n\ndef choose(board):\n"
        "    return max(board.legal_moves, key=board.is_capture)\n"
    )
    with BoardServer(tmp_path, "greedy.py") as server:
        page = Page(browser, server.address)
        page.click("[data-open=new]")
        page.enter("#new-number", "5")
        page.click("#new-960")
        page.until(lambda: placement(browser) == chess.Board.from_chess960_pos(5).board_fen())
        page.click("#edit")
        page.click("#edit-done")  # nothing was changed, including castling rights
        page.until(lambda: page.all("#palette[hidden]"))
        page.wait_for_text("#status", "White to move")
        shown = chess.Board(page.export()[0], chess960=True)
        assert shown.castling_rights == chess.Board.from_chess960_pos(5).castling_rights
        assert len(page.all(".engine")) == 2
        page.click(".engine:nth-child(2) .switch")
        page.until(
            lambda: page.all(".engine:nth-child(2) .hz-line, .engine:nth-child(2) .engine-error")
        )
        page.click("[data-open=match]")
        page.browser.execute_script(
            "const wanted = {engine: 1, start: 'here', strength: 'full'};"
            "for (const name of Object.keys(wanted))"
            " document.querySelector('#match-' + name).value = wanted[name];"
        )
        page.click("#match-begin")
        page.wait_for_text("#match", "Your move")
        page.play("e4")
        page.until(lambda: len(page.all(".hz-move")) == 2)


@pytest.mark.slow
def test_no_request_leaves_the_machine(browser: Chrome, tmp_path: Path) -> None:
    browser.get_log("performance")  # type: ignore[no-untyped-call]
    with BoardServer(tmp_path) as server:
        page = Page(browser, server.address)
        page.wait_for(".engine .hz-line-move")
        sent = [entry["message"] for entry in browser.get_log("performance")]  # type: ignore[no-untyped-call]
        events = [json.loads(message)["message"] for message in sent]
        addresses = {
            event["params"]["request"]["url"]
            for event in events
            if event["method"] == "Network.requestWillBeSent"
            and event["params"]["documentURL"].startswith("http")
        }
        assert {
            f"{server.address}{name}" for name in ("", "board.js", "component.css")
        } <= addresses
        assert all(address.startswith(server.address) for address in addresses), addresses
        blocked = browser.execute_async_script(
            "const done = arguments[0];"
            "document.addEventListener('securitypolicyviolation', e => done(e.effectiveDirective));"
            "fetch('https://example.org/').catch(() => {});"
        )
        assert blocked == "connect-src"
        browser.get_log("browser")  # type: ignore[no-untyped-call]


@pytest.mark.slow
def test_nothing_overflows_and_axe_finds_nothing_serious(browser: Chrome, tmp_path: Path) -> None:
    with BoardServer(tmp_path) as server:
        page = Page(browser, server.address)
        page.wait_for(".engine .hz-line-move")
        page.play("e4")
        page.wait_for(".hz-move[aria-current]")
        page.click("#terms-box summary")
        page.wait_for_text("#terms", "Material")
        page.assert_fits(320, 400, 1280, 3840)
        assert axe.findings(browser) == []
        page.click("[data-open=match]")
        assert axe.findings(browser) == []
        page.click("#match-dialog button[value=close]")
        page.resize(390, 500)
        page.click("[data-open=help]")
        assert page.find("#help-dialog").get_property("scrollTop") == 0
        assert axe.findings(browser) == []

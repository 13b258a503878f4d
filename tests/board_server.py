"""`halbzug board` as a process, and its page in a browser."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from command_line import environment_of_users

if TYPE_CHECKING:
    from selenium.webdriver import Chrome
    from selenium.webdriver.remote.webelement import WebElement

#: How long anything on a page may take, in seconds: the machine may be busy.
PATIENCE_SECONDS = 30


class BoardServer:
    """A served board, which ends with its `with` block."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "halbzug", "board", "--no-browser", *arguments],
            cwd=folder,
            env=environment_of_users(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        self.address = line.split()[-1] if line else ""
        assert self.address, self.process.communicate()[1]
        parts = urlsplit(self.address)
        self.host = parts.netloc
        self.port = parts.port or 0
        self.secret = parts.path.strip("/")

    def __enter__(self) -> BoardServer:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        _, err = self.process.communicate(timeout=PATIENCE_SECONDS)
        if kind is None:
            assert err == "", err

    def kill(self) -> None:
        """Kill it without warning."""
        self.process.kill()
        self.process.wait()


class Page:
    """The page of a board."""

    def __init__(self, browser: Chrome, address: str) -> None:
        self.browser = browser
        browser.get(address)
        self.wait_for(".hz-square [class=hz-piece], .hz-empty")

    def find(self, selector: str) -> WebElement:
        return self.browser.find_element("css selector", selector)

    def all(self, selector: str) -> list[WebElement]:
        return self.browser.find_elements("css selector", selector)

    def click(self, selector: str) -> None:
        self.until(lambda: self.find(selector).is_displayed())
        self.find(selector).click()

    def text(self, selector: str) -> str:
        return self.find(selector).text

    def until(self, condition: object, timeout: float = PATIENCE_SECONDS) -> object:
        """Wait until a condition holds; replaced elements are looked up again."""
        from selenium.common.exceptions import WebDriverException
        from selenium.webdriver.support.wait import WebDriverWait

        def holds(_: object) -> object:
            assert callable(condition)
            return condition()

        waiting = WebDriverWait(
            self.browser, timeout, 0.05, ignored_exceptions=[WebDriverException]
        )
        return waiting.until(holds)

    def wait_for(self, selector: str) -> None:
        self.until(lambda: self.all(selector))

    def wait_for_text(self, selector: str, words: str) -> None:
        self.until(lambda: words in self.text(selector))

    def enter(self, selector: str, text: str) -> None:
        field = self.find(selector)
        field.clear()
        field.send_keys(text)

    def play(self, move: str) -> None:
        """Type a move."""
        self.enter("#move", move + "\ue007")

    def resize(self, width: int, height: int) -> None:
        """Show the page on a screen of this size, in pixels."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)

    def assert_fits(self, *widths: int) -> None:
        """Check that nothing extends beyond screens of these widths, in pixels."""
        for width in widths:
            self.resize(width, 800)
            script = "return document.documentElement.scrollWidth"
            assert self.browser.execute_script(script) <= width
        self.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})

    def fen(self) -> str:
        """The server's position, from the export."""
        value = self.browser.execute_script("return document.querySelector('#fen').value")
        return str(value)

    def export(self) -> tuple[str, str]:
        """The FEN and the PGN of the export."""
        self.click("[data-open=export]")
        self.until(lambda: self.find("#export-dialog").is_displayed())
        found = tuple(str(self.find(name).get_attribute("value")) for name in ("#fen", "#pgn"))
        self.click("#export-dialog button[value=close]")
        return found[0], found[1]

    def paste(self, text: str) -> None:
        self.click("[data-open=new]")
        self.browser.execute_script("document.querySelector('#paste').value = arguments[0]", text)
        self.click("#paste-button")

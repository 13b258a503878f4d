"""A headless Chromium with its driver, for tests that look at a page."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from selenium.webdriver import Chrome
    from selenium.webdriver.remote.webelement import WebElement

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--force-prefers-reduced-motion",  # drawing each step takes a fifth of the browser's time
)

#: Brings an element into view; whether the mouse can then click it, which is not so for an option.
_BRING_INTO_VIEW = """
arguments[0].scrollIntoViewIfNeeded();
return arguments[0].tagName !== "OPTION";
"""

#: Whether typed keys go to the element, as those for a page do when nothing else has the focus.
_TAKE_KEYS = """
if (arguments[0] === document.body) document.activeElement.blur();
return arguments[0] === document.activeElement;
"""

#: Control, Alt and the like, which stay pressed while an element is sent other keys.
_HELD_KEYS = set("\ue008\ue009\ue00a\ue03d")


def _elements() -> type[WebElement]:
    """Elements that are used by mouse and keyboard, which takes a third of the browser's time for
    the driver's own `click` and `send_keys`.
    """
    from selenium.webdriver import ActionChains
    from selenium.webdriver.remote.webelement import WebElement

    class Element(WebElement):
        def click(self) -> None:
            if self.parent.execute_script(_BRING_INTO_VIEW, self):
                ActionChains(self.parent, 0).click(self).perform()
            else:
                super().click()

        def send_keys(self, *value: str) -> None:
            is_simple = not _HELD_KEYS.intersection("".join(value))
            if is_simple and self.parent.execute_script(_TAKE_KEYS, self):
                ActionChains(self.parent, 0).send_keys(*value).perform()
            else:
                super().send_keys(*value)

    return Element


def start_chromium(profile: Path) -> Chrome:
    """Start Chromium with its data in an empty folder; skip the test if there is none."""
    pytest.importorskip("selenium", reason="selenium is not installed")
    from selenium import webdriver

    binary = shutil.which("chromium") or shutil.which("chromium-browser")
    driver_path = shutil.which("chromedriver")
    if not binary or not driver_path:
        pytest.skip("Chromium or its driver is not installed")
    options = webdriver.ChromeOptions()
    options.binary_location = binary
    options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "ALL"})
    for flag in [*FLAGS, f"--user-data-dir={profile}"]:
        options.add_argument(flag)
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver_path))
    driver._web_element_cls = _elements()
    driver.set_page_load_timeout(120)
    driver.set_script_timeout(120)
    return driver

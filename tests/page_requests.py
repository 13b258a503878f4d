"""The requests of a page to other hosts."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from selenium.webdriver import Chrome


def requests_to_hosts(driver: Chrome) -> list[str]:
    """The requests since the last call, except for files, data and Chromium's own."""
    messages = [entry["message"] for entry in driver.get_log("performance")]
    return [
        message
        for message in messages
        if "Network.requestWillBeSent" in message and '"url":"http' in message
    ]

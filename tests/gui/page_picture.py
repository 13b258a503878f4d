"""What the pictures of the report and of the board share: a game, the browser, the command line."""

from __future__ import annotations

import contextlib
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from chromium import start_chromium

from gui.screen import missing

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

#: A short game whose decisive mistake is a common one.
GAME = """[Event "Casual game"]
[Site "Vienna"]
[Date "1910.??.??"]
[White "Réti, Richard"]
[Black "Tartakower, Savielly"]
[Result "1-0"]

1. e4 c6 2. d4 d5 3. Nc3 dxe4 4. Nxe4 Nf6 5. Qd3 e5 6. dxe5 Qa5+ 7. Bd2 Qxe5
8. O-O-O Nxe4 9. Qd8+ Kxd8 10. Bg5+ Kc7 11. Bd8# 1-0
"""

#: The ply to show: 8...Nxe4, which allows a mate.
PLY = 16


@contextlib.contextmanager
def open_browser(width: int, height: int) -> Iterator[tuple[Chrome, Path]]:
    """A browser without scroll bars, and a folder with `game.pgn`.

    :param width: of the visible page, in pixels.
    :param height: of the visible page, in pixels.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "game.pgn").write_text(GAME, encoding="utf-8")
        driver = start_chromium(folder / "profile")
        try:
            metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
            driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
            driver.execute_cdp_cmd("Emulation.setScrollbarsHidden", {"hidden": True})
            yield driver, folder
        finally:
            driver.quit()


def main(take: Callable[[Path], None], name: str) -> int:
    """Take a picture, save it under the given or this name, and print its path."""
    if reason := missing("chromium", "chromedriver"):
        print(reason, file=sys.stderr)
        return 1
    picture = Path(sys.argv[1] if len(sys.argv) > 1 else name).absolute()
    take(picture)
    print(f"a picture: {picture}")
    return 0

"""The board of `halbzug board` in a headless Chromium.

`PYTHONPATH=tests python -m gui.board_picture [PICTURE.png]` opens a game with the engine of the
checkout, waits until it is analysed, and takes a picture. It needs selenium and Chromium with its
driver (Debian: `chromium chromium-driver`).
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from board_server import BoardServer, Page
from chromium import start_chromium

from gui.report_picture import GAME, PLY
from gui.screen import missing

NEEDED = ("chromium", "chromedriver")

#: The size of the visible page in pixels: everything except what is below the moves.
SIZE = (1180, 900)

#: How long the analysis of the whole game may take, in seconds.
PATIENCE_SECONDS = 1200


def take(picture: Path, seconds: float = 6) -> None:
    """Save a picture of the board.

    :param seconds: how long the engine analyses the position.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "game.pgn").write_text(GAME, encoding="utf-8")
        driver = start_chromium(folder / "profile")
        try:
            metrics = {"width": SIZE[0], "height": SIZE[1], "deviceScaleFactor": 1, "mobile": False}
            driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
            with BoardServer(folder, "game.pgn") as server:
                page = Page(driver, server.address)
                move = f".hz-move[data-node='{PLY}']"
                page.wait_for(move)
                driver.execute_script(f'document.querySelector("{move}").click()')
                page.until(page.find("#graph").is_displayed, PATIENCE_SECONDS)
                page.wait_for(".engine .hz-line-move")
                time.sleep(seconds)
                driver.save_screenshot(str(picture))
        finally:
            driver.quit()


def main() -> int:
    """Take the picture and print its path."""
    if reason := missing(*NEEDED):
        print(reason, file=sys.stderr)
        return 1
    picture = Path(sys.argv[1] if len(sys.argv) > 1 else "board.png").absolute()
    take(picture)
    print(f"a picture: {picture}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

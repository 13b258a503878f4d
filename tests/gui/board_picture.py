"""The board of `halbzug board` in a headless Chromium.

`PYTHONPATH=tests python -m gui.board_picture [PICTURE.png]` opens a game with the engine of the
checkout, waits until it is analysed, and takes a picture. It needs selenium and Chromium with its
driver (Debian: `chromium chromium-driver`).
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from board_server import BoardServer, Page

from gui.page_picture import PLY, main, open_browser

#: How long the analysis of the whole game may take, in seconds.
PATIENCE_SECONDS = 1200

#: How long the engine analyses the shown position, in seconds.
SECONDS = 6


def take(picture: Path) -> None:
    """Save a picture of everything except what is below the moves."""
    with open_browser(1180, 900) as (driver, folder), BoardServer(folder, "game.pgn") as server:
        page = Page(driver, server.address)
        move = f".hz-move[data-node='{PLY}']"
        page.wait_for(move)
        driver.execute_script(f'document.querySelector("{move}").click()')  # not hovered over
        page.until(page.find("#graph").is_displayed, PATIENCE_SECONDS)
        page.wait_for(".engine .hz-line-move")
        time.sleep(SECONDS)
        driver.save_screenshot(str(picture))


if __name__ == "__main__":
    sys.exit(main(take, "board.png"))

"""The report of a game in a headless Chromium.

`PYTHONPATH=tests python -m gui.report_picture [PICTURE.png]` annotates a game with the engine of
the checkout, opens the report at the decisive mistake, and takes a picture. It needs selenium and
Chromium with its driver (Debian: `chromium chromium-driver`).
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from gui.page_picture import PLY, main, open_browser
from gui.screen import write_command

#: The nodes searched in each position, the same on any machine.
NODES = 40_000


def take(picture: Path) -> None:
    """Save a picture of the board, and beside it the reason, the graph and the moves."""
    with open_browser(1180, 830) as (driver, folder):
        arguments = ["analyse", "game.pgn", "--nodes", str(NODES), "--html", "report.html"]
        subprocess.run([str(write_command(folder)), *arguments], cwd=folder, check=True)
        driver.get(f"{(folder / 'report.html').as_uri()}#game-1/{PLY}")
        driver.save_screenshot(str(picture))


if __name__ == "__main__":
    sys.exit(main(take, "report.png"))

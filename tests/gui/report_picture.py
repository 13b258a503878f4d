"""The report of a game in a headless Chromium.

`PYTHONPATH=tests python -m gui.report_picture [PICTURE.png]` annotates a game with the engine of
the checkout, opens the report at the decisive mistake, and takes a picture. It needs selenium and
Chromium with its driver (Debian: `chromium chromium-driver`).
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from gui.screen import find, missing, write_command

NEEDED = ("chromium", "chromedriver")

#: Pixels of the visible page: the board, and beside it the reason, the graph and the moves.
SIZE = (1180, 830)

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


def take(picture: Path, nodes: int = 40_000) -> None:
    """Save a picture of the report.

    :param nodes: the nodes searched in each position, the same on any machine.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "game.pgn").write_text(GAME, encoding="utf-8")
        arguments = ["analyse", "game.pgn", "--nodes", str(nodes), "--html", "report.html"]
        subprocess.run([str(write_command(folder)), *arguments], cwd=folder, check=True)
        _save_page((folder / "report.html").as_uri(), folder / "profile", picture)


def _save_page(url: str, profile: Path, picture: Path) -> None:
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = str(find("chromium"))
    for flag in ("headless", "no-sandbox", "disable-gpu", "hide-scrollbars"):
        options.add_argument(f"--{flag}")
    options.add_argument(f"--user-data-dir={profile}")
    service = webdriver.ChromeService(str(find("chromedriver")))
    driver = webdriver.Chrome(options=options, service=service)
    try:
        metrics = {"width": SIZE[0], "height": SIZE[1], "deviceScaleFactor": 1, "mobile": False}
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        driver.get(f"{url}#game-1/{PLY}")
        driver.save_screenshot(str(picture))
    finally:
        driver.quit()


def main() -> int:
    """Take the picture and print its path."""
    if reason := missing(*NEEDED):
        print(reason, file=sys.stderr)
        return 1
    picture = Path(sys.argv[1] if len(sys.argv) > 1 else "report.png").absolute()
    take(picture)
    print(f"a picture: {picture}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

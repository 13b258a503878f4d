"""A notebook as a page, showing what Halbzug displays in it.

`PYTHONPATH=tests python -m gui.notebook_page [PICTURE.png] [THEME]` runs the cells below in a
kernel and takes a picture of the page in the theme `light` or `dark`. It needs the packages of `pip
install ".[notebook,test]"`, and Chromium with its driver.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from command_line import OPERA_GAME
from nbconvert import HTMLExporter
from notebook_runs import notebook_of, run_notebook
from selenium import webdriver

CELLS = (
    "import chess, chess.pgn, halbzug\n\n"
    'board = chess.Board("r1b2k1r/ppp1bppp/8/1B1Q4/5q2/2P5/PPP2PPP/R3R1K1 w - - 0 1")\n'
    "halbzug.analyse(board, depth=8, multipv=3)",
    'game = chess.pgn.read_game(open("opera.pgn"))\nhalbzug.annotate(game, depth=8)',
)
WIDTH = 1000


def main() -> None:
    """Run the notebook and take the picture."""
    picture = Path(sys.argv[1] if len(sys.argv) > 1 else "notebook.png").absolute()
    theme = sys.argv[2] if len(sys.argv) > 2 else "light"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "opera.pgn").write_text(OPERA_GAME, encoding="utf-8")
        notebook = notebook_of(*CELLS)
        run_notebook(notebook, folder)
        page, _ = HTMLExporter(theme=theme).from_notebook_node(notebook)
        (folder / "page.html").write_text(page, encoding="utf-8")
        take_picture((folder / "page.html").as_uri(), picture)


def take_picture(address: str, picture: Path) -> None:
    """Show a page in a browser at its full height, and save a picture of it."""
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    for flag in ("--headless=new", "--no-sandbox", "--hide-scrollbars"):
        options.add_argument(flag)
    driver = shutil.which("chromedriver")
    browser = webdriver.Chrome(options, webdriver.ChromeService(driver) if driver else None)
    try:
        browser.set_window_size(WIDTH, 800)
        browser.get(address)
        height = browser.execute_script("return document.querySelector('main').scrollHeight")
        browser.set_window_size(WIDTH, height + 160)
        browser.save_screenshot(str(picture))
    finally:
        browser.quit()


if __name__ == "__main__":
    main()

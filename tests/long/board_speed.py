"""How fast the board in the browser is, measured in a headless Chromium.

`python tests/long/board_speed.py [--rounds N]` prints, in milliseconds, how long after the request
of the page the first line of analysis appears, and how long after a move on the board its legal
replies are known. It prints medians and the slowest of all rounds; nothing else should be running.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from board_server import BoardServer, Page
from chromium import start_chromium

#: Records the time when a line, or the legal moves after another move, are on the page.
_WATCH = """
const done = arguments[arguments.length - 1], move = arguments[0];
const seen = (condition) => { const look = () => condition() ? done(performance.now() - began)
  : requestAnimationFrame(look); look(); };
const began = performance.now();
const input = document.querySelector("#move");
input.value = move;
input.form.requestSubmit();
const moves = () => document.querySelectorAll(".hz-move").length;
const before = moves();
seen(() => moves() > before && document.querySelector(".hz-square.movable"));
"""

_FIRST_LINE = """
const done = arguments[0];
const look = () => document.querySelector(".hz-line-move") ? done(performance.now())
  : requestAnimationFrame(look);
look();
"""

MOVES = ("e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6", "O-O", "Be7")


def measure(rounds: int) -> tuple[list[float], list[float]]:
    """Milliseconds to the first line, and from each move to its replies."""
    lines: list[float] = []
    answers: list[float] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        browser = start_chromium(folder / "profile")
        try:
            for _ in range(rounds):
                with BoardServer(folder) as server:
                    browser.get(server.address)
                    lines.append(float(browser.execute_async_script(_FIRST_LINE)))
                    page = Page(browser, server.address)
                    page.wait_for(".engine .hz-line-move")
                    answers += [float(browser.execute_async_script(_WATCH, move)) for move in MOVES]
        finally:
            browser.quit()
    return lines, answers


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    lines, answers = measure(parser.parse_args().rounds)
    for name, values in (("first line", lines), ("answers to a move", answers)):
        print(f"{name}: median {statistics.median(values):.0f} ms, at most {max(values):.0f} ms")


if __name__ == "__main__":
    main()

"""How fast the pages of drawn trees are, measured in a headless Chromium.

`python tests/long/tree_speed.py [--rounds N]` prints for trees of several sizes, in milliseconds:
the time from navigation to the drawn tree, a step forward or back until its frame is done, a jump
to the end, and a frame while scrolling. Medians of all rounds; nothing else should be running.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import chess
from chromium import start_chromium

import halbzug

#: Records when the page is drawn: a frame after its script has run.
_DRAWN = """
document.addEventListener("DOMContentLoaded", () => requestAnimationFrame(
  () => requestAnimationFrame(() => { window.drawnAt = performance.now(); })));
"""

#: Presses buttons one after another, each when the frame of the previous one is done.
_PRESS = """
const [names, done] = arguments, times = [];
(function press(place) {
  if (place === names.length) { done(times); return; }
  requestAnimationFrame(() => {
    const began = performance.now();
    document.getElementById(names[place]).click();
    requestAnimationFrame(() => setTimeout(() => {
      times.push(performance.now() - began);
      press(place + 1);
    }));
  });
}(0));
"""

_SCROLL = """
const done = arguments[0], frame = document.querySelector(".drawing"), times = [];
let last = 0;
frame.scrollLeft = 0;
requestAnimationFrame(function tick(now) {
  if (last) { times.push(now - last); }
  last = now;
  frame.scrollLeft += 40;
  if (times.length < 90) { requestAnimationFrame(tick); } else { done(times); }
});
"""


def _star(leaves: int) -> str:
    """A root with this many leaves, in brackets."""
    return f"({' '.join(str(number * 7919 % 1999 - 999) for number in range(leaves))})"


def pages() -> dict[str, str]:
    """Pages by the kinds and sizes of their trees."""
    drawn = {
        "position": [
            halbzug.explain.alpha_beta(chess.Board(), depth=depth, width=width)
            for depth, width in ((3, 8), (4, 8), (4, 12))
        ],
        "leaves": [halbzug.explain.alpha_beta(_star(leaves)) for leaves in (4998, 49_998)],
    }
    found = {
        f"{kind}, {one.nodes} nodes": one.html() for kind, all_ in drawn.items() for one in all_
    }
    marked = halbzug.explain.transpositions(chess.Board(), depth=3, width=8)
    return {**found, f"transpositions, {len(marked.nodes)} nodes": marked.html()}


def _median(times: Sequence[float]) -> str:
    return f"{statistics.median(times):7.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as name:
        browser = start_chromium(Path(name) / "profile")
        browser.set_window_size(1280, 900)
        browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": _DRAWN})
        print(f"{'':32}   drawn    step  to end  scroll")
        try:
            for title, page in pages().items():
                path = Path(name) / "tree.html"
                path.write_text(page, encoding="utf-8")
                drawn: list[float] = []
                steps: list[float] = []
                ends: list[float] = []
                frames: list[float] = []
                for _ in range(rounds):
                    browser.get(path.as_uri())
                    while not (at := browser.execute_script("return window.drawnAt || 0")):
                        pass
                    drawn.append(at)
                    names = ["next"] * 20 + ["previous"] * 10
                    steps += browser.execute_async_script(_PRESS, names)
                    ends += browser.execute_async_script(_PRESS, ["last", "first"])
                    frames += browser.execute_async_script(_SCROLL)
                print(f"{title:32}", *map(_median, (drawn, steps, ends, frames)), flush=True)
        finally:
            browser.quit()


if __name__ == "__main__":
    main()

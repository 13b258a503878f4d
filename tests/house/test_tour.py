"""The recorded terminal session that visitors see first."""

from __future__ import annotations

import os
import re
import sys
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest
from checkout import ROOT
from chromium import start_chromium

pytest.importorskip("pyte")
pytest.importorskip("termios")

from gui import tour
from gui.terminal_film import COLUMNS, Film, svg

pytestmark = pytest.mark.any_build

PICTURE = ROOT / "docs/images/tour.svg"
SVG = "{http://www.w3.org/2000/svg}"
ALLOWED = frozenset(("svg", "title", "desc", "style", "defs", "g", "rect", "circle", "text", "use"))


def _film(folder: Path) -> Film:
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    return Film({"PATH": path, "HOME": str(folder), "LC_ALL": "C.UTF-8"}, folder)


def test_the_film_loads_and_runs_nothing() -> None:
    text = PICTURE.read_text(encoding="utf-8")
    elements = {element.tag.removeprefix(SVG) for element in ElementTree.fromstring(text).iter()}
    assert elements <= ALLOWED
    assert set(re.findall(r'href="(.)', text)) == {"#"}
    assert not re.search(r"\bon\w+=|url\(|@import|javascript:", text)
    assert len(text.encode()) < 400_000


def test_the_film_takes_two_minutes_and_respects_reduced_motion() -> None:
    text = PICTURE.read_text(encoding="utf-8")
    shown = re.search(
        r"@media \(prefers-reduced-motion:no-preference\)\{\.strip\{animation:film ([\d.]+)s", text
    )
    assert shown and 90 <= float(shown[1]) <= 150
    assert text.count("animation") == 1


def test_the_film_shows_the_current_tour() -> None:
    text = PICTURE.read_text(encoding="utf-8")
    source = Path(tour.__file__).read_text(encoding="utf-8")
    headings = re.findall(r'begin\("(.+)"\)', source)
    assert len(headings) > 5
    for heading in headings:
        assert f"# {heading}<" in text
    assert tour.TITLE in text and tour.DESCRIPTION in text


def test_a_film_shows_the_typed_text_and_the_output(tmp_path: Path) -> None:
    film = _film(tmp_path)
    film.enter(
        r"printf '\033[1;31mred\033[0m & \033[2mpale\033[0m <tag> \033[44m♜\033[0m\n'; sleep 2"
    )
    lines = film.text.splitlines()
    assert lines[0].startswith("$ printf") and len(lines[0]) == COLUMNS
    assert lines[-1] == "red & pale <tag> ♜"
    assert film.seconds < 8  # the command's two seconds are cut
    assert [frame.seconds for frame in film.frames] == sorted({f.seconds for f in film.frames})
    text = svg(film, title="A & B", description="<nothing>", still=len(film.frames) - 1)
    letters = [element.text for element in ElementTree.fromstring(text).iter(f"{SVG}text")]
    assert {"A & B", "red", "&", "pale", "<tag>", "♜"} <= set(letters)


def test_a_film_of_a_conversation(tmp_path: Path) -> None:
    film = _film(tmp_path)
    film.converse("cat", [("first", "first\nfirst"), ("\x04", "")])
    assert film.text.splitlines() == ["$ cat", "first", "first"]


def test_a_failing_command_makes_no_film(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="no-such-command"):
        _film(tmp_path).enter("no-such-command")


@pytest.mark.slow
def test_a_browser_plays_the_film(tmp_path: Path) -> None:
    driver = start_chromium(tmp_path / "profile")
    try:
        for preference, moves in (("no-preference", True), ("reduce", False)):
            features = [{"name": "prefers-reduced-motion", "value": preference}]
            driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
            driver.get(PICTURE.as_uri())
            seen = set()
            for _ in range(4):
                seen.add(driver.get_screenshot_as_base64())
                time.sleep(0.7)
            assert (len(seen) > 1) == moves
    finally:
        driver.quit()

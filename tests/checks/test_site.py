"""The documentation as a site: it builds without warnings, has no broken links and fits a phone."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

import pytest
from bs4 import BeautifulSoup
from chromium import start_chromium
from site_pages import DOCS

import halbzug
from halbzug.api import shown_results as results
from halbzug.games.game_annotation import GameAnnotation

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

#: The width of a small phone, in pixels.
PHONE = 375

RESULTS = (results.Played, results.Analysis, results.Line, results.Evaluation, GameAnnotation)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built without network access."""
    folder = tmp_path_factory.mktemp("site")
    nowhere = dict.fromkeys(("http_proxy", "https_proxy", "all_proxy"), "http://127.0.0.1:9")
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q"]
    process = subprocess.run(
        [*command, "-d", str(folder / "doctrees"), str(DOCS), str(folder / "html")],
        env={**os.environ, **nowhere},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert process.returncode == 0, process.stderr
    return folder / "html"


def _pages(site: Path) -> list[Path]:
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > 20
    return pages


@cache
def _read(page: Path) -> BeautifulSoup:
    return BeautifulSoup(page.read_text(encoding="utf-8"), "html.parser")


def test_every_page_declares_its_language(site: Path) -> None:
    for page in _pages(site):
        is_german = "course/de" in page.as_posix()
        html = _read(page).html
        assert html is not None and html.get("lang") == ("de" if is_german else "en"), page


def test_no_link_between_pages_is_broken(site: Path) -> None:
    soups = {page: _read(page) for page in _pages(site)}
    anchors = {
        page: {str(tag["id"]) for tag in soup.find_all(id=True)} for page, soup in soups.items()
    }
    broken = []
    for page, soup in soups.items():
        targets = [str(tag["href"]) for tag in soup.find_all(["a", "link"], href=True)]
        targets += [str(tag["src"]) for tag in soup.find_all(["img", "script"], src=True)]
        for target in targets:
            parts = urlsplit(target)
            if parts.scheme:
                continue
            path = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            wanted = parts.fragment
            if not path.is_file() or (wanted and wanted not in anchors.get(path, {wanted})):
                broken.append((page.relative_to(site).as_posix(), target))
    assert broken == []


@pytest.mark.parametrize("name", sorted(halbzug.__all__))
def test_each_public_name_is_in_the_reference(site: Path, name: str) -> None:
    assert _read(site / "reference/python.html").find(id=f"halbzug.{name}")


@pytest.mark.parametrize("result", RESULTS, ids=lambda result: result.__name__)
def test_every_result_is_in_the_reference_with_its_attributes(site: Path, result: type) -> None:
    page = _read(site / "reference/python.html")
    name = f"{result.__module__}.{result.__qualname__}"
    assert page.find(id=name)
    for member, value in vars(result).items():
        if isinstance(value, property):
            assert page.find(id=f"{name}.{member}"), member


def test_names_of_python_chess_lead_to_its_documentation(site: Path) -> None:
    page = _read(site / "reference/python.html")
    links = {str(tag["href"]) for tag in page.find_all("a", class_="external", href=True)}
    assert any(link.endswith("engine.html#chess.engine.SimpleEngine") for link in links)
    assert any(link.endswith("core.html#chess.Board") for link in links)


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    driver = start_chromium(tmp_path_factory.mktemp("chromium"))
    size = {"width": PHONE, "height": 800, "deviceScaleFactor": 2, "mobile": True}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    yield driver
    driver.quit()


@pytest.mark.slow
def test_no_page_scrolls_sideways_on_a_phone_and_every_page_has_a_dark_theme(
    browser: Chrome, site: Path
) -> None:
    wide = []
    for page in _pages(site):
        browser.get(page.as_uri())
        width = browser.execute_script("return document.documentElement.scrollWidth")
        if width > PHONE:
            wide.append((page.relative_to(site).as_posix(), width))
        for scheme in ("dark", "light"):
            feature = {"name": "prefers-color-scheme", "value": scheme}
            browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
            colour = browser.execute_script(
                "return getComputedStyle(document.body).backgroundColor"
            )
            red = int(colour.partition("(")[2].partition(",")[0])
            assert (red < 128) == (scheme == "dark"), (page, colour)
    assert wide == []

"""`halbzug course export`: what a class receives, as students see it."""

from __future__ import annotations

import threading
import zipfile
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from axe import findings
from command_line import Command

from halbzug.commands.course import _draw, explain

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

pytestmark = pytest.mark.any_build


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The German course, without answers."""
    folder = tmp_path_factory.mktemp("course")
    command = Command(folder)
    said = command.output("course", "export", "kurs", "--language", "de")
    assert said.startswith("Der Kurs hat ") and "kurs/index.html" in said
    return folder


def _files(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.html")}


def test_the_german_export_is_german(exported: Path) -> None:
    for name, text in _files(exported / "kurs").items():
        assert '<html lang="de">' in text, name
    chapter = (exported / "kurs/12-chance.html").read_text(encoding="utf-8")
    assert 'aria-label="Ein Baum mit Zufall' in chapter and "coin.html öffnen" in chapter


@pytest.mark.slow
def test_the_zip_has_the_same_files_as_the_folder(exported: Path) -> None:
    """The same command always writes the same bytes."""
    assert "kurs.zip" in Command(exported).output(
        "course", "export", "kurs.zip", HALBZUG_LANGUAGE="de"
    )
    with zipfile.ZipFile(exported / "kurs.zip") as archive:
        zipped = {name: archive.read(name).decode() for name in archive.namelist()}
    assert zipped == _files(exported / "kurs")


def test_a_folder_with_other_files_is_refused_at_once(halbzug: Command) -> None:
    halbzug.write("notes.txt", "mine")
    process = halbzug.run("course", "export", ".")
    assert (process.returncode, process.stdout) == (1, "")
    assert process.stderr.startswith("halbzug: . is not empty, and notes.txt ")
    assert process.stderr.count("\n") == 1
    assert [path.name for path in halbzug.folder.iterdir()] == ["notes.txt"]


def test_an_interrupt_during_a_drawing_is_not_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """click turns it into an error if the command runs on its own."""

    def interrupted(**_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(explain.commands["questions"], "callback", interrupted)
    with pytest.raises(KeyboardInterrupt):
        _draw(("questions",))


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None: ...


@pytest.fixture
def address(exported: Path) -> Iterator[str]:
    """The address of the course on a plain file server, below a path."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(exported)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/kurs"
    server.shutdown()
    thread.join()
    server.server_close()


def _follow(browser: Chrome, text: str) -> None:
    browser.find_element("partial link text", text).click()


def test_controls_are_not_printed(browser: Chrome, address: str) -> None:
    # A footer may need a page of its own, and what is folded says nothing.
    for name, controls in (
        ("12-chance", "footer, .page"),
        ("coin", "nav, button, details, #folded"),
    ):
        browser.get(f"{address}/{name}.html")
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
        printed = browser.execute_script(
            "const all = [...document.querySelectorAll(arguments[0])];"
            "return all.map(one => one.checkVisibility() ? one.outerHTML : '')",
            controls,
        )
        assert printed and not any(printed)
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


def test_a_student_reads_steps_through_a_search_and_answers(browser: Chrome, address: str) -> None:
    browser.get_log("browser")
    browser.get(f"{address}/")
    assert findings(browser) == []
    _follow(browser, "Zufall und Expectiminimax")
    assert browser.current_url == f"{address}/12-chance.html"
    assert findings(browser) == []
    size = {"width": 390, "height": 800, "deviceScaleFactor": 1, "mobile": True}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    assert browser.execute_script("return document.documentElement.scrollWidth") == 390
    _follow(browser, "Schritt für Schritt")
    assert browser.current_url == f"{address}/coin.html"
    before = browser.find_element("id", "said").text
    dim, usable = (browser.find_element("id", name) for name in ("previous", "next"))
    opacities = [float(one.value_of_css_property("opacity")) for one in (dim, usable)]
    assert opacities[0] < opacities[1], "a button that does nothing looks like the others"
    browser.find_element("id", "next").click()
    assert browser.find_element("id", "said").text not in ("", before)
    assert browser.execute_script("return document.documentElement.scrollWidth") == 390
    _follow(browser, "Zufall und Expectiminimax")  # back to the chapter
    assert browser.current_url == f"{address}/12-chance.html"
    browser.get(f"{address}/questions.html")
    browser.find_element("css selector", "g.node[data-node]")
    browser.find_element("id", "check").click()  # nothing is highlighted
    assert browser.find_element("id", "verdict").text
    # Nothing was blocked, and nothing is missing but the icon, which browsers request by
    # themselves.
    messages = [one["message"] for one in browser.get_log("browser")]
    assert not [one for one in messages if "favicon.ico" not in one]

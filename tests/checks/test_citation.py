"""What visitors see of the project: how to cite it, and its logo."""

from __future__ import annotations

import re

from checkout import ROOT
from gui import logo

from halbzug.version import __version__


def test_the_version_to_cite_is_the_current_one() -> None:
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.findall(r"^version: (.+)$", text, re.MULTILINE) == [__version__]


def test_the_logo_is_the_one_that_its_program_draws() -> None:
    assert (ROOT / "docs/_static/logo.svg").read_text(encoding="utf-8") == logo.draw()

"""The manual page, which is generated from the help of the commands."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from checkout import ROOT

PAGE = ROOT / "uci_engine/installation/share/halbzug.6"


def _words(page: Path) -> list[str]:
    """The words a reader sees on a manual page.

    Versions of Sphinx format lines, headings and addresses differently, sphinx-click may or may not
    add a heading "Usage", and click 8.3 puts an additional pair of brackets around an argument.
    """
    result = subprocess.run(
        ["man", "--warnings", "-l", str(page)],
        env={**os.environ, "MANWIDTH": "100", "LC_ALL": "C.UTF-8"},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert result.stderr == ""
    words = (word.strip("<>[]").casefold() for word in result.stdout.split())
    return [word for word in words if word != "usage"]


@pytest.mark.skipif(shutil.which("man") is None, reason="needs man")
def test_the_manual_page_is_the_output_of_sphinx(tmp_path: Path) -> None:
    (today,) = re.findall(r'^\.TH "\w+" "6" "(.+?)"', PAGE.read_text("utf-8"), re.MULTILINE)
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "-b", "man", "-D", f"today={today}"]
    subprocess.run([*command, str(ROOT / "docs"), str(tmp_path)], check=True)
    assert len(_words(PAGE)) > 1000
    assert _words(PAGE) == _words(tmp_path / "halbzug.6")

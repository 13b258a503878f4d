"""The file that describes Halbzug to software centres (AppStream)."""

from __future__ import annotations

import shutil
import subprocess
import xml.etree.ElementTree as ElementTree

import pytest
from checkout import ROOT

from halbzug.version import __version__

(PATH,) = (ROOT / "uci_engine/installation/share").glob("*.metainfo.xml")


def test_it_names_the_project_and_this_version() -> None:
    root = ElementTree.parse(PATH).getroot()
    assert f"{root.findtext('id')}.metainfo.xml" == PATH.name
    releases = [release.get("version") for release in root.iterfind("releases/release")]
    assert releases[0] == __version__
    assert PATH.name in (ROOT / "pyproject.toml").read_text(encoding="utf-8")


@pytest.mark.skipif(shutil.which("appstreamcli") is None, reason="needs appstreamcli")
def test_it_is_valid() -> None:
    result = subprocess.run(
        ["appstreamcli", "validate", "--no-net", str(PATH)],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert result.returncode == 0, result.stdout

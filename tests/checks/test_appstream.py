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


def test_it_names_the_homepage_of_the_debian_package() -> None:
    """Without one, newer versions of appstreamcli and so lintian complain."""
    control = (ROOT / "docs/packaging/debian/control").read_text(encoding="utf-8")
    url = ElementTree.parse(PATH).getroot().findtext("url[@type='homepage']")
    assert url and f"\nHomepage: {url}\n" in control


@pytest.mark.skipif(shutil.which("appstreamcli") is None, reason="needs appstreamcli")
def test_it_is_valid() -> None:
    result = subprocess.run(
        ["appstreamcli", "validate", "--no-net", str(PATH)],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert result.returncode == 0, result.stdout

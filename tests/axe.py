"""Accessibility of a page by axe-core: at a desk and on a phone, light and dark."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

#: Packages that contain axe-core, the newest first; none of them is imported.
_PACKAGES = ("axe_playwright_python", "axe_core_python")

#: Each width and each scheme; in CI, each with each.
_VIEWS = [(1280, "light"), (400, "dark")]
if os.environ.get("CI"):
    _VIEWS += [(1280, "dark"), (400, "light")]

_RUN = """
const done = arguments[0];
axe.run({ resultTypes: ["violations"] }).then((result) => done(result.violations
  .filter((found) => found.impact === "serious" || found.impact === "critical")
  .map((found) => `${found.id}: ` + found.nodes.slice(0, 4).map((node) =>
    `${node.html.slice(0, 160)} ${node.any.map((one) => one.message).join(" ").slice(0, 220)}`
  ).join(" | "))), (error) => done([String(error)]));
"""


def findings(page: Chrome) -> list[str]:
    """The serious and critical findings on a page as it is now; without axe the test is skipped."""
    source = _source()
    page.execute_script(source)
    found = []
    try:
        for width, scheme in _VIEWS:
            size = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False}
            page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
            features = [
                {"name": "prefers-color-scheme", "value": scheme},
                {"name": "prefers-reduced-motion", "value": "reduce"},
            ]
            page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
            found += [f"{width} {scheme} {one}" for one in page.execute_async_script(_RUN)]
    finally:
        page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
        page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    return found


def _source() -> str:
    for package in _PACKAGES:
        spec = find_spec(package)
        for folder in (spec.submodule_search_locations or []) if spec else []:
            path = Path(folder) / "axe.min.js"
            if path.is_file():
                return path.read_text(encoding="utf-8")
    pytest.skip("axe-core-python, which contains axe-core, is not installed")

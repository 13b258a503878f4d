"""The code keeps the house's own rules: lint, format and types."""

from __future__ import annotations

import subprocess
import sys

import pytest
from checkout import ROOT, link_package

pytestmark = pytest.mark.any_build


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["ruff", "check", "."], id="lint"),
        pytest.param(["ruff", "format", "--check", "."], id="format"),
        pytest.param(["mypy"], id="types"),
    ],
)
def test_the_checkout_is_clean(arguments: list[str]) -> None:
    if arguments == ["mypy"]:
        link_package()  # where it finds the package
    result = subprocess.run(
        [sys.executable, "-m", *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stdout + result.stderr

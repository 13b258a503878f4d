"""The code keeps the house's own rules: lint, format and types."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from halbzug.native.links import make_links

pytestmark = pytest.mark.any_build

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["ruff", "check", "."], id="lint"),
        pytest.param(["ruff", "format", "--check", "."], id="format"),
        pytest.param(["mypy"], id="types"),
    ],
)
def test_the_checkout_is_clean(arguments: list[str]) -> None:
    make_links()
    result = subprocess.run(
        [sys.executable, "-m", *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stdout + result.stderr


def test_evaluation_and_book_know_nothing_of_the_engine() -> None:
    names = ("rules", "reasons", "text", "whole_file")  # which know nothing of it, either
    allowed = {f"halbzug.{name}" for name in names}
    for path in [*(ROOT / "eval").glob("*.py"), *(ROOT / "books").glob("*.py")]:
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.startswith(("from halbzug", "import halbzug")):
                assert line.split()[1] in allowed, f"{path.name}: {line}"

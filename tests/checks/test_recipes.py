"""The examples of the recipes in CONTRIBUTING.md fit the current sources."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from checkout import ROOT


def test_the_examples_of_the_recipes_can_be_applied() -> None:
    """.ci/nightly carries them out."""
    command = [sys.executable, str(ROOT / ".ci/try_recipes.py"), "--check"]
    process = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert process.returncode == 0, process.stdout + process.stderr
    text = (ROOT / ".ci/recipes.md").read_text(encoding="utf-8")
    assert text.count("\n```diff\n") == 4, "a term, an idea, an option, and a command"


@pytest.mark.parametrize("document", [".ci/recipes.md", "CONTRIBUTING.md"])
def test_the_tests_that_a_recipe_runs_are_selected(document: str) -> None:
    """On its own, `pytest` skips a file of slow tests without reporting a failure."""
    text = (ROOT / document).read_text(encoding="utf-8")
    commands = re.findall(r"(?:^|`)pytest\s([^`\n]*(?:\n[^`\n]+(?=`))?)", text, re.MULTILINE)
    assert commands
    for words in map(str.split, commands):
        for name in words:
            if name.endswith(".py") and "-m" not in words:
                marks = re.findall(r"^pytestmark = .*", (ROOT / name).read_text("utf-8"), re.M)
                assert not any("slow" in mark for mark in marks), f"-m slow {name}"

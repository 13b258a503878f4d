"""The recipes of CONTRIBUTING.md: their examples are about the sources as they are."""

from __future__ import annotations

import subprocess
import sys

from checkout import ROOT


def test_the_examples_of_the_recipes_can_be_applied() -> None:
    """.ci/nightly carries them out."""
    command = [sys.executable, str(ROOT / ".ci/try_recipes.py"), "--check"]
    process = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert process.returncode == 0, process.stdout + process.stderr
    text = (ROOT / ".ci/recipes.md").read_text(encoding="utf-8")
    assert text.count("\n```diff\n") == 4, "a term, an idea, an option, and a command"

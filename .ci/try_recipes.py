"""Carries out the recipes of CONTRIBUTING.md: applies each example in `.ci/recipes.md` and runs it.

    python .ci/try_recipes.py [--check] [WORDS ...]

It works in the current folder, a clean checkout with Halbzug installed in `.venv`, and takes the
recipes whose headings contain one of the words, or all. With `--check` it only sees whether the
examples still apply. At the end it prints how long each took, by the clock and on a processor, and
how many places it changed.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path


class RecipeError(Exception):
    """An error in a recipe, in one line."""


@dataclass(frozen=True)
class Example:
    """The example of a recipe: its changes, and the commands that try it."""

    title: str
    changes: str
    commands: str

    @property
    def places(self) -> str:
        """The numbers of files and places that it changes."""
        files = len(re.findall(r"^\+\+\+ ", self.changes, re.MULTILINE))
        return f"{files} files, {self.changes.count('@@ -')} places"

    def apply(self, *options: str) -> None:
        """Change the checkout.

        :raises RecipeError: if the sources are no longer those that the example is about.
        """
        command = ["git", "apply", "-C1", *options, "-"]
        process = subprocess.run(
            command, input=self.changes, capture_output=True, encoding="utf-8", check=False
        )
        if process.returncode:
            raise RecipeError(
                f".ci/recipes.md, {self.title}: the example no longer applies; change the sources"
                f" as it says, and replace it by `git diff -U1`: {process.stderr.strip()}"
            )

    def run(self) -> None:
        """Run its commands.

        :raises RecipeError: if one fails.
        """
        path = os.pathsep.join([str(Path(".venv/bin").absolute()), os.environ["PATH"]])
        process = subprocess.run(
            ["bash", "-euxc", self.commands], env={**os.environ, "PATH": path}, check=False
        )
        if process.returncode:
            raise RecipeError(f".ci/recipes.md, {self.title}: a command of the example fails")

    def undo(self) -> None:
        """Restore the checkout, including what it had compiled."""
        commands = [["git", "reset", "-q", "--hard"], ["git", "clean", "-fdq"]]
        if "pip install" in self.commands:
            commands.append([".venv/bin/pip", "install", "-q", "-e", "."])
        for command in commands:
            subprocess.run(command, check=True)


def examples(text: str) -> list[Example]:
    """The recipes that have `diff` and `sh` blocks."""
    found = []
    for section in text.partition("\n## Recipes\n")[2].partition("\n## ")[0].split("\n### ")[1:]:
        blocks = re.findall(r"^```(diff|sh)\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)
        changes, commands = (
            "".join(body for kind, body in blocks if kind == wanted) for wanted in ("diff", "sh")
        )
        if changes:
            found.append(Example(section.partition("\n")[0], changes, commands))
    return found


def _processor_seconds() -> float:
    """The processor time of the commands, which other programs on the machine hardly change."""
    times = os.times()
    return times.children_user + times.children_system


def main() -> int:
    """Try the recipes; 1 if one fails."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--check", action="store_true")
    parser.add_argument("words", nargs="*")
    options = parser.parse_args()
    summary, failures = [], 0
    for example in examples(Path(".ci/recipes.md").read_text(encoding="utf-8")):
        if options.words and not any(word in example.title for word in options.words):
            continue
        started, worked, outcome = time.monotonic(), _processor_seconds(), "works"
        try:
            if options.check:
                example.apply("--check")
                continue
            example.apply()
            example.run()
        except RecipeError as error:
            outcome = str(error)
            failures += 1
        finally:
            seconds, work = time.monotonic() - started, _processor_seconds() - worked
            if not options.check:
                example.undo()
        took = f"{seconds / 60:.1f} minutes, {work / 60:.1f} of a processor"
        summary.append(f"{example.title}: {example.places}, {took}: {outcome}")
    print("\n".join(summary))
    return 1 if failures else 0


if __name__ == "__main__":
    raise SystemExit(main())

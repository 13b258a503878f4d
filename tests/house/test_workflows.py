"""The workflows of GitHub: what two checkers say of them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from checkout import ROOT

pytestmark = pytest.mark.any_build

WORKFLOWS = sorted(Path(ROOT, ".github", "workflows").glob("*.yml"))

#: What pip installed beside this Python comes first.
_PATH = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])


def _check(*command: str) -> None:
    program = shutil.which(command[0], path=_PATH)
    if program is None:
        pytest.skip(f"needs {command[0]}")
    result = subprocess.run(
        [program, *command[1:], *map(str, WORKFLOWS)],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr


def test_they_are_secure() -> None:
    _check("zizmor", "--offline", "--no-progress")


def test_they_are_well_formed() -> None:
    _check("actionlint", "-no-color")


def test_every_action_is_pinned_by_its_hash_and_names_its_version() -> None:
    uses = [
        line
        for path in WORKFLOWS
        for line in path.read_text(encoding="utf-8").splitlines()
        if re.search(r"\buses:", line)
    ]
    assert len(uses) > 20
    pinned = re.compile(r"\buses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$")
    assert not [line for line in uses if not pinned.search(line)]


def test_an_action_has_one_version() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in WORKFLOWS)
    versions: dict[str, set[str]] = {}
    for action, version in re.findall(r"\buses: ([\w./-]+)@(.+)", text):
        versions.setdefault(action, set()).add(version)
    assert not {action: found for action, found in versions.items() if len(found) > 1}

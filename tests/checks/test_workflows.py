"""The workflows of GitHub name the versions of the actions that they use."""

from __future__ import annotations

import re
from pathlib import Path

from checkout import ROOT

WORKFLOWS = sorted(Path(ROOT, ".github", "workflows").glob("*.yml"))


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

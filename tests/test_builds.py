"""The compiled and the pure build are one engine at two speeds."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from uci_engine import rules

# Each position of the bench by itself, so that a difference names its place.
_SCRIPT = """
import json
from uci_engine import benchmark, rules
from uci_engine.clock import Limits
from uci_engine.position import Position
from uci_engine.search import Search
from uci_engine.transposition import TranspositionTable

lines = []
for board in benchmark.boards():
    fen = board.fen()
    search = Search(TranspositionTable(1))
    best = search.run(Position(board), Limits(depth={depth}))
    lines.append([fen, search.nodes, best.move])
print(json.dumps([rules.BUILD, lines]))
"""


def run(depth: int, cwd: Path, **environment: str) -> list[object]:
    result = subprocess.run(
        [sys.executable, "-c", _SCRIPT.format(depth=depth)],
        cwd=cwd,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    build, lines = json.loads(result.stdout)
    return [build, lines]


@pytest.mark.skipif(rules.BUILD != "compiled", reason="only the pure build is here")
def test_both_builds_search_the_same_tree(tmp_path: Path) -> None:
    compiled = run(4, tmp_path)
    pure = run(4, tmp_path, KIEBITZ_PURE="1")
    assert [compiled[0], pure[0]] == ["compiled", "pure"]
    assert len(compiled[1]) >= 50  # type: ignore[arg-type]
    assert compiled[1] == pure[1]

"""The compiled and the pure build are one engine at two speeds."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from checkout import PACKAGE, ROOT
from command_line import Command

from halbzug.board import movegen
from halbzug.installation.diagnosis import changed_sources

# One search per position of the bench, so that a difference names its position.
_SCRIPT = """
import json
from halbzug.board import movegen
from halbzug.base.limits import Limits
from halbzug.search import bench
from halbzug.search.position import Position
from halbzug.search.search import Search
from halbzug.search.transposition import TranspositionTable

lines = []
for board in bench.boards():
    fen = board.fen()
    search = Search(TranspositionTable(1))
    best = search.run(Position(board), Limits(depth={depth}))
    lines.append([fen, search.nodes, best.move])
print(json.dumps([movegen.BUILD, lines]))
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


@pytest.mark.slow
@pytest.mark.skipif(movegen.BUILD != "compiled", reason="needs the compiled build")
def test_both_builds_search_the_same_tree(tmp_path: Path) -> None:
    compiled = run(4, tmp_path)
    pure = run(4, tmp_path, HALBZUG_PURE="1")
    assert [compiled[0], pure[0]] == ["compiled", "pure"]
    assert len(compiled[1]) >= 50  # type: ignore[arg-type]
    assert compiled[1] == pure[1]


_FILES = """
import importlib, json
names = ["halbzug", "halbzug.search.tree", "halbzug.eval.evaluation", "halbzug.books.opening_book"]
print(json.dumps([importlib.import_module(name).__file__ for name in names]))
"""


def test_the_tests_run_this_checkout(halbzug: Command) -> None:
    """Here, in the processes that tests start, and in compiled code: never a mixture."""
    for name in (
        "halbzug",
        "halbzug.board.movegen",
        "halbzug.eval.pieces",
        "halbzug.books.opening_book",
    ):
        assert Path(str(importlib.import_module(name).__file__)).is_relative_to(ROOT)
    result = subprocess.run(
        [sys.executable, "-c", _FILES],
        cwd=halbzug.folder,
        env=halbzug.environment,
        capture_output=True,
        text=True,
        check=True,
    )
    files = [Path(file) for file in json.loads(result.stdout)]
    assert all(file.is_relative_to(ROOT) for file in files), files
    if movegen.BUILD == "compiled":
        info = json.loads((PACKAGE / "_compiled/BUILD.json").read_text("utf-8"))
        changed = changed_sources(info["sources"])
        assert not changed, f"install again: the tests run older code: {changed}"


@pytest.mark.skipif(movegen.BUILD != "compiled", reason="needs the compiled build")
def test_every_compiled_module_is_loaded(halbzug: Command) -> None:
    """Its source beside it would be slower, and nobody would notice."""
    compiled = [
        path.parent.parent.relative_to(PACKAGE) / path.name.partition(".")[0]
        for path in PACKAGE.rglob("_compiled/*" + sysconfig.get_config_var("EXT_SUFFIX"))
    ]
    assert len(compiled) == 31
    for module in compiled:
        name = ".".join(("halbzug", *module.parts))
        assert "_compiled" in str(importlib.import_module(name).__file__), name

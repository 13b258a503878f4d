"""The Makefile, as OpenBench uses it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from checkout import ROOT

pytestmark = [pytest.mark.any_build, pytest.mark.slow]

NEEDED = (
    "uci_engine", ".ci", "Makefile", "setup.py", "pyproject.toml", "README.md",
    "LICENSE",
)  # fmt: skip


@pytest.mark.skipif(os.name == "nt", reason="Windows has no make")
def test_one_file_is_made_that_plays_and_counts_nodes_without_its_checkout(tmp_path: Path) -> None:
    checkout = tmp_path / "checkout"
    for name in NEEDED:
        source = ROOT / name
        if source.is_dir():
            ignored = shutil.ignore_patterns("_compiled", "__pycache__", "*.so")
            shutil.copytree(source, checkout / name, ignore=ignored)
        else:
            shutil.copy(source, checkout / name)
    made = subprocess.run(
        ["make", "-j", "EXE=Halbzug-0123ABCD"],
        cwd=checkout,
        env={**os.environ, "HALBZUG_PURE": "1"},  # builds faster
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert made.returncode == 0, made.stdout + made.stderr
    engine = shutil.move(checkout / "Halbzug-0123ABCD", tmp_path)
    shutil.rmtree(checkout)

    bench = subprocess.run([engine, "bench", "--depth", "1"], capture_output=True, check=True)
    assert re.fullmatch(rb"\d+ nodes \d+ nps", bench.stdout.splitlines()[-1])
    game = subprocess.run(
        [engine], input=b"uci\nisready\ngo depth 1\n", capture_output=True, check=True
    )
    assert b"uciok" in game.stdout and b"bestmove " in game.stdout

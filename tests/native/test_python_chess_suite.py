"""python-chess's own test suite, on the compiled boards."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
from checkout import ROOT

from .suite_runner import outcome

pytestmark = pytest.mark.slow

pytest.importorskip("halbzug.board.pychess", reason="the extensions are not built")

#: The version and checksum of the release whose tests run.
VERSION = "1.11.2"


@pytest.fixture(scope="module")
def suite(pytestconfig: pytest.Config) -> Path:
    """The unpacked source distribution, downloaded once into pytest's cache."""
    cache = getattr(pytestconfig, "cache", None)
    if cache is None:
        pytest.skip("pytest's cache is switched off")
    folder: Path = cache.mkdir("python-chess")
    archive = folder / f"chess-{VERSION}.tar.gz"
    if not archive.exists():
        command = [sys.executable, "-m", "pip", "download", "--no-binary", ":all:", "--no-deps"]
        command += [f"chess=={VERSION}", "--dest", str(folder)]
        download = subprocess.run(command, capture_output=True, text=True, check=False)
        if download.returncode or not archive.exists():
            pytest.skip("python-chess's source distribution cannot be downloaded")
    unpacked = folder / f"chess-{VERSION}"
    if not (unpacked / "test.py").exists():
        with tarfile.open(archive) as tar:
            members = [m for m in tar if m.name.split("/")[1:2] in (["test.py"], ["data"])]
            # Pythons before their last security release lack the filter.
            kind = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
            tar.extractall(folder, members, **kind)
    return unpacked


def run(suite: Path, build: str) -> dict[str, int | set[str]]:
    """The outcome of the suite."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT), *sys.path))}
    return outcome(sys.executable, suite, build, environment)


@pytest.mark.parametrize("build", ["compiled", "public"])
def test_every_failure_also_occurs_in_pure_python_chess(suite: Path, build: str) -> None:
    pure, compiled = run(suite, "pure"), run(suite, build)
    assert compiled == pure
    assert compiled["failed"] == set()
    assert isinstance(compiled["ran"], int) and compiled["ran"] > 250

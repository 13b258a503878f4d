"""python-chess's own test suite, on the compiled boards."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
from checkout import ROOT

pytestmark = pytest.mark.slow

pytest.importorskip("halbzug.board.pychess", reason="the extensions are not built")

#: Of the release whose tests run.
VERSION = "1.11.2"

RUNNER = Path(__file__).with_name("suite_runner.py")


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
            # Pythons older than their last security release do not know the filter.
            kind = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
            tar.extractall(folder, members, **kind)
    return unpacked


def run(suite: Path, build: str) -> dict[str, int | set[str]]:
    """How many tests ran and were skipped, and which did not pass."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT), *sys.path))}
    result = subprocess.run(
        [sys.executable, str(RUNNER), build],
        cwd=suite, env=environment, capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    ran = re.search(r"^Ran (\d+) tests", result.stderr, re.MULTILINE)
    assert ran, result.stderr[-2000:]
    skipped = re.search(r"skipped=(\d+)", result.stderr)
    return {
        "ran": int(ran[1]),
        "skipped": int(skipped[1]) if skipped else 0,
        "failed": set(re.findall(r"^(?:FAIL|ERROR): (\S+ \S+)", result.stderr, re.MULTILINE)),
    }


@pytest.mark.parametrize("build", ["compiled", "public"])
def test_no_failure_that_pure_does_not_have(suite: Path, build: str) -> None:
    pure, compiled = run(suite, "pure"), run(suite, build)
    assert compiled == pure
    assert compiled["failed"] == set()
    assert isinstance(compiled["ran"], int) and compiled["ran"] > 250

"""The source distribution carries the specialised python-chess, and builds from it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
from checkout import ROOT

pytest.importorskip("setuptools", reason="building needs setuptools")

from halbzug.native import python_chess_source, specialise
from halbzug.native.rewriting import PassMismatch

pytestmark = [pytest.mark.slow, pytest.mark.any_build]

#: Builds as far as the input of Cython.
PREPARE = """
import sys
from pathlib import Path

sys.path.insert(0, "uci_engine")
from native import build, python_chess_source

source = python_chess_source.find()
build.write_sources(source, Path("prepared"))
print(source.name)
"""


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An unpacked source distribution of this checkout."""
    folder = tmp_path_factory.mktemp("source")
    names = ("_compiled", "__pycache__", ".venv", "build", ".git", "*.egg-info", "site")
    shutil.copytree(ROOT, folder / "checkout", ignore=shutil.ignore_patterns(*names))
    subprocess.run(
        [sys.executable, "setup.py", "-q", "sdist", "--dist-dir", str(folder)],
        cwd=folder / "checkout", capture_output=True, check=True,
    )  # fmt: skip
    (archive,) = folder.glob("halbzug-*.tar.gz")
    with tarfile.open(archive) as tar:
        # Pythons before their last security release lack the filter.
        kind = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
        tar.extractall(folder, **kind)
    return folder / archive.name.removesuffix(".tar.gz")


def test_it_carries_what_the_passes_make(unpacked: Path) -> None:
    try:
        source = python_chess_source.find()
    except PassMismatch as error:
        pytest.skip(f"no python-chess to compare with: {error}")
    carried = unpacked / python_chess_source.CARRIED.name
    for name, text in specialise.make(source).items():
        assert (carried / name).read_text("utf-8") == text
    for file in source.folder.glob("*.py"):
        assert (carried / "chess" / file.name).read_bytes() == file.read_bytes()


def test_it_builds_without_python_chess(unpacked: Path, tmp_path: Path) -> None:
    (tmp_path / "chess.py").write_text("raise ImportError('the installed python-chess')\n")
    environment = {
        **os.environ,
        "PYTHONPATH": str(tmp_path),
    }  # also for child processes
    result = subprocess.run(
        [sys.executable, "-c", PREPARE],
        cwd=unpacked, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    assert result.stdout.strip() == python_chess_source.find().name
    prepared = unpacked / "prepared" / "halbzug" / "board"
    carried = unpacked / python_chess_source.CARRIED.name
    assert (prepared / "pychess.py").read_bytes() == (carried / "pychess.py").read_bytes()
    assert (prepared / "movegen.pyx").exists() and (prepared / "bits.h").exists()

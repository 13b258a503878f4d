"""The package of this checkout as one folder: of links, or copied to be broken."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from halbzug.native.links import make_links

ROOT = Path(__file__).parent.parent

#: The folders of the repository that make the package.
FOLDERS = ("uci_engine", "eval", "books")


def modules() -> list[Path]:
    """The source files of the package, without the copy of python-chess that the build makes."""
    return [
        path
        for folder in FOLDERS
        for path in sorted((ROOT / folder).rglob("*.py"))
        if "_compiled" not in path.parts
    ]


def copy_package(folder: Path) -> Path:
    """Copy the package into *folder*, with its compiled code; return the package's own folder.

    Started in *folder*, the copy is what runs.
    """
    package = folder / "halbzug"
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "uci_engine", package, ignore=ignored)
    for room in ("eval", "books"):
        shutil.copytree(ROOT / room, package / room, ignore=ignored)
    return package


def link_package() -> Path:
    """The folder of links in which the package is found, as it is now."""
    try:
        return make_links(ROOT)
    except OSError as error:
        pytest.skip(f"no links here: {error}")

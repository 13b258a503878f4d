"""The package of this checkout: its modules, their imports, and copies for tests to break."""

from __future__ import annotations

import ast
import shutil
from functools import cache
from importlib.util import resolve_name
from pathlib import Path

ROOT = Path(__file__).parent.parent

#: The folder of the package `halbzug`.
PACKAGE = ROOT / "uci_engine"


def modules() -> list[Path]:
    """The source files of the package, without the copy of python-chess that the build makes."""
    return [path for path in sorted(PACKAGE.rglob("*.py")) if "_compiled" not in path.parts]


@cache
def syntax_tree(path: Path) -> ast.Module:
    """A source file, parsed once; no test may change the tree."""
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def imports(path: Path) -> list[tuple[str, list[str]]]:
    """What a file imports, anywhere in it: full names of modules, and the names taken from each."""
    inside = path.relative_to(PACKAGE).parent.parts if path.is_relative_to(PACKAGE) else ()
    package = ".".join(("halbzug", *inside))
    found: list[tuple[str, list[str]]] = []
    for node in ast.walk(syntax_tree(path)):
        if isinstance(node, ast.Import):
            found += [(alias.name, []) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            name = "." * node.level + (node.module or "")
            found.append((resolve_name(name, package), [alias.name for alias in node.names]))
    return found


def copy_package(folder: Path, name: str = "halbzug") -> Path:
    """Copy the package into *folder*, with its compiled code; return the package's own folder.

    A Python that starts in *folder* runs the copy. Bytecode is copied, too, so that no process has
    to compile it again, except for files that another process is just writing.
    """
    shutil.copytree(PACKAGE, folder / name, ignore=shutil.ignore_patterns("*.pyc.*"))
    return folder / name


def link_rooms(folder: Path) -> Path:
    """A package of links to the rooms of ours, for tests that break a few: see `own_room`."""
    package = folder / "halbzug"
    package.mkdir(parents=True)
    for path in PACKAGE.iterdir():
        if path.is_dir():
            (package / path.name).symlink_to(path, target_is_directory=True)
        else:
            shutil.copy2(path, package)
    return package


def own_room(package: Path, room: str) -> Path:
    """Copy a room of a package made by `link_rooms`, before anything in it is changed."""
    folder = package / room
    folder.unlink()
    shutil.copytree(PACKAGE / room, folder, ignore=shutil.ignore_patterns("*.pyc.*"))
    return folder


def link_package(folder: Path) -> Path:
    """A folder in which the package is found by its name, as if it were installed."""
    (folder / "halbzug").symlink_to(PACKAGE, target_is_directory=True)
    return folder

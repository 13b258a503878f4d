"""Identifies versions of an engine file: a digest of the file and the modules it imports.

Only modules beside the file count, and the modules they import in turn. Nothing is executed:
imports are read from the syntax tree. Modules imported by a computed name, and data files, are not
found.
"""

from __future__ import annotations

import ast
import hashlib
import warnings
from collections.abc import Iterator
from pathlib import Path


def source_digest(path: Path) -> str:
    """A digest of a Python file with the modules beside it that it imports.

    :returns: 64 hexadecimal digits; empty if it is not a Python file.
    """
    if path.suffix.lower() != ".py" or not path.is_file():
        return ""
    digest = hashlib.sha256()
    for file in _files(path):
        name = file.relative_to(path.parent).as_posix().encode("utf-8", "surrogateescape")
        data = _read(file)
        digest.update(b"%d %d\n" % (len(name), len(data)) + name + data)
    return digest.hexdigest()


def _files(path: Path) -> list[Path]:
    """A file and everything that it imports from its folder, in a fixed order: the file itself
    first.
    """
    found: set[Path] = set()
    waiting = [path]
    while waiting:
        file = waiting.pop()
        if file not in found:
            found.add(file)
            for name in _imported(_read(file)):
                waiting += _modules(path.parent, name)
    return [path, *sorted(found - {path})]


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError:
        return b""


def _imported(source: bytes) -> Iterator[str]:
    """The top-level names of the modules that a source imports; none if it is not Python."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # warnings about escapes in the user's strings
            tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]


def _modules(folder: Path, name: str) -> list[Path]:
    """The files of a module or a package in a folder; a package counts as a whole."""
    module, package = folder / f"{name}.py", folder / name
    if (package / "__init__.py").is_file() or (not module.is_file() and package.is_dir()):
        return [file for file in package.rglob("*.py") if file.is_file()]
    return [module] if module.is_file() else []

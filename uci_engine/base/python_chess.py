"""Selects the python-chess of a process: the copy in our package, or the installed one.

The compiled modules share classes with the python-chess that they were built from. The build leaves
an unchanged copy of it beside them (`uci_engine/native/python_chess_copy.py`). Halbzug's own
processes import that copy as `chess`, so they are compiled whatever is installed. Users' programs
import the installed python-chess; compiled modules are loaded there only if its boards have the
same source.

Importing python-chess spends most of its time on tables for sliding pieces, which compiled boards
hardly use. In the copy, they are filled on demand.
"""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Callable, Sequence
from functools import cache, partial
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any

_COPY = Path(__file__).parents[1] / "_compiled" / "python_chess"


class _Table(dict[int, int]):
    """Numbers by squares or by sets of squares, filled on demand.

    :param find: computes one.
    """

    def __init__(self, find: Callable[[int], int]) -> None:
        super().__init__()
        self._find = find

    def __missing__(self, key: int) -> int:
        found = self[key] = self._find(key)
        return found


class _Rays(dict[int, list[int]]):
    """The lines through two squares, all of them made on demand.

    :param make: makes the rows, by the first square.
    """

    def __init__(self, make: Callable[[], list[list[int]]]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, square: int) -> list[int]:
        self.update(enumerate(self._make()))
        return self[square]


class _Names:
    """python-chess's namespace during its import, with replacements for its makers of tables."""

    def __init__(self, names: dict[str, Any]) -> None:
        self._names = names

    def __getitem__(self, name: str) -> Any:
        value = self._names[name]
        if name == "_rays":
            return partial(_Rays, value)
        is_known = "_sliding_attacks" in self._names and "_edges" in self._names
        return self._attack_table if name == "_attack_table" and is_known else value

    def __setitem__(self, name: str, value: object) -> None:
        self._names[name] = value

    def __delitem__(self, name: str) -> None:
        del self._names[name]

    def _attack_table(self, deltas: list[int]) -> tuple[_Table, list[_Table]]:
        """For each square, its mask and its attacks by the occupied squares on the mask."""
        sliding, edges = self._names["_sliding_attacks"], self._names["_edges"]
        masks = _Table(lambda square: sliding(square, 0, deltas) & ~edges(square))
        attacks = (partial(sliding, square, deltas=deltas) for square in range(64))
        return masks, [*map(_Table, attacks)]


class _CopyLoader(SourceFileLoader):
    """Loads the copy."""

    def exec_module(self, module: ModuleType) -> None:
        """Execute its code, as the import system requires."""
        code = self.get_code(module.__name__)
        assert code is not None
        names: Any = _Names(vars(module))
        exec(code, vars(module), names)


class _CopyFinder:
    """Finds the copy under the name of python-chess."""

    @staticmethod
    def find_spec(
        name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the spec of the package, or None, as the import system expects."""
        spec = PathFinder.find_spec(name, [str(_COPY)], target) if name == "chess" else None
        if spec and isinstance(spec.loader, SourceFileLoader):
            spec.loader = _CopyLoader(spec.loader.name, spec.loader.path)
        return spec


def copied_file() -> str:
    """The file of the copy's package; empty if there is no copy, as in a pure build."""
    file = _COPY / "chess" / "__init__.py"
    return str(file) if file.is_file() else ""


def use_copy() -> None:
    """Make the copy this process's python-chess, if there is one and none is imported yet."""
    if copied_file() and "chess" not in sys.modules:
        sys.meta_path.insert(0, _CopyFinder)


@cache
def is_compiled_one() -> bool:
    """Whether this process's python-chess has the same source as the compiled modules.

    True if there is no copy to compare with, as in the stand-alone executable: the compiled boards
    also check it.
    """
    return not copied_file() or is_same(importlib.util.find_spec("chess"))


def is_same(spec: ModuleSpec | None) -> bool:
    """Whether a python-chess has the same boards as the copy: the whole file must be equal."""
    if spec is None:
        return False
    return spec.origin == copied_file() or _source(spec) == _source_of_copy()


def installed() -> ModuleSpec | None:
    """The python-chess that users' programs import; None if there is none."""
    finders: list[Any] = [finder for finder in sys.meta_path if finder is not _CopyFinder]
    return next(filter(None, (finder.find_spec("chess", None) for finder in finders)), None)


def version(spec: ModuleSpec | None) -> str:
    """The version of a python-chess, without importing it."""
    found = re.search(r'^__version__ = "([^"\n]*)"', _source(spec) or "", re.MULTILINE)
    return found[1] if found else "of an unknown version"


def copied_version() -> str:
    """The version of the copy."""
    return version(_CopyFinder.find_spec("chess"))


def _source(spec: ModuleSpec | None) -> str | None:
    """The source of a python-chess's main file; None if it has only bytecode."""
    loader: Any = spec.loader if spec else None
    try:
        return str(loader.get_source("chess") or "") or None
    except (AttributeError, ImportError, OSError, SyntaxError, UnicodeError):
        return None


def _source_of_copy() -> str | None:
    return _source(_CopyFinder.find_spec("chess"))

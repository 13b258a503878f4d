"""Finds compiled modules, and falls back to the sources if compiled code cannot be loaded.

A compiled module has the name of its source and is in the folder `_compiled` beside it. Compiled
modules fail to load if they were built for another machine or another Python, if only some of them
were replaced, or if a file is damaged. Then the slower sources are used. If these fail as well, the
error is in Python or in python-chess. In a user's program with another python-chess than the one
compiled, the sources are used from the start.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType

from . import python_chess
from .os_errors import reason_of
from .script_folder import ScriptFolderLast

_ROOT = __name__.partition(".")[0]
_FOLDER = "_compiled"


class _CompiledFinder:
    """Finds our modules in their package's folder of compiled modules."""

    @staticmethod
    def find_spec(
        name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the module's spec, or None, as the import system expects."""
        if path is None or name.partition(".")[0] != _ROOT:
            return None
        spec = PathFinder.find_spec(name, [os.path.join(one, _FOLDER) for one in path], target)  # noqa: PTH118
        return spec if spec and spec.loader and python_chess.is_compiled_one() else None


def prefer_compiled() -> None:
    """From now on, prefer compiled modules, unless the environment asks for pure Python."""
    if _CompiledFinder not in sys.meta_path and not _is_pure():
        sys.meta_path.insert(0, _CompiledFinder)


def use_own_python_chess() -> None:
    """Import python-chess from the package's copy, in one of our own processes.

    The pure build uses the installed one.
    """
    if not _is_pure():
        python_chess.use_copy()


def own_python_chess() -> str:
    """The python-chess file that our own processes import; empty if there is none."""
    copy = "" if _is_pure() else python_chess.copied_file()
    if copy:
        return copy
    spec = importlib.util.find_spec("chess")
    return (spec.origin if spec else None) or ""


def _is_pure() -> bool:
    return os.environ.get("HALBZUG_PURE", "") not in ("", "0")


def load(name: str) -> tuple[ModuleType, str]:
    """Import a module of the engine, in pure Python if its compiled code cannot be loaded.

    :returns: the module, and why compiled code was abandoned; empty if it was not.
    :raises Exception: what importing it in pure Python raises.
    """
    with ScriptFolderLast():
        _check_python_chess()
        return _load(name)


def load_for_python(name: str) -> ModuleType:
    """Import a module for a Python program, with a warning if compiled code is abandoned.

    :raises Exception: what importing it in pure Python raises.
    """
    module, reason = load(name)
    if reason:
        with ScriptFolderLast():
            import warnings

        warnings.warn(f"{reason}: pure Python instead, much slower", RuntimeWarning, stacklevel=3)
    return module


def _load(name: str) -> tuple[ModuleType, str]:
    try:
        return _import(name), ""
    except Exception as error:  # compiled code may raise anything, not only ImportError
        if _is_pure():
            raise
        reason = f"the compiled code cannot be loaded ({describe(error)})"
    _give_up_compiled_code(reason)
    return _import(name), reason


def _check_python_chess() -> None:
    """Make sure that `chess` is python-chess.

    :raises ImportError: if it is not; the one-line message names the file.
    """
    import chess

    if not hasattr(chess, "Board"):
        file = getattr(chess, "__file__", None) or "a folder without __init__.py"
        raise ImportError(f"{file} hides python-chess, because it is also called chess")


def _import(name: str) -> ModuleType:
    __import__(name)  # appears in `-X importtime`, unlike import_module()
    return sys.modules[name]


def is_pure_on_demand() -> bool:
    """Whether the user asked for pure Python; False if it is a fallback after a failed start."""
    return _is_pure() and " " not in os.environ["HALBZUG_PURE"]


def why_pure() -> str:
    """Why this process runs without compiled code, in a few words; empty if that is unknown."""
    if _is_pure():
        setting = os.environ["HALBZUG_PURE"]
        return setting if " " in setting else "HALBZUG_PURE is set"
    if not python_chess.is_compiled_one():
        return f"the compiled code is for python-chess {python_chess.copied_version()} alone"
    try:
        note = Path(__file__).parents[1] / _FOLDER / "WHY_PURE.txt"
        return " ".join(note.read_text("utf-8").split())[:300]
    except (OSError, ValueError):
        return "it was never compiled"


def describe(error: BaseException) -> str:
    """An error in one line."""
    text = " ".join(str(error).split())
    if isinstance(error, OSError):
        text = f"{error.filename}: {reason_of(error)}" if error.filename else reason_of(error)
    return f"{type(error).__name__}: {text}"[:300] if text else type(error).__name__


def _give_up_compiled_code(reason: str) -> None:
    """Forget the imported modules, and use pure Python from now on, also in child processes."""
    os.environ["HALBZUG_PURE"] = reason
    sys.meta_path.remove(_CompiledFinder)
    kept = (_ROOT, f"{_ROOT}.__main__", __package__, __name__, python_chess.__name__)
    for name in list(sys.modules):
        if name.partition(".")[0] == _ROOT and name not in kept:
            del sys.modules[name]
            package, _, module = name.rpartition(".")
            if package in kept:  # otherwise `from package import ...` would still find it
                vars(sys.modules[package]).pop(module, None)

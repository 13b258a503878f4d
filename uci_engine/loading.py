"""Loads the engine even where its compiled code cannot be loaded.

Compiled modules fail to load when they were built for another machine or another Python, when
only some of them were replaced, or when a file is damaged. The sources of the same engine lie
beside them: it is slower, but it plays. What goes wrong then is wrong with Python or with
python-chess.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import ModuleType

from uci_engine.reasons import reason_of

_PACKAGES = ("uci_engine", "eval", "books")


def load(name: str) -> tuple[ModuleType, str]:
    """Import a module of the engine, in pure Python if there is no other way.

    :returns: the module, and why the compiled code was given up; empty if it was not.
    :raises Exception: what importing it in pure Python raises.
    """
    try:
        return _import(name), ""
    except Exception as error:  # from compiled code anything may come, not only ImportError
        if os.environ.get("KIEBITZ_PURE", "") not in ("", "0"):
            raise
        reason = f"the compiled code cannot be loaded ({describe(error)})"
    _give_up_compiled_code(reason)
    return _import(name), reason


def _import(name: str) -> ModuleType:
    __import__(name)  # shows up in `-X importtime`, as import_module() does not
    return sys.modules[name]


def is_pure_on_demand() -> bool:
    """Whether the user asked for pure Python (and not a failed start before)."""
    setting = os.environ.get("KIEBITZ_PURE", "")
    return setting not in ("", "0") and " " not in setting


def why_pure() -> str:
    """Why this process runs without compiled code, as far as it is known, in a few words."""
    setting = os.environ.get("KIEBITZ_PURE", "")
    if setting not in ("", "0"):
        return setting if " " in setting else "KIEBITZ_PURE is set"
    try:
        note = Path(__file__).with_name("_compiled") / "WHY_PURE.txt"
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
    """Forget what has been imported; from here on, and in child processes, it is pure Python."""
    os.environ["KIEBITZ_PURE"] = reason
    for name in list(sys.modules):
        package, _, rest = name.partition(".")
        if package in _PACKAGES and name not in ("uci_engine", "uci_engine.__main__", __name__):
            del sys.modules[name]
            if package == "uci_engine":  # or `from uci_engine import ...` would still find it
                vars(sys.modules[package]).pop(rest, None)
    own = sys.modules["uci_engine"]
    own.__path__ = [folder for folder in own.__path__ if Path(folder).name != "_compiled"]

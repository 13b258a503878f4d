"""Halbzug: a UCI chess engine on python-chess.

>>> from halbzug import Engine, Limits
>>> with Engine() as engine:
...     engine.set_position(moves=["e2e4"])
...     reply = engine.play(Limits(depth=4))
>>> len(reply.move)
4
"""

# Before anything else: even `from __future__` would import a file of that name beside the script.
from halbzug.script_folder import ScriptFolderLast

with ScriptFolderLast():
    from typing import TYPE_CHECKING, Any

    from halbzug.loading import load, prefer_compiled
    from halbzug.version import __version__

__all__ = ["BestMove", "Engine", "Info", "Limits", "__version__"]

if TYPE_CHECKING:
    from halbzug.engine.driver import Engine
    from halbzug.events import BestMove, Info
    from halbzug.limits import Limits

prefer_compiled()

_HOME = {
    "BestMove": "events",
    "Engine": "engine.driver",
    "Info": "events",
    "Limits": "limits",
}


def __getattr__(name: str) -> Any:
    """Import the public names on first use, so that `eval` and `books` stay light."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, reason = load(f"{__name__}.{_HOME[name]}")
    if reason:
        with ScriptFolderLast():
            import warnings

        warnings.warn(f"{reason}: pure Python instead, much slower", RuntimeWarning, stacklevel=2)
    return getattr(module, name)

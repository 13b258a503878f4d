"""Halbzug: a UCI chess engine on python-chess.

>>> from halbzug import Engine, Limits
>>> with Engine() as engine:
...     engine.set_position(moves=["e2e4"])
...     reply = engine.play(Limits(depth=4))
>>> len(reply.move)
4
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from halbzug.loading import load, prefer_compiled
from halbzug.version import __version__

__all__ = [
    "BestMove",
    "Board",
    "Engine",
    "Game",
    "GameBuilder",
    "Info",
    "Limits",
    "__version__",
]

if TYPE_CHECKING:
    from halbzug.board.game_builder import Game, GameBuilder
    from halbzug.board.public_board import Board
    from halbzug.engine.driver import Engine
    from halbzug.events import BestMove, Info
    from halbzug.limits import Limits

prefer_compiled()

_HOME = {
    "BestMove": "events",
    "Board": "board.public_board",
    "Engine": "engine.driver",
    "Game": "board.game_builder",
    "GameBuilder": "board.game_builder",
    "Info": "events",
    "Limits": "limits",
}


def __getattr__(name: str) -> Any:
    """Import the public names on first use, so that `eval` and `books` stay light."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, reason = load(f"{__name__}.{_HOME[name]}")
    if reason:
        import warnings

        warnings.warn(f"{reason}: pure Python instead, much slower", RuntimeWarning, stacklevel=2)
    return getattr(module, name)

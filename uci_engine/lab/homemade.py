"""Engines in lichess-bot's style: a class whose method `search` returns a `PlayResult`.

A file for lichess-bot imports lichess-bot's modules. If these cannot be imported, small
replacements provide what such a file needs.
Source: lichess-bot's wiki, "Create a homemade engine".
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Sequence
from importlib.abc import Loader
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

from ..base.language import say
from ..base.os_errors import reason_of


class MinimalEngine:
    """Replaces lichess-bot's base class of all engines."""

    def __init__(self, *arguments: object, **named: object) -> None:
        self.engine_name = type(self).__name__
        self.engine = self

    def get_pid(self) -> str:
        """A process ID: none, because no process has been started."""
        return "?"


class ExampleEngine(MinimalEngine):
    """Replaces the class in `homemade.py` whose subclasses are engines."""


_LICHESS_BOT: dict[str, dict[str, object]] = {
    "homemade": {"ExampleEngine": ExampleEngine},
    "lib": {},
    "lib.engine_wrapper": {"MinimalEngine": MinimalEngine, "EngineWrapper": MinimalEngine},
    "lib.lichess_types": dict.fromkeys(
        ("HOMEMADE_ARGS_TYPE", "MOVE", "COMMANDS_TYPE", "OPTIONS_GO_EGTB_TYPE", "OPTIONS_TYPE"),
        Any,
    ),
    "lib.types": dict.fromkeys(
        ("HOMEMADE_ARGS_TYPE", "MOVE", "COMMANDS_TYPE", "OPTIONS_TYPE"), Any
    ),
}

#: Base classes of engines, which are not engines themselves.
_BASES = {"MinimalEngine", "ExampleEngine", "EngineWrapper"}


class LichessBotModules(Loader):
    """Finds and fills lichess-bot's modules, for a file that imports them."""

    @staticmethod
    def find_spec(
        name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the module's spec, or None, as the import system expects."""
        if name not in _LICHESS_BOT:
            return None
        return importlib.util.spec_from_loader(name, LichessBotModules(), is_package=name == "lib")

    def exec_module(self, module: ModuleType) -> None:
        """Fill it."""
        vars(module).update(_LICHESS_BOT[module.__name__])


def offer_lichess_bot_modules() -> None:
    """Let a file import what it needs from lichess-bot."""
    if LichessBotModules not in sys.meta_path:
        sys.meta_path.append(LichessBotModules)


def homemade_engine(module: ModuleType, path: str) -> Callable[..., Any] | None:
    """The method `search` of an engine that a file defines as a class; None if there is none.

    If there are several, the last one counts.

    :raises Exception: what its constructor raises.
    """
    engines = [
        one
        for one in vars(module).values()
        if isinstance(one, type)
        and one.__module__ == module.__name__
        and one.__name__ not in _BASES
        and callable(getattr(one, "search", None))
    ]
    if not engines:
        return None
    engine: Any = engines[-1]
    if issubclass(engine, MinimalEngine):  # as lichess-bot does
        made = engine([], {}, None, None, None, engine.__name__)
    else:
        made = engine()
    search: Callable[..., Any] = made.search
    return search


def missing_module(error: BaseException, path: str) -> str:
    """The message if a file imports a missing module; empty for other errors."""
    if not isinstance(error, ModuleNotFoundError) or not error.name:
        return ""
    if error.name.split(".")[0] in ("lib", "homemade"):
        return say(
            "{file} needs {module} of lichess-bot, which only runs there: {why}",
            file=Path(path).name,
            module=error.name,
            why=reason_of(error),
        )
    return ""

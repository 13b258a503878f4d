"""The options in UCI: their declarations, and values from text."""

from __future__ import annotations

from halbzug.engine.options import ENGINE_OPTIONS, Button, Check, Option, Spin, Text
from halbzug.uci.parser import to_int
from halbzug.version import __version__

# Options of the session itself.
OPPONENT = Text("UCI_Opponent", "", "text", "who plays against us, shown and logged")
ABOUT = Text(
    "UCI_EngineAbout",
    f"Halbzug {__version__}, a chess engine on python-chess (GPL-3.0-or-later)",
    "text",
    "about the engine",
)
LOG_FILE = Text("Debug Log File", "", "path", "append every line in and out to this file")

#: All options, in the order of their declaration.
OPTIONS: tuple[Option, ...] = (*ENGINE_OPTIONS.values(), OPPONENT, ABOUT, LOG_FILE)

_BY_NAME = {option.name.lower(): option for option in OPTIONS}


def declarations() -> list[str]:
    """The `option` lines of the answer to `uci`."""
    return [f"option name {option.name} {_declaration(option)}" for option in OPTIONS]


def _declaration(option: Option) -> str:
    if isinstance(option, Button):
        return "type button"
    if isinstance(option, Check):
        return f"type check default {str(option.default).lower()}"
    if isinstance(option, Spin):
        return f"type spin default {option.default} min {option.minimum} max {option.maximum}"
    return f"type string default {option.default or '<empty>'}"


def find_option(name: str) -> Option:
    """Find an option by its name, in upper or lower case.

    :raises ValueError: in one line, if there is none.
    """
    option = _BY_NAME.get(name.lower())
    if option is None:
        raise ValueError(f"unknown option: {ascii(name[:40])[1:-1]}")
    return option


def read_value(option: Option, text: str | None) -> int | str | None:
    """The value of an option from the text of `setoption`, None for a button.

    :param text: None if there was no value; UCI writes an empty text as <empty>.
    :raises ValueError: in one line, if it does not suit the option.
    """
    if isinstance(option, Button):
        return None  # a value is ignored
    if isinstance(option, Check):
        if (text or "").lower() not in ("true", "false"):
            raise ValueError(f"{option.name} must be true or false")
        return (text or "").lower() == "true"
    if isinstance(option, Spin):
        number = to_int(text or "")
        if number is None:
            raise ValueError(f"{option.name} needs a number")
        if not option.minimum <= number <= option.maximum:
            raise ValueError(f"{option.name} must be from {option.minimum} to {option.maximum}")
        return number
    return "" if text in (None, "<empty>") else str(text)

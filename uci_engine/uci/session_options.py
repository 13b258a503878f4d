"""The options in UCI: declarations, and parsing of values."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ..base.events import FileOption
from ..engine.options import ENGINE_OPTIONS, Button, Check, Option, Spin, Text
from ..version import __version__
from .parser import to_int

# Options of the session itself.
OPPONENT = Text("UCI_Opponent", "", "text", "the name of the opponent, which is shown and logged")
ABOUT = Text(
    "UCI_EngineAbout",
    f"Halbzug {__version__}, a chess engine based on python-chess (GPL-3.0-or-later);"
    " its networks learned the static evaluations of Stockfish 15.1",
    "text",
    "information about the engine",
)
LOG_FILE = Text("Debug Log File", "", "path", "append every line of input and output to this file")

#: All options, in declaration order.
OPTIONS: tuple[Option, ...] = (*ENGINE_OPTIONS.values(), OPPONENT, ABOUT, LOG_FILE)

#: Options whose defaults may come from the environment.
_VARIABLE_OPTIONS = (
    *(option for option in ENGINE_OPTIONS.values() if not isinstance(option, Button)),
    LOG_FILE,
)

#: Replacement defaults by option name.
Defaults = Mapping[str, int | str | None]


def variable(option: Option) -> str:
    """The environment variable for an option's default, such as HALBZUG_MOVE_OVERHEAD."""
    return f"HALBZUG_{option.name.upper().replace(' ', '_')}"


#: The names of these variables.
VARIABLES = tuple(variable(option) for option in _VARIABLE_OPTIONS)


def defaults_in(environment: Mapping[str, str]) -> tuple[Defaults, list[str]]:
    """The defaults set by environment variables, and complaints about invalid ones."""
    defaults: dict[str, int | str | None] = {}
    complaints = []
    for option in _VARIABLE_OPTIONS:
        text = environment.get(variable(option))
        try:
            if text:
                defaults[option.name] = read_value(option, text.strip())
        except ValueError as error:
            complaints.append(f"{variable(option)} ignored: {error}")
    return defaults, complaints


def declarations(defaults: Defaults, options: Sequence[Option] = OPTIONS) -> list[str]:
    """The `option` lines of the answer to `uci`."""
    return [
        f"option name {option.name} {_declaration(option, defaults.get(option.name))}"
        for option in options
    ]


def _declaration(option: Option, other_default: int | str | None) -> str:
    if isinstance(option, Button):
        return "type button"
    default = option.default if other_default is None else other_default
    if isinstance(option, Check):
        return f"type check default {str(default).lower()}"
    if isinstance(option, Spin):
        return f"type spin default {default} min {option.minimum} max {option.maximum}"
    return f"type string default {default or '<empty>'}"


def option_of_file(option: FileOption) -> Option:
    """A UCI option for an option declared by an engine file."""
    name, default, text = option.name, option.default, "an option of the file"
    if isinstance(default, bool):
        return Check(name, default, text)
    if isinstance(default, int):
        return Spin(name, default, option.minimum, option.maximum, text)
    return Text(name, default, "text", text)


def find_option(name: str, options: Sequence[Option] = OPTIONS) -> Option:
    """Find an option by its name, ignoring case.

    :raises ValueError: if there is none; the message is one line.
    """
    for option in options:
        if option.name.lower() == name.lower():
            return option
    raise ValueError(f"unknown option: {ascii(name[:40])[1:-1]}")


def read_value(option: Option, text: str | None) -> int | str | None:
    """Parse an option's value in `setoption`; None for a button.

    :param text: None if there was no value; UCI writes an empty text as <empty>.
    :raises ValueError: if it is not valid for the option; the message is one line.
    """
    if isinstance(option, Button):
        return None  # any value is ignored
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


def opponent_text(value: str) -> str:
    """A value of `UCI_Opponent` (title, rating, `human` or `computer`, name) as a phrase.

    >>> opponent_text("GM 2800 human Gary Kasparow")
    'GM Gary Kasparow (2800, human)'
    """
    form = r"(none|[A-Z]{2,3})\s+(none|[0-9]+)\s+(human|computer)\s+(.*)"
    parts = re.fullmatch(form, value, re.DOTALL)
    if not parts:
        return value
    title, rating, kind, name = parts.groups()
    who = " ".join(name.split()) if title == "none" else " ".join([title, *name.split()])
    return f"{who} ({kind})" if rating == "none" else f"{who} ({rating}, {kind})"

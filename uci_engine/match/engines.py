"""Parses the engines and time controls on the command line of `halbzug match`."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from pathlib import Path

from ..base.text import on_one_line
from ..base.time_control import TimeControl, parse_clock
from ..client.engine_command import parse_engine
from .players import EngineSpec

#: The default time control.
DEFAULT_CLOCK = "10+0.1"

_CONTROL_WORDS = ("tc", "st", "nodes", "depth")
_NO_NAME = re.compile(r"[\s;/\\\"']")


def read_engines(texts: tuple[str, ...], common: TimeControl) -> tuple[EngineSpec, ...]:
    """Read the engines of a match, like `read_specs`.

    :raises ValueError: in one line, if one cannot be read, or if there are fewer than two.
    """
    engines = read_specs(texts, common)
    if len(engines) < 2:
        raise ValueError("a match needs at least two engines")
    return engines


def read_specs(texts: tuple[str, ...], common: TimeControl) -> tuple[EngineSpec, ...]:
    """Read engines, each `[NAME=]COMMAND ARGUMENTS; OPTION=VALUE; ...`.

    :param common: the time control of engines that do not have their own.
    :raises ValueError: in one line, if one cannot be read, or two have the same name.
    """
    engines: list[EngineSpec] = []
    for text in texts:
        taken = {engine.name for engine in engines}
        engine = _read_engine(text, common, taken)
        if engine.name in taken:
            raise ValueError(f"two engines have the name {engine.name}")
        engines.append(engine)
    return tuple(engines)


def read_control(limits: Mapping[str, object]) -> TimeControl:
    """Read a time control; return the default if none is given.

    :param limits: texts or numbers for `tc`, `st`, `nodes` and `depth`; None for none.
    :raises ValueError: if they cannot be read or combined.
    """
    given = {name: str(value) for name, value in limits.items() if value is not None}
    if "tc" in given and "st" in given:
        raise ValueError("either a clock (tc) or a fixed time a move (st), not both")
    clock = TimeControl()
    if "tc" in given or not given:
        clock = parse_clock(given.get("tc", DEFAULT_CLOCK))
    numbers = {name: _read_number(name, given[name]) for name in given if name != "tc"}
    return TimeControl(
        clock.moves,
        clock.base_seconds,
        clock.increment_seconds,
        move_seconds=numbers.get("st"),
        nodes=int(numbers["nodes"]) if "nodes" in numbers else None,
        depth=int(numbers["depth"]) if "depth" in numbers else None,
    )


def _read_number(name: str, text: str) -> float:
    """Read a number above 0; only seconds may have a fraction."""
    try:
        number = float(text) if name == "st" else int(text)
    except ValueError:
        number = 0
    if not 0 < number < math.inf:
        raise ValueError(f"not a number above 0: {name}={text}")
    return number


def _read_engine(text: str, common: TimeControl, taken: set[str]) -> EngineSpec:
    name, separator, rest = text.partition("=")
    if not separator or _NO_NAME.search(name):
        name, rest = "", text
    command = parse_engine(rest)
    settings = command.settings
    options = {key: settings[key] for key in settings if key not in _CONTROL_WORDS}
    limits = {key: settings[key] for key in settings if key in _CONTROL_WORDS}
    name = name or _usual_name(command.words[0], taken)
    if name != on_one_line(name):
        raise ValueError(f"not a printable engine name: {name!a}")
    control = read_control(limits) if limits else common
    return EngineSpec(name, tuple(command.program), options, control)


def _usual_name(program: str, taken: set[str]) -> str:
    """The name of the program, with a number if the name is taken."""
    stem = re.sub(r"[\"\\]", "", on_one_line(Path(program).stem)).strip() or "engine"
    numbers = (f"{stem}-{number}" for number in range(2, len(taken) + 3))
    return stem if stem not in taken else next(name for name in numbers if name not in taken)

"""Parses an engine on the command line: `COMMAND ARGUMENTS; OPTION=VALUE; ...`."""

from __future__ import annotations

import re
import shlex
import shutil
import sys
from dataclasses import dataclass

from ..base.launch import is_engine_file, own_command, run_command

_PART = re.compile(r'(?:[^;"]|"[^"]*")+')  # text between semicolons outside quotation marks


@dataclass(frozen=True)
class EngineCommand:
    """How an engine is started, and its options."""

    words: tuple[str, ...]  # the program and its arguments, as written
    settings: dict[str, str]

    @property
    def program(self) -> list[str]:
        """The program to run.

        `halbzug` is this program unless there is another one of that name, and a Python file is an
        engine for `halbzug run`, which answers when it is loaded.

        :raises ValueError: if there is no such file; the message is one line.
        """
        if is_engine_file(self.words[0]):
            return run_command(self.words[0], "--patient", *self.words[1:])
        if self.words[0] == "halbzug" and shutil.which("halbzug") is None:
            return own_command("halbzug.__main__", *self.words[1:])
        return list(self.words)


def parse_engine(text: str) -> EngineCommand:
    """Parse an engine.

    :raises ValueError: if there is no command, or a part is not `OPTION=VALUE`; the message is one
        line.
    """
    if text.count('"') % 2:
        raise ValueError(f"a quotation mark is missing in {text}")
    command, *parts = [part.strip() for part in _PART.findall(text)] or [""]
    words = _split(command)
    settings: dict[str, str] = {}
    for part in filter(None, parts):
        name, separator, value = (word.strip() for word in part.partition("="))
        if not separator or not name:
            raise ValueError(f"not Option=Value: {part}")
        settings[name] = value.strip('"')
    return EngineCommand(tuple(words), settings)


def _split(command: str) -> list[str]:
    try:
        words = shlex.split(command, posix=sys.platform != "win32")
    except ValueError as error:
        raise ValueError(f"cannot read the command {command}: {error}") from None
    if not words:
        raise ValueError("an engine without a command")
    return [word.strip('"') for word in words]

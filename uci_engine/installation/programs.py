"""The programs whose engine lists `halbzug register` writes: location and format.

Sources: Cute Chess, `docs/engines.json.5`, `EngineConfiguration::toVariant`, `toVariant` of the
engine options and `UciEngine::parseLine`; PyChess 1.0.3, `Players/engineNest.py` and
`System/prefix.py`. Both lists are JSON arrays of objects.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from ..engine.options import Button, Check, Option, Spin
from ..uci.session_options import OPTIONS
from .engine_list import EngineList, Entry, ListError
from .sandboxes import Sandbox, find_sandboxes

#: The default name of the engine in a list.
DEFAULT_NAME = "Halbzug"

#: Its former name and command, from before the first release.
_FORMER_NAME, _FORMER_COMMANDS = "Kiebitz", ("kiebitz", "kiebitz.exe")


@dataclass(frozen=True)
class Command:
    """What a chess program starts.

    :param program: absolute path of the command.
    :param file: absolute path of the Python file that it runs; empty for Halbzug itself.
    """

    program: str
    file: str = ""
    file_name: str = ""  # the name reported by the file's engine, if known

    @property
    def arguments(self) -> list[str]:
        """The words after the program."""
        return ["run", self.file] if self.file else []

    @property
    def usual_name(self) -> str:
        """The engine's default name."""
        return self.file_name or (Path(self.file).stem if self.file else DEFAULT_NAME)


@dataclass(frozen=True)
class Program:
    """A chess program with an engine list."""

    title: str
    folder: Callable[[Mapping[str, str], str], Path]  # from environment and sys.platform
    new_entry: Callable[[str, Command], Entry]  # from a name and the command
    refresh: Callable[[Entry], None]  # adds missing options and variants to an entry
    fields: Callable[[Command], Entry]  # the command as the program writes it
    indent: str  # the indentation in its own files
    next_step: str  # how to start a game with {name}

    def list_path(
        self, environment: Mapping[str, str] | None = None, platform: str | None = None
    ) -> Path:
        """The path of this user's list on this system, by the program's rules."""
        folder = self.folder(environment or os.environ, platform or sys.platform)
        return folder / "engines.json"

    def sandboxed_lists(
        self, environment: Mapping[str, str] | None = None, platform: str | None = None
    ) -> list[tuple[Sandbox, Path]]:
        """The sandboxes in which the program runs, with the path of its list in each.

        A sandbox in which the program has never run has no folder for its list, and is not found.
        """
        environment, platform = environment or os.environ, platform or sys.platform
        if platform != "linux":
            return []
        lists = []
        for sandbox in find_sandboxes(_home(environment, platform)):
            inside = {**environment, "XDG_CONFIG_HOME": str(sandbox.config.absolute())}
            path = self.list_path(inside, platform)
            if path.parent.is_dir():
                lists.append((sandbox, path))
        return lists

    def add(self, engines: EngineList, name: str | None, command: Command) -> str:
        """Add an engine to the list, or update its entry.

        :param name: its name; None keeps the name of an existing entry, unless that is the engine's
            former name.
        :returns: its name in the list.
        :raises ListError: if another engine has that name.
        """
        wanted = name or command.usual_name
        names = [entry.get("name") for entry in engines.entries]
        for entry in self._ours(engines, name, command):
            entry["protocol"] = "uci"
            if _is_former(entry) and wanted not in names:
                entry["name"] = wanted
            if _program_of(entry) != command.program or command.file:
                before = dict(entry)
                entry.update(self.fields(command))
                if "recheck" in entry and entry != before:  # PyChess: ask for its options again
                    entry["recheck"] = True
            self.refresh(entry)
            return str(entry.get("name", wanted))
        if any(entry.get("name") == wanted for entry in engines.entries):
            raise ListError(
                f"{engines.path} has another engine called {wanted}: choose a name with --name"
            )
        engines.entries.append(self.new_entry(wanted, command))
        return wanted

    def remove(self, engines: EngineList, name: str | None, command: Command) -> list[str]:
        """Remove an engine from the list.

        :param name: remove only the entry with this name; None removes all that start this command.
        :returns: the names of the removed entries.
        """
        ours = self._ours(engines, name, command)
        engines.entries[:] = [
            entry for entry in engines.entries if not any(entry is one for one in ours)
        ]
        return [str(entry.get("name", "")) for entry in ours]

    @staticmethod
    def _ours(engines: EngineList, name: str | None, command: Command) -> list[Entry]:
        """The engine's entries: this command, or one with its name in another folder."""
        if command.file:
            same = [entry for entry in engines.entries if _file_of(entry) == command.file]
            return same if name is None else [entry for entry in same if entry.get("name") == name]
        program = command.program
        halbzug = [entry for entry in engines.entries if not _file_of(entry)]
        same = [entry for entry in halbzug if _program_of(entry) == program]
        named = [
            entry
            for entry in halbzug
            if entry.get("name") == (name or DEFAULT_NAME) and _is_halbzug(_program_of(entry))
        ]
        if name is not None:
            return named or [entry for entry in same if entry.get("name") == name]
        named += [entry for entry in engines.entries if _is_former(entry)]
        return same + [entry for entry in named if not any(entry is one for one in same)]


def _file_of(entry: Entry) -> str:
    """The Python file run by an entry's command; empty if there is none."""
    words = entry.get("args")
    if isinstance(words, list) and len(words) == 2 and words[0] == "run":
        return str(words[1])
    parts = re.fullmatch(r'.*?"? run "?(.+?\.py)"?', str(entry.get("command", "")))
    return parts[1] if parts else ""


def _program_of(entry: Entry) -> str:
    return str(entry.get("command", "")).strip().strip('"')


def _is_halbzug(program: str) -> bool:
    return _file_name(program).startswith("halbzug")


def _is_former(entry: Entry) -> bool:
    """Whether an entry is the engine under its former name, and not another program."""
    file = _file_name(_program_of(entry))
    return entry.get("name") == _FORMER_NAME and file in _FORMER_COMMANDS


def _file_name(program: str) -> str:
    return re.split(r"[/\\]", program)[-1].lower()


def _home(environment: Mapping[str, str], platform: str) -> Path:
    home = environment.get("USERPROFILE" if platform == "win32" else "HOME")
    return Path(home) if home else Path.home()


def _config_home(environment: Mapping[str, str], platform: str) -> Path:
    """`$XDG_CONFIG_HOME` if it is absolute, as the specification requires, or `~/.config`."""
    folder = environment.get("XDG_CONFIG_HOME", "")
    return Path(folder) if Path(folder).is_absolute() else _home(environment, platform) / ".config"


def _cute_chess_folder(environment: Mapping[str, str], platform: str) -> Path:
    # QSettings in INI format: the organisation's name, but on macOS its domain. See "Platform
    # specific notes" in Qt's documentation of QSettings, and Cute Chess's cutechessapp.cpp.
    if platform == "win32":
        roaming = environment.get("APPDATA")
        base = Path(roaming) if roaming else _home(environment, platform) / "AppData" / "Roaming"
        return base / "cutechess"
    name = "cutechess.com" if platform == "darwin" else "cutechess"
    return _config_home(environment, platform) / name


def _cute_chess_entry(name: str, command: Command) -> Entry:
    entry = {
        **_cute_chess_fields(command),
        "name": name,
        "options": [],
        "protocol": "uci",
        "stderrFile": "",
        "variants": [],
        "workingDirectory": "",
    }
    if not command.file:  # a file's options are known only to the file
        _refresh_cute_chess(entry)
    return entry


#: UCI options that Cute Chess sets itself and does not show.
_CUTE_CHESS_OWN = re.compile(r"Ponder$|UCI_(?!LimitStrength$|Elo$)")

#: Cute Chess's names for the variants of UCI_Chess960.
_CUTE_CHESS_VARIANTS = ("standard", "fischerandom")


def _refresh_cute_chess(entry: Entry) -> None:
    """Write variants and options as Cute Chess does after `Detect`, keeping the user's values.

    Without them, Cute Chess offers only standard chess, and an empty options dialog.
    """
    if _file_of(entry):
        return
    variants, options = (
        entry[key] if isinstance(entry.get(key), list) else [] for key in ("variants", "options")
    )
    entry["variants"] = variants + [one for one in _CUTE_CHESS_VARIANTS if one not in variants]
    shown = {
        option.name: _cute_chess_option(option)
        for option in OPTIONS
        if not _CUTE_CHESS_OWN.match(option.name)
    }
    for option in options:
        if not isinstance(option, dict):
            continue
        new = shown.pop(str(option.get("name")), {})
        value = option.get("value") if _suits(option, new) else new.get("value")
        option.update({key: value if key == "value" else new[key] for key in new})
    entry["options"] = options + list(shown.values())


def _suits(old: Entry, new: Entry) -> bool:
    """Whether the engine accepts an option's value in the list."""
    value = old.get("value")
    if new.get("type") == "spin":
        return type(value) is int and new["min"] <= value <= new["max"]
    return type(value) is type(new.get("value"))


def _cute_chess_option(option: Option) -> Entry:
    if isinstance(option, Button):
        return {"name": option.name, "type": "button"}
    default: object = option.default
    kind, bounds = "text", {}
    if isinstance(option, Check):
        kind = "check"
    elif isinstance(option, Spin):
        kind, bounds = "spin", {"max": option.maximum, "min": option.minimum}
    elif not default:
        default = "<empty>"  # Cute Chess writes an empty text as UCI does
    entry = {"alias": "", "default": default, "name": option.name, "type": kind, "value": default}
    return dict(sorted({**entry, **bounds}.items()))


def _cute_chess_fields(command: Command) -> Entry:
    # The command is a command line: Cute Chess's file dialog also quotes a path with spaces.
    words = [command.program, *command.arguments]
    return {"command": " ".join(f'"{word}"' if " " in word else word for word in words)}


def _pychess_folder(environment: Mapping[str, str], platform: str) -> Path:
    return _config_home(environment, platform) / "pychess"  # on Windows, too


def _pychess_fields(command: Command) -> Entry:
    arguments = {"args": command.arguments} if command.file else {}
    return {"command": command.program, **arguments}


def _pychess_entry(name: str, command: Command) -> Entry:
    # PyChess's entry for a new engine. With "recheck", it fills in the rest at its next start.
    # Without a working directory, it starts engines in its own data folder.
    return {
        **_pychess_fields(command),
        "comment": "",
        "country": "unknown",
        "level": 20,
        "name": name,
        "protocol": "uci",
        "recheck": True,
    }


PROGRAMS = {
    "cutechess": Program(
        "Cute Chess",
        _cute_chess_folder,
        _cute_chess_entry,
        _refresh_cute_chess,
        _cute_chess_fields,
        "    ",
        "Game, New..., CPU, {name}",
    ),
    "pychess": Program(
        "PyChess",
        _pychess_folder,
        _pychess_entry,
        lambda entry: None,  # PyChess asks the engine itself
        _pychess_fields,
        " ",
        "New Game, choose {name} as the opponent, Start Game",
    ),
}

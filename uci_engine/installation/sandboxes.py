"""Chess programs that run in a sandbox, on Linux: where their lists lie, and what starts Halbzug.

A Flatpak keeps its configuration in ``~/.var/app/ID/config``, which has the same path inside. It
sees no program of the system, but may ask for one to be started outside, if its user permits that:
``flatpak-spawn``, in a script that lies where the program sees it. A Snap keeps its configuration
in ``~/snap/NAME/current/.config``, and has no such way.

Sources: Flatpak's documentation, "Sandbox Permissions"; ``flatpak-spawn(1)``; Snapcraft's
documentation, "Data locations".
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path

from ..base.whole_file import write_whole

#: The name of the script beside a list; it begins like that of the command.
SCRIPT = "halbzug-outside"


@dataclass(frozen=True)
class Sandbox:
    """A sandbox that has a folder of its own for the configuration of programs.

    :param name: the ID of a Flatpak, or the name of a Snap.
    :param config: the folder, which is its ``$XDG_CONFIG_HOME``.
    """

    name: str
    config: Path
    is_flatpak: bool

    @property
    def title(self) -> str:
        """What it is and its name, for a message."""
        return f"the {'Flatpak' if self.is_flatpak else 'Snap'} {self.name}"

    @property
    def permission(self) -> str:
        """The command by which a user permits a Flatpak to start programs outside."""
        words = ["flatpak", "override", "--user", "--talk-name=org.freedesktop.Flatpak", self.name]
        return shlex.join(words)


def find_sandboxes(home: Path) -> list[Sandbox]:
    """The sandboxes of this user, sorted by name, Flatpaks first; none if nothing can be read."""
    kinds = (
        (True, home / ".var" / "app", Path("config")),
        (False, home / "snap", Path("current", ".config")),
    )
    return [
        Sandbox(folder.name, folder / config, is_flatpak)
        for is_flatpak, parent, config in kinds
        for folder in _folders(parent)
        if (folder / config).is_dir()
    ]


def _folders(parent: Path) -> list[Path]:
    try:
        return sorted(path for path in parent.iterdir() if path.is_dir())
    except OSError:
        return []


def script_path(folder: Path) -> Path:
    """Where the script is that starts Halbzug outside, for a list in that folder."""
    return folder / SCRIPT


def write_script(path: Path, program: str) -> None:
    """Write the script; it ends with the sandbox.

    :param program: absolute path of the command outside.
    :raises OSError: if that is not possible.
    """
    command = shlex.join(["flatpak-spawn", "--host", "--watch-bus", program])
    write_whole(path, f'#!/bin/sh\nexec {command} "$@"\n')
    path.chmod(0o755)

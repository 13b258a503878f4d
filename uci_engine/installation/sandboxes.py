"""Chess programs in sandboxes on Linux: where their lists are, and how they start Halbzug.

A Flatpak keeps its configuration in ``~/.var/app/ID/config``, which has the same path inside. It
cannot see the system's programs, but with the user's permission it may have one started outside, by
``flatpak-spawn``, called from a script in a place that the program can see. A Snap keeps its
configuration in ``~/snap/NAME/current/.config``, and offers no such way.

Sources: Flatpak's documentation, "Sandbox Permissions"; ``flatpak-spawn(1)``; Snapcraft's
documentation, "Data locations".
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path

from ..base.whole_file import write_whole

#: The name of the script beside a list; it starts like that of the command.
SCRIPT = "halbzug-outside"


@dataclass(frozen=True)
class Sandbox:
    """A sandbox with a configuration folder of its own.

    :param name: the ID of a Flatpak, or the name of a Snap.
    :param config: the folder, which is its ``$XDG_CONFIG_HOME``.
    """

    name: str
    config: Path
    is_flatpak: bool

    @property
    def title(self) -> str:
        """Its kind and name, for a message."""
        return f"the {'Flatpak' if self.is_flatpak else 'Snap'} {self.name}"

    @property
    def permission(self) -> str:
        """The command that permits a Flatpak to start programs outside."""
        words = ["flatpak", "override", "--user", "--talk-name=org.freedesktop.Flatpak", self.name]
        return shlex.join(words)


def find_sandboxes(home: Path) -> list[Sandbox]:
    """The user's sandboxes, sorted by name, Flatpaks first; empty if nothing can be read."""
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
    """The path of the script that starts Halbzug outside, for a list in that folder."""
    return folder / SCRIPT


def write_script(path: Path, program: str) -> None:
    """Write the script; the engine ends with the sandbox.

    :param program: absolute path of the command outside.
    :raises OSError: if that is impossible.
    """
    command = shlex.join(["flatpak-spawn", "--host", "--watch-bus", program])
    write_whole(path, f'#!/bin/sh\nexec {command} "$@"\n')
    path.chmod(0o755)

"""Finds the command that chess programs start."""

from __future__ import annotations

import os
import sys
import sysconfig
from pathlib import Path


class NotInstalledError(Exception):
    """Why there is no installed command, in one line."""


def command_path() -> str:
    """The absolute path of the installed `halbzug`.

    A link to it, as created by pipx, is not resolved, because it stays valid after an update.

    :raises NotInstalledError: if there is none, as in a checkout that is not installed.
    """
    if getattr(sys, "frozen", False):  # the stand-alone executable
        return sys.executable
    candidates = [Path(sys.argv[0]), Path(sys.argv[0] + ".exe")]
    for folder in (Path(sys.executable).parent, Path(sysconfig.get_path("scripts"))):
        candidates += [folder / "halbzug", folder / "halbzug.exe"]
    for path in candidates:
        if path.stem == "halbzug" and path.is_file() and os.access(path, os.X_OK):
            return os.path.abspath(path)  # noqa: PTH100 (resolve() would follow links)
    raise NotInstalledError("the command halbzug is not installed here (pip install .)")

"""Where files are kept for a user that can be made again at any time."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def cache_folder(name: str) -> Path:
    """Our folder in the user's cache, which may not exist yet.

    It is in `XDG_CACHE_HOME`, if that is set; else in `LOCALAPPDATA` on Windows, and in `~/.cache`
    on other systems.
    """
    root = os.environ.get("XDG_CACHE_HOME", "")
    if not Path(root).is_absolute() and sys.platform == "win32":
        root = os.environ.get("LOCALAPPDATA", "")
    base = Path(root) if Path(root).is_absolute() else Path.home() / ".cache"
    return base / "halbzug" / name

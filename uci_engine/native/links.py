"""The package as one folder of links, for tools that read sources and do not import them.

The package is made of several folders of the repository. An editable installation tells Python so,
but type checkers and editors cannot read that. They find the same package in ``.types``, whose
folders are links, so that a new module in a room is found at once.
"""

from __future__ import annotations

import os
from pathlib import Path

from .build import FOLDER, PACKAGES, ROOT

LINKS = ".types"


def make_links(root: Path = ROOT) -> Path:
    """Make the folder of links again, and return it.

    :param root: the checkout.
    :raises OSError: if the system, or this user on Windows, cannot make links.
    """
    name, *rooms = PACKAGES
    package = root / LINKS / name
    package.mkdir(parents=True, exist_ok=True)
    left_out = ("__pycache__", FOLDER)
    wanted = {
        path.name: path for path in (root / PACKAGES[name]).iterdir() if path.name not in left_out
    }
    wanted |= {room.rpartition(".")[2]: root / PACKAGES[room] for room in rooms}
    for link in package.iterdir():
        if link.name not in wanted or not link.exists():
            link.unlink()
    for link, target in ((package / name, target) for name, target in wanted.items()):
        if not link.is_symlink():
            link.symlink_to(os.path.relpath(target, package), target.is_dir())
    return root / LINKS

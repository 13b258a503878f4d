"""Keeps a copy of the python-chess that the compiled modules are built from, for our processes.

`uci_engine/python_chess.py` says which processes import it.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from . import specialise
from .passes import PINNED_VERSION

#: The copy's folder, in that of the compiled modules.
COPY = "python_chess"

_NOTICE = """\
The folder chess is python-chess {version} by Niklas Fiekas, unchanged
(https://github.com/niklasf/python-chess). It is licensed under the GPL, version 3 or later, as
Halbzug is, whose LICENSE has the text. Halbzug's compiled modules were built from it, and its
own processes import it. Programs that import halbzug use the python-chess that is installed.
"""


def write(folder: Path) -> None:
    """Copy the sources of the python-chess that is specialised into *folder*, and nothing else.

    :raises: :exc:`~.rewriting.PassMismatch` if it is missing.
    """
    remove(folder)
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(specialise.source_file().parent, folder / COPY / "chess", ignore=ignored)
    notice = _NOTICE.format(version=PINNED_VERSION)
    (folder / COPY / "NOTICE.txt").write_text(notice, "utf-8")


def remove(folder: Path) -> None:
    """Remove the copy of an earlier build."""
    shutil.rmtree(folder / COPY, ignore_errors=True)

"""Keeps a copy of the python-chess that the compiled modules are built from, for our processes.

`uci_engine/base/python_chess.py` explains which processes import it.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from .python_chess_source import PythonChessSource

#: The copy's folder, within that of the compiled modules.
COPY = "python_chess"

_NOTICE = """\
The folder chess is python-chess {name} by Niklas Fiekas, unchanged
(https://github.com/niklasf/python-chess). It is licensed under the GPL, version 3 or later, as
Halbzug is, whose LICENSE has the text. Halbzug's compiled modules were built from it, and its
own processes import it. Programs that import halbzug use the python-chess that is installed.
"""


def write(source: PythonChessSource, folder: Path) -> None:
    """Copy the specialised python-chess's package into *folder*, and nothing else."""
    remove(folder)
    carry(source, folder / COPY)


def carry(source: PythonChessSource, folder: Path) -> None:
    """Copy the package `chess` of a source, unchanged, into *folder*, with a notice."""
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(source.folder, folder / "chess", ignore=ignored)
    (folder / "NOTICE.txt").write_text(_NOTICE.format(name=source.name), "utf-8", newline="\n")


def remove(folder: Path) -> None:
    """Remove the copy of an earlier build."""
    shutil.rmtree(folder / COPY, ignore_errors=True)

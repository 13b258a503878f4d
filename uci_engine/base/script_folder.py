"""Prevents files beside a user's script from replacing modules.

Python searches the script's folder first, or with `-m` and at a prompt the working directory: a
`queue.py` there would replace the standard library's. The package imports this module first, so it
may import only what Python itself has already loaded.
"""

import os
import sys

_ROOT = __name__.partition(".")[0]


class ScriptFolderLast:
    """A context in which the folder of the user's script is searched last."""

    def __init__(self) -> None:
        self._first: list[str] = []

    def __enter__(self) -> None:
        if sys.path and _is_users(sys.path[0]):
            self._first = sys.path[:1]
            sys.path.append(sys.path.pop(0))

    def __exit__(self, *exception: object) -> None:
        if self._first and sys.path[-1:] == self._first:
            sys.path.insert(0, sys.path.pop())


def put_last() -> None:
    """Search the working directory last permanently, in a `python -m halbzug` process."""
    if not _is_safe():
        sys.path.append(sys.path.pop(0))


def _is_users(folder: str) -> bool:
    """Whether Python, and not PYTHONPATH, which is respected, has put a folder first."""
    spec = getattr(sys.modules.get("__main__"), "__spec__", None)
    if _is_safe() or (spec is not None and spec.name == f"{_ROOT}.__main__"):
        return False  # there was none, or `put_last` has moved it
    folders = {""}
    try:
        folders.add(os.getcwd())  # noqa: PTH109 (as sys.path has it)
        script = getattr(sys.modules.get("__main__"), "__file__", None)
        if script:
            folders.add(os.path.dirname(os.path.abspath(script)))  # noqa: PTH100, PTH120
    except OSError:  # the working directory may no longer exist
        pass
    return folder in folders


def _is_safe() -> bool:
    """Whether Python was told not to put a folder first."""
    return bool(sys.flags.isolated or getattr(sys.flags, "safe_path", False))

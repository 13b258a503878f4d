"""A chess program's engine list: a JSON file owned by another program.

All other contents of the file are kept, in the same order. A file that cannot be understood is not
changed. The new list replaces the old one in one step, and a backup is kept beside it.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path
from typing import Any

from ..base.whole_file import write_whole

#: The suffix of the backup.
BACKUP = ".halbzug-backup"

Entry = dict[str, Any]


class ListError(Exception):
    """Why a list cannot be changed, in one line."""


class EngineList:
    """The engines in one file; a missing file has none.

    :param path: the file; a link to it stays a link.
    :param indent: the indentation of one level, for a new file.
    :raises ListError: if it cannot be read, or is not an engine list.
    """

    def __init__(self, path: Path, indent: str = "    ") -> None:
        self.path = path
        self._file = Path(os.path.realpath(path))
        self._indent = indent
        self.entries: list[Entry] = []
        text = self._read()
        if text is not None:
            self.entries = _parse(text, path)
            found = re.match(r"\s*\[\s*?\n([ \t]+)\S", text)
            self._indent = found[1] if found else indent
        self._before = _dump(self.entries, self._indent)

    @property
    def has_changed(self) -> bool:
        """Whether there are changes to save."""
        return _dump(self.entries, self._indent) != self._before

    def save(self) -> Path | None:
        """Replace the file, and keep a backup.

        :returns: the backup; None if there was no file.
        :raises ListError: if that is impossible; the file is then unchanged.
        """
        backup = self._file.with_name(self._file.name + BACKUP)
        has_old = self._file.exists()
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            if has_old:
                shutil.copy2(self._file, backup)
            write_whole(self._file, _dump(self.entries, self._indent) + "\n")
        except OSError as error:
            raise ListError(f"cannot write {self.path}: {error.strerror or error}") from None
        return backup if has_old else None

    def _read(self) -> str | None:
        if self._file.exists() and not self._file.is_file():
            raise ListError(f"{self.path} is not a file")  # a device may have no end
        try:
            return self._file.read_bytes().decode("utf-8-sig")
        except FileNotFoundError:
            return None
        except OSError as error:
            raise ListError(f"cannot read {self.path}: {error.strerror or error}") from None
        except UnicodeDecodeError:
            raise ListError(f"{self.path} is damaged: not UTF-8; nothing was changed") from None


def _parse(text: str, path: Path) -> list[Entry]:
    try:
        entries = json.loads(text, object_pairs_hook=_without_loss)
        _dump(entries, "")
    except (ValueError, RecursionError) as error:
        reason = " ".join(str(error).split())
        raise ListError(f"{path} is damaged: {reason}; nothing was changed") from None
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise ListError(f"{path} is not a list of engines; nothing was changed")
    return entries


def _without_loss(pairs: list[tuple[str, Any]]) -> Entry:
    """Create an object of the file.

    :raises ValueError: if a name appears twice, because one of the two would be lost.
    """
    entry = dict(pairs)
    if len(entry) < len(pairs):
        raise ValueError("a name appears twice in one engine")
    return entry


def _dump(entries: list[Entry], indent: str) -> str:
    # ASCII, because not every program reads its own file as UTF-8 (PyChess uses the locale's
    # encoding).
    return json.dumps(entries, indent=indent, allow_nan=False)

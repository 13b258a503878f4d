"""Writes a folder of files completely or not at all, and replaces only what it wrote itself."""

from __future__ import annotations

import contextlib
import hashlib
import io
import zipfile
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from .language import say
from .text import name_text
from .whole_file import WriteError, write_whole


class NotOursError(ValueError):
    """A folder holds something that was not written by `write_folder`."""


def files_to_replace(folder: Path, checksums: str) -> list[str]:
    """The names of the files that `write_folder` wrote in a folder; none if it is missing.

    :param checksums: the name of the file with their checksums.
    :raises NotOursError: if another file is there, or a file has been changed since.
    :raises WriteError: if the folder cannot be read.
    """
    try:
        files = {path.name: path for path in folder.iterdir()}
    except FileNotFoundError:
        return []
    except OSError as error:
        raise WriteError(folder, error) from None
    known = {checksums}
    with contextlib.suppress(OSError, UnicodeDecodeError):
        lines = (folder / checksums).read_text(encoding="utf-8").splitlines()
        known.update(
            name
            for name, path in files.items()
            if path.is_file() and f"{_digest(path)}  {name}" in lines
        )
    if others := sorted({*files} - known):
        place, other = name_text(str(folder)), name_text(others[0])
        raise NotOursError(
            say(
                "{place} is not empty, and {other} was not written by this command or has changed;"
                " choose another folder",
                place=place,
                other=other,
            )
        )
    return [*files]


def write_folder(folder: Path, files: Mapping[str, str], checksums: str) -> None:
    """Write files into a new or empty folder, or in place of those that this function wrote before.

    :param files: texts by their names, which contain no folder.
    :param checksums: the name of a file with the checksums of all, as `sha256sum` writes it. It
        should belong to one kind of folder, because it decides what may be replaced.
    :raises NotOursError: if the folder holds anything else, which is left as it is.
    :raises WriteError: if it cannot be written; nothing has changed then.
    """
    old = files_to_replace(folder, checksums)
    is_new = not folder.exists()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        try:
            with TemporaryDirectory(prefix=".part-", dir=folder) as name:
                part = Path(name)
                for file, text in files.items():
                    (part / file).write_bytes(text.encode())
                lines = [f"{_digest(part / file)}  {file}\n" for file in files]
                (part / checksums).write_bytes("".join(lines).encode())
                for file in old:
                    (folder / file).unlink()
                for file in (*files, checksums):
                    (part / file).rename(folder / file)
        except BaseException:
            if is_new:
                with contextlib.suppress(OSError):
                    folder.rmdir()
            raise
    except OSError as error:
        raise WriteError(folder, error) from None


def write_zip(path: Path, files: Mapping[str, str]) -> None:
    """Write files as a zip, whose bytes depend only on them.

    :raises WriteError: if it cannot be written; an old file is then unchanged.
    """
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            entry = zipfile.ZipInfo(name)  # dated 1980, not today
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system, entry.external_attr = 3, 0o644 << 16  # Unix, also on Windows
            archive.writestr(entry, text.encode())
    write_whole(path, buffer.getvalue())


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()

"""Finds tablebase files and checks them quickly.

All tables with three and four pieces are part of the package, in `tables/`.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from chess import syzygy

from ..base.os_errors import reason_of

#: The tables in the package, and their checksums.
SHIPPED = Path(__file__).parent / "tables"
CHECKSUMS = SHIPPED / "SHA256SUMS"

#: Bytes of checksum at the end of a table, which otherwise consists of blocks of 64 bytes.
TRAILER_BYTES = 16

_MAGIC = {".rtbw": bytes.fromhex("71e8235d"), ".rtbz": bytes.fromhex("d7660ca5")}
_MAGIC_CHECKED = 5  # pieces; there are too many larger tables to open each one at the start


def user_folder() -> Path:
    """The folder where `halbzug tablebases fetch` puts tables; it is always searched.

    It is `halbzug/tablebases` in `%LOCALAPPDATA%` on Windows, `~/Library/Application Support` on
    macOS, `$XDG_DATA_HOME` or `~/.local/share` elsewhere.
    """
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or "~/AppData/Local"
    elif sys.platform == "darwin":
        base = "~/Library/Application Support"
    else:
        base = os.environ.get("XDG_DATA_HOME") or "~/.local/share"
    return Path(os.path.expanduser(base)) / "halbzug" / "tablebases"  # noqa: PTH111 (no home: as is)


def default_folders() -> list[Path]:
    """The shipped tables, and the user's if there are any."""
    folder = user_folder()
    # Without tables it may hold the rest of an interrupted download, and is not reported.
    is_used = os.path.isdir(folder) and any(find_tablebase_files(folder))  # noqa: PTH112 (never raises)
    return [SHIPPED, folder] if is_used else [SHIPPED]


def split_paths(paths: str) -> list[Path]:
    """The folders in a SyzygyPath, separated as in PATH; none for `<empty>` or ""."""
    if paths.strip() == "<empty>":
        return []
    return [Path(text.strip()) for text in paths.split(os.pathsep) if text.strip()]


class TableFile(NamedTuple):
    """A file that looks like a table."""

    path: Path
    name: str  # material, such as KRPvKR
    suffix: str  # .rtbw for WDL, .rtbz for DTZ
    size: int  # bytes

    @property
    def pieces(self) -> int:
        """The number of pieces, including kings."""
        return len(self.name) - 1


def find_tablebase_files(folder: Path) -> Iterator[TableFile | str]:
    """The tables in a folder; for a file that cannot be a table, a one-line message instead."""
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except (OSError, ValueError) as error:
        yield f"cannot read tablebases in {short_path(folder)}: {reason_of(error, 'folder')}"
        return
    for entry in entries:
        name, suffix = os.path.splitext(entry.name)  # noqa: PTH122 (fast)
        if suffix in _MAGIC and syzygy.is_tablename(name):
            try:
                yield check_file(Path(entry.path), name, suffix)
            except (OSError, ValueError) as error:
                yield f"tablebase {short_path(entry.path)} ignored: {damage_text(error)}"


def check_file(path: Path, name: str, suffix: str) -> TableFile:
    """Check a table's size and magic number without reading the rest.

    :raises OSError: if it cannot be read.
    :raises ValueError: if it is not a table.
    """
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):  # opening a FIFO would block
        raise ValueError("not a regular file")
    if status.st_size % 64 != TRAILER_BYTES or status.st_size <= 64:
        raise ValueError("damaged (wrong size)")
    table = TableFile(path, name, suffix, status.st_size)
    if table.pieces <= _MAGIC_CHECKED:
        with path.open("rb", buffering=0) as file:
            if file.read(4) != _MAGIC[suffix]:
                raise ValueError("damaged (wrong magic number)")
    return table


def read_checksums(text: str) -> dict[str, str]:
    """Parse the output of `sha256sum`: hexadecimal digests by path, without `./` and `*`."""
    digests = {}
    for line in text.splitlines():
        digest, _, path = line.strip().partition(" ")
        if path and not digest.startswith("#"):
            digests[path.strip().removeprefix("*").removeprefix("./")] = digest.lower()
    return digests


def check_contents(path: Path) -> None:
    """Compare a shipped table with its checksum.

    :raises ValueError: if it does not match.
    """
    import hashlib

    wanted = read_checksums(CHECKSUMS.read_text("ascii")).get(path.name)
    if hashlib.sha256(path.read_bytes()).hexdigest() != wanted:
        raise ValueError("damaged (wrong checksum)")


def damage_text(error: BaseException) -> str:
    """Why a table is not used, in a few words."""
    if isinstance(error, OSError) or (isinstance(error, ValueError) and str(error)):
        return reason_of(error)
    return f"damaged ({type(error).__name__})"


def short_path(path: object) -> str:
    """A path, shortened to fit on a line."""
    text = " ".join(str(path).split())
    return text if len(text) <= 80 else "..." + text[-77:]

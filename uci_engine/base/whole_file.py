"""Writes files completely or not at all: replaces them in one step, or appends a whole record.

A regular file is written under a temporary name beside its target, and renamed when it is complete
and on disk. So a full disk or an interruption leaves the old file unchanged. Devices, pipes and
standard output are written to directly. The name `-` means standard output, or standard input for
reading.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
import weakref
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, TextIO

from .text import name_text

#: The name for standard output when writing, and for standard input when reading.
STANDARD_STREAM = Path("-")

#: Maximum number of links to follow, as in Linux.
_MAX_LINKS = 40

_BINARY = getattr(os, "O_BINARY", 0)

#: Errors from examining a file that does not exist: no path, no stream, or another kind of stream.
_NO_FILE = (OSError, ValueError, AttributeError)


class WriteError(OSError):
    """Why a file cannot be written: `filename` is its name, `strerror` the reason."""

    def __init__(self, path: str | os.PathLike[str], error: OSError) -> None:
        reason = error.strerror or str(error)
        super().__init__(error.errno or errno.EIO, reason, os.fspath(path))

    def __str__(self) -> str:
        return f"cannot write {output_name(Path(self.filename))}: {self.strerror}"


class WholeFile(contextlib.AbstractContextManager["WholeFile"]):
    """A context that writes a file: renamed to its target at the end, discarded after an exception.

    A temporary file left by an interrupt is removed when the program ends.

    :param path: the file; a link to it remains a link, and an old file's permissions are kept.
    :raises WriteError: here, in `write` and at the end, if it cannot be written; the old file is
        then unchanged.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._part: Path | None = None
        try:
            direct = open_directly(path)
            self._file = direct or self._open_part()
        except OSError as error:
            raise WriteError(path, error) from None

    def _open_part(self) -> BinaryIO:
        # realpath, because replacing a link would not change its target.
        self._target = Path(os.path.realpath(self.path))
        mode = None
        if self._target.exists():
            if self._target.is_dir():
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
            # A read-only file must not be replaced, even if its folder allows that.
            with self._target.open("ab") as old:
                mode = stat.S_IMODE(os.fstat(old.fileno()).st_mode)
        name = f".{self._target.name[:200]}.{os.urandom(4).hex()}.part"
        part = self._target.with_name(name)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY
        descriptor = os.open(part, flags, 0o666 if mode is None else mode & 0o666 | 0o200)
        self._part = part
        self._removal = weakref.finalize(self, _remove, part)
        if mode is not None:
            with contextlib.suppress(OSError):  # a file system without permissions
                part.chmod(mode)
        return open(descriptor, "wb")  # noqa: PTH123 (a descriptor)

    def write(self, data: bytes | str) -> None:
        """Add bytes, or text as UTF-8.

        :raises WriteError: if it cannot be written. Characters that UTF-8 cannot encode become `?`.
        """
        if isinstance(data, str):
            data = data.encode("utf-8", "replace")
        try:
            self._file.write(data)
            if self._part is None:
                self._file.flush()  # a pipe's reader need not wait for the end
        except BrokenPipeError:
            raise
        except OSError as error:
            self.drop()
            raise WriteError(self.path, error) from None

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is None:
            self.keep()
        else:
            self.drop()

    def keep(self) -> None:
        """Rename the file to its target, unless it has been discarded.

        :raises WriteError: if that fails.
        """
        if self._file.closed:
            return
        try:
            self._file.flush()
            if self._part is not None:
                os.fsync(self._file.fileno())
            self._file.close()
            if self._part is not None:
                self._part.replace(self._target)
                self._removal.detach()
        except BrokenPipeError:
            raise
        except OSError as error:
            self.drop()
            raise WriteError(self.path, error) from None

    def drop(self) -> None:
        """Remove the temporary file; the old file stays unchanged."""
        with contextlib.suppress(OSError):
            self._file.close()
        if self._part is not None:
            self._removal()


def _remove(part: Path) -> None:
    with contextlib.suppress(OSError):
        part.unlink()


def write_whole(path: Path, data: bytes | str) -> None:
    """Write a whole file, text as UTF-8, or leave the old one unchanged.

    :raises WriteError: if that is impossible.
    """
    with WholeFile(path) as file:
        file.write(data)


def append_record(path: Path, text: str) -> None:
    """Append a record followed by an empty line; create the file if it is missing.

    :raises OSError: if there is no space; a regular file then keeps its length.
    """
    direct = open_directly(path)
    if direct:
        with direct:
            direct.write(text.encode("utf-8", "replace"))
        return
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | _BINARY, 0o666)
    try:
        append_whole(descriptor, f"{_line_missing(path)}{text}".encode("utf-8", "replace"))
    finally:
        os.close(descriptor)


def _line_missing(path: Path) -> str:
    """The line breaks needed for an empty line at the end of a file."""
    try:
        with path.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - 4))
            end = file.read().replace(b"\r", b"")
    except OSError:
        return ""  # it can be written but not read
    if not end or end.endswith(b"\n\n"):
        return ""
    return "\n" if end.endswith(b"\n") else "\n\n"


def open_to_append(path: Path) -> int:
    """Open a file for reading and appending records; it need not exist.

    :raises OSError: if it cannot be opened.
    """
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0)
    return os.open(path, flags, 0o666)


#: The byte locked for a whole file on systems that lock bytes; nothing beyond it is text.
_LOCKED_BYTE = 0x7FFFFFFE


def lock(descriptor: int) -> None:
    """Lock an open file against other processes until it is closed, if the system can.

    :raises BlockingIOError: if another process has locked it.
    """
    try:
        if sys.platform == "win32":
            _lock_byte(descriptor)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise
    except (ImportError, OSError):
        pass  # a system or file system without locks


def _lock_byte(descriptor: int) -> None:
    """Lock a byte that is hardly ever read: Windows prevents others from reading locked bytes."""
    import msvcrt

    os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
    try:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
    except OSError as error:
        raise BlockingIOError(errno.EAGAIN, error.strerror) from None
    finally:
        os.lseek(descriptor, 0, os.SEEK_SET)


class Claim(contextlib.AbstractContextManager["Claim"]):
    """A context in which no other process can claim the same file or folder for writing.

    A file that is only appended to is locked itself, see `lock`; for a file that is replaced, a
    hidden file beside it is locked. It is removed at the end; one left behind by a killed process
    locks nothing.

    :param path: what will be written; devices and pipes are not claimed.
    :raises WriteError: if another process has claimed it.
    """

    def __init__(self, path: Path) -> None:
        self._place = Path(os.path.realpath(path))
        self._place = self._place.with_name(f".{self._place.name[:200]}.lock")
        self.close: Callable[[], object] = lambda: None
        if _is_written_directly(path):
            return
        try:
            descriptor = self._lock()
        except BlockingIOError as error:
            reason = OSError(error.errno, "another process is writing it")
            raise WriteError(path, reason) from None
        except OSError:
            return  # writing will reveal the reason
        self.close = weakref.finalize(self, _release, self._place, descriptor)

    def _lock(self) -> int:
        while True:
            descriptor = os.open(self._place, os.O_RDWR | os.O_CREAT | _BINARY, 0o666)
            try:
                lock(descriptor)
                if os.path.samestat(os.fstat(descriptor), self._place.stat()):
                    return descriptor
            except FileNotFoundError:
                pass  # the previous owner removed it in the meantime
            except BaseException:
                os.close(descriptor)
                raise
            os.close(descriptor)

    def __exit__(self, *exception: object) -> None:
        self.close()


def _release(place: Path, descriptor: int) -> None:
    """Release a claim. Windows cannot remove an open file, which another process may have."""
    if sys.platform == "win32":
        os.close(descriptor)
    _remove(place)
    if sys.platform != "win32":
        os.close(descriptor)


def append_whole(descriptor: int, data: bytes) -> None:
    """Append a record to a file open for appending, and flush it to disk.

    :raises OSError: if there is no space; a regular file then keeps its length.
    """
    status = os.fstat(descriptor)
    try:
        # One call, so that a killed process leaves the whole record, its beginning, or nothing.
        if os.write(descriptor, data) != len(data):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        if stat.S_ISREG(status.st_mode):
            os.fsync(descriptor)
    except OSError:
        if stat.S_ISREG(status.st_mode):
            with contextlib.suppress(OSError):
                os.ftruncate(descriptor, status.st_size)
        raise


def open_directly(path: Path) -> BinaryIO | None:
    """Open a device, a pipe or standard output for writing; None for a file that can be replaced.

    :raises OSError: if it cannot be opened.
    """
    if not _is_written_directly(path):
        return None
    if is_standard_output(path):
        sys.stdout.flush()
        return open(os.dup(sys.stdout.fileno()), "wb")  # noqa: PTH123 (a descriptor)
    return open(os.open(path, os.O_WRONLY | os.O_APPEND | _BINARY), "wb")  # noqa: PTH123


def _is_written_directly(path: Path) -> bool:
    """Whether a path is a device, a pipe or standard output."""
    try:
        status = _status(path, sys.stdout)
    except _NO_FILE:
        return False  # any error will show when it is written
    is_regular = stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)
    return not is_regular or path == STANDARD_STREAM or _is_descriptor(path)


def _is_descriptor(path: Path) -> bool:
    """Whether a path names an already open file, as /dev/stdout does."""
    place = os.path.abspath(path)  # noqa: PTH100 (without following links)
    for _ in range(_MAX_LINKS):
        if place.startswith(("/proc/", "/dev/fd/")):
            return True
        try:
            place = os.path.join(os.path.dirname(place), os.readlink(place))  # noqa: PTH115, PTH118, PTH120
        except OSError:
            return False
    return False


def output_name(path: Path) -> str:
    """The name of an output file in messages."""
    return "standard output" if path == STANDARD_STREAM else name_text(str(path))


def is_standard_output(path: Path) -> bool:
    """Whether a path leads to the same place as standard output, under any name."""
    return path == STANDARD_STREAM or is_same_file(path, STANDARD_STREAM)


def is_same_file(one: Path, other: Path) -> bool:
    """Whether two output paths name the same existing file, following links."""
    try:
        return _are_one(_status(one, sys.stdout), _status(other, sys.stdout))
    except _NO_FILE:
        return False


def is_read(target: Path, source: Path) -> bool:
    """Whether an output file is also an input, under any name; devices may be both."""
    try:
        read, written = _status(source, sys.stdin), _status(target, sys.stdout)
    except _NO_FILE:
        return False
    return stat.S_ISREG(read.st_mode) and _are_one(read, written)


def _status(path: Path, stream: TextIO) -> os.stat_result:
    """What identifies a file; `stream` is what `-` means."""
    return os.fstat(stream.fileno()) if path == STANDARD_STREAM else path.stat()


def _are_one(one: os.stat_result, other: os.stat_result) -> bool:
    # Windows has no file numbers for pipes and devices.
    return one.st_ino != 0 and os.path.samestat(one, other)

"""Memory that several processes share, and that is gone with the last of them.

A block has no name in any file system. On POSIX it is an open file without a folder entry, handed
to a running process over a socket; on Windows it is a mapping that lives as long as a process has
it open. Either way it is gone with its last process, however that one ends.
"""

from __future__ import annotations

import contextlib
import itertools
import mmap
import os
import socket
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass

#: Where a file for sharing may lie if the system has no files in memory only; the first is memory,
#: the empty one wherever temporary files lie, which is looked up only then: it may not exist.
FOLDERS = ("/dev/shm", "")

_HUGE_PAGE = 2 * 1024 * 1024
_MADV_COLLAPSE = 25  # Linux 6.1; Python has no name for it
_CHUNK = bytes(1024 * 1024)


@dataclass(frozen=True)
class Handle:
    """What another process must know of a block, besides the open file it is given."""

    size: int
    name: str = ""  # on Windows only


class Mapping:
    """A block as a process sees it that uses it; gone with the last reference to its words."""

    def __init__(self, memory: mmap.mmap, start: int, size: int) -> None:
        self._memory = memory
        self._start = start
        self._size = size

    @property
    def words(self) -> memoryview:
        """The block as unsigned 64-bit numbers, as far as they fit."""
        end = self._start + self._size // 8 * 8
        return memoryview(self._memory)[self._start : end].cast("Q")

    def use_huge_pages(self) -> None:
        """Get huge pages where the system does not give them to shared memory by itself.

        They are filled here and now, with zeros or with what is there, about a fifth of a second
        for a gigabyte. One process does it for all, and does not disturb them.
        """
        size = self._size // _HUGE_PAGE * _HUGE_PAGE
        if sys.platform != "linux" or not size:
            return
        for place in range(self._start, self._start + size, _HUGE_PAGE):
            self._memory[place]  # what nobody has touched is not collapsed
        with contextlib.suppress(OSError):  # an older system, or no room: small pages serve, too
            self._memory.madvise(_MADV_COLLAPSE, self._start, size)


class SharedMemory:
    """A zeroed block, as the process sees it that makes it and hands it out.

    :param size: bytes.
    :raises OSError: if the system cannot share memory, or not this much of it.
    """

    def __init__(self, size: int) -> None:
        #: The folder of the block's file, if it could not be in memory alone; else empty.
        self.folder = ""
        self._file = -1
        self._memory: mmap.mmap | None = None
        if sys.platform == "win32":
            self.handle = Handle(size, f"halbzug-{os.getpid()}-{os.urandom(8).hex()}")
            self._memory = mmap.mmap(-1, size, tagname=self.handle.name)
        else:
            self.handle = Handle(size)
            _check_free_memory(size)
            self._file, self.folder = _nameless_file(size)

    @property
    def files(self) -> list[int]:
        """The descriptors that a process must be given to `attach`."""
        return [self._file] if self._file >= 0 else []

    def map(self) -> Mapping:
        """The block as this process uses it itself.

        :raises OSError: if there is no address space for it.
        """
        return _map(self.handle, self._file)

    def close(self) -> None:
        """Release the block; processes that have it mapped keep it."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1
        if self._memory:
            self._memory.close()
            self._memory = None


def open_channel() -> tuple[socket.socket, socket.socket] | tuple[None, None]:
    """Two ends of a way to hand over open files; none on Windows, where names do."""
    return socket.socketpair() if os.name == "posix" else (None, None)


def duplicate_files(blocks: Sequence[SharedMemory]) -> list[int]:
    """Descriptors to hand over even if the blocks are closed meanwhile; to be closed afterwards.

    :raises OSError: if there are no more.
    """
    files: list[int] = []
    try:
        for file in itertools.chain.from_iterable(block.files for block in blocks):
            files.append(os.dup(file))
    except OSError:
        for file in files:
            os.close(file)
        raise
    return files


def hand_over(channel: socket.socket | None, files: Sequence[int]) -> None:
    """Send what `attach` needs at the other end: the `files` of one or more blocks.

    :raises OSError: if the other end is gone.
    """
    if channel and files:
        socket.send_fds(channel, [b"."], files)


def attach(channel: socket.socket | None, handles: Sequence[Handle]) -> list[Mapping]:
    """Map the blocks that the other end has handed over together.

    :raises OSError: if they did not arrive, or if there is no address space for them.
    """
    files = [-1] * len(handles)
    if channel:
        files = list(socket.recv_fds(channel, 1, len(handles))[1])
    try:
        if len(files) != len(handles):
            raise OSError("the shared memory did not arrive")
        return [_map(handle, file) for handle, file in zip(handles, files, strict=True)]
    finally:
        for file in files:
            if file >= 0:
                os.close(file)


def _check_free_memory(size: int) -> None:
    """Find out whether there is room: a file takes any size, and writing to it would kill us.

    :raises OSError: if there is none.
    """
    try:
        mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS).close()
    except (OverflowError, ValueError) as error:
        raise OSError(str(error)) from None


def _nameless_file(size: int) -> tuple[int, str]:
    """A file in memory only, else one without a name on disk; and the folder it lies in."""
    if hasattr(os, "memfd_create"):
        with contextlib.suppress(OSError):
            file = os.memfd_create("halbzug")
            os.ftruncate(file, size + 2 * _HUGE_PAGE)  # what is not touched costs nothing
            return file, ""
    reason = OSError("no folder for it")
    for folder in FOLDERS:
        try:
            with tempfile.TemporaryFile(buffering=0, dir=folder or None) as disk:
                # Writing finds out whether there is room: later it would kill the process.
                for _ in range(0, size + 2 * _HUGE_PAGE, len(_CHUNK)):
                    if disk.write(_CHUNK) < len(_CHUNK):
                        raise OSError("not enough room")
                return os.dup(disk.fileno()), folder or tempfile.gettempdir()
        except OSError as error:
            reason = error
    raise reason


def _map(handle: Handle, file: int) -> Mapping:
    """Map a block, if possible at an address that allows huge pages.

    The file is two huge pages longer than the block, which begins one huge page behind the start.
    """
    if sys.platform == "win32":
        return Mapping(mmap.mmap(-1, handle.size, tagname=handle.name), 0, handle.size)
    offset = 0
    for is_last in (handle.size < _HUGE_PAGE, False, True):
        memory = mmap.mmap(file, handle.size + _HUGE_PAGE, offset=offset)
        surplus = 0 if is_last else (_address(memory) - offset) % _HUGE_PAGE
        if not surplus:
            break
        # The system puts what is of the same size into the same place again: there, this much
        # further on in the file, address and offset agree.
        offset = (offset + surplus) % _HUGE_PAGE
        memory.close()
    return Mapping(memory, _HUGE_PAGE - offset, handle.size)


def _address(memory: mmap.mmap) -> int:
    """Where a mapping begins; 0 if that cannot be found out."""
    try:
        import ctypes  # not in every Python, and of no use without shared memory
    except ImportError:
        return 0
    return ctypes.addressof(ctypes.c_char.from_buffer(memory))

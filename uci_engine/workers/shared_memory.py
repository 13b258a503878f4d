"""Memory shared by several processes, which disappears with the last of them.

A block has no name in any file system. On POSIX, it is an open file without a directory entry,
handed to a running process over a socket; on Windows, it is a mapping that exists as long as a
process has it open. Either way it disappears with its last process, however that ends.
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
from typing import NamedTuple

#: Folders for the file if the system has no memory-only files; the first is in memory, and the
#: empty one stands for the default folder of temporary files, looked up only when needed because it
#: may not exist.
FOLDERS = ("/dev/shm", "")

_HUGE_PAGE = 2 * 1024 * 1024
_MADV_COLLAPSE = 25  # Linux 6.1; not defined by Python
_CHUNK = bytes(1024 * 1024)


class Handle(NamedTuple):
    """What another process must know about a block, besides the open file that it receives."""

    size: int
    name: str = ""  # on Windows only


class Mapping:
    """A mapped block; released with the last reference to its words."""

    def __init__(self, memory: mmap.mmap, start: int, size: int) -> None:
        self._memory = memory
        self._start = start
        self._size = size

    @property
    def words(self) -> memoryview:
        """The block as unsigned 64-bit numbers, without a shorter rest."""
        end = self._start + self._size // 8 * 8
        return memoryview(self._memory)[self._start : end].cast("Q")

    def use_huge_pages(self) -> None:
        """Request huge pages where the system does not use them for shared memory by itself.

        The pages are filled immediately, keeping their content, which takes about a fifth of a
        second per gigabyte. One process does it for all, without disturbing the others.
        """
        size = self._size // _HUGE_PAGE * _HUGE_PAGE
        if sys.platform != "linux" or not size:
            return
        for place in range(self._start, self._start + size, _HUGE_PAGE):
            self._memory[place]  # untouched pages are not collapsed
        with contextlib.suppress(OSError):  # an older system, or no space: small pages also work
            self._memory.madvise(_MADV_COLLAPSE, self._start, size)


class SharedMemory:
    """A zeroed block, for the process that creates it and hands it out.

    :param size: bytes.
    :raises OSError: if the system cannot share memory, or not this much of it.
    """

    def __init__(self, size: int) -> None:
        #: The folder of the block's file, if it could not be in memory alone; otherwise empty.
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
        """The descriptors that a process needs for `attach`."""
        return [self._file] if self._file >= 0 else []

    def map(self) -> Mapping:
        """Map the block in this process.

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
    """The two ends of a channel for open files; none on Windows, where blocks have names."""
    return socket.socketpair() if os.name == "posix" else (None, None)


def duplicate_files(blocks: Sequence[SharedMemory]) -> list[int]:
    """Duplicate descriptors, so that blocks may be closed before these are handed over.

    The caller must close them.

    :raises OSError: if there are no more descriptors.
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
    """Send the `files` of one or more blocks to an `attach` at the other end.

    :raises OSError: if the other end is gone.
    """
    if channel and files:
        socket.send_fds(channel, [b"."], files)


def attach(channel: socket.socket | None, handles: Sequence[Handle]) -> list[Mapping]:
    """Map the blocks that the other end has handed over together.

    :raises OSError: if they did not arrive, or there is no address space for them.
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
    """Check for free memory: a file may have any size, but writing to it could kill the process.

    :raises OSError: if there is too little.
    """
    try:
        mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS).close()
    except (OverflowError, ValueError) as error:
        raise OSError(str(error)) from None


def _nameless_file(size: int) -> tuple[int, str]:
    """A file in memory only, or else a nameless one on disk, and its folder."""
    if hasattr(os, "memfd_create"):
        with contextlib.suppress(OSError):
            file = os.memfd_create("halbzug")
            os.ftruncate(file, size + 2 * _HUGE_PAGE)  # untouched pages use no memory
            return file, ""
    reason = OSError("no folder for it")
    for folder in FOLDERS:
        try:
            with tempfile.TemporaryFile(buffering=0, dir=folder or None) as disk:
                # Writing reveals whether there is space: later, it would kill the process.
                for _ in range(0, size + 2 * _HUGE_PAGE, len(_CHUNK)):
                    if disk.write(_CHUNK) < len(_CHUNK):
                        raise OSError("not enough room")
                return os.dup(disk.fileno()), folder or tempfile.gettempdir()
        except OSError as error:
            reason = error
    raise reason


def _map(handle: Handle, file: int) -> Mapping:
    """Map a block, if possible at an address that allows huge pages.

    The file is two huge pages longer than the block, which begins one huge page after the start.
    """
    if sys.platform == "win32":
        return Mapping(mmap.mmap(-1, handle.size, tagname=handle.name), 0, handle.size)
    offset = 0
    for is_last in (handle.size < _HUGE_PAGE, False, True):
        memory = mmap.mmap(file, handle.size + _HUGE_PAGE, offset=offset)
        surplus = 0 if is_last else (_address(memory) - offset) % _HUGE_PAGE
        if not surplus:
            break
        # The system maps the same size at the same address again; with this larger offset into the
        # file, address and offset agree.
        offset = (offset + surplus) % _HUGE_PAGE
        memory.close()
    return Mapping(memory, _HUGE_PAGE - offset, handle.size)


def _address(memory: mmap.mmap) -> int:
    """The address of a mapping; 0 if unknown."""
    try:
        import ctypes  # missing in some Pythons, and only needed for shared memory
    except ImportError:
        return 0
    return ctypes.addressof(ctypes.c_char.from_buffer(memory))

"""Decompresses files while reading: gzip, Zstandard, bzip2, xz, detected by their first bytes.

A compressed file may consist of any number of consecutive parts. Each step decompresses a piece of
bounded size, so that memory use does not depend on the size of the content.
"""

from __future__ import annotations

import errno
import io
import sys
import zlib
from collections.abc import Callable
from pathlib import PurePath
from typing import Any, BinaryIO, Protocol

#: Extensions of compressed files, which follow the extension of the content.
SUFFIXES = (".zst", ".gz", ".bz2", ".xz")

#: The size of a piece in bytes, compressed or decompressed.
_PIECE_SIZE = 1 << 17


class CompressionError(OSError):
    """Why compressed data cannot be read; `strerror` is one line."""

    def __init__(self, reason: str) -> None:
        super().__init__(errno.EIO, reason)


class _Decompressor(Protocol):
    """Decompresses one part, with the standard library's interface."""

    @property
    def eof(self) -> bool:
        """Whether the part has ended."""

    @property
    def needs_input(self) -> bool:
        """Whether more data is needed for further output."""

    @property
    def unused_data(self) -> bytes:
        """The input after the part's end."""

    def decompress(self, data: bytes, max_length: int) -> bytes:
        """The next bytes, at most `max_length`."""


def plain_suffix(path: PurePath) -> str:
    """The extension in lower case, ignoring that of a compression.

    >>> plain_suffix(PurePath("2026-01.PGN.zst")), plain_suffix(PurePath("suite.epd"))
    ('.pgn', '.epd')
    """
    compressed = path.suffix.lower() in SUFFIXES
    return PurePath(path.stem).suffix.lower() if compressed else path.suffix.lower()


def decompressed(file: io.RawIOBase) -> BinaryIO:
    """A file's content, decompressed if necessary.

    The first bytes are read one by one as long as they may be those of a compressed file, so that a
    line typed at a terminal is available at once.

    :param file: an unbuffered file; closed together with the result.
    :raises CompressionError: if a module is missing; also from the result, after all readable
        content, if the data is damaged or truncated.
    """
    start = b""
    while any(known.startswith(start) and known != start for known in _KINDS):
        byte = file.read(1)
        if not byte:
            break
        start += byte
    source: io.RawIOBase = _Source(start, file)
    if kind := _KINDS.get(start):
        try:
            source = _Decompressed(source, *kind())
        except ImportError as error:
            missing = f"this Python was built without its module {error.name}"
            raise CompressionError(missing) from None
    return io.BufferedReader(source, _PIECE_SIZE)


class _Source(io.RawIOBase):
    """A file whose first bytes have already been read."""

    def __init__(self, start: bytes, file: io.RawIOBase) -> None:
        self._start = start
        self._file = file

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        if not self._start:
            return self._file.readinto(buffer)
        count = min(len(buffer), len(self._start))
        buffer[:count], self._start = self._start[:count], self._start[count:]
        return count

    def close(self) -> None:
        self._file.close()
        super().close()


class _Decompressed(io.RawIOBase):
    """The content of a compressed file.

    :param make: creates a decompressor for each part.
    :param error: what the decompressor raises for damaged data.
    """

    def __init__(
        self, source: io.RawIOBase, make: Callable[[], _Decompressor], error: type[Exception]
    ) -> None:
        self._source = source
        self._make = make
        self._error = error
        self._part = make()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        size = min(len(buffer), _PIECE_SIZE)
        piece = b""
        while not piece:
            data = b""
            if self._part.eof:
                data = self._next_part()
                if not data:
                    return 0
                self._part = self._make()
            elif self._part.needs_input:
                data = self._source.read(_PIECE_SIZE) or b""
                if not data:
                    raise CompressionError("the compressed data is cut off")
            try:
                piece = self._part.decompress(data, size)
            except self._error as error:
                raise CompressionError(f"the compressed data is damaged: {error}") from None
        buffer[: len(piece)] = piece
        return len(piece)

    def _next_part(self) -> bytes:
        """The first bytes of the next part, without padding; empty at the end."""
        data = self._part.unused_data.lstrip(b"\0")
        while not data and (data := self._source.read(_PIECE_SIZE) or b""):
            data = data.lstrip(b"\0")
        return data

    def close(self) -> None:
        self._source.close()
        super().close()


class _GzipDecompressor:
    """zlib's decompressor with the interface of the others."""

    def __init__(self) -> None:
        self._zlib = zlib.decompressobj(wbits=16 + zlib.MAX_WBITS)
        self.needs_input = True

    @property
    def eof(self) -> bool:
        return self._zlib.eof

    @property
    def unused_data(self) -> bytes:
        return self._zlib.unused_data

    def decompress(self, data: bytes, max_length: int) -> bytes:
        piece = self._zlib.decompress(self._zlib.unconsumed_tail + data, max_length)
        self.needs_input = len(piece) < max_length
        return piece


_Kind = tuple[Callable[[], _Decompressor], type[Exception]]


def _gzip() -> _Kind:
    return _GzipDecompressor, zlib.error


def _bzip2() -> _Kind:
    import bz2

    return bz2.BZ2Decompressor, OSError


def _xz() -> _Kind:
    import lzma

    return lzma.LZMADecompressor, lzma.LZMAError


def _zstd() -> _Kind:
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        try:
            from backports import zstd
        except ImportError:
            advice = "Zstandard needs the package backports.zstd: pip install backports.zstd"
            raise CompressionError(advice) from None
    window = zstd.DecompressionParameter.window_log_max
    # The largest window, which --long may require: 2 GiB on 64-bit systems.
    options = {int(window): window.bounds()[1]}
    return lambda: zstd.ZstdDecompressor(options=options), zstd.ZstdError


def _archive(kind: str) -> Callable[[], _Kind]:
    """Refuses an archive, which may hold any number of files."""

    def refuse() -> _Kind:
        raise CompressionError(f"a {kind} archive; please unpack it first")

    return refuse


#: Decompressors by the first bytes of the data; Zstandard also by those of a skippable frame.
_KINDS: dict[bytes, Callable[[], _Kind]] = {
    b"\x1f\x8b": _gzip,
    b"BZh": _bzip2,
    b"\xfd7zXZ\0": _xz,
    b"\x28\xb5\x2f\xfd": _zstd,
    b"PK\x03\x04": _archive("ZIP"),
    b"7z\xbc\xaf": _archive("7z"),
    b"Rar!": _archive("RAR"),
    **{bytes((0x50 + number,)) + b"\x2a\x4d\x18": _zstd for number in range(16)},
}

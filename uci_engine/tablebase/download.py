"""Downloads large files with known checksums.

Interrupted downloads are continued, and temporary failures retried. A file gets its final name only
when it is complete and its checksum matches.
"""

from __future__ import annotations

import hashlib
import http.client
import os
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

from ..base.whole_file import WriteError
from ..version import __version__

#: Attempts per file, and the pause after the first one, which doubles each time.
ATTEMPTS = 5
FIRST_PAUSE_SECONDS = 0.5

#: How long a server may send nothing, in seconds.
TIMEOUT_SECONDS = 30.0

#: Bytes read at a time.
CHUNK = 1 << 18

#: Algorithms by the length of their digests in hexadecimal digits.
DIGEST_NAMES = {32: "md5", 40: "sha1", 64: "sha256", 128: "sha512"}

_NOT_FOUND, _RANGE_NOT_SATISFIABLE, _PARTIAL_CONTENT = 404, 416, 206
_PASSING_STATUS = (408, 425, 429)  # and all of 5xx: another attempt may succeed


class DownloadError(Exception):
    """Why a file cannot be downloaded, in one line."""


class _PassingError(Exception):
    """A failure that may be temporary."""


class _UselessPartError(_PassingError):
    """The part downloaded earlier is longer than the file."""


def read(url: str, max_bytes: int) -> bytes:
    """The first `max_bytes` bytes of a file.

    :raises DownloadError: if it cannot be downloaded.
    """

    def attempt() -> bytes:
        with _open(url, 0) as response:
            return bytes(response.read(max_bytes))

    return bytes(_persist(url, attempt))


def fetch_file(url: str, target: Path, digest: str, advance: Callable[[int], None]) -> None:
    """Download one file; it gets its name only when it is complete and its checksum matches.

    :raises DownloadError: if all attempts fail.
    :raises OSError: if it cannot be written.
    """
    target = Path(os.path.realpath(target))  # keep a link as a link
    part = target.with_name(target.name + ".part")

    def download() -> None:
        if not has_digest(part, digest):
            _continue(url, part, advance)
            if not has_digest(part, digest):
                part.unlink()
                raise _PassingError("wrong checksum")

    _persist(url, download, lambda: _size(part))
    part.replace(target)


def _continue(url: str, part: Path, advance: Callable[[int], None]) -> None:
    """Download the missing part of a file.

    :raises _PassingError: if the connection ends too early, or the existing part is useless.
    """
    there = _size(part)
    try:
        response = _open(url, there)
    except _UselessPartError:
        part.unlink()
        raise
    with response:
        if response.status != _PARTIAL_CONTENT:
            there = 0  # the server cannot continue: start from the beginning
        elif not response.headers.get("Content-Range", "").startswith(f"bytes {there}-"):
            part.unlink()
            raise _PassingError("the mirror sent another part of the file")
        expected = int(response.headers.get("Content-Length") or 0)
        try:
            with part.open("ab" if there else "wb") as file:
                count = _copy(response, file, advance)
        except OSError as error:
            raise WriteError(part, error) from None
    if count < expected:
        raise _PassingError("the connection was lost")


def _copy(source: Any, sink: BinaryIO, advance: Callable[[int], None]) -> int:
    """Copy a response to the file; data received before the connection is lost is kept."""
    count = 0
    while True:
        try:
            chunk = source.read(CHUNK)
        except (OSError, http.client.HTTPException) as error:
            raise _PassingError(reason_of(error)) from None
        if not chunk:
            return count
        sink.write(chunk)
        count += len(chunk)
        advance(len(chunk))


def _persist(url: str, action: Callable[[], Any], progress: Callable[[], int] = int) -> Any:
    """Use a URL, with several attempts if necessary.

    :param progress: the bytes so far; an attempt that adds some does not count.
    :raises DownloadError: if all attempts fail; the message is one line.
    """
    farthest = progress()
    attempt = 0
    while attempt < ATTEMPTS:
        if attempt:
            time.sleep(FIRST_PAUSE_SECONDS * 2 ** (attempt - 1))
        attempt += 1
        try:
            return action()
        except _PassingError as error:
            reason = str(error)
        if progress() > farthest:
            farthest = progress()
            attempt = 1
    raise DownloadError(f"{url}: {reason} ({ATTEMPTS} attempts); run again to continue")


def _open(url: str, start: int) -> Any:
    """Request a file from byte `start` on.

    :raises _PassingError: if another attempt may succeed.
    :raises DownloadError: if none will.
    """
    headers = {"User-Agent": f"halbzug/{__version__}", "Accept-Encoding": "identity"}
    if start:
        headers["Range"] = f"bytes={start}-"
    try:
        request = urllib.request.Request(url, headers=headers)
        return urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS)
    except urllib.error.HTTPError as error:
        with error:
            if error.code == _RANGE_NOT_SATISFIABLE and start:
                raise _UselessPartError("cannot continue this file") from None
            if error.code >= 500 or error.code in _PASSING_STATUS:
                raise _PassingError(f"the mirror answered {error.code} {error.reason}") from None
            what = "not there" if error.code == _NOT_FOUND else str(error.reason)
            raise DownloadError(f"{url}: {what} ({error.code})") from None
    except urllib.error.URLError as error:
        cause = error.reason if isinstance(error.reason, OSError) else error
        raise _PassingError(reason_of(cause)) from None
    except (OSError, http.client.HTTPException) as error:
        raise _PassingError(reason_of(error)) from None
    except ValueError as error:
        raise DownloadError(f"{url[:80]}: {error}") from None


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def has_digest(path: Path, digest: str) -> bool:
    """Whether a file exists and has this digest, whose length determines the algorithm."""
    if not path.is_file():
        return False
    state = hashlib.new(DIGEST_NAMES[len(digest)])
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            state.update(chunk)
    return state.hexdigest() == digest


def reason_of(error: BaseException) -> str:
    """An error in a few words, with the file name if there is one."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return " ".join(str(error).split()) or type(error).__name__

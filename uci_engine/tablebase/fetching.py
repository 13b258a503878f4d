"""Downloads all tablebases up to a number of pieces from a mirror."""

from __future__ import annotations

import json
import shutil
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from chess.syzygy import tablenames

from ..base.whole_file import Claim
from .download import (
    DIGEST_NAMES,
    DownloadError,
    fetch_file,
    has_digest,
    read,
    reason_of,
)
from .files import SHIPPED, read_checksums

#: Maximum size of a list of checksums, in bytes.
MAX_LIST_BYTES = 1 << 24


class FetchPlan:
    """What to download, and from where.

    :param pieces: the largest number of pieces in a table, including kings; 3 to 6.
    :param mirror: the URL of the mirror's folders; None means the default mirror.
    :raises DownloadError: if that is not a URL.
    """

    def __init__(self, pieces: int, mirror: str | None) -> None:
        data = json.loads((SHIPPED / "mirror.json").read_text("utf-8"))
        self.url = (mirror or data["url"]).rstrip("/") + "/"
        if not self.url.lower().startswith(("https://", "http://")):
            raise DownloadError(f"not an http or https address: {self.url[:80]}")
        self.checksums_url = self.url + data["checksums"]
        sets = data["sets"]
        self.megabytes = sum(sets[size]["megabytes"] for size in sets if int(size) <= pieces)
        self.paths: list[str] = []  # on the mirror, including the folder
        for name in sorted(tablenames(piece_count=pieces), key=lambda name: (len(name), name)):
            folders = sets["5" if len(name) - 1 <= 5 else "6"]
            self.paths += [f"{folders['wdl']}/{name}.rtbw", f"{folders['dtz']}/{name}.rtbz"]


class FetchProgress(Protocol):
    """Shows the progress of a download."""

    def begin(self, name: str) -> None:
        """The download of a file begins."""

    def receive(self, count: int) -> None:
        """Another `count` bytes have been received."""

    def finish(self) -> None:
        """The file is complete."""


def fetch(plan: FetchPlan, folder: Path, progress: FetchProgress) -> tuple[int, int]:
    """Download the files missing from a folder, which is created if necessary.

    :returns: the number of files downloaded, and of those already there.
    :raises DownloadError: if there is too little space, at the first file that has no checksum or
        cannot be downloaded, or if one cannot be written.
    """
    made = [place for place in (folder, *folder.parents) if not place.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with Claim(folder):
            _check_space(folder, plan)
            return _fetch_files(plan, folder, progress)
    except OSError as error:
        raise DownloadError(reason_of(error)) from None
    finally:
        for place in made:
            with suppress(OSError):
                place.rmdir()  # only if it is empty


def _check_space(folder: Path, plan: FetchPlan) -> None:
    """Check that there is space for the missing files.

    :raises DownloadError: if there is too little.
    """
    there = sum(file.stat().st_size for file in folder.glob("*.rtb*") if file.is_file())
    missing = plan.megabytes * 1_000_000 - there
    free = shutil.disk_usage(folder).free
    if missing > free:
        raise DownloadError(
            f"{folder} has {free / 1e9:.1f} GB left, but {missing / 1e9:.1f} GB are needed"
        )


def _fetch_files(plan: FetchPlan, folder: Path, progress: FetchProgress) -> tuple[int, int]:
    digests = _read_list(plan)
    fetched = present = 0
    for path in plan.paths:
        name = path.rpartition("/")[2]
        progress.begin(name)
        digest = digests.get(path) or digests.get(name)
        if digest is None:
            raise DownloadError(f"{name} is not in the mirror's list of checksums")
        if has_digest(folder / name, digest):
            present += 1
        else:
            fetch_file(plan.url + path, folder / name, digest, progress.receive)
            fetched += 1
        progress.finish()
    return fetched, present


def _read_list(plan: FetchPlan) -> dict[str, str]:
    """Download the mirror's checksums.

    :raises DownloadError: if they cannot be downloaded, or there are none.
    """
    text = read(plan.checksums_url, MAX_LIST_BYTES).decode("utf-8", "replace")
    digests = read_checksums(text)
    digests = {path: digest for path, digest in digests.items() if len(digest) in DIGEST_NAMES}
    if not digests:
        raise DownloadError(f"no list of checksums at {plan.checksums_url}")
    return digests

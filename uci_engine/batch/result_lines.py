"""Writes the results of a run over many positions as JSON lines, and continues such a file."""

from __future__ import annotations

import contextlib
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

from ..base.whole_file import WriteError, lock, open_directly
from .findings import Finding, finding_json, position_json
from .positions import Failure, Subject
from .tally import Tally


class ResultFileError(Exception):
    """Why a file cannot be used for results, in one line."""


class JsonLinesReport:
    """Writes a JSON line for each position, and one with the totals of a test suite.

    :param file: where to write; each line is flushed before the next finding.
    :param path: the file's name, if it has one.
    """

    def __init__(self, file: TextIO, tally: Tally, path: Path | None = None) -> None:
        self.file = file
        self.tally = tally
        self.path = path

    def add(self, number: int, subject: Subject, finding: Finding) -> None:
        """Write the line."""
        line = finding_json(number, subject, finding)
        self.tally.count(line)
        self._write(line)

    def close(self) -> None:
        """Write the totals."""
        if self.tally.problems > 1:
            self._write(self.tally.json())

    def _write(self, line: dict[str, Any]) -> None:
        try:
            self.file.write(json.dumps(line) + "\n")
            self.file.flush()
        except OSError as error:
            if self.path is None or isinstance(error, BrokenPipeError):
                raise
            raise WriteError(self.path, error) from None


#: How the lines of a `JsonLinesReport` begin, up to the digits.
_BEGINNINGS = (
    b'{"number": , "name": ',
    b'{"number": , "game": ',
    b'{"number": , "position": ',
    b'{"problems": , "solved": ',
)


def _is_begun(line: bytes) -> bool:
    """Whether an unfinished line begins like one of ours."""
    begun = re.sub(rb"[0-9]+", b"", line, count=2)
    return any(each.startswith(begun) or begun.startswith(each) for each in _BEGINNINGS)


class ResultFile:
    """A file of JSON lines with the results of an earlier run.

    :param path: a file, or a device or pipe, which cannot be continued.
    :param is_resumed: whether to continue the file; otherwise it must not exist.
    :raises ResultFileError: if the file is not a results file, or cannot be used.
    """

    def __init__(self, path: Path, is_resumed: bool) -> None:
        self.path = path
        self.tally = Tally()
        #: The number of positions that already have results.
        self.done = 0
        self._bits = bytearray()  # a bit for each of these positions, by number
        self._earlier: Iterator[tuple[int, str]] = iter(())  # numbers and positions
        self._ahead: dict[int, str] = {}  # earlier results that were read before they were needed
        self.is_complete = False
        try:
            direct = open_directly(path)
            self._is_regular = direct is None
            if direct and is_resumed:
                direct.close()
                raise ResultFileError(f"{path} is not a file that --resume can continue")
            if direct:
                self.file: TextIO = io.TextIOWrapper(direct, encoding="utf-8")
            else:
                self.file = path.open("a" if is_resumed else "x", encoding="utf-8")
                self._load()
        except BlockingIOError:
            raise ResultFileError(f"another run is writing to {path}") from None
        except FileExistsError:
            raise ResultFileError(f"{path} already exists; --resume continues it") from None
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise ResultFileError(f"cannot use {path}: {reason}") from None

    def _load(self) -> None:
        """Lock the file, and read its results."""
        try:
            lock(self.file.fileno())
            self._read()
        except BaseException:
            self.file.close()
            raise

    def _read(self) -> None:
        """Check and count the old results, and remove an incomplete last line."""
        end = 0
        with self.path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                try:
                    if not line.endswith(b"\n"):
                        if not _is_begun(line):
                            raise ValueError
                        break
                    self._count(json.loads(line.decode("utf-8")))
                    end += len(line)
                except (ValueError, KeyError, TypeError):
                    raise ResultFileError(
                        f"{self.path}, line {number}: not a result of halbzug analyse"
                    ) from None
        if end < self.path.stat().st_size:
            with self.path.open("r+b") as file:
                file.truncate(end)
        self._earlier = self._read_again(end)

    def _count(self, result: dict[str, Any]) -> None:
        if "number" not in result:
            self.is_complete = bool(result["problems"])
            return
        number, _ = int(result["number"]), str(result["position"])
        if number < 1:
            raise ValueError
        place, bit = number >> 3, 1 << (number & 7)
        if place >= len(self._bits):
            self._bits += bytes(2 * place + 1024 - len(self._bits))
        self.done += not self._bits[place] & bit
        self._bits[place] |= bit
        self.tally.count(result)

    def _read_again(self, end: int) -> Iterator[tuple[int, str]]:
        """The old results again, to compare them with the positions of this run."""
        with self.path.open("rb") as file:
            while file.tell() < end:
                result = json.loads(file.readline())
                if "number" in result:
                    yield int(result["number"]), str(result["position"])

    def close(self) -> None:
        """Close the file, and delete it if it has no results."""
        with contextlib.suppress(OSError):  # a full disk, which has already been reported
            self.file.close()
        if self._is_regular and self.path.stat().st_size == 0:
            self.path.unlink()

    def has(self, number: int, item: Subject | Failure) -> bool:
        """Whether a position already has a result.

        Memory use is bounded if the results are roughly in the order of the positions.

        :raises ResultFileError: if the result belongs to another position.
        """
        place = number >> 3
        if place >= len(self._bits) or not self._bits[place] & 1 << (number & 7):
            return False
        while number not in self._ahead:
            old, position = next(self._earlier)
            self._ahead[old] = position
        now = position_json(item)["position"] if isinstance(item, Subject) else None
        if self._ahead.pop(number) != now:
            raise ResultFileError(f"{self.path} has the results of other positions")
        return True

"""Writes the results of a run over many positions as JSON lines, and continues such a file."""

from __future__ import annotations

import contextlib
import io
import json
from pathlib import Path
from typing import Any, TextIO

from halbzug.analysis.findings import Finding, finding_json, position_json
from halbzug.analysis.positions import Failure, Subject
from halbzug.analysis.tally import Tally
from halbzug.whole_file import WriteError, open_directly


class ResultFileError(Exception):
    """Why a file cannot be used for results, in one line."""


class JsonLinesReport:
    """One JSON object a line for each position, and one with the totals of a test suite.

    :param file: where they are written; each line is flushed before the next finding.
    :param path: the name of the file, if there is one.
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


class ResultFile:
    """A file of JSON lines, with the results of an earlier run.

    :param path: a file; or a device or pipe, which cannot be continued.
    :param is_resumed: whether to continue the file; otherwise it must not exist.
    :raises ResultFileError: if the file is not one of results, or cannot be used.
    """

    def __init__(self, path: Path, is_resumed: bool) -> None:
        self.path = path
        self.tally = Tally()
        self._done: dict[int, str] = {}  # the positions by number
        self.is_complete = False
        try:
            direct = open_directly(path)
            self._is_regular = direct is None
            if direct and is_resumed:
                direct.close()
                raise ResultFileError(f"{path} is no file that --resume could continue")
            if direct:
                self.file: TextIO = io.TextIOWrapper(direct, encoding="utf-8")
            elif is_resumed and path.exists():
                self._read()
                self.file = path.open("a", encoding="utf-8")
            else:
                self.file = path.open("x", encoding="utf-8")
        except FileExistsError:
            raise ResultFileError(f"{path} is there already; --resume continues it") from None
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise ResultFileError(f"cannot use {path}: {reason}") from None

    def _read(self) -> None:
        """Read the old results, and remove a last line that is incomplete."""
        data = self.path.read_bytes()
        end = data.rfind(b"\n") + 1
        for number, line in enumerate(data[:end].decode("utf-8").splitlines(), start=1):
            try:
                result = json.loads(line)
                if "number" in result:
                    self._done[int(result["number"])] = str(result["position"])
                    self.tally.count(result)
                else:
                    self.is_complete = bool(result["problems"])
            except (ValueError, KeyError, TypeError):
                raise ResultFileError(
                    f"{self.path}, line {number}: not a result of halbzug analyse"
                ) from None
        if end < len(data):
            with self.path.open("r+b") as file:
                file.truncate(end)

    def close(self) -> None:
        """Close the file, and remove it if it has no results."""
        with contextlib.suppress(OSError):  # a full disk, which has been reported already
            self.file.close()
        if self._is_regular and self.path.stat().st_size == 0:
            self.path.unlink()

    @property
    def last(self) -> int:
        """The number of the last position with a result; 0 for none."""
        return max(self._done, default=0)

    def check(self, number: int, item: Subject | Failure) -> None:
        """Make sure that the results belong to the present positions.

        :raises ResultFileError: if they do not.
        """
        then = self._done.get(number)
        now = position_json(item)["position"] if isinstance(item, Subject) else None
        if then is not None and then != now:
            raise ResultFileError(f"{self.path} has the results of other positions")

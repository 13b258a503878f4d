"""A file of JSON lines to which an experiment appends its findings, and from which it continues.

The first line states what determines the experiment; another experiment cannot use the file. Each
further line is a finding. A line is written to disk before it counts, and an unfinished line left
by a killed process is removed. So nothing is lost or counted twice.
"""

from __future__ import annotations

import json
import os
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from ..base.whole_file import append_whole, lock, open_to_append

Record = dict[str, Any]


class LinesFileError(Exception):
    """Why a file cannot be used, in one line."""


class LinesFile(AbstractContextManager["LinesFile"]):
    """An open file, locked if the system can.

    :param path: it need not exist.
    :param experiment: what determines the findings.
    :ivar records: the findings so far.
    :raises LinesFileError: if it belongs to another experiment, is damaged, or is in use.
    """

    def __init__(self, path: Path, experiment: Record) -> None:
        self.path = path
        self.records: list[Record] = []
        try:
            self._file = open_to_append(path)
        except OSError as error:
            raise LinesFileError(f"{path}: {error.strerror}") from None
        try:
            self._lock()
            self._load(experiment)
        except BaseException:
            self.close()
            raise

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Close and unlock the file."""
        os.close(self._file)

    def append(self, record: Record) -> None:
        """Append a finding; it is saved when this returns.

        :raises LinesFileError: if it cannot be written; the file is then unchanged.
        """
        try:
            append_whole(self._file, json.dumps(record).encode() + b"\n")
        except OSError as error:
            raise LinesFileError(f"{self.path}: {error.strerror}") from None
        self.records.append(record)

    def _load(self, experiment: Record) -> None:
        with os.fdopen(os.dup(self._file), "rb") as file:
            file.seek(0)
            data = file.read()
        whole = data[: data.rfind(b"\n") + 1]
        lines: list[Any] = []
        for number, line in enumerate(whole.splitlines(), 1):
            try:
                lines.append(json.loads(line))
            except ValueError:
                raise LinesFileError(f"{self.path}: line {number} is damaged") from None
        rest = data[len(whole) :]
        begun = b'{"' if lines else json.dumps(experiment).encode()
        if not (begun.startswith(rest) or (lines and rest.startswith(begun))):
            raise LinesFileError(f"{self.path} is a file for something else")
        if not all(isinstance(line, dict) for line in lines):
            raise LinesFileError(f"{self.path} is a file for something else")
        expected = json.loads(json.dumps(experiment))
        if lines and lines[0] != expected:
            other = [key for key in expected if lines[0].get(key) != expected[key]]
            what = f" ({other[0]} was {str(lines[0].get(other[0]))[:60]!a})" if other else ""
            raise LinesFileError(f"{self.path} belongs to another experiment{what}")
        if len(whole) < len(data):
            os.ftruncate(self._file, len(whole))
        if lines:
            self.records = lines[1:]
        else:
            self.append(experiment)
            self.records.clear()

    def _lock(self) -> None:
        try:
            lock(self._file)
        except BlockingIOError:
            raise LinesFileError(f"another process is writing to {self.path}") from None

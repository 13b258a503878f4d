"""Writes a session's lines, and keeps the log of input and output."""

from __future__ import annotations

import contextlib
import errno
import time
from collections import deque
from pathlib import Path
from typing import BinaryIO, TextIO

from ..base.fault_log import log_line
from ..base.os_errors import reason_of

#: How many messages are kept for a log that is opened later.
MAX_NOTICES_FOR_LOG = 50

#: This many lines are sent even if more input is waiting.
MAX_UNSENT_LINES = 100

#: Errors of a full output file, unlike those of a GUI that has gone.
_FULL = (errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC))


class LineWriter:
    """Writes lines to a GUI.

    :param sink: the output, in bytes.
    :ivar error: why the sink accepts no more output, if it is full.
    """

    def __init__(self, sink: BinaryIO) -> None:
        self.error: OSError | None = None
        self._sink = sink
        self._unsent: list[bytes] = []
        self._writing_since: float | None = None
        self._log: TextIO | None = None
        self._notices_for_log: deque[str] = deque(maxlen=MAX_NOTICES_FOR_LOG)

    def write(self, text: str) -> None:
        """Write whole lines, which are sent when no input is waiting; all output goes through here.

        :raises BrokenPipeError: if the GUI has gone.
        """
        self._unsent.append(text.encode("utf-8", "replace"))
        if len(self._unsent) >= MAX_UNSENT_LINES:
            self.flush()
        self.log(">", text)

    def flush(self) -> None:
        """Send the lines written so far.

        :raises BrokenPipeError: if the GUI has gone, whatever error the system reports.
        """
        if not self._unsent:
            return
        data = b"\n".join([*self._unsent, b""])
        self._unsent.clear()
        self._writing_since = time.perf_counter()
        try:
            self._sink.write(data)
            self._sink.flush()
        except (OSError, ValueError) as error:
            if isinstance(error, OSError) and error.errno in _FULL:
                self.error = error
            raise BrokenPipeError from None
        self._writing_since = None

    def stuck_seconds(self) -> float:
        """How long the current write has been waiting, in seconds; any thread may call it."""
        since = self._writing_since
        return 0.0 if since is None else time.perf_counter() - since

    # -- the log --------------------------------------------------------------------------------

    def log_to(self, path: str) -> None:
        """Append all input and output lines to a file; an empty path ends that.

        :raises ValueError: if the file cannot be written.
        """
        log = None
        if path:
            try:
                if Path(path).exists() and not Path(path).is_file():
                    raise ValueError("not a file")  # opening a pipe without a reader would block
                log = Path(path).open("a", encoding="utf-8", buffering=1)  # noqa: SIM115
            except (OSError, ValueError) as error:
                reason = reason_of(error, "folder")
                raise ValueError(f"cannot write the Debug Log File: {reason}") from None
        self._close_log()
        self._log = log
        for line in self._notices_for_log:  # notices from before the log was opened
            self.log(">", line)
        self._notices_for_log.clear()

    def log(self, mark: str, text: str) -> None:
        """Append a line to the log, if there is one.

        :param mark: `<` for input, `>` for output, `!` for an internal error.
        """
        try:
            if self._log:
                self._log.write(log_line(mark, text))
        except OSError:
            self._close_log()  # a full disk must not end the game

    def keep_for_log(self, notice: str) -> None:
        """Keep a notice for a log that is opened later."""
        if not self._log:
            self._notices_for_log.append(notice)

    def _close_log(self) -> None:
        log, self._log = self._log, None
        if log:
            with contextlib.suppress(OSError):
                log.close()

"""A session that tells the chess program why the engine cannot start.

Chess programs do not show the traceback of a process that dies. This session completes the
handshake, writes the error as `info string`, and answers each `go` without a move. It imports only
the standard library.
"""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import BinaryIO

#: Bytes read at a time; longer lines arrive in pieces.
MAX_READ_BYTES = 1 << 16

_LOG_OPTION = "debug log file"


class StartupErrorSession:
    """Answers in place of the engine.

    :param reason: what is wrong, in one line.
    :param details: additional text for the log only.
    """

    def __init__(self, source: BinaryIO, sink: BinaryIO, reason: str, details: str = "") -> None:
        self._source = source
        self._sink = sink
        self._message = f"info string Halbzug cannot start: {reason}"
        self._details = details
        self._log: Path | None = None

    def run(self) -> None:
        """Serve until `quit` or the end of input."""
        with contextlib.suppress(OSError, ValueError, KeyboardInterrupt):
            while line := self._source.readline(MAX_READ_BYTES):
                words = line.decode("utf-8", "replace").split()
                self._write_log("<", " ".join(words))
                if words[:1] == ["quit"]:
                    break
                self._answer_command(words)

    def _answer_command(self, words: list[str]) -> None:
        command = words[0] if words else ""
        if command == "uci":
            self._write_line("id name Halbzug (cannot start)")
            self._write_line("id author the Halbzug developers")
            self._write_line("option name Debug Log File type string default <empty>")
            self._write_line(self._message)
            self._write_line("uciok")
        elif command == "isready":
            self._write_line("readyok")
        elif command == "go":
            self._write_line(self._message)
            self._write_line("bestmove (none)")
        elif command == "setoption":
            self._set_option(" ".join(words[1:]))

    def _set_option(self, text: str) -> None:
        name, _, value = text.removeprefix("name ").partition(" value ")
        if name.lower() == _LOG_OPTION and value not in ("", "<empty>"):
            self._log = Path(value)
            self._write_log(">", self._message)
            for line in self._details.splitlines():
                self._write_log("!", line)

    def _write_line(self, line: str) -> None:
        self._sink.write(line.encode("utf-8", "replace") + b"\n")
        self._sink.flush()
        self._write_log(">", line)

    def _write_log(self, mark: str, line: str) -> None:
        if self._log:
            with contextlib.suppress(OSError), self._log.open("a", encoding="utf-8") as log:
                log.write(f"{mark} {line}\n")

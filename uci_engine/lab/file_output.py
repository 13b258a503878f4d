"""Standard output and standard error of a user's file: each line becomes a notice."""

from __future__ import annotations

import io
from collections.abc import Callable

from ..base.language import say

#: Maximum number of lines shown for one search, and maximum length of a line in characters.
MAX_LINES = 40
MAX_LINE = 300


class NoticeStream(io.TextIOBase):
    """A text stream whose lines are passed on.

    :param notify: called with each line.
    """

    def __init__(self, notify: Callable[[str], None]) -> None:
        self._notify = notify
        self._line = ""
        self._lines = 0

    def redirect(self, notify: Callable[[str], None]) -> None:
        """Pass on lines to another function from now on."""
        self._notify = notify

    encoding = "utf-8"

    def writable(self) -> bool:
        """Whether the stream can be written to: always."""
        return True

    def write(self, text: str) -> int:
        """Pass on the complete lines."""
        if self._lines > MAX_LINES:
            return len(text)
        *lines, rest = (self._line + text[: MAX_LINE * MAX_LINES]).split("\n")
        self._line = rest[:MAX_LINE]
        for line in lines:
            self._pass_on(line)
        return len(text)

    def renew(self) -> None:
        """Pass on the rest, and restart the count of lines."""
        line, self._line = self._line, ""
        if line:
            self._pass_on(line)
        self._lines = 0

    def _pass_on(self, line: str) -> None:
        self._lines += 1
        if self._lines <= MAX_LINES:
            self._notify(line[:MAX_LINE])
        elif self._lines == MAX_LINES + 1:
            self._notify(say("the file prints more than is shown"))

"""Standard output and standard error of a command, safe for a terminal.

Names in games, files and engines are foreign text: a control character among them could colour a
terminal, move its cursor or retitle it. Whatever is written to the two streams goes through
`visible`; the console in `halbzug.console.terminal` does the same with what it shows.
"""

from __future__ import annotations

import contextlib
import io
import sys
from typing import TextIO

#: What stands for a control character that has no picture of its own.
_REPLACEMENT = 0xFFFD

_DELETE = 0x7F
_DELETE_PICTURE = 0x2421
_FIRST_PICTURE = 0x2400  # of the 32 pictures of the C0 controls

#: Marks and overrides of the writing direction, and separators of lines and paragraphs.
_DIRECTIONS = (0x61C, 0x200E, 0x200F, *range(0x2028, 0x202F), *range(0x2066, 0x206A))

_VISIBLE: dict[int, int] = {
    **{code: _FIRST_PICTURE + code for code in range(0x20) if chr(code) not in "\n\t"},
    _DELETE: _DELETE_PICTURE,
    **dict.fromkeys((*range(0x80, 0xA0), *_DIRECTIONS), _REPLACEMENT),
}


def visible(text: str) -> str:
    """A text with a visible character for each control character but newline and tab."""
    return text if text.isascii() and text.isprintable() else text.translate(_VISIBLE)


class VisibleStream(io.TextIOWrapper):
    """A text stream that lets no control character through.

    :param bare: the stream that it stands for, which still takes everything.
    """

    def __init__(self, bare: io.TextIOWrapper) -> None:
        # Written through, so that what goes to either stream comes in the order of writing.
        super().__init__(bare.buffer, bare.encoding, bare.errors, None, write_through=True)
        self.bare = bare

    def write(self, text: str) -> int:
        """Write it; the number of characters."""
        return super().write(visible(text))

    def close(self) -> None:
        """Nothing: the bare stream has the file, and closes it."""

    def __del__(self) -> None:
        with contextlib.suppress(ValueError, OSError):
            self.detach()


def make_visible() -> None:
    """Let standard output and standard error take no control characters any more."""
    sys.stdout = _safe(sys.stdout)
    sys.stderr = _safe(sys.stderr)


def _safe(stream: TextIO) -> TextIO:
    if not isinstance(stream, io.TextIOWrapper) or isinstance(stream, VisibleStream):
        return stream  # none, or a test's
    stream.reconfigure(write_through=True)
    return VisibleStream(stream)

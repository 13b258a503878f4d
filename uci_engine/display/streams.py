"""Standard output and standard error of a command, safe for a terminal.

Names of games, files and engines come from outside. Control characters in them could colour a
terminal, move its cursor or change its title. All text for the two streams passes through
`visible`, as does that of the console in `halbzug.display.terminal`.
"""

from __future__ import annotations

import contextlib
import io
import sys
from typing import Any, TextIO

from ..base.text import visible


class VisibleStream(io.TextIOWrapper):
    """A text stream that makes control characters visible.

    :param bare: the underlying stream, which does not.
    """

    def __init__(self, bare: io.TextIOWrapper) -> None:
        # Unbuffered, so that both streams keep the order of writing.
        super().__init__(bare.buffer, bare.encoding, bare.errors, None, write_through=True)
        self.bare = bare

    def write(self, text: str) -> int:
        """Write a text, and return its length in characters."""
        return super().write(visible(text))

    def close(self) -> None:
        """Do nothing: the bare stream closes the file."""

    def __del__(self, suppress: Any = contextlib.suppress) -> None:
        # A default, because at interpreter exit the names of this module are gone.
        with suppress(ValueError, OSError):
            self.detach()


def make_visible() -> None:
    """From now on, make control characters in standard output and standard error visible."""
    sys.stdout = _safe(sys.stdout)
    sys.stderr = _safe(sys.stderr)


def _safe(stream: TextIO) -> TextIO:
    if not isinstance(stream, io.TextIOWrapper) or isinstance(stream, VisibleStream):
        return stream  # there is none, or it belongs to a test
    stream.reconfigure(write_through=True)
    return VisibleStream(stream)

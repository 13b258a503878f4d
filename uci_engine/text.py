"""Decodes bytes from outside: UTF-8 with or without a byte order mark, otherwise Latin-1.

And a few words for messages.

The PGN standard asks for Latin-1, and older programs write it. Newer programs write UTF-8, and
collections of games mix both. Bytes that are not UTF-8 are therefore read as Latin-1, one by one.
Latin-1 has a character for every byte, so names and paths keep their umlauts.
"""

from __future__ import annotations

import codecs
import errno
import io
import re
from pathlib import Path
from typing import TextIO

from .compression import decompressed

#: The longest line that is read, in characters. A game may be one line.
MAX_LINE_LENGTH = 1 << 22

_OR_LATIN_1 = "or-latin-1"

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def decode(data: bytes) -> str:
    r"""The text of a line.

    >>> decode(b"M\xc3\xbcller"), decode(b"M\xfcller")
    ('Müller', 'Müller')
    """
    return data.decode("utf-8", _OR_LATIN_1)


def name_text(name: str) -> str:
    r"""A name of a file or a folder for a message, with control characters as Python writes them.

    >>> name_text("a game.pgn"), name_text("a\tgame.pgn")
    ('a game.pgn', "'a\\tgame.pgn'")
    """
    return repr(name) if _CONTROL.search(name) else name


def counted(number: int, noun: str, plural: str = "") -> str:
    """A number with its noun, for messages.

    :param plural: of the noun, if it is not the noun and an s.

    >>> counted(1, "game"), counted(1200, "game"), counted(2, "match", "matches")
    ('1 game', '1,200 games', '2 matches')
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def open_text(file: Path | int) -> TextIO:
    """Open a file from outside for reading its lines; a compressed one is decompressed.

    :param file: its path, or a descriptor, which stays open when the file is closed.
    :raises OSError: if it cannot be opened, and while it is read, behind all that can be read.
    """
    raw = io.FileIO(file, closefd=isinstance(file, Path))
    try:
        return _Lines(decompressed(raw), encoding="utf-8-sig", errors=_OR_LATIN_1)
    except BaseException:
        raw.close()
        raise


class _Lines(io.TextIOWrapper):
    """A file whose lines are never longer than can be held."""

    def __next__(self) -> str:  # type: ignore[override]  # typeshed: a base has bytes
        line = self.readline(MAX_LINE_LENGTH)
        if not line:
            raise StopIteration
        if len(line) == MAX_LINE_LENGTH and not line.endswith("\n"):
            size = MAX_LINE_LENGTH >> 20
            raise OSError(errno.EFBIG, f"a line of more than {size} million characters")
        return line


def _as_latin_1(error: UnicodeError) -> tuple[str, int]:
    """The error handler for bytes that are not UTF-8: their text, and where to go on."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return error.object[error.start : error.end].decode("latin-1"), error.end


codecs.register_error(_OR_LATIN_1, _as_latin_1)

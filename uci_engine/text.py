"""Decodes bytes from outside: UTF-8 with or without a byte order mark, otherwise Latin-1.

The PGN standard asks for Latin-1, and older programs write it. Newer programs write UTF-8, and
collections of games mix both. Bytes that are not UTF-8 are therefore read as Latin-1, one by one.
Latin-1 has a character for every byte, so names and paths keep their umlauts.
"""

from __future__ import annotations

import codecs
import re
from pathlib import Path
from typing import TextIO

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


def open_text(file: Path | int) -> TextIO:
    """Open a file from outside for reading.

    :param file: its path, or a descriptor, which stays open when the file is closed.
    :raises OSError: if it cannot be opened.
    """
    is_path = isinstance(file, Path)
    return open(file, encoding="utf-8-sig", errors=_OR_LATIN_1, closefd=is_path)


def _as_latin_1(error: UnicodeError) -> tuple[str, int]:
    """The error handler for bytes that are not UTF-8: their text, and where to go on."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return error.object[error.start : error.end].decode("latin-1"), error.end


codecs.register_error(_OR_LATIN_1, _as_latin_1)

"""Bytes from outside become text: UTF-8, with a byte order mark or without, and else Latin-1.

Latin-1 is what the PGN standard asks for and older programs write; today's write UTF-8, and
collections of games mix both. What is not UTF-8 is therefore read byte by byte as Latin-1, which
knows every byte: no umlaut of a name or a path is lost.
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
    """Open a file of somebody else's for reading.

    :param file: its path, or a descriptor, which stays open when the file is closed.
    :raises OSError: if it cannot be opened.
    """
    is_path = isinstance(file, Path)
    return open(file, encoding="utf-8-sig", errors=_OR_LATIN_1, closefd=is_path)


def _as_latin_1(error: UnicodeError) -> tuple[str, int]:
    """What `codecs` calls for bytes that are not UTF-8: their text, and where to go on."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return error.object[error.start : error.end].decode("latin-1"), error.end


codecs.register_error(_OR_LATIN_1, _as_latin_1)

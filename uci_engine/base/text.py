"""Decodes external bytes: UTF-8 with or without a byte order mark, otherwise Windows-1252.

The PGN standard asks for Latin-1, and older programs write it, or Windows's extension of it with
curly quotes and dashes in place of control characters. Newer programs write UTF-8, and game
collections mix them. So bytes that are not UTF-8 are decoded one by one as Windows-1252, and the
few that it does not define as Latin-1; names and paths keep their umlauts. UTF-16 is recognised in
files by its byte order mark or first character.

Also has a few helpers for messages.
"""

from __future__ import annotations

import codecs
import errno
import io
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, TextIO

from .compression import decompressed

#: Maximum length of a line, in characters. A game may be one line.
MAX_LINE_LENGTH = 1 << 22

#: Bytes read at once.
_PIECE_SIZE = 1 << 20

_OR_WINDOWS = "or-windows-1252"
_CODEC = "halbzug-text"

#: Characters that control a terminal, change the writing direction, break lines, or are invisible.
_HIDDEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\ud800-\udfff"
    "\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f"  # directions and line separators
    "\u115f\u1160\u17b4\u17b5\u180e\u200b\u2060-\u2065\u3164\ufeff\uffa0\ufff0-\ufffb"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e00ff\U000e01f0-\U000e0fff"
    "\u034f\u180b-\u180d\u180f\u200c\u200d\ufe00-\ufe0f\U000e0100-\U000e01ef]"
)

#: Invisible characters that form letters of some scripts, or emoji, with the preceding character.
_FORMING = re.compile("[\u034f\u180b-\u180d\u180f\u200c\u200d\ufe00-\ufe0f\U000e0100-\U000e01ef]")

#: The first character that they can combine with; below it are Latin, Greek and Cyrillic.
_FIRST_FORMED = "\u0590"

_PICTURES = {**{chr(code): chr(0x2400 + code) for code in range(0x20)}, "\x7f": "\u2421"}


def decode(data: bytes) -> str:
    r"""The text of a line.

    >>> decode(b"M\xc3\xbcller"), decode(b"M\xfcller")
    ('Müller', 'Müller')
    """
    return data.decode("utf-8", _OR_WINDOWS)


def visible(text: str) -> str:
    r"""A text for people, in which visible characters replace each one that could mislead them.

    These are control characters except newline and tab, characters that change the writing
    direction, line separators, and invisible characters. Joiners and selectors are kept where a
    script or an emoji needs them.

    >>> visible("\x1b[31mred"), visible("Ann\u202e"), visible("Ann\u200b")
    ('␛[31mred', 'Ann�', 'Ann�')
    """
    return _replaced(text, _picture)


def on_one_line(text: str) -> str:
    r"""Like `visible`, but with a space for each such character, and for newline and tab.

    >>> on_one_line("Ann\u202e Lee\n")
    'Ann  Lee '
    """
    return _replaced(text, lambda _: " ")


def _replaced(text: str, replacement: Callable[[str], str]) -> str:
    if text.isascii() and text.isprintable():
        return text
    return _HIDDEN.sub(lambda found: found[0] if _forms(found) else replacement(found[0]), text)


def _picture(character: str) -> str:
    return character if character in "\n\t" else _PICTURES.get(character, "\ufffd")


def _forms(found: re.Match[str]) -> bool:
    """Whether a character visibly combines with the one before it."""
    before = found.string[found.start() - 1 : found.start()]
    if not _FORMING.match(found[0]) or before < _FIRST_FORMED or "\u2000" <= before <= "\u206f":
        return False
    return not _HIDDEN.match(before) or (found[0] == "\u200d" and before == "\ufe0f")


def name_text(name: str) -> str:
    r"""A file or folder name for a message, quoted if it has misleading characters.

    >>> name_text("a game.pgn"), name_text("a\tgame.pgn")
    ('a game.pgn', "'a\\tgame.pgn'")
    """
    return name if on_one_line(name) == name else visible(repr(name))


def counted(number: int, noun: str, plural: str = "") -> str:
    """A number with its noun, for messages.

    :param plural: the plural, unless it is the noun plus s.

    >>> counted(1, "game"), counted(1200, "game"), counted(2, "match", "matches")
    ('1 game', '1,200 games', '2 matches')
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def open_text(file: Path | int) -> TextIO:
    """Open an external file for reading its lines; a compressed one is decompressed.

    :param file: its path, or a descriptor, which stays open when the file is closed.
    :raises OSError: if it cannot be opened; or while reading, after all readable content.
    """
    raw = io.FileIO(file, closefd=isinstance(file, Path))
    try:
        return _Lines(decompressed(raw), encoding=_CODEC, errors=_OR_WINDOWS)
    except BaseException:
        raw.close()
        raise


def not_utf16(file: BinaryIO) -> Iterator[bytes]:
    """A file's content in pieces, converted to UTF-8 if it is UTF-16.

    :raises OSError: after all readable content.
    """
    data = file.read(2)
    decoder = _Decoder("replace") if _is_utf16(data) else None
    while data:
        if decoder is None:
            yield data
        elif text := decoder.decode(data):
            yield text.encode("utf-8", "replace")
        data = file.read1(_PIECE_SIZE)  # type: ignore[attr-defined]
    if decoder:
        yield decoder.decode(b"", final=True).encode()


def _is_utf16(start: bytes) -> bool:
    return start in _ENCODINGS or (len(start) == 2 and 0 in start and any(start))


class _Lines(io.TextIOWrapper):
    """A file whose lines are limited in length."""

    def __next__(self) -> str:  # type: ignore[override]  # typeshed: a base has bytes
        line = self.readline(MAX_LINE_LENGTH)
        if not line:
            raise StopIteration
        if len(line) == MAX_LINE_LENGTH and not line.endswith("\n"):
            size = MAX_LINE_LENGTH >> 20
            raise OSError(errno.EFBIG, f"a line of more than {size} million characters")
        return line


def _as_windows_1252(error: UnicodeError) -> tuple[str, int]:
    """The error handler for bytes that are not UTF-8: their text, and where to continue."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    odd = error.object[error.start : error.end]
    try:
        return odd.decode("cp1252"), error.end
    except UnicodeDecodeError:
        return odd.decode("latin-1"), error.end


class _Decoder(codecs.IncrementalDecoder):
    """Decodes a file according to its first two bytes."""

    def __init__(self, errors: str = "strict") -> None:
        super().__init__(errors)
        self._start = b""
        self._decoder: codecs.IncrementalDecoder | None = None

    def decode(self, data: bytes, final: bool = False) -> str:  # type: ignore[override]
        """Decode the next bytes."""
        if self._decoder is None:
            data = self._start = self._start + data
            if len(data) < 2 and not final:
                return ""
            encoding = _ENCODINGS.get(data[:2]) or "utf-8-sig"
            if encoding == "utf-8-sig" and _is_utf16(data[:2]):
                encoding = "utf-16-be" if data[0] == 0 else "utf-16-le"
            errors = self.errors if encoding == "utf-8-sig" else "replace"
            self._decoder = codecs.getincrementaldecoder(encoding)(errors)
        return self._decoder.decode(data, final)

    def reset(self) -> None:
        """Start over."""
        self._start, self._decoder = b"", None


_ENCODINGS = {codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}


def _find_codec(name: str) -> codecs.CodecInfo | None:
    if name.replace("_", "-") != _CODEC:
        return None
    utf8 = codecs.lookup("utf-8")
    return codecs.CodecInfo(
        utf8.encode, utf8.decode, utf8.streamreader, utf8.streamwriter,
        utf8.incrementalencoder, _Decoder, name=_CODEC,
    )  # fmt: skip


codecs.register_error(_OR_WINDOWS, _as_windows_1252)
codecs.register(_find_codec)

"""The language of the output for people: its setting, and the German translations.

The code contains sentences in English and passes each through `say`, which looks up the translation
in `german.po`. Pages that can switch their language have their texts in JSON files instead. Output
for programs stays English: UCI, JSON, PGN, FEN.
"""

from __future__ import annotations

import functools
import json
import locale
import os
import re
import string
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

LANGUAGES = ("en", "de")

#: The environment variable. A command's `--language` sets it, also for the processes it starts.
VARIABLE = "HALBZUG_LANGUAGE"

#: The locale's variables, of which the first one that is set counts; Windows has none of them.
_LOCALE = ("LC_ALL", "LC_MESSAGES", "LANG")

#: King, queen, rook, bishop, knight.
PIECE_LETTERS = {"en": "KQRBN", "de": "KDTLS"}


#: The languages of nested `speaking` contexts, the innermost last.
_spoken: list[str] = []


def reader_language() -> str:
    """The reader's language, `en` or `de`: that of `speaking`, or else the one of the setting.

    :raises ValueError: as in `language_setting`.
    """
    return _spoken[-1] if _spoken else language_setting()


def language_setting() -> str:
    """The language of the environment variable, or of the locale.

    :raises ValueError: if the variable is neither `en` nor `de`.
    """
    if chosen := os.environ.get(VARIABLE):
        if chosen not in LANGUAGES:
            raise ValueError(f"{VARIABLE} must be {' or '.join(LANGUAGES)}, not {chosen!r}")
        return chosen
    names = filter(None, map(os.environ.get, _LOCALE))
    name = next(names, "") or (os.name == "nt" and locale.getlocale()[0]) or ""
    return "de" if re.match(r"de(_|\.|@|$)|german", name, re.IGNORECASE) else "en"


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Use a language for a while, whatever the setting is.

    :param language: `en` or `de`.
    """
    _spoken.append(language)
    try:
        yield
    finally:
        _spoken.pop()


def say(text: str, /, **values: Any) -> str:
    """A text in the reader's language, with its placeholders filled in.

    :param text: in English. Without a translation it stays English.

    >>> with speaking("de"):
    ...     say("{number:,} games", number=1200)
    '1.200 Partien'
    """
    if reader_language() == "en":
        return text.format(**values) if values else text
    german = catalogue().get(text, text)
    return _LocalFormatter().format(german, **values) if values else german


_STRINGS = r'((?:"(?:[^"\\]|\\.)*"\s*)+)'
_ENTRY = re.compile(f"msgid {_STRINGS}msgstr {_STRINGS}")


@functools.cache
def catalogue(name: str = "german.po") -> Mapping[str, str]:
    """The German of each English text, from a file of this room."""
    from importlib.resources import files  # takes half the time of the import, for German alone

    source = (files("halbzug.base") / name).read_text(encoding="utf-8")
    return {_joined(english): _joined(german) for english, german in _ENTRY.findall(source)}


def _joined(strings: str) -> str:
    """The text of one or more quoted strings."""
    return "".join(json.loads(f'"{part}"') for part in re.findall(r'"((?:[^"\\]|\\.)*)"', strings))


class _LocalFormatter(string.Formatter):
    """Writes numbers as the reader's language does."""

    def format_field(self, value: Any, format_spec: str) -> str:
        text = format(value, format_spec)
        return local(text) if isinstance(value, (int, float)) else text


_GERMAN_SIGNS = str.maketrans({",": ".", ".": ",", "%": " %"})


def local(number: str) -> str:
    """A number that Python wrote, with the signs of the reader's language.

    >>> with speaking("de"):
    ...     local("1,234.5"), local("50%")
    ('1.234,5', '50 %')
    """
    return number if reader_language() == "en" else number.translate(_GERMAN_SIGNS)


def spelled(moves: str) -> str:
    """Moves in algebraic notation, with the piece letters of the reader's language.

    >>> with speaking("de"):
    ...     spelled("12.Nf3 Qxb4 13.e8=Q")
    '12.Sf3 Dxb4 13.e8=D'
    """
    return moves.translate(str.maketrans(PIECE_LETTERS["en"], PIECE_LETTERS[reader_language()]))

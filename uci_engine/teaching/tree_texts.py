"""The texts about game trees, in their readers' languages."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Mapping

from ..base.language import LANGUAGES, PIECE_LETTERS, reader_language
from ..display.page import read_part
from ..display.sheet import Column, Sheet
from .game_trees import GameTree
from .recorded import SearchedTree

#: Keys of `page_texts`: the piece letters, and the decimal separator.
_SIGNS = ("pieces", "decimal")

_PARTS = ("texts", "search_texts", "quiz_texts")


class _Words(dict[str, str]):
    """A language's texts by name; a missing text is replaced by its name."""

    def __missing__(self, name: str) -> str:
        return name


@functools.cache
def texts(part: str = "texts") -> Mapping[str, Mapping[str, str]]:
    """All texts, by language and name; English where a translation is missing.

    :param part: the name of the file; `texts` is for trees.
    """
    found: dict[str, dict[str, str]] = json.loads(read_part("halbzug.teaching", f"{part}.json"))
    return {
        key: _with_english(words, found["en"]) if key in LANGUAGES else _Words(words)
        for key, words in found.items()
    }


def _with_english(words: Mapping[str, str], english: Mapping[str, str]) -> _Words:
    """A language's texts; without a singular form, it uses the plural for one thing."""
    missing = {name: text for name, text in english.items() if name.removesuffix("_1") not in words}
    return _Words({**missing, **words})


@functools.cache
def page_texts() -> Mapping[str, Mapping[str, str]]:
    """The texts of trees, other searches and questions together."""
    return {
        language: _Words(
            {name: text for part in _PARTS for name, text in texts(part)[language].items()},
            pieces=PIECE_LETTERS[language],
        )
        for language in LANGUAGES
    }


def signed(part: str) -> Mapping[str, Mapping[str, str]]:
    """The texts of a part for its page, with each language's signs for the scripts.

    :param part: see `texts`.
    """
    return {
        language: {**{sign: words[sign] for sign in _SIGNS}, **texts(part)[language]}
        for language, words in page_texts().items()
    }


def title_of(tree: GameTree | SearchedTree, language: str = "en") -> str:
    """The title of a tree."""
    return page_texts()[language][f"title_{tree.kind}"].format(**tree.values)


def phrase(words: Mapping[str, str], name: str, values: Mapping[str, str | int]) -> str:
    """A text with its placeholders filled in; in the singular for one thing, if it has one."""
    if "1" in (str(values.get("number")), str(values.get("depth"))) and f"{name}_1" in words:
        name += "_1"
    return words[name].format(**{key: decimal(value, words) for key, value in values.items()})


_DECIMAL = re.compile(r"[≈+-]?\d+\.\d+")


def decimal(value: str | int, words: Mapping[str, str]) -> str | int:
    """A number with the language's decimal separator and a minus sign."""
    if not isinstance(value, str) or not _DECIMAL.fullmatch(value):
        return value
    return value.replace("-", "\N{MINUS SIGN}").replace(".", words["decimal"])


def grouped(number: int, language: str) -> str:
    """A count with the language's thousands separator."""
    return f"{number:,}" if language == "en" else f"{number:,}".replace(",", ".")


def move_text(san: str, words: Mapping[str, str]) -> str:
    """A chess move or line with the language's piece letters."""
    return san.translate(str.maketrans(PIECE_LETTERS["en"], words["pieces"]))


def reader_texts() -> Mapping[str, str]:
    """The `page_texts` of the reader's language."""
    return page_texts()[reader_language()]


def empty_table() -> Sheet:
    """The table of what each search of a tree needed and found, without rows."""
    words = reader_texts()
    numbers = [words[f"column_{name}"] for name in ("nodes", "leaves", "cutoffs", "value")]
    return Sheet((Column(words["algorithm"]), *(Column(name, True) for name in numbers)))


def search_name(name: str) -> str:
    """A search's name in a table, in the reader's language."""
    return reader_texts()[name]

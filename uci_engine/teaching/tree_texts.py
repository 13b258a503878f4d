"""What is said about game trees, in the languages of their readers."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Mapping

from ..display.page import read_part
from ..display.sheet import Column, Sheet
from .game_trees import GameTree
from .recorded import SearchedTree

LANGUAGES = ("en", "de")

#: Of `texts`: the letters of the pieces, and what stands between the digits of a number.
_SIGNS = ("pieces", "decimal")

_PARTS = ("texts", "search_texts", "quiz_texts")


class _Words(dict[str, str]):
    """The texts of a language by name; a name without a text is shown itself."""

    def __missing__(self, name: str) -> str:
        return name


@functools.cache
def texts(part: str = "texts") -> Mapping[str, Mapping[str, str]]:
    """All texts, by language and name; English where a translation is missing.

    :param part: the file of the room that has them: `texts` has those of trees.
    """
    found: dict[str, dict[str, str]] = json.loads(read_part("halbzug.teaching", f"{part}.json"))
    return {
        key: _with_english(words, found["en"]) if key in LANGUAGES else _Words(words)
        for key, words in found.items()
    }


def _with_english(words: Mapping[str, str], english: Mapping[str, str]) -> _Words:
    """Texts of a language; of one thing a language without a singular says its plural."""
    missing = {name: text for name, text in english.items() if name.removesuffix("_1") not in words}
    return _Words({**missing, **words})


@functools.cache
def page_texts() -> Mapping[str, Mapping[str, str]]:
    """The texts of trees, of other searches and of questions together."""
    return {
        language: _Words(
            (name, text) for part in _PARTS for name, text in texts(part)[language].items()
        )
        for language in LANGUAGES
    }


def signed(part: str) -> Mapping[str, Mapping[str, str]]:
    """The texts of a part for its page, with the signs of each language, which scripts need.

    :param part: see `texts`.
    """
    return {
        language: {**{sign: texts()[language][sign] for sign in _SIGNS}, **texts(part)[language]}
        for language in LANGUAGES
    }


def title_of(tree: GameTree | SearchedTree, language: str = "en") -> str:
    """What a tree is called."""
    return page_texts()[language][f"title_{tree.kind}"].format(**tree.values)


def phrase(words: Mapping[str, str], name: str, values: Mapping[str, str | int]) -> str:
    """A text of a language with what it says; of one thing its singular, if it has one."""
    if "1" in (str(values.get("number")), str(values.get("depth"))) and f"{name}_1" in words:
        name += "_1"
    return words[name].format(**{key: decimal(value, words) for key, value in values.items()})


_DECIMAL = re.compile(r"[≈+-]?\d+\.\d+")


def decimal(value: str | int, words: Mapping[str, str]) -> str | int:
    """A number with the sign of the language between its digits, and a minus sign."""
    if not isinstance(value, str) or not _DECIMAL.fullmatch(value):
        return value
    return value.replace("-", "\N{MINUS SIGN}").replace(".", words["decimal"])


def grouped(number: int, language: str) -> str:
    """A count with the sign of the language between its thousands."""
    return f"{number:,}" if language == "en" else f"{number:,}".replace(",", ".")


def move_text(san: str, words: Mapping[str, str]) -> str:
    """A move of chess, or a line, with the letters of the language for the pieces."""
    return san.translate(str.maketrans(texts()["en"]["pieces"], words["pieces"]))


def empty_table(language: str) -> Sheet:
    """The table of what each search of a tree needed and found, without its rows."""
    words = page_texts()[language]
    numbers = [words[f"column_{name}"] for name in ("nodes", "leaves", "cutoffs", "value")]
    return Sheet((Column(words["algorithm"]), *(Column(name, True) for name in numbers)))


def search_name(name: str, language: str) -> str:
    """What a search is called in a table: in English by the name that options have."""
    return name if language == "en" else page_texts()[language][name]

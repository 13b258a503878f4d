"""What is said about game trees, in the languages of their readers."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping

from halbzug.display.page import read_part
from halbzug.explain.game_trees import GameTree
from halbzug.explain.recorded import SearchedTree

LANGUAGES = ("en", "de")

_FILES = ("texts.json", "search_texts.json", "quiz_texts.json")


@functools.cache
def texts() -> Mapping[str, Mapping[str, str]]:
    """All texts, by language and name."""
    found: dict[str, dict[str, str]] = {language: {} for language in LANGUAGES}
    for name in _FILES:
        for language, words in json.loads(read_part("halbzug.explain", name)).items():
            found[language] |= words
    return found


def title_of(tree: GameTree | SearchedTree, language: str = "en") -> str:
    """What a tree is called."""
    return texts()[language][f"title_{tree.kind}"].format(**tree.values)

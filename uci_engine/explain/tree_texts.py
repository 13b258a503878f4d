"""What is said about game trees, in the languages of their readers."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping

from halbzug.display.page import read_part
from halbzug.explain.game_trees import GameTree

LANGUAGES = ("en", "de")


@functools.cache
def texts(part: str = "texts") -> Mapping[str, Mapping[str, str]]:
    """All texts, by language and name.

    :param part: the file of the room that has them: `texts` has those of trees.
    """
    found: dict[str, dict[str, str]] = json.loads(read_part("halbzug.explain", f"{part}.json"))
    return found


def title_of(tree: GameTree, language: str = "en") -> str:
    """What a tree is called."""
    return texts()[language][f"title_{tree.kind}"].format(**tree.values)

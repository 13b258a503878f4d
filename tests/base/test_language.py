"""The reader's language: how it is chosen, and that no sentence lacks a German translation."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import chess
import pytest

import halbzug
from halbzug.base.language import VARIABLE, catalogue, reader_language, say

pytestmark = pytest.mark.any_build

PACKAGE = Path(halbzug.__file__).parent

#: Modules that do not call `say`, but whose texts others pass to it.
TEXTS = (
    "games/annotation.py",
    "explain/ablation.py",
    "eval/weights.py",
    "base/events.py",
    "base/time_control.py",
    "search/custom.py",
    "tablebase/lookup.py",
)


@cache
def strings() -> tuple[set[str], set[str]]:
    """The literal texts that the package passes to `say`, and all other strings beside them."""
    said, all_strings = set(), set()
    for path in PACKAGE.rglob("*.py"):
        source = path.read_text(encoding="utf-8")
        if "say(" not in source and path.relative_to(PACKAGE).as_posix() not in TEXTS:
            continue
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "say":
                text = node.args[0]
                # A comparison such as `BUILD == "compiled"` holds no text.
                parts = [text.body, text.orelse] if isinstance(text, ast.IfExp) else [text]
                said |= {part.value for part in parts if isinstance(part, ast.Constant)}
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                all_strings.add(node.value)
    return said, all_strings


def test_every_sentence_has_a_german_translation() -> None:
    assert strings()[0] - catalogue().keys() == set()


def test_no_translation_is_unused() -> None:
    assert catalogue().keys() - strings()[1] - {*filter(None, chess.PIECE_NAMES)} == set()


def test_a_translation_has_the_same_placeholders() -> None:
    def placeholders(text: str) -> set[str]:
        return set(re.findall(r"{(\w+)", text))

    # Only the German text may name a piece by itself, because its form depends on the sentence.
    forms = {"piece", "target"}
    for english, german in catalogue().items():
        assert placeholders(german) - forms <= placeholders(english) <= placeholders(german), german


@pytest.mark.parametrize(
    ("settings", "language"),
    [
        ({}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "de_AT.UTF-8"}, "de"),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": "en_GB.UTF-8"}, "en"),
        ({"LANG": "en_GB.UTF-8", "LC_MESSAGES": "de"}, "de"),
        ({"LANG": "den_CA"}, "en"),
        ({"LANG": "en_GB.UTF-8", VARIABLE: "de"}, "de"),
        ({"LANG": "de_DE.UTF-8", VARIABLE: "en"}, "en"),
    ],
)
def test_the_environment_variable_overrides_the_locale(
    settings: dict[str, str], language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG", VARIABLE):
        monkeypatch.delenv(name, raising=False)
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    assert reader_language() == language
    assert say("king") == ("König" if language == "de" else "king")


def test_an_unknown_language_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "fr")
    with pytest.raises(ValueError, match="HALBZUG_LANGUAGE must be en or de, not 'fr'"):
        reader_language()

"""The texts about Monte Carlo tree search, in English and German."""

from __future__ import annotations

from ..base.language import reader_language
from ..teaching.tree_texts import texts


def text(name: str, language: str = "") -> str:
    """A text, by default in the reader's language; names in braces are placeholders."""
    return texts("monte-carlo-texts")[language or reader_language()][name]

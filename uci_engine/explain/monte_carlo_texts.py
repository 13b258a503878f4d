"""The texts about Monte Carlo tree search, in English and German."""

from __future__ import annotations

from ..teaching.tree_texts import texts


def text(name: str, language: str = "en") -> str:
    """A text; names in braces are placeholders."""
    return texts("monte-carlo-texts")[language][name]

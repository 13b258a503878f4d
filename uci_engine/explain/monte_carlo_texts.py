"""What is said about Monte Carlo tree search, in the languages of its readers."""

from __future__ import annotations

from ..teaching.tree_texts import texts


def text(name: str, language: str = "en") -> str:
    """One of them; names in braces are to be filled in."""
    return texts("monte-carlo-texts")[language][name]

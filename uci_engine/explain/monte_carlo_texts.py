"""What is said about Monte Carlo tree search, in the languages of its readers."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping

from halbzug.display.page import read_part


@functools.cache
def texts() -> Mapping[str, Mapping[str, str]]:
    """All texts, by language and name."""
    read = read_part("halbzug.explain", "monte-carlo-texts.json")
    found: dict[str, dict[str, str]] = json.loads(read)
    return found


def text(name: str, language: str = "en") -> str:
    """One of them; names in braces are to be filled in."""
    return texts()[language][name]

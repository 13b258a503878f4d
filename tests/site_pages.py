"""The pages of the documentation that have their own source in `docs/`."""

from __future__ import annotations

from pathlib import Path

from checkout import ROOT

DOCS = ROOT / "docs"

#: Made by Sphinx, and the folder of pages that only include a document of the repository.
_OTHERS = (DOCS / "_build", DOCS / "project")


def pages() -> list[Path]:
    """The Markdown files, in the order of their names."""
    return [
        page for page in sorted(DOCS.rglob("*.md")) if not set(_OTHERS).intersection(page.parents)
    ]

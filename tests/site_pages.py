"""The pages of the documentation that have a source of their own in `docs/`."""

from __future__ import annotations

from pathlib import Path

from checkout import ROOT

DOCS = ROOT / "docs"

#: Folders made by Sphinx, and the folder of pages that only include a document of the repository.
_OTHERS = (DOCS / "_build", DOCS / "project")


def pages() -> list[Path]:
    """The Markdown files, sorted by name."""
    return [
        page for page in sorted(DOCS.rglob("*.md")) if not set(_OTHERS).intersection(page.parents)
    ]

"""Pages for the browser: one file each, without a server, a network or a framework.

A page contains all its data. Its Content-Security-Policy allows a single script, by its digest, and
forbids loading or sending anything, whatever the data contain.
"""

from __future__ import annotations

import base64
import hashlib
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

from ..base.text import visible
from ..version import __version__


class Page(str):
    """A page as text, which displays itself in a notebook, in a frame of its own."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        style = "width:100%;height:44rem;border:0"
        return f'<iframe srcdoc="{escape(self)}" sandbox="allow-scripts" style="{style}"></iframe>'

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(f"<page of {len(self):,} characters>")


def page(title: str, style: str, script: str, content: str, language: str = "en") -> Page:
    """A complete page. Control characters and direction marks in names from files are made visible.

    :param title: of the window, as HTML.
    :param style: the style sheet.
    :param script: runs after the content has been loaded.
    :param content: of its body, as HTML.
    :param language: of its texts, such as `en`.
    """
    digest = base64.b64encode(hashlib.sha256(f"\n{script}\n".encode()).digest()).decode()
    frame = (files("halbzug.display") / "page.html").read_text(encoding="utf-8")
    return Page(
        Template(frame).substitute(
            language=language,
            script_hash=f"sha256-{digest}",
            generator=f"Halbzug {__version__}",
            title=visible(title),
            style=style,
            content=visible(content),
            script=script,
        )
    )


def read_part(room: str, name: str) -> str:
    """A file from the `html` folder of a room."""
    return (files(room) / "html" / name).read_text(encoding="utf-8").rstrip("\n")


def fill(room: str, name: str, **values: str) -> str:
    """A room's template filled with values, which are HTML."""
    return Template(read_part(room, name)).substitute(values)

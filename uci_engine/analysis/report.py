"""Renders annotated games as one HTML file without a server, a network or a framework.

The page contains the games as data, each by itself, so that it grows with the moves; the scripts in
`html/` and the board of `halbzug.display` show one of them, or the index of all. A
Content-Security-Policy forbids the page to load or send anything, whatever a PGN contains.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

from halbzug.analysis.annotation import AnnotatedGame
from halbzug.analysis.mistakes import KINDS
from halbzug.analysis.phases import PHASES
from halbzug.analysis.report_game import game_tree, index_row
from halbzug.display import assets
from halbzug.version import __version__

#: The parts of the script behind the board, in this order.
_SCRIPTS = (
    "export.js",
    "graph.js",
    "game.js",
    "exercise.js",
    "index.js",
    "statistics.js",
    "report.js",
)


class Report:
    """Games for one page. Of each only its data is kept, not its positions."""

    def __init__(self) -> None:
        self._rows: list[dict[str, Any]] = []
        self._games: list[str] = []
        self._name = ""

    def add(self, game: AnnotatedGame) -> None:
        """Add a game as it is now."""
        self._name = self._name or game.record.name
        self._rows.append(index_row(game))
        self._games.append(assets.embedded_json(game_tree(game)))

    def html(self, colophon: str) -> str:
        """The page.

        :param colophon: a sentence on how it was made.
        """
        script = "\n".join([assets.script(), *map(_read, _SCRIPTS)])
        digest = base64.b64encode(hashlib.sha256(f"\n{script}\n".encode()).digest()).decode()
        more = f" and {len(self._rows) - 1} more" if len(self._rows) > 1 else ""
        index = {"games": self._rows, "kinds": KINDS, "phases": PHASES}
        return Template(_read("report.html")).substitute(
            script_hash=f"sha256-{digest}",
            generator=f"Halbzug {__version__}",
            title=escape(f"{self._name}{more}"),
            style=f"{assets.style()}\n{_read('report.css')}",
            pieces=assets.pieces(),
            colophon=escape(colophon),
            index=assets.embedded_json(index),
            games="\n".join(
                f'<script type="application/json" id="data-{number}">{data}</script>'
                for number, data in enumerate(self._games, start=1)
            ),
            script=script,
        )


def render(games: Iterable[AnnotatedGame], colophon: str) -> str:
    """The report of some games as an HTML page.

    :param colophon: a sentence on how it was made.
    """
    report = Report()
    for game in games:
        report.add(game)
    return report.html(colophon)


def _read(name: str) -> str:
    return (files("halbzug.analysis") / "html" / name).read_text(encoding="utf-8").rstrip("\n")

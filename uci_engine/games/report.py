"""Renders annotated games as one self-contained HTML file.

The page holds each game separately as data, so that it grows with the number of moves; the scripts
in `html/` and the board of `halbzug.display` show one game, or the index of all. A
Content-Security-Policy forbids the page to load or send anything, whatever a PGN contains.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Any

from ..display import assets
from ..display.page import fill, page, read_part
from .annotation import AnnotatedGame
from .mistakes import KINDS
from .phases import PHASES
from .report_game import game_tree, index_row

_ROOM = "halbzug.games"

#: The parts of the script after the board's, in order.
_SCRIPTS = (
    "export.js",
    "graph.js",
    "game.js",
    "exercise.js",
    "index.js",
    "statistics.js",
    "report.js",
)


class AnnotatedReport:
    """Collects games for one page, keeping only their data, not their positions."""

    def __init__(self) -> None:
        self._rows: list[dict[str, Any]] = []
        self._games: list[str] = []
        self._name = ""

    def add(self, game: AnnotatedGame) -> None:
        """Add a game in its present state."""
        self._name = self._name or game.record.name
        self._rows.append(index_row(game))
        self._games.append(assets.embedded_json(game_tree(game)))

    def html(self, colophon: str) -> str:
        """The page.

        :param colophon: a sentence on how it was made.
        """
        more = f" and {len(self._rows) - 1} more" if len(self._rows) > 1 else ""
        index = {"games": self._rows, "kinds": KINDS, "phases": PHASES}
        content = fill(
            _ROOM,
            "report.html",
            pieces=assets.pieces(),
            colophon=escape(colophon),
            index=assets.embedded_json(index),
            games="\n".join(
                f'<script type="application/json" id="data-{number}">{data}</script>'
                for number, data in enumerate(self._games, start=1)
            ),
        )
        parts = (read_part(_ROOM, name) for name in _SCRIPTS)
        return page(
            title=escape(f"{self._name}{more}"),
            style=f"{assets.style()}\n{read_part(_ROOM, 'report.css')}",
            script="\n".join([assets.script(), *parts]),
            content=content,
        )


def render(games: Iterable[AnnotatedGame], colophon: str) -> str:
    """The report of some games as an HTML page.

    :param colophon: a sentence on how it was made.
    """
    report = AnnotatedReport()
    for game in games:
        report.add(game)
    return report.html(colophon)

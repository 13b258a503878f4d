"""A page that shows the tree of a Monte Carlo search growing, in English and German.

The page holds the changes of each simulation, and all texts; its script adds them up and searches
nothing itself. It needs no server or network.
"""

from __future__ import annotations

from typing import Any

from ..board.notation import pawns_text
from ..display import assets
from ..display.assets import embedded_json
from ..display.page import Page, fill, page, read_part
from ..teaching.tree_growth import Growth
from ..teaching.tree_texts import signed
from .monte_carlo_searches import MonteCarloSearches
from .monte_carlo_texts import text

_ROOM = "halbzug.teaching"


def monte_carlo_page(found: MonteCarloSearches, language: str = "en") -> Page:
    """Render the page as HTML.

    :param language: `en` or `de`, shown first.
    """
    data = embedded_json(_data(found, language))
    steps = fill(_ROOM, "steps.html", more="")
    scripts = (assets.script(), read_part(_ROOM, "theory.js"), read_part(_ROOM, "monte-carlo.js"))
    return page(
        text(f"title_{found.name}" if found.name else "title", language),
        style=f"{assets.style()}\n{read_part(_ROOM, 'monte-carlo.css')}",
        script="\n".join(scripts),
        content=fill(_ROOM, "monte-carlo.html", data=data, steps=steps, pieces=assets.pieces()),
        language=language,
    )


def _data(found: MonteCarloSearches, language: str) -> dict[str, Any]:
    """The data for the script; `monte-carlo.js` describes the format at its top."""
    verdict = found.verdict
    return {
        "name": found.name,
        "language": language,
        "texts": signed("monte-carlo-texts"),
        "searches": {method: _search(growth) for method, growth in found.growths.items()},
        "alphaBeta": {
            "depth": verdict.depth,
            "move": found.san(verdict.move),
            "value": pawns_text(verdict.value),
            "judged": {
                found.san(move): [pawns_text(value), verdict.is_mistake(move)]
                for move, value in verdict.judged.items()
            },
        },
    }


def _search(growth: Growth) -> dict[str, Any]:
    return {
        "constants": growth.constants,
        "nodes": [
            [
                node.parent,
                node.san,
                node.move,
                node.fen,
                None if node.prior is None else round(node.prior, 5),
                node.moves,
            ]
            for node in growth.nodes
        ],
        "simulations": [[leaf, round(points, 5)] for leaf, points, _ in growth.simulations],
    }

"""Draws grown trees as SVG for slides and notebooks, with the root on the left.

The size of a node and the thickness of its edge show its share of the visits; the stronger its
colour, the better it is for the side that has moved there.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from xml.sax.saxutils import escape

from .plain_svg import Looks, drawing, faded
from .tree_growth import Growth
from .tree_texts import grouped, move_text, page_texts

#: Distances in pixels: between levels, between rows, and around the drawing.
LEVEL_STEP, ROW_STEP, MARGIN = 112, 29, 24

#: The radius of the root, and of a node without visits.
_LARGE, _SMALL = 11, 4

#: Approximate width of a letter in a move, in pixels.
_LETTER = 7.6

#: The colour of a node that is certain to win.
_FULL = "#2f7d32"

_LOOKS: Looks = {
    "name": {"text-anchor": "start"},
    "title": {"font-size": "16", "font-weight": "bold", "text-anchor": "start"},
    "visits": {"font-size": "11", "fill": "#5a5a5a", "text-anchor": "start"},
    "edge": {"fill": "none", "stroke": "#8a8a8a"},
    "node": {"stroke": "#5a5a5a"},
}


def draw_growths(
    growths: Sequence[tuple[str, Growth]], nodes: int, simulations: int, language: str = "en"
) -> str:
    """Draw trees as SVG, one below the other.

    :param growths: each with its title.
    :param nodes: the number of nodes drawn per tree: those visited most.
    :param simulations: the number of simulations shown.
    :param language: for the piece letters, `en` or `de`.
    """
    parts: list[str] = []
    width, top = 0.0, 0.0
    for title, growth in growths:
        tree = _Drawing(growth, nodes, simulations, top + MARGIN + 30, language)
        parts.append(f'<text class="title" x="{MARGIN}" y="{top + MARGIN}">{escape(title)}</text>')
        parts += tree.parts
        width = max(width, tree.width, 9.0 * len(title) + 2 * MARGIN)
        top = tree.bottom + MARGIN
    titles = "; ".join(title for title, _ in growths)
    return drawing(titles, width, top, parts, _LOOKS)


class _Drawing:
    """One tree, from a given height downwards."""

    def __init__(
        self, growth: Growth, nodes: int, simulations: int, top: float, language: str
    ) -> None:
        self._growth, self._simulations, self._language = growth, simulations, language
        self._visits, self._totals = growth.at(simulations)
        # A parent has more visits than its children, or comes before them.
        order = sorted(range(len(growth.nodes)), key=lambda place: -self._visits[place])
        drawn = [place for place in order[:nodes] if self._visits[place]] or [0]
        self._children: dict[int, list[int]] = {place: [] for place in drawn}
        for place in drawn[1:]:
            self._children[growth.nodes[place].parent].append(place)
        self._edges: list[str] = []
        self._marks: list[str] = []
        self.width, self.bottom = 0.0, top
        self._draw(0, MARGIN, top)
        self.parts = self._edges + self._marks

    def _draw(self, place: int, x: float, y: float) -> None:
        """Draw a node and everything below it, which takes the rows from `y` on."""
        self.width, self.bottom = max(self.width, x + LEVEL_STEP), max(self.bottom, y)
        share = self._visits[place] / self._simulations
        for number, child in enumerate(self._children[place]):
            row = self.bottom + ROW_STEP if number else y
            middle, right = x + 18, x + LEVEL_STEP
            thickness = 1 + 6 * self._visits[child] / self._simulations
            self._edges.append(
                f'<path class="edge" stroke-width="{thickness:.1f}" '
                f'd="M{x:.0f} {y:.0f}C{middle:.0f} {row:.0f} {middle:.0f} {row:.0f} '
                f'{right:.0f} {row:.0f}"/>'
            )
            self._draw(child, right, row)
        radius = _SMALL + (_LARGE - _SMALL) * math.sqrt(share)
        at = f'cx="{x:.0f}" cy="{y:.0f}" r="{radius:.1f}"'
        color = "#ffffff"
        if self._visits[place]:
            points = self._growth.expectation(self._visits[place], self._totals[place])
            color = faded(_FULL, points)
        self._marks.append(f'<circle class="node" {at} fill="{color}"/>')
        name = move_text(self._growth.nodes[place].san, page_texts()[self._language])
        visits = grouped(self._visits[place], self._language)
        behind = x + radius + _LETTER * len(name) + (4 if name else 0)
        self._marks.append(
            f'<text class="name" x="{x + radius:.0f}" y="{y - 7:.0f}">{escape(name)}</text>'
            f'<text class="visits" x="{behind:.0f}" y="{y - 7:.0f}">{visits}</text>'
        )

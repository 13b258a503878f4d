"""Draws searches with chance, three players or queens as SVG, for slides and notebooks.

MAX and MIN are triangles as in `tree_drawing`, CHANCE is a circle, the three players are squares
with their numbers, and a placement of queens is shown as a board.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from xml.sax.saxutils import escape

from .numbered_tree import NumberedTree
from .plain_svg import Looks, drawing
from .recorded import RecordedNode, Recording, SearchedTree, short
from .tree_drawing import LEAF_STEP, LEVEL_STEP, MARGIN, TREE_LOOKS, triangle
from .tree_texts import page_texts, title_of

#: With more nodes, the deepest levels are omitted, so that the drawing fits on a slide.
MAX_DRAWN = 150

#: Half the size of a node, in pixels.
HALF = 15

#: Where on its line a move stands, and the width of one of its letters in pixels.
_END, _LETTER = 0.72, 6.2

_LOOKS: Looks = {
    **TREE_LOOKS,
    "name": {"font-size": "11", "fill": "#5a5a5a"},
    "chance": {"fill": "#d9d2e9", "stroke": "#674ea7"},
    "first": {"fill": "#d9ead3", "stroke": "#38761d"},
    "second": {"fill": "#fce5cd", "stroke": "#b45f06"},
    "third": {"fill": "#cfe2f3", "stroke": "#0b5394"},
    "solo": {"fill": "#f3f3f3", "stroke": "#8a8a8a"},
    "queens": {"fill": "#f3f3f3", "stroke": "#8a8a8a"},
    "grid": {"stroke": "#8a8a8a", "stroke-width": "0.6"},
    "queen": {"fill": "#1b1b1b"},
}

_NUMBERS = {"first": "1", "second": "2", "third": "3"}


def draw_search(
    tree: SearchedTree,
    run: str | None = None,
    language: str = "en",
    is_solved: bool = True,
    title: str | None = None,
    hidden: Collection[int] = (),
) -> str:
    """The tree as SVG, with the values that a search found.

    :param run: the name of the search; by default the usual one.
    :param language: of the title, `en` or `de`.
    :param is_solved: False draws the tree alone, with the values of its leaves.
    :param title: replaces the usual title.
    :param hidden: nodes with a question mark in place of their value.
    """
    name = run or tree.usual
    shown = tree.runs[name]
    caption = title or title_of(tree, language)
    if not is_solved:
        shown = replace(shown, values=dict.fromkeys(hidden, "?"), cut=frozenset(), line=())
    elif not title:
        caption += f" ({page_texts()[language][name]}, {shown.nodes}/{tree.root.size})"
    return _Drawing(tree, shown, caption).svg()


class _Drawing:
    def __init__(self, tree: SearchedTree, run: Recording, title: str) -> None:
        self._run, self._title = run, title
        self._tree = NumberedTree(tree.root)
        self._nodes = self._tree.nodes
        self._deepest = _deepest(self._tree.levels)
        self._places: dict[int, tuple[float, float]] = {}
        self._lay_out()

    def svg(self) -> str:
        width = max(x for x, _ in self._places.values()) + MARGIN
        width = max(width, 8.5 * len(self._title) + 2 * MARGIN)
        height = max(y for _, y in self._places.values()) + MARGIN + 16
        parts = [f'<text class="title" x="{MARGIN / 2:.0f}" y="22">{escape(self._title)}</text>']
        for number in self._places:
            for child in self._shown(number):
                parts += self._edge(number, child)
        for number in self._places:
            parts += self._figure(number)
        return drawing(self._title, width, height, parts, _LOOKS)

    def _shown(self, number: int) -> list[int]:
        """The children of a node that are drawn."""
        tree = self._tree
        return tree.children[number] if tree.levels[number] < self._deepest else []

    def _lay_out(self) -> None:
        """Place the leaves side by side, and each parent above the middle of its children."""
        shown = [number for number, level in enumerate(self._tree.levels) if level <= self._deepest]
        places: dict[int, tuple[float, float]] = {}
        room = self._room()
        left = self._left(room)
        right = MARGIN - LEAF_STEP / 2
        for number in shown:
            if not self._shown(number):
                right += left[number] + room[number]
                places[number] = (right - room[number] / 2, self._height(number))
        for number in reversed(shown):
            if children := self._shown(number):
                x = (places[children[0]][0] + places[children[-1]][0]) / 2
                places[number] = (x, self._height(number))
        self._places = {number: places[number] for number in shown}

    def _room(self) -> dict[int, float]:
        """The width of each leaf, in pixels: that of its figure, or of its move."""
        room = dict.fromkeys(range(len(self._nodes)), float(LEAF_STEP))
        for number in room:
            children = self._shown(number)
            for below in children:
                if not self._shown(below):
                    # The moves stand before the ends of the lines, and so nearer to each other.
                    letters = len(self._tree.moves[below]) + 1
                    width = _LETTER * letters / (_END if len(children) > 1 else 1)
                    room[below] = max(room[below], width)
        return room

    def _left(self, room: Mapping[int, float]) -> dict[int, float]:
        """The width to the left of each leaf, for names of narrow nodes above it, in pixels."""
        left, width, first = dict.fromkeys(room, 0.0), dict(room), list(range(len(room)))
        for number in reversed(first):
            if below := self._shown(number):
                first[number] = first[below[0]]
                width[number] = sum(width[one] for one in below)
            if name := self._name(number):
                needed = HALF + 12 + 5 * len(name) - width[number] / 2
                left[first[number]] = max(left[first[number]], needed)
        return left

    def _name(self, number: int) -> str:
        """The name that is written beside a node, if any."""
        node = self._nodes[number]
        is_long = "/" in node.name or ("|" in node.name and number)
        return node.name if node.moves and node.figure != "queens" and not is_long else ""

    def _height(self, number: int) -> float:
        return MARGIN + 24.0 + LEVEL_STEP * self._tree.levels[number]

    def _edge(self, number: int, below: int) -> list[str]:
        (x1, y1), (x2, y2) = self._places[number], self._places[below]
        y1, y2 = y1 + HALF, y2 - HALF
        kind, off = "edge", ""
        if number in self._run.line and below in self._run.line:
            kind += " line"
        if below in self._run.cut:
            kind, off = kind + " cut", " off"
        x, y = x1 + _END * (x2 - x1), y1 + _END * (y2 - y1)
        move = escape(self._tree.moves[below])
        lines = [
            f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>',
            f'<text class="move{off}" x="{x:.1f}" y="{y - 2:.1f}">{move}</text>',
        ]
        if note := escape(self._nodes[below].note):
            lines.append(f'<text class="move{off}" x="{x:.1f}" y="{y + 9:.1f}">{note}</text>')
        return lines

    def _figure(self, number: int) -> list[str]:
        node, (x, y) = self._nodes[number], self._places[number]
        value = self._run.values.get(number, "")
        if not value and node.figure == "leaf" and node.worth is not None:
            value = short(node.worth)
        off = " off" if number in self._run.cut else ""
        parts = _shape(node, x, y, off)
        parts.append(f'<text class="value{off}" x="{x:.0f}" y="{y + HALF + 14:.0f}">{value}</text>')
        if node.figure in _NUMBERS:
            own = _NUMBERS[node.figure]
            parts.append(f'<text class="inside{off}" x="{x:.0f}" y="{y + 5:.0f}">{own}</text>')
        if name := self._name(number):
            end = x - HALF - 8 - 2.5 * len(name)
            parts.append(
                f'<text class="name{off}" x="{end:.0f}" y="{y - 2:.0f}">{escape(name)}</text>'
            )
        return parts


def _deepest(levels: list[int]) -> int:
    """The deepest level drawn."""
    deepest = max(levels)
    while deepest > 1 and sum(level <= deepest for level in levels) > MAX_DRAWN:
        deepest -= 1
    return deepest


def _shape(node: RecordedNode, x: float, y: float, off: str) -> list[str]:
    kind = node.figure + off
    if node.figure in ("max", "min"):
        return [triangle(node.figure, kind, x, y)]
    if node.figure == "chance":
        return [f'<circle class="{kind}" cx="{x:.0f}" cy="{y:.0f}" r="{HALF}"/>']
    left, top, size = x - HALF, y - HALF, 2 * HALF
    parts = [f'<rect class="{kind}" x="{left:.0f}" y="{top:.0f}" width="{size}" height="{size}"/>']
    return parts + _board(node.name, left, top) if node.figure == "queens" else parts


def _board(rows: str, left: float, top: float) -> list[str]:
    """The lines of a board with its queens; the first row is at the bottom."""
    size = len(rows)
    cell = 2 * HALF / size
    path = "".join(
        f"M{left + at * cell:.1f} {top:.1f}v{2 * HALF}M{left:.1f} {top + at * cell:.1f}h{2 * HALF}"
        for at in range(1, size)
    )
    parts = [f'<path class="grid" d="{path}"/>']
    for column, row in enumerate(rows):
        if row != ".":
            x, y = left + (column + 0.5) * cell, top + (size - int(row) - 0.5) * cell
            parts.append(f'<circle class="queen" cx="{x:.1f}" cy="{y:.1f}" r="{cell * 0.36:.1f}"/>')
    return parts

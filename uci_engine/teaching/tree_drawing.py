"""Draws a game tree with the results of a search, as SVG for slides and notebooks.

MAX is a triangle pointing up, MIN one pointing down, a leaf a square: the figures of Russell and
Norvig, Artificial Intelligence: A Modern Approach, chapter 5.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from xml.sax.saxutils import escape

from .game_trees import GameTree, Player, TreeNode
from .numbered_tree import NumberedTree
from .plain_svg import Looks, drawing
from .tree_search import INFINITY, MINUS_INFINITY, Run, Sign, Value
from .tree_texts import move_text, page_texts, texts, title_of

#: Distances in pixels: between leaves, between levels, and around the drawing.
LEAF_STEP, LEVEL_STEP, MARGIN = 52, 88, 44

#: Printed before negative numbers.
MINUS = "\N{MINUS SIGN}"

#: Half the size of a node, and the approximate width of a letter in a move, in pixels.
_HALF, _LETTER = 15, 6.5

#: The style of all tree drawings.
TREE_LOOKS: Looks = {
    "move": {"font-size": "11", "fill": "#5a5a5a"},
    "title": {"font-size": "16", "font-weight": "bold", "text-anchor": "start"},
    "edge": {"stroke": "#8a8a8a", "stroke-width": "1.2"},
    "line": {"stroke": "#1d6fb8", "stroke-width": "3"},
    "cut": {"stroke-dasharray": "3 4", "fade": "0.45"},
    "max": {"fill": "#d9ead3", "stroke": "#38761d"},
    "min": {"fill": "#fce5cd", "stroke": "#b45f06"},
    "leaf": {"fill": "#f3f3f3", "stroke": "#8a8a8a"},
    "off": {"fade": "0.35"},
}

_LOOKS: Looks = {
    **TREE_LOOKS,
    "bounds": {"font-size": "11", "fill": "#5a5a5a"},
    "horizon": {"stroke": "#b3261e", "stroke-width": "1.5", "stroke-dasharray": "8 5"},
    "horizon-name": {"fill": "#b3261e", "text-anchor": "start"},
    "mark": {"font-size": "12", "font-weight": "bold", "fill": "#7a2fa0"},
    "slash": {"stroke": "#b3261e", "stroke-width": "2.5"},
    "grid": {"stroke": "#1b1b1b", "fill": "none"},
}


def value_text(value: Value | None, sign: Sign = "") -> str:
    """A value, or a bound, as shown in a drawing: `3`, `≥3`, `≤3`."""
    if value is None:
        return ""
    if value in (MINUS_INFINITY, INFINITY):
        return "+∞" if value > 0 else f"{MINUS}∞"
    digits = f"{value:g}" if abs(value) < 1e6 else f"{value:.0f}"
    return sign + digits.replace("-", MINUS)


def positions(tree: NumberedTree[TreeNode]) -> list[tuple[float, float]]:
    """The positions of the nodes by number: x and y in pixels, the root on top.

    Leaves stand side by side, with room for the names of moves, and a parent stands above the
    middle of its children. Neighbours' move names are half a step apart.
    """
    step = max(LEAF_STEP, 2 * _LETTER * max(map(len, tree.moves)))
    places = [(0.0, 0.0)] * len(tree.nodes)
    right = MARGIN + step * sum(not children for children in tree.children)
    for number, children in reversed([*enumerate(tree.children)]):
        if children:
            x = (places[children[0]][0] + places[children[-1]][0]) / 2
        else:
            x = right = right - step
        places[number] = (x, MARGIN + 24.0 + LEVEL_STEP * tree.levels[number])
    return places


def draw_tree(
    tree: GameTree,
    run: Run | None = None,
    language: str = "en",
    marks: Mapping[int, str] | None = None,
    horizon: tuple[int, str] | None = None,
    step: int | None = None,
    title: str | None = None,
    hidden: Collection[int] = (),
) -> str:
    """The tree as SVG, with the values, bounds and cutoffs of a search.

    A value is that of the node; a ≥ or ≤ means that the search knows only a bound.

    :param run: of this tree; without it, only the tree is drawn, with the values of its leaves.
    :param language: of the title, `en` or `de`.
    :param marks: text beside nodes, by node number.
    :param horizon: a line below this level, 0 for the root's, and its label.
    :param step: the number of steps of the search to show.
    :param title: replaces the usual title.
    :param hidden: nodes with a question mark in place of their value.
    """
    numbered = NumberedTree(tree.root)
    nodes, places = numbered.nodes, positions(numbered)
    tree_width = max(x for x, _ in places) + MARGIN
    height = max(y for _, y in places) + MARGIN + 12
    if title is None:
        title = title_of(tree, language)
        if run:
            done = f"{run.nodes}/{len(nodes)}"
            if step is not None:
                done = texts()[language]["step_number"].format(step=step, all=len(run.steps))
            title += f" ({texts()[language][run.algorithm]}, {done})"
    if run and step is not None:
        run = run.until(step, numbered)
    width = max(tree_width, 8.5 * len(title) + 2 * MARGIN)
    places = [(x + (width - tree_width) / 2, y) for x, y in places]
    parts = [f'<text class="title" x="{MARGIN / 2:.0f}" y="22">{escape(title)}</text>']
    if horizon:
        y = MARGIN + 24 + LEVEL_STEP * (horizon[0] + 0.5) - 2
        parts += [
            f'<line class="horizon" x1="8" y1="{y:.0f}" x2="{width - 8:.0f}" y2="{y:.0f}"/>',
            f'<text class="horizon-name" x="10" y="{y - 6:.0f}">{escape(horizon[1])}</text>',
        ]
    on_line = set(run.line) if run else set()
    cut = run.cut if run else frozenset()
    for number, node in enumerate(nodes):
        for below, (name, child) in zip(numbered.children[number], node.moves, strict=True):
            is_line = number in on_line and below in on_line
            is_cut = below in cut
            if child.fen:
                name = move_text(name, page_texts()[language])
            parts += _edge(places[number], places[below], name, is_line, is_cut)
    windows = last_windows(run) if run else {}
    for number, node in enumerate(nodes):
        value = value_text(node.value)
        if run and node.moves:
            value = value_text(run.values.get(number), run.signs.get(number, ""))
        if number in hidden:
            value = "?"
        is_off = number in cut
        parts += _figure(node, places[number], value, is_off)
        if marks and number in marks:
            x, y = places[number][0] + _HALF + 11, places[number][1] + 5
            parts.append(
                f'<text class="mark" x="{x:.0f}" y="{y:.0f}">{escape(marks[number])}</text>'
            )
        if number in windows and run and run.algorithm != "minimax" and node.moves:
            x, y = places[number]
            alpha, beta = windows[number]
            bounds = f"{value_text(alpha)}, {value_text(beta)}"
            parts.append(f'<text class="bounds" x="{x:.0f}" y="{y - 22:.0f}">[{bounds}]</text>')
    for cutoff in run.cutoffs if run else ():
        for below in numbered.children[cutoff.node]:
            if below in cut:
                parts.append(_slash(places[cutoff.node], places[below]))
    return drawing(title, width, height, parts, _LOOKS)


def last_windows(run: Run) -> Mapping[int, tuple[Value, Value]]:
    """Alpha and beta of each visited node when the search left it."""
    return {
        step.node: (step.alpha, step.beta)
        for step in run.steps
        if step.kind in ("leaf", "return", "bound", "enter")
    }


def _edge(
    start: tuple[float, float], end: tuple[float, float], name: str, is_line: bool, is_cut: bool
) -> list[str]:
    kind = "edge" + " line" * is_line + " cut" * is_cut
    (x1, y1), (x2, y2) = (start[0], start[1] + _HALF), (end[0], end[1] - _HALF)
    x, y = x1 + 0.5 * (x2 - x1), y1 + 0.5 * (y2 - y1)
    side = -1 if x2 < x1 else 1
    return [
        f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>',
        f'<text class="move{" off" * is_cut}" x="{x + side * (4 + 3 * len(name)):.1f}" '
        f'y="{y:.1f}">{escape(name)}</text>',
    ]


def _figure(node: TreeNode, place: tuple[float, float], value: str, is_off: bool) -> list[str]:
    x, y = place
    kind = (node.player or "leaf") + " off" * is_off
    off = " off" * is_off
    if node.name.count("/") == 2:
        parts = _grid(node.name, x, y, kind)
        return [
            *parts,
            f'<text class="value{off}" x="{x:.0f}" y="{y + _HALF + 14:.0f}">{value}</text>',
        ]
    if node.player:
        figure = triangle(node.player, kind, x, y)
    else:
        half = max(_HALF, 4 * len(value) + 3)
        corners = ((-half, -_HALF), (half, -_HALF), (half, _HALF), (-half, _HALF))
        figure = _polygon(kind, x, y, corners)
    middle = y + (9 if node.player == "max" else -1 if node.player == "min" else 4)
    parts = [
        figure,
        f'<text class="inside{off}" x="{x:.0f}" y="{middle:.0f}">{value}</text>',
    ]
    if node.name and node.moves:
        parts.append(
            f'<text class="move" x="{x - _HALF - 8:.0f}" y="{y - 2:.0f}">{escape(node.name)}</text>'
        )
    return parts


def triangle(player: Player, kind: str, x: float, y: float) -> str:
    """The figure of MAX, which points up, or of MIN."""
    tip, base = (-_HALF - 3, _HALF) if player == "max" else (_HALF + 3, -_HALF)
    return _polygon(kind, x, y, ((0, tip), (_HALF + 4, base), (-_HALF - 4, base)))


def _polygon(kind: str, x: float, y: float, corners: Sequence[tuple[int, int]]) -> str:
    """A closed polygon: some programs omit the last side."""
    points = " ".join(f"{x + dx:.0f},{y + dy:.0f}" for dx, dy in (*corners, corners[0]))
    return f'<polygon class="{kind}" points="{points}"/>'


def _grid(name: str, x: float, y: float, kind: str) -> list[str]:
    """A position of noughts and crosses."""
    parts = [
        f'<rect class="{kind}" x="{x - _HALF:.0f}" y="{y - _HALF:.0f}" width="{2 * _HALF}" '
        f'height="{2 * _HALF}"/>'
    ]
    third = 2 * _HALF / 3
    left, top = x - _HALF, y - _HALF
    for number in (1, 2):
        parts.append(
            f'<path class="grid" stroke-width=".7" d="M{left + number * third:.1f} {top:.1f}v'
            f'{2 * _HALF}M{left:.1f} {top + number * third:.1f}h{2 * _HALF}"/>'
        )
    for row, cells in enumerate(name.split("/")):
        for column, sign in enumerate(cells):
            cx, cy = left + (column + 0.5) * third, top + (row + 0.5) * third
            if sign == "x":
                parts.append(
                    f'<path class="grid" stroke-width="1.4" d="M{cx - 3:.1f} {cy - 3:.1f}l6 6m0 -6'
                    f'l-6 6"/>'
                )
            elif sign == "o":
                parts.append(
                    f'<circle class="grid" stroke-width="1.2" cx="{cx:.1f}" cy="{cy:.1f}" r="3"/>'
                )
    return parts


def _slash(start: tuple[float, float], end: tuple[float, float]) -> str:
    """A stroke across the edge to a move that was cut off."""
    x = start[0] + 0.3 * (end[0] - start[0])
    y = start[1] + _HALF + 0.3 * (end[1] - start[1] - 2 * _HALF)
    return (
        f'<line class="slash" x1="{x - 7:.1f}" y1="{y - 3:.1f}" x2="{x + 7:.1f}" y2="{y + 3:.1f}"/>'
    )

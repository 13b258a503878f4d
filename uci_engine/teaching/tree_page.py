"""A page on which a game tree is searched step by step, in English and German.

The page holds the trees, their searches, and all texts; its script steps through what `tree_search`
recorded, and searches nothing itself. It needs no server or network.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from ..display.assets import embedded_json
from ..display.page import Page, fill, page, read_part
from .game_trees import ORDERS, GameTree, Order, Player, TreeNode, ordered
from .numbered_tree import NumberedTree
from .pseudocode import GERMAN
from .quiz_solutions import Asked, make_question, question_data
from .tree_drawing import MINUS, value_text
from .tree_search import ALGORITHMS, Algorithm, Run, Step, search
from .tree_texts import page_texts, title_of

#: With more nodes, a tree is folded at first: the page draws this many within a second.
MAX_DRAWN = 5000

#: A tree with more nodes is shown in one order only.
MANY_NODES = 6000

#: The scripts of a tree, in order, after `theory.js`.
SCRIPTS = ("tree_figures.js", "tree_replay.js", "tree.js", "quiz.js")

_ROOM = "halbzug.teaching"

#: The control that the Monte Carlo page omits.
_CUTOFF_BUTTON = '<button id="cutoff" data-text="next_cutoff"></button>\n'

#: Codes of the kinds of steps on the page.
KINDS = (
    *("enter", "leaf", "try", "back", "best", "bound", "cut", "return"),
    *("hit", "hit_lower", "hit_upper"),
)

#: Lines of pseudocode, MAX's and MIN's, and the step at which each runs.
_CODE = (
    ("function value(node{window}):", ("enter",)),
    ("  if node is a leaf: return its evaluation", ("leaf",)),
    ("  if table has {enough}: return its value", ("hit",)),
    ("  best = {start}", ()),
    ("  for each move of node:", ("try",)),
    ("    v = value(node after the move{window})", ("back",)),
    ("    if v {better} best: best = v", ("best",)),
    ("    {bound} = {extreme}({bound}, best)", ("bound",)),
    ("    if alpha ≥ beta: leave out the other moves", ("cut",)),
    ("  {store}return best", ("return",)),
)


def tree_page(
    tree: GameTree,
    language: str = "en",
    order: Order = "given",
    title: str | None = None,
    has_results: bool = True,
) -> Page:
    """Render the page as HTML.

    :param language: `en` or `de`, shown first.
    :param order: the first search order of the moves.
    :param title: replaces the usual title.
    :param has_results: whether the page offers a table of the results.
    """
    orders = ORDERS if tree.root.size <= MANY_NODES else (order,)
    data = {**tree_data(tree, orders), "order": order, "language": language}
    data |= {"title": title, "results": has_results}
    return page_of(data, title or title_of(tree, language))


def page_of(data: Mapping[str, Any], title: str, boards: str = "") -> Page:
    """The page that steps through searches.

    :param data: of a tree, or of questions, with the language shown first.
    :param title: of the window.
    :param boards: of the questions, as HTML.
    """
    embedded = embedded_json({**data, "texts": page_texts()})
    return page(
        escape(title),
        style=read_part(_ROOM, "tree.css"),
        script="\n".join(read_part(_ROOM, name) for name in ("theory.js", *SCRIPTS)),
        content=boards + tree_content(embedded),
        language=data["language"],
    )


def tree_content(data: str) -> str:
    """The content of a page with a tree, whose controls are shared with the Monte Carlo page.

    :param data: the scripts' data, embedded.
    """
    steps = fill(_ROOM, "steps.html", more=_CUTOFF_BUTTON)
    return fill(_ROOM, "tree.html", data=data, steps=steps)


def tree_data(tree: GameTree, orders: Sequence[Order] = ("given",)) -> dict[str, Any]:
    """A tree as data for the script; `tree.js` describes the format at its top."""
    return {
        "kind": tree.kind,
        "values": dict(tree.values),
        "order": orders[0],
        "algorithm": "alpha-beta",
        "truth": "minimax",
        "limit": MAX_DRAWN,
        "code": {
            algorithm: {player: code_of(algorithm, player) for player in ("max", "min")}
            for algorithm in ALGORITHMS
        },
        "orders": {order: _order_data(ordered(tree, order)) for order in orders},
    }


def _order_data(tree: GameTree) -> dict[str, Any]:
    nodes = list(tree.root.walk())
    runs = {algorithm: search(tree.root, algorithm) for algorithm in ALGORITHMS}
    return {
        "nodes": nodes_data(tree.root),
        "runs": {algorithm: run_data(run, nodes) for algorithm, run in runs.items()},
        "differences": _differences(runs, nodes),
        "questions": questions_data(tree),
    }


def nodes_data(root: TreeNode) -> list[list[Any]]:
    """The nodes of a tree in the order of `walk`, as the script takes them."""
    tree = NumberedTree(root)
    return [
        [parent, move, _PLAYERS[node.player], node.name, node.fen]
        for node, parent, move in zip(tree.nodes, tree.parents, tree.moves, strict=True)
    ]


def questions_data(tree: GameTree) -> dict[str, Any]:
    """The questions that a tree's page asks, by the names of their buttons."""
    return {ask: question_data(make_question(Asked(ask, tree))) for ask in ("cut", "move")}


_PLAYERS: Mapping[Player | None, str] = {"max": "x", "min": "n", None: ""}


def run_data(run: Run, nodes: list[TreeNode]) -> dict[str, Any]:
    """A search as data for the script."""
    return {
        "steps": [_step_data(step) for step in run.steps],
        "line": list(run.line),
        "cut": sorted(run.cut),
        "nodes": run.nodes,
        "leaves": sum(not nodes[number].moves for number in run.values),
        "cutoffs": len(run.cutoffs),
        "window": not run.algorithm.startswith("minimax"),
        "value": value_text(run.value),
    }


def _step_data(step: Step) -> list[Any]:
    return [
        KINDS.index(step.kind),
        step.node,
        *map(value_text, (step.alpha, step.beta)),
        value_text(step.value, step.sign),
        -1 if step.child is None else step.child,
    ]


def _differences(runs: Mapping[Algorithm, Run], nodes: list[TreeNode]) -> list[list[Any]]:
    """Inner nodes where fail-soft and fail-hard return different values, with minimax's."""
    soft, hard = runs["alpha-beta"].values, runs["fail-hard"].values
    compared = [runs[name] for name in ("alpha-beta", "fail-hard", "minimax")]
    return [
        [number, *(value_text(run.values[number], run.signs.get(number, "")) for run in compared)]
        for number in range(len(nodes))
        if number in soft and number in hard and soft[number] != hard[number]
    ]


def code_of(algorithm: Algorithm, player: str) -> list[list[Any]]:
    """The pseudocode for a player's node: each line, the step that runs it or -1, in German."""
    is_max = player == "max"
    is_minimax, has_table = algorithm.startswith("minimax"), algorithm.endswith("-table")
    words = {
        "window": "" if is_minimax else ", alpha, beta",
        "enough": "node" if is_minimax else "enough of node",
        "store": "table[node] = best; " if has_table else "",
        "start": f"{MINUS}∞" if is_max else "+∞",
        "better": ">" if is_max else "<",
        "bound": "alpha" if is_max else "beta",
        "other": "beta" if is_max else "alpha",
        "extreme": "max" if is_max else "min",
    }
    german = {
        **words,
        "enough": "knoten" if is_minimax else "genug von knoten",
        "store": "tabelle[knoten] = bester; " if has_table else "",
    }
    lines = []
    for line, kinds in _CODE:
        if is_minimax and kinds in (("bound",), ("cut",)):
            continue
        if not has_table and kinds == ("hit",):
            continue
        if algorithm == "fail-hard":
            # It has no value of its own: it keeps only its bound.
            line = _HARD.get(kinds[0] if kinds else "", line)
            if not kinds or not line:
                continue
        kind = KINDS.index(kinds[0]) if kinds else -1
        lines.append([line.format(**words), kind, GERMAN[line].format(**german)])
    return lines


#: Lines of fail-hard in place of those in `_CODE`.
_HARD = {
    "best": "    if v {better} {bound}: {bound} = v",
    "bound": "",
    "cut": "    if alpha ≥ beta: return {other}",
    "return": "  return {bound}",
}

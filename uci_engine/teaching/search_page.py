"""The drawn tree's page for searches other than alpha-beta."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..display.page import Page
from .numbered_tree import NumberedTree
from .pseudocode import GERMAN, german_condition
from .recorded import Figure, Note, RecordedNode, Recording, SearchedTree
from .tree_page import KINDS, page_of
from .tree_texts import title_of

#: With more nodes, the deepest levels are folded at first.
MAX_DRAWN = 320

#: The codes of the figures in the page's data.
FIGURES: Mapping[Figure, str] = {
    "max": "x",
    "min": "n",
    "chance": "c",
    "first": "1",
    "second": "2",
    "third": "3",
    "solo": "s",
    "queens": "q",
    "leaf": "",
}

_ENTER, _LEAF, _TRY, _BACK, _BEST, _BOUND, _CUT, _RETURN, _HIT = range(9)

_Lines = list[tuple[str, int]]

_CHOICE: _Lines = [
    ("function value(node):", _ENTER),
    ("  if node is a leaf: return its value", _LEAF),
    ("  best = none", -1),
    ("  for each move of node:", _TRY),
    ("    v = value(node after the move)", _BACK),
    ("    if {condition}: best = v", _BEST),
    ("  return best", _RETURN),
]
_MEAN: _Lines = [
    ("function value(node):", _ENTER),
    ("  mean = 0", -1),
    ("  for each roll, with probability p:", _TRY),
    ("    mean = mean + p · value(node after the roll)", _BEST),
    ("  return mean", _RETURN),
]
_KNOWN = ("  if node is in the database: return what it says", _CUT)
_QUEENS: _Lines = [
    ("function place(queens):", _ENTER),
    ("  if all queens stand: keep the cheaper ones", _BEST),
    ("  for each free square of the next column:", _TRY),
    ("    place(queens and one there)", -1),
    ("  if there is none: go back", _LEAF),
    ("  take the last queen away", _RETURN),
]
_BOUNDED: _Lines = [
    *_QUEENS[:1],
    ("  bound = cost + the least of the other columns", _BOUND),
    ("  if bound ≥ the cheapest so far: give up", _CUT),
    *_QUEENS[1:],
]
_KNAPSACK: _Lines = [
    ("function pack(things):", _ENTER),
    ("  if all is decided: keep the most valuable things", _BEST),
    ("  take the next thing, if it can be carried: pack", _TRY),
    ("  leave it: pack", _TRY),
    ("  take the last decision back", _RETURN),
]
_BOUNDED_KNAPSACK: _Lines = [
    *_KNAPSACK[:1],
    ("  bound = value + the best of the rest, in part", _BOUND),
    ("  if bound ≤ the best so far: give up", _CUT),
    *_KNAPSACK[1:],
]
_NEGAMAX: _Lines = [
    ("function value(node):", _ENTER),
    ("  if node is a leaf: return its value for the player to move", _LEAF),
    ("  if table has node, or one like it: return what it says", _HIT),
    ("  best = none", -1),
    ("  for each move of node:", _TRY),
    ("    v = -value(node after the move)", _BACK),
    ("    if v > best: best = v", _BEST),
    ("    if the other has something better elsewhere: stop", _CUT),
    ("  table[node] = best; return best", _RETURN),
]
_UCT: _Lines = [
    ("function simulate():", -1),
    ("  node = root", -1),
    ("  while all moves of node were tried:", -1),
    ("    node = child with most mean + c·sqrt(ln N / n)", _TRY),
    ("  add a move; play on by chance to the end", _ENTER),
    ("  on the way back: n = n + 1, sum = sum + result", _RETURN),
]
_PUCT: _Lines = [
    ("function simulate():", -1),
    ("  node = root", -1),
    ("  while node has been judged:", -1),
    ("    node = child with most mean + c·p·sqrt(N) / (1 + n)", _TRY),
    ("  judge node: p for each move, and its value", _ENTER),
    ("  on the way back: n = n + 1, sum = sum + value", _RETURN),
]
_REGRET: _Lines = [
    ("function walk(state):", _ENTER),
    ("  if state is an end: return what it pays", _LEAF),
    ("  for each move: v(move) = walk(state after it)", -1),
    ("  value = mean of v, weighted by the strategy", -1),
    ("  regret(move) += reach of the others · (v(move) - value)", -1),
    ("  strategy = in proportion to the positive regrets", _RETURN),
]


def search_page(
    tree: SearchedTree, language: str = "en", title: str | None = None, has_results: bool = True
) -> Page:
    """Render the page as HTML, first shown in `en` or `de`.

    :param title: replaces the usual title.
    :param has_results: whether the page offers a table of the results.
    """
    data = {**search_data(tree), "language": language, "title": title, "results": has_results}
    return page_of(data, title or title_of(tree, language))


def search_data(tree: SearchedTree) -> dict[str, Any]:
    """A tree as data for the script; see `tree_page.tree_data`."""
    side = FIGURES[tree.root.figure]
    return {
        "kind": tree.kind,
        "values": dict(tree.values),
        "order": "given",
        "algorithm": tree.usual,
        "below": True,
        "truth": next(iter(tree.runs)),
        "limit": MAX_DRAWN,
        "code": {name: _both_languages(_code(name, side)) for name in tree.runs},
        "orders": {
            "given": {
                "nodes": _nodes_data(tree.root),
                "runs": {
                    name: {**_run_data(run), "end": _ending(tree, name)}
                    for name, run in tree.runs.items()
                },
            }
        },
    }


def _ending(tree: SearchedTree, name: str) -> str:
    """The sentence that states a search's result."""
    figure = tree.root.figure
    if name in ("uct", "puct"):
        return "end_grown"
    if name in ("regret", "paranoid"):
        return f"end_{name}"
    return {"queens": "end_queens", "first": "end_max_n", "solo": "end_puzzle"}.get(
        figure, "end_search"
    )


def _nodes_data(root: RecordedNode) -> list[list[Any]]:
    tree, found = NumberedTree(root), []
    for node, parent, move in zip(tree.nodes, tree.parents, tree.moves, strict=True):
        is_fen = node.name.count("/") == 7
        name, fen = ("", node.name) if is_fen else (node.name, "")
        found.append([parent, move, FIGURES[node.figure], name, fen, None, node.note])
    return found


def _run_data(run: Recording) -> dict[str, Any]:
    return {
        "steps": [_step_data(step) for step in run.steps],
        "line": list(run.line),
        "cut": sorted(run.cut),
        "nodes": run.nodes,
        "leaves": run.leaves,
        "cutoffs": run.cutoffs,
        "window": False,
        "value": run.result,
    }


def _step_data(step: Note) -> list[Any]:
    kind = KINDS.index(step.kind)
    return [kind, step.node, "", "", step.shown, step.child, step.sentence, dict(step.values)]


def _code(name: str, figure: str) -> dict[str, _Lines]:
    """The pseudocode of a search for each figure.

    :param figure: of the root, which distinguishes puzzles.
    """
    if name in ("backtracking", "branch-and-bound"):
        plain, bounded = (_QUEENS, _BOUNDED) if figure == "q" else (_KNAPSACK, _BOUNDED_KNAPSACK)
        return {figure: plain if name == "backtracking" else bounded}
    if name.startswith("max-n"):
        return {str(player): _choice(*_alliance_words(player, name)) for player in (1, 2, 3)}
    if name == "paranoid":
        stop = ("    if another player has something better elsewhere: stop", _CUT)
        sides = [_choice(f"v {'>' if player == 1 else '<'} best") for player in (1, 2, 3)]
        return {str(n): [*lines[:-1], stop, lines[-1]] for n, lines in enumerate(sides, 1)}
    if whole := {"negamax-table": _NEGAMAX, "uct": _UCT, "puct": _PUCT, "regret": _REGRET}.get(
        name
    ):
        return {"x": whole, "n": whole, "c": whole}
    found = {"x": _choice("v > best"), "n": _choice("v < best")}
    if name == "looked-up":
        found = {side: [*lines[:1], _KNOWN, *lines[1:]] for side, lines in found.items()}
    if name in ("star1", "alpha-beta"):
        stop = ("    if MAX or MIN has something better elsewhere: stop", _CUT)
        found = {side: [*lines[:-1], stop, lines[-1]] for side, lines in found.items()}
    if name == "expectiminimax":
        found["c"] = _MEAN
    if name == "star1":
        stop = ("    if the rest cannot bring the sum into the window: stop", _CUT)
        found["c"] = [*_MEAN[:-1], stop, _MEAN[-1]]
    return found


def _choice(*conditions: str) -> _Lines:
    condition = ", or ".join(conditions)
    return [(line.replace("{condition}", condition), kind) for line, kind in _CHOICE]


def _both_languages(code: Mapping[str, _Lines]) -> dict[str, list[list[Any]]]:
    """Each line with the step that runs it, and in German."""
    return {
        player: [[line, kind, _german(line)] for line, kind in lines]
        for player, lines in code.items()
    }


def _german(line: str) -> str:
    if line in GERMAN:
        return GERMAN[line]
    condition = line.strip().removeprefix("if ").removesuffix(": best = v")
    german = GERMAN["    if {condition}: best = v"]
    return german.replace("{condition}", german_condition(condition))


def _alliance_words(player: int, name: str) -> list[str]:
    """A player's preference in words: the own number, and in an alliance the friend's."""
    words = [f"v[{player}] > best[{player}]"]
    friends = name.removeprefix("max-n").strip("-")
    if str(player) in friends:
        friend = friends.replace(str(player), "")
        words.append(f"equal and v[{friend}] > best[{friend}]")
    return words

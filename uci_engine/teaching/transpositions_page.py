"""A page about the transposition table: keys, nodes with the same position, and the saving.

It is the page of a drawn tree in which nodes have a letter if their position occurs more than once,
with the key of the current node and what the last move changed in it.
"""

from __future__ import annotations

from html import escape
from typing import Any

import chess

from ..base.language import LANGUAGES
from ..display import assets
from ..display.page import Page, page, read_part
from .game_trees import ORDERS
from .marked_tree import MarkedTree
from .tree_drawing import draw_tree
from .tree_page import (
    MANY_NODES,
    MAX_DRAWN,
    SCRIPTS,
    code_of,
    nodes_data,
    run_data,
    tree_content,
)
from .tree_search import Algorithm
from .tree_texts import page_texts, texts
from .zobrist_parts import Change, Keyed, changes

_ROOM = "halbzug.teaching"

_ALGORITHMS: tuple[Algorithm, ...] = (
    "minimax", "minimax-table", "alpha-beta", "alpha-beta-table"
)  # fmt: skip

#: Two paths each to one placement: one position; two positions because of castling; two because of
#: en passant.
_PAIRS = (
    ("same", "e4 e5 d4", "d4 e5 e4"),
    ("castling", "Nf3 Nf6", "Nf3 Nf6 Rg1 Rg8 Rh1 Rh8"),
    ("en_passant", "e4 d5 e5 a6", "e4 a6 e5 d5"),
)


def transpositions_page(found: MarkedTree, language: str = "en") -> Page:
    """Render the page as HTML.

    :param found: the tree, with its moves in the first search order.
    :param language: `en` or `de`, shown first.
    """
    orders = ORDERS if len(found.nodes) <= MANY_NODES else (found.order,)
    words = {name: {**page_texts()[name], **texts("transpositions")[name]} for name in LANGUAGES}
    data: dict[str, Any] = {
        "kind": "transpositions",
        "values": dict(found.given.values),
        "language": language,
        "order": found.order,
        "algorithm": "alpha-beta-table",
        "truth": "minimax",
        "texts": words,
        "limit": MAX_DRAWN,
        "code": {
            algorithm: {player: code_of(algorithm, player) for player in ("max", "min")}
            for algorithm in _ALGORITHMS
        },
        "orders": {order: _order_data(found.reordered(order)) for order in orders},
        "pairs": [_pair_data(*pair) for pair in _PAIRS],
    }
    styles = (assets.style(), read_part(_ROOM, "tree.css"), read_part(_ROOM, "transpositions.css"))
    scripts = (
        assets.script(),
        *(read_part(_ROOM, name) for name in ("theory.js", "transpositions.js", *SCRIPTS)),
    )
    content = tree_content(assets.embedded_json(data))
    return page(
        escape(words[language]["title_transpositions"]),
        style="\n".join(styles),
        script="\n".join(scripts),
        content="\n".join([assets.pieces(), content, read_part(_ROOM, "transpositions.html")]),
        language=language,
    )


def _order_data(found: MarkedTree) -> dict[str, Any]:
    records = nodes_data(found.tree.root)
    keys: list[list[Any]] = []
    for number, record in enumerate(records):
        mark = found.marks.get(number)
        if mark:
            record.append([mark.letter, mark.color])
        made = changes(found.keyed[record[0]], found.keyed[number]) if number else []
        keys.append([_hexadecimal(found.keys[number]), [_change_data(one) for one in made]])
    return {
        "nodes": records,
        "keys": keys,
        "runs": {name: run_data(run, found.nodes) for name, run in found.runs.items()},
        "positions": found.positions,
        "lookalikes": found.lookalikes,
        "differences": None,
    }


def _change_data(change: Change) -> list[Any]:
    part = change.part
    return [part.kind, part.name, part.square, change.is_new, _hexadecimal(part.number)]


def _hexadecimal(number: int) -> str:
    return f"{number:016X}"


def _pair_data(name: str, first: str, second: str) -> dict[str, Any]:
    """Two paths to the same placement, with their keys and the differences."""
    boards = [chess.Board(), chess.Board()]
    lines = []
    for board, line in zip(boards, (first, second), strict=True):
        moves = [board.push_san(move) for move in line.split()]
        lines.append(chess.Board().variation_san(moves))
    keyed = [Keyed(board) for board in boards]
    return {
        "name": name,
        "fens": [board.fen() for board in boards],
        "moves": lines,
        "keys": [_hexadecimal(one.key) for one in keyed],
        "changes": [_change_data(one) for one in changes(*keyed)],
    }


def transpositions_svg(
    found: MarkedTree, algorithm: Algorithm = "alpha-beta-table", language: str = "en"
) -> str:
    """The tree as SVG, with a search's results and the letters of its positions."""
    letters = {number: mark.letter for number, mark in found.marks.items()}
    return draw_tree(found.tree, found.runs[algorithm], language, letters)

"""The horizon effect as a page: two lines on two boards, step by step, and the horizon.

Below is the tree of a quiescence search from the position where the other search stops. The page
needs no server or network.
"""

from __future__ import annotations

from html import escape
from typing import Any

import chess

from ..base.language import LANGUAGES, reader_language
from ..board.notation import pawns_text, san_line
from ..display import assets
from ..display.page import Page, fill, page, read_part
from ..teaching.examples import Example
from ..teaching.game_trees import GameTree, TreeNode, value_for_white
from ..teaching.horizon_effect import JUDGE_DEPTH, Comparison, HorizonLine
from ..teaching.quiescence_tree import STAND_PAT, QuiescenceTree, quiescence_tree
from ..teaching.tree_drawing import draw_tree
from ..teaching.tree_search import search
from ..teaching.tree_texts import signed, texts

_ROOM = "halbzug.teaching"


def horizon_page(
    board: chess.Board,
    comparison: Comparison,
    example: Example | None = None,
    language: str = "en",
) -> Page:
    """Render the page as HTML.

    :param example: the example that the position comes from, if it is one of ours.
    :param language: `en` or `de`, shown first.
    """
    end = _end(board, comparison.without)
    quiescence = quiescence_tree(end)
    data = {
        "language": language,
        "texts": signed("horizon"),
        "stories": _stories(example, comparison.depth),
        "fen": board.fen(shredder=board.chess960),
        "white": board.turn,
        "depth": comparison.depth,
        "judge": max(comparison.depth, JUDGE_DEPTH),
        "mistake": comparison.is_mistake,
        "material": comparison.material,
        "lines": [_line_data(board, line) for line in (comparison.without, comparison.full)],
        "drawings": {name: horizon_svg(board, comparison, name, quiescence) for name in LANGUAGES},
        "quiescence": {
            "static": value_for_white(end),
            "value": search(quiescence.root, "alpha-beta").value,
            "quiet": not quiescence.root.moves,
            "plies": quiescence.plies,
            "whole": quiescence.is_whole,
        },
    }
    styles = (assets.style(), read_part(_ROOM, "theory.css"), read_part(_ROOM, "horizon.css"))
    scripts = (assets.script(), read_part(_ROOM, "theory.js"), read_part(_ROOM, "horizon.js"))
    return page(
        escape(texts("horizon")[language]["title"]),
        style="\n".join(styles),
        script="\n".join(scripts),
        content=fill(
            _ROOM, "horizon.html", pieces=assets.pieces(), data=assets.embedded_json(data)
        ),
        language=language,
    )


def _stories(example: Example | None, depth: int) -> dict[str, list[str]]:
    """Title and story of one of our positions, by language; the story only at its own depth."""
    if not example:
        return {}
    kinds = ["title", "story"][: 1 + (example.depth == depth)]
    return {name: [example_text(example, kind, name) for kind in kinds] for name in LANGUAGES}


def example_text(example: Example, kind: str, language: str = "") -> str:
    """The title or the story of one of our positions.

    :param language: by default the reader's.
    """
    english: str = getattr(example, kind)
    if (language or reader_language()) == "en":
        return english
    return texts("horizon")["examples_de"].get(f"{example.name}_{kind}", english)


def _end(board: chess.Board, line: HorizonLine) -> chess.Board:
    """The position where the search stopped."""
    after = board.copy(stack=False)
    for move in line.moves:
        after.push_uci(move)
    return after


def _line_data(board: chess.Board, line: HorizonLine) -> dict[str, Any]:
    """A line as data: the pieces after each move; see `horizon.js`."""
    after = board.copy(stack=False)
    steps: list[list[Any]] = []
    for text, material in zip(line.moves + line.beyond, line.materials, strict=True):
        name = san_line(after, [text])
        move = after.push_uci(text)
        squares = [chess.square_name(square) for square in (move.from_square, move.to_square)]
        king = after.king(after.turn)
        check = chess.square_name(king) if after.is_check() and king is not None else ""
        steps.append([name, after.board_fen(), *squares, check, material])
    return {
        "steps": steps,
        "seen": len(line.moves),
        "value": pawns_text(line.value),
        "judged": pawns_text(line.judged),
    }


def horizon_svg(
    board: chess.Board,
    comparison: Comparison,
    language: str = "en",
    quiescence: QuiescenceTree | None = None,
) -> str:
    """Draw the line that stops at the horizon, and the quiescence search beyond it, as SVG.

    :param quiescence: the search from its end, if it has already been made.
    """
    words = texts("horizon")[language]
    line = comparison.without
    below = (quiescence or quiescence_tree(_end(board, line))).root
    names = {STAND_PAT: words["stand_pat"]}
    below = _renamed(below, names)
    boards = [board.copy(stack=False)]
    for move in line.moves:
        boards.append(boards[-1].copy(stack=False))
        boards[-1].push_uci(move)
    node = below
    for before, move in reversed(list(zip(boards, line.moves, strict=False))):
        name = before.san(chess.Move.from_uci(move))
        node = TreeNode(
            player="max" if before.turn else "min", moves=((name, node),), fen=before.fen()
        )
    tree = GameTree("horizon", node, {"depth": comparison.depth})
    return draw_tree(
        tree, search(node, "alpha-beta"), language, None, (len(line.moves), words["horizon"])
    )


def _renamed(node: TreeNode, names: dict[str, str]) -> TreeNode:
    """The tree with its moves renamed; it is only a few plies deep."""
    moves = tuple((names.get(name, name), _renamed(child, names)) for name, child in node.moves)
    return TreeNode(node.name, node.player, moves, node.value, node.fen)

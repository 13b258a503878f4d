"""The output of the `halbzug explain` commands: tables, and their message in sentences."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import chess

from ..board.movegen import BUILD
from ..display.document import Glossary, Part, Remark
from ..teaching.examples import EXAMPLES
from ..teaching.tree_texts import move_text, page_texts, phrase, title_of
from .drawn import SearchDrawing
from .experiment_report import (
    LEGEND,
    NETWORK_NOTE,
    eval_remarks,
    horizon_remarks,
    move_name,
    move_notes,
    side_to_move,
    tree_remarks,
)
from .experiment_results import (
    Drawing,
    Horizon,
    Mistake,
    Terms,
    Transpositions,
    Tree,
    saving_table,
    searches_table,
)
from .experiment_tables import changes_table, horizon_table, terms_table, tree_table
from .network_parts import parts_table


def tree_document(found: Tree) -> Iterator[Part]:
    """The ablation as a table, with conclusions."""
    yield f"{_heading(found.board)}, depth {found.depth}, {BUILD} build\n"
    yield tree_table(found.board, found.measurements)
    yield LEGEND
    yield ""
    techniques = [one.technique for one in found.measurements]
    yield Glossary([(technique.name, technique.idea) for technique in techniques])
    for remark in tree_remarks(found.measurements):
        yield ""
        yield remark


def examples_document() -> Iterator[Part]:
    """The positions that come with Halbzug."""
    for example in EXAMPLES:
        yield f"{example.name:10} {example.title} (depth {example.depth})\n{'':10} {example.fen}"


def horizon_document(found: Horizon) -> Iterator[Part]:
    """Two lines side by side, with the material after each ply."""
    if found.example:
        yield Remark(found.example.title, "strong")
    yield f"{_heading(found.board)}, depth {found.depth}\n"
    yield found.board
    yield ""
    if found.story:
        yield found.story
    yield horizon_table(found.board, found.comparison)
    yield from horizon_remarks(found.board, found.comparison, found.is_searched)


def eval_document(found: Terms, is_all: bool) -> Iterator[Part]:
    """The evaluation term by term, and how it becomes one number.

    :param is_all: also show the terms that cancel out.
    """
    yield f"{_heading(found.board)}; all numbers are centipawns\n"
    yield terms_table(found.breakdown, is_all)
    hidden = 0 if is_all else sum(term.cancels for term in found.breakdown.terms)
    yield from eval_remarks(found.board, found.breakdown, hidden)
    yield Remark("")
    yield parts_table(found.network)
    yield Remark(NETWORK_NOTE)


def drawing_document(found: Drawing, language: str = "en") -> Iterator[Part]:
    """The nodes that minimax and alpha-beta needed for a tree, and the principal variation."""
    words = page_texts()[language]
    yield Remark(title_of(found.tree, language), "strong")
    yield phrase(words, f"note_{found.tree.kind}", found.tree.values) + "\n"
    yield searches_table(found, language)
    nodes = list(found.tree.root.walk())
    line = found.runs["alpha-beta"].line
    moves = [
        move_text(name, words) if child.fen else name
        for number, below in pairwise(line)
        for name, child in nodes[number].moves
        if child is nodes[below]
    ]
    yield words["both_play"].format(moves=", ".join(moves))


def search_document(found: SearchDrawing, language: str = "en") -> Iterator[Part]:
    """What each search of a tree needed and found."""
    yield Remark(title_of(found.tree, language), "strong")
    note = phrase(page_texts()[language], f"note_{found.tree.kind}", found.tree.values)
    yield note + "\n"
    yield found.table(language)


def transpositions_document(found: Transpositions) -> Iterator[Part]:
    """The saving by a transposition table in a drawn tree."""
    yield _heading(found.board) + "\n"
    yield saving_table(found)
    yield (
        f"The tree has {len(found.nodes)} nodes and {found.positions} different positions. "
        f"{found.lookalikes} placements with the same side to move are more than one position, "
        "because of castling rights or en passant."
    )


def move_document(found: Mistake) -> Iterator[Part]:
    """Why a move is bad, its refutation, and the evaluation at the end of both lines."""
    reason = found.reason
    yield f"{_heading(reason.board)}: {move_name(reason)}\n"
    for number, note in enumerate(move_notes(reason)):
        yield Remark(note, "plain" if number else "strong")
    if reason.is_bad:
        yield "\nThe evaluation at the ends of these lines, in centipawns, for the player:"
        yield changes_table(reason)


def _heading(board: chess.Board) -> str:
    return f"{board.fen()}\n{side_to_move(board)} to move"

"""The output of the `halbzug explain` commands: tables, and their message in sentences."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from ..base.language import reader_language, say
from ..board.movegen import BUILD
from ..display.document import Glossary, Part, Remark
from ..teaching.examples import EXAMPLES
from ..teaching.tree_texts import move_text, phrase, reader_texts, title_of
from .drawn import SearchDrawing
from .experiment_report import (
    LEGEND,
    NETWORK_NOTE,
    eval_remarks,
    heading,
    horizon_remarks,
    move_name,
    move_notes,
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
from .horizon_page import example_text
from .network_parts import parts_table


def tree_document(found: Tree) -> Iterator[Part]:
    """The ablation as a table, with conclusions."""
    build = say("compiled build" if BUILD == "compiled" else "pure build")
    yield f"{heading(found.board, found.depth)}, {build}\n"
    yield tree_table(found.board, found.measurements)
    yield say(LEGEND)
    yield ""
    techniques = [one.technique for one in found.measurements]
    yield Glossary([(say(technique.name), say(technique.idea)) for technique in techniques])
    for remark in tree_remarks(found.measurements):
        yield ""
        yield remark


def examples_document() -> Iterator[Part]:
    """The positions that come with Halbzug."""
    for example in EXAMPLES:
        title, depth = example_text(example, "title"), say(", depth {n}", n=example.depth)
        yield f"{example.name:10} {title}{depth}\n{'':10} {example.fen}"


def horizon_document(found: Horizon) -> Iterator[Part]:
    """Two lines side by side, with the material after each ply."""
    if found.example:
        yield Remark(example_text(found.example, "title"), "strong")
    yield heading(found.board, found.depth) + "\n"
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
    yield heading(found.board) + say("; all numbers are centipawns") + "\n"
    yield terms_table(found.breakdown, is_all)
    hidden = 0 if is_all else sum(term.cancels for term in found.breakdown.terms)
    yield from eval_remarks(found.board, found.breakdown, hidden)
    yield Remark("")
    yield parts_table(found.network)
    yield Remark(say(NETWORK_NOTE))


def drawing_document(found: Drawing) -> Iterator[Part]:
    """The nodes that minimax and alpha-beta needed for a tree, and the principal variation."""
    words = reader_texts()
    yield Remark(title_of(found.tree, reader_language()), "strong")
    yield phrase(words, f"note_{found.tree.kind}", found.tree.values) + "\n"
    yield searches_table(found)
    nodes = list(found.tree.root.walk())
    line = found.runs["alpha-beta"].line
    moves = [
        move_text(name, words) if child.fen else name
        for number, below in pairwise(line)
        for name, child in nodes[number].moves
        if child is nodes[below]
    ]
    yield words["both_play"].format(moves=", ".join(moves))


def search_document(found: SearchDrawing) -> Iterator[Part]:
    """What each search of a tree needed and found."""
    yield Remark(title_of(found.tree, reader_language()), "strong")
    yield phrase(reader_texts(), f"note_{found.tree.kind}", found.tree.values) + "\n"
    yield found.table()


def transpositions_document(found: Transpositions) -> Iterator[Part]:
    """The saving by a transposition table in a drawn tree."""
    yield heading(found.board) + "\n"
    yield saving_table(found)
    yield say(
        "The tree has {nodes} nodes and {positions} different positions. {lookalikes} placements "
        "with the same side to move are more than one position, because of castling rights or "
        "en passant.",
        nodes=len(found.nodes),
        positions=found.positions,
        lookalikes=found.lookalikes,
    )


def move_document(found: Mistake) -> Iterator[Part]:
    """Why a move is bad, its refutation, and the evaluation at the end of both lines."""
    reason = found.reason
    yield f"{heading(reason.board)}: {move_name(reason)}\n"
    for number, note in enumerate(move_notes(reason)):
        yield Remark(note, "plain" if number else "strong")
    if reason.is_bad:
        yield "\n" + say(
            "The evaluation at the ends of these lines, in centipawns, for the player:"
        )
        yield changes_table(reason)

"""The results of `halbzug.explain` calls: experiments that display themselves in a notebook.

Elsewhere they are text: `print` shows the same as the commands.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import chess

from ..api.breakdown import Breakdown
from ..api.result_display import board_svg
from ..api.shown_results import Evaluation
from ..base.language import reader_language, say
from ..base.text import counted
from ..batch.findings import score_json
from ..display.document import Part, Remark
from ..display.page import Page
from ..display.sheet import Column, Sheet, beside, paragraphs, show_text, wrapped
from ..reasons.claims import ReasonClaim
from ..reasons.move_reason import MoveReason
from ..teaching.game_trees import GameTree, Order, ordered
from ..teaching.marked_tree import MarkedTree
from ..teaching.transpositions_page import transpositions_page, transpositions_svg
from ..teaching.tree_drawing import draw_tree, value_text
from ..teaching.tree_page import tree_page
from ..teaching.tree_search import ALGORITHMS, Algorithm, search
from ..teaching.tree_texts import (
    empty_table,
    move_text,
    phrase,
    reader_texts,
    search_name,
    title_of,
)
from . import experiment_report as report
from .eval_map import EvalMap, eval_map
from .eval_page import eval_page, maps_svg
from .experiment_tables import changes_table, terms_table
from .network_parts import NetworkParts, network_parts, parts_table
from .plotting import load_matplotlib

if TYPE_CHECKING:
    from .plot import Plot

#: A drawing with more nodes is too wide for a notebook; its page is not.
MAX_SHOWN = 600


class Drawing:
    """A game tree with three searches: minimax, alpha-beta, and fail-hard alpha-beta.

    :param tree: the tree as given.
    :param order: the order in which its moves are searched.
    :ivar tree: the tree with its moves in that order.
    """

    def __init__(self, tree: GameTree, order: Order = "given") -> None:
        self._given, self._order = tree, order
        self.tree = tree = ordered(tree, order)
        #: The recorded steps of each search, by its name.
        self.runs = {algorithm: search(tree.root, algorithm) for algorithm in ALGORITHMS}

    @property
    def nodes(self) -> int:
        """The number of nodes in the tree."""
        return self.tree.root.size

    @property
    def value(self) -> float:
        """The value of the tree for MAX."""
        return self.runs["minimax"].value

    def svg(
        self,
        algorithm: Algorithm | None = "alpha-beta",
        language: str = "",
        *,
        is_solved: bool = True,
        step: int | None = None,
        title: str | None = None,
    ) -> str:
        """The tree as SVG with the results of a search; `None` draws the tree alone.

        :param is_solved: False also draws the tree alone.
        :param step: draw what is known after this step of the search, as the page counts.
        :param title: replaces the usual title.
        :raises ValueError: if there is no such step, or a step is given without a search.
        """
        run = self.runs[algorithm] if algorithm and is_solved else None
        if step is not None:
            if run is None:
                raise ValueError("only a search has steps, not an unsolved tree")
            if not 0 <= step <= len(run.steps):
                raise ValueError(f"this search has steps from 0 to {len(run.steps)}, not {step}")
        return draw_tree(self.tree, run, language or reader_language(), step=step, title=title)

    def html(
        self, language: str = "", *, title: str | None = None, has_results: bool = True
    ) -> Page:
        """A page that steps through the searches and asks questions, first shown in `en` or `de`.

        It needs no server or network.

        :param title: replaces the usual title.
        :param has_results: whether the page offers a table of the results.
        """
        return tree_page(
            self._given, language or reader_language(), self._order, title, has_results
        )

    def table(self) -> Sheet:
        """What each search needed and self."""
        sheet = empty_table()
        leaves = {number for number, node in enumerate(self.tree.root.walk()) if not node.moves}
        for name, run in self.runs.items():
            visited = len(leaves - run.cut)
            cells = (run.nodes, visited, len(run.cutoffs))
            sheet.add(search_name(name), *map(str, cells), value_text(run.value))
        return sheet

    def document(self) -> Iterator[Part]:
        """The nodes that minimax and alpha-beta needed for a tree, and the principal variation."""
        words = reader_texts()
        yield Remark(title_of(self.tree, reader_language()), "strong")
        yield phrase(words, f"note_{self.tree.kind}", self.tree.values) + "\n"
        yield self.table()
        nodes = list(self.tree.root.walk())
        line = self.runs["alpha-beta"].line
        moves = [
            move_text(name, words) if child.fen else name
            for number, below in pairwise(line)
            for name, child in nodes[number].moves
            if child is nodes[below]
        ]
        yield words["both_play"].format(moves=", ".join(moves))

    def as_json(self) -> dict[str, Any]:
        """The results as data."""
        return {
            "nodes": self.nodes,
            "value": self.value,
            "searches": {
                name: {
                    "nodes": run.nodes,
                    "cut": sorted(run.cut),
                    "cutoffs": len(run.cutoffs),
                    "line": list(run.line),
                }
                for name, run in self.runs.items()
            },
        }

    def __str__(self) -> str:
        return f"{title_of(self.tree, reader_language())}\n{self.table().text()}"

    def __repr__(self) -> str:
        return f"<Drawing of {counted(self.nodes, 'node')}, worth {self.value:g}>"

    _repr_pretty_ = show_text

    def _repr_svg_(self) -> str | None:
        return self.svg() if self.nodes <= MAX_SHOWN else None


class Transpositions(MarkedTree):
    """The tree of a position, searched with and without a transposition table."""

    def svg(self, algorithm: Algorithm = "alpha-beta-table", language: str = "") -> str:
        """The tree as SVG, with the results of a search and letters at its positions."""
        return transpositions_svg(self, algorithm, language or reader_language())

    def html(self, language: str = "") -> Page:
        """A page that steps through the searches and shows keys, first shown in `en` or `de`.

        It needs no server or network.
        """
        return transpositions_page(self, language or reader_language())

    def table(self) -> Sheet:
        """What each search needed and found, with and without a table."""
        numbers = (say("nodes"), say("hits"), say("value"))
        sheet = Sheet((Column(say("Search")), *(Column(name, True) for name in numbers)))
        for name, run in self.runs.items():
            hits = sum(step.kind.startswith("hit") for step in run.steps)
            sheet.add(search_name(name), str(run.nodes), str(hits), value_text(run.value))
        return sheet

    def document(self) -> Iterator[Part]:
        """The saving by a transposition table in a drawn tree."""
        yield report.heading(self.board) + "\n"
        yield self.table()
        yield say(
            "The tree has {nodes} nodes and {positions} different positions. {lookalikes} "
            "placements with the same side to move are more than one position, because of castling "
            "rights or en passant.",
            nodes=len(self.nodes),
            positions=self.positions,
            lookalikes=self.lookalikes,
        )

    def as_json(self) -> dict[str, Any]:
        """The saving by the table, as data."""
        return {
            "fen": self.board.fen(shredder=self.board.chess960),
            "nodes": len(self.nodes),
            "positions": self.positions,
            "lookalikes": self.lookalikes,
            "key": f"{self.keys[0]:016X}",
            "searches": {
                name: {"nodes": run.nodes, "value": run.value} for name, run in self.runs.items()
            },
        }

    def __str__(self) -> str:
        return f"{self.board.fen()}\n{self.table().text()}"

    def __repr__(self) -> str:
        nodes = counted(len(self.nodes), "node")
        return f"<Transpositions: {nodes}, {counted(self.positions, 'position')}>"

    _repr_pretty_ = show_text

    def _repr_svg_(self) -> str | None:
        return self.svg() if len(self.nodes) <= MAX_SHOWN else None


class Terms(Evaluation):
    """The static evaluation in groups of terms: `halbzug.evaluate`, with its derivation.

    :param board: the position.
    :param breakdown: the terms with their counts and weights.
    """

    def __init__(self, board: chess.Board, breakdown: Breakdown) -> None:
        super().__init__(board, breakdown.value)
        self.breakdown = breakdown
        self._other: Terms | None = None
        notes = report.eval_notes(breakdown)
        hidden = sum(term.cancels for term in breakdown.terms)
        if hidden:
            notes.append(f"{report.hidden_text(hidden)}.")
        if board.is_check():
            notes.append(say(report.IN_CHECK))
        self._notes = notes

    def beside(self, other: Terms) -> Terms:
        """A copy whose page also shows another position and the difference between both."""
        found = Terms(self.board, self.breakdown)
        found._other = other
        return found

    @property
    def network(self) -> NetworkParts:
        """The parts of the evaluation by the network that the compiled engine uses."""
        return network_parts(self.board)

    def html(self, language: str = "") -> Page:
        """A page with the board as a heat map beside a table, first shown in `en` or `de`.

        It needs no server or network.
        """
        return eval_page(self._maps(), language or reader_language())

    def svg(self, language: str = "") -> str:
        """The board, or both side by side, as heat maps of all terms except material, as SVG."""
        return maps_svg(self._maps(), language or reader_language())

    def _maps(self) -> list[EvalMap]:
        boards = [self.board, self._other.board] if self._other else [self.board]
        return [eval_map(board) for board in boards]

    def plot(self) -> Plot:
        """Plot the sum, a bar for each group of terms.

        :raises ImportError: if matplotlib is missing.
        """
        load_matplotlib()
        from .plot import draw_terms

        return draw_terms(self.board, self.breakdown, self.board.fen())

    def document(self, is_all: bool = False) -> Iterator[Part]:
        """The evaluation term by term, and how it becomes one number.

        :param is_all: also show the terms that cancel out.
        """
        yield report.heading(self.board) + say("; all numbers are centipawns") + "\n"
        yield terms_table(self.breakdown, is_all)
        hidden = 0 if is_all else sum(term.cancels for term in self.breakdown.terms)
        yield from report.eval_remarks(self.board, self.breakdown, hidden)
        yield Remark("")
        yield parts_table(self.network)
        yield Remark(say(report.NETWORK_NOTE))

    def as_json(self) -> dict[str, Any]:
        """The evaluation as data; worths are exact fractions of a centipawn, as text."""
        breakdown, network = self.breakdown, self.network
        return {
            "fen": self.board.fen(),
            "terms": [
                {
                    "group": term.group,
                    "feature": term.feature[0],
                    "index": term.feature[1],
                    "name": term.name,
                    "white": term.white,
                    "black": term.black,
                    "middlegame": term.middlegame,
                    "endgame": term.endgame,
                    "worth": float(term.contribution),
                    "exact": str(term.contribution),
                }
                for term in breakdown.terms
            ],
            "middlegame": breakdown.middlegame,
            "endgame": breakdown.endgame,
            "phase": breakdown.phase,
            "scale": breakdown.scale,
            "rounding": str(breakdown.rounding),
            "white_value": breakdown.white_value,
            "value": breakdown.value,
            "network": {
                "pieces": [
                    {
                        "square": chess.square_name(one.square),
                        "piece": one.piece.symbol(),
                        "own": one.own,
                        "whole": one.whole,
                    }
                    for one in network.pieces
                ],
                "position": network.position,
                "neurons": network.neurons,
                "endgame": network.endgame,
                "white_value": network.value,
            },
        }

    def __str__(self) -> str:
        heading = report.heading(self.board) + say("; all numbers are centipawns")
        return wrapped(heading, self._table().text(), *self._notes)

    def __repr__(self) -> str:
        return f"<Terms {self.white:+d} centipawns for White, {counted(len(self), 'term')}>"

    _repr_pretty_ = show_text

    def _repr_html_(self) -> str:
        return beside(self._repr_svg_(), self._table().html() + paragraphs(self._notes))

    def _table(self) -> Sheet:
        sheet = terms_table(self.breakdown, is_all=False)
        for name, number in report.eval_sum(self.board, self.breakdown):
            sheet.add(name, "", "", "", "", number, tone="strong")
        return sheet


class Mistake:
    """A bad move, why it is bad, and the evaluation of both lines.

    :param reason: what the lines and scores say.
    """

    def __init__(self, reason: MoveReason) -> None:
        self.reason = reason

    @property
    def text(self) -> str:
        """The reason in sentences; empty if none is certain, or the move is not bad."""
        return self.reason.text

    def document(self) -> Iterator[Part]:
        """Why a move is bad, its refutation, and the evaluation at the end of both lines."""
        reason = self.reason
        yield f"{report.heading(reason.board)}: {report.move_name(reason)}\n"
        for number, note in enumerate(report.move_notes(reason)):
            yield Remark(note, "plain" if number else "strong")
        if reason.is_bad:
            yield "\n" + say(
                "The evaluation at the ends of these lines, in centipawns, for the player:"
            )
            yield changes_table(reason)

    def as_json(self) -> dict[str, Any]:
        """The move and its reason as data; scores and terms are from the player's side."""
        reason, board = self.reason, self.reason.board
        return {
            "fen": board.fen(shredder=board.chess960),
            "move": board.uci(reason.move),
            "best": board.uci(reason.best) if reason.best else None,
            "before": score_json(reason.score_before),
            "after": score_json(reason.score_after),
            "bad": reason.is_bad,
            "why": reason.why,
            "better": reason.better,
            "claim": _claim_as_json(reason.claim),
            "cause": reason.cause,
            "refutation": [move.uci() for move in reason.refutation],
            "best_line": [move.uci() for move in reason.best_line],
            "terms": [
                {"group": change.group, "better": change.kept, "refutation": change.left}
                for change in reason.terms
            ],
        }

    def __str__(self) -> str:
        heading = f"{self.reason.board.fen()}\n{report.move_name(self.reason)}"
        notes = report.move_notes(self.reason)
        return wrapped(heading, *notes, changes_table(self.reason).text())

    def __repr__(self) -> str:
        return f"<Mistake {report.move_name(self.reason)}: {self.text or 'nothing is certain'}>"

    _repr_pretty_ = show_text

    def _repr_html_(self) -> str:
        reason = self.reason
        moves = [each for each in (reason.best, reason.move) if each]
        notes = paragraphs(report.move_notes(reason))
        board = board_svg(reason.board, moves[:1] if reason.best == reason.move else moves)
        return beside(board, notes + changes_table(reason).html())


def _claim_as_json(claim: ReasonClaim | None) -> dict[str, Any] | None:
    if claim is None:
        return None
    motif = claim.motif
    return {
        "kind": claim.kind,
        "points": claim.points,
        "won": [chess.piece_name(kind) for kind in claim.won.won],
        "given": [chess.piece_name(kind) for kind in claim.won.given],
        "mate": claim.mate or None,
        "motif": motif.kind if motif else None,
        "targets": [chess.square_name(each.square) for each in motif.targets] if motif else [],
        "moves": [move.uci() for move in claim.moves],
    }

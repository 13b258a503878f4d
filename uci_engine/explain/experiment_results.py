"""The results of `halbzug.explain` calls: experiments that display themselves in a notebook.

Elsewhere they are text: `print` shows the same as the commands.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

import chess

from ..api.breakdown import Breakdown
from ..api.result_display import board_svg
from ..api.shown_results import Evaluation
from ..base.language import reader_language, say
from ..base.text import counted
from ..display.page import Page
from ..display.progress import Report, progress_shown
from ..display.sheet import Column, Sheet, beside, show_text
from ..reasons.move_reason import MoveReason
from ..teaching.examples import Example
from ..teaching.game_trees import GameTree, Order, ordered
from ..teaching.horizon_effect import Comparison, HorizonLine
from ..teaching.marked_tree import MarkedTree
from ..teaching.transpositions_page import transpositions_page, transpositions_svg
from ..teaching.tree_drawing import draw_tree, value_text
from ..teaching.tree_page import tree_page
from ..teaching.tree_search import ALGORITHMS, Algorithm, search
from ..teaching.tree_texts import empty_table, search_name, title_of
from . import ablation
from . import experiment_report as report
from .ablation import Measurement
from .eval_map import EvalMap, eval_map
from .eval_page import eval_page, maps_svg
from .experiment_tables import changes_table, horizon_table, terms_table, tree_table
from .horizon_page import example_text, horizon_page, horizon_svg
from .network_parts import NetworkParts, network_parts
from .plotting import load_matplotlib

if TYPE_CHECKING:
    from .plot import Plot

_WIDTH = 80

#: A drawing with more nodes is too wide for a notebook; its page is not.
MAX_SHOWN = 600


class Tree:
    """One position searched with every technique, from minimax to the full engine.

    :param board: the position.
    :param measurements: what each technique needed and found.
    :param node_limit: the number of nodes at which a technique gives up.
    """

    def __init__(
        self, board: chess.Board, measurements: Sequence[Measurement], node_limit: int
    ) -> None:
        self.board = board
        self.measurements = tuple(measurements)
        #: The measurements by depth, including those made for a plot.
        self.by_depth = {self.depth: self.measurements}
        self._node_limit = node_limit

    @property
    def depth(self) -> int:
        """The search depth of the techniques, in plies."""
        return self.measurements[0].depth

    @property
    def agrees(self) -> bool:
        """Whether the techniques that must have the same value do; False indicates a bug."""
        return report.agrees(self.measurements)

    def plot(self, *, progress: bool | Report | None = None) -> Plot:
        """Plot nodes over depth, with theoretical curves; searches the smaller depths first.

        :param progress: see `tree`.
        :raises ImportError: if matplotlib is missing.
        """
        load_matplotlib()
        from .plot import draw_tree

        for depth in range(1, self.depth):
            if depth not in self.by_depth:
                found = measure(self.board, depth, self._node_limit, progress)
                self.by_depth[depth] = found
        every = [one for measurements in self.by_depth.values() for one in measurements]
        return draw_tree(every, self.board.fen())

    def __str__(self) -> str:
        table = tree_table(self.board, self.measurements).text()
        head = report.heading(self.board, self.depth)
        return _text(head, table, say(report.LEGEND), *self._remarks())

    def __repr__(self) -> str:
        return f"<Tree depth={self.depth}: {counted(len(self.measurements), 'search', 'searches')}>"

    _repr_pretty_ = show_text

    def _repr_html_(self) -> str:
        table = tree_table(self.board, self.measurements).html()
        notes = _paragraphs([*self._remarks(), say(report.LEGEND)])
        return f"<div>{table}{notes}</div>"

    def _remarks(self) -> list[str]:
        return [remark.text for remark in report.tree_remarks(self.measurements)]


def measure(
    board: chess.Board, depth: int, node_limit: int, progress: bool | Report | None
) -> tuple[Measurement, ...]:
    """Search with every technique while showing progress.

    :raises ValueError: if the side to move has no move.
    """
    techniques = ablation.TECHNIQUES
    found: list[Measurement] = []
    with progress_shown(progress, say("Depth {n}", n=depth), len(techniques)) as tell:
        for technique in techniques:
            found.append(ablation.run(technique, board, depth, node_limit))
            tell(len(found), len(techniques))
    return tuple(found)


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

    def __str__(self) -> str:
        return f"{title_of(self.tree, reader_language())}\n{searches_table(self).text()}"

    def __repr__(self) -> str:
        return f"<Drawing of {counted(self.nodes, 'node')}, worth {self.value:g}>"

    _repr_pretty_ = show_text

    def _repr_svg_(self) -> str | None:
        return self.svg() if self.nodes <= MAX_SHOWN else None


def searches_table(found: Drawing) -> Sheet:
    """What each search needed and found."""
    sheet = empty_table()
    leaves = {number for number, node in enumerate(found.tree.root.walk()) if not node.moves}
    for name, run in found.runs.items():
        visited = len(leaves - run.cut)
        cells = (run.nodes, visited, len(run.cutoffs))
        sheet.add(search_name(name), *map(str, cells), value_text(run.value))
    return sheet


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

    def __str__(self) -> str:
        return f"{self.board.fen()}\n{saving_table(self).text()}"

    def __repr__(self) -> str:
        nodes = counted(len(self.nodes), "node")
        return f"<Transpositions: {nodes}, {counted(self.positions, 'position')}>"

    _repr_pretty_ = show_text

    def _repr_svg_(self) -> str | None:
        return self.svg() if len(self.nodes) <= MAX_SHOWN else None


def saving_table(found: MarkedTree) -> Sheet:
    """What each search needed and found, with and without a table."""
    numbers = (say("nodes"), say("hits"), say("value"))
    sheet = Sheet((Column(say("Search")), *(Column(name, True) for name in numbers)))
    for name, run in found.runs.items():
        hits = sum(step.kind.startswith("hit") for step in run.steps)
        sheet.add(search_name(name), str(run.nodes), str(hits), value_text(run.value))
    return sheet


class Horizon:
    """One position searched twice to the same depth, with and without extension beyond it.

    :param board: the position.
    :param comparison: the two lines, and the material along them.
    :param example: the example that the position comes from, if it is one of ours.
    :param is_searched: whether several depths were searched for one that shows the effect.
    """

    def __init__(
        self,
        board: chess.Board,
        comparison: Comparison,
        example: Example | None,
        is_searched: bool,
    ) -> None:
        self.board = board
        self.comparison = comparison
        self.example = example
        self.is_searched = is_searched

    @property
    def depth(self) -> int:
        """The depth of both searches, in plies."""
        return self.comparison.depth

    @property
    def without(self) -> HorizonLine:
        """The line of the search that stops at the horizon."""
        return self.comparison.without

    @property
    def full(self) -> HorizonLine:
        """The line of the engine."""
        return self.comparison.full

    @property
    def is_mistake(self) -> bool:
        """Whether the horizon changed the move for the worse."""
        return self.comparison.is_mistake

    @property
    def story(self) -> str:
        """What one of our positions shows, at its own depth."""
        example = self.example
        is_told = example and example.depth == self.depth
        return example_text(example, "story") if example and is_told else ""

    def html(self, language: str = "") -> Page:
        """A page with both lines on two boards, step by step, first shown in `en` or `de`.

        It needs no server or network.
        """
        return horizon_page(
            self.board, self.comparison, self.example, language or reader_language()
        )

    def svg(self, language: str = "") -> str:
        """The line that stops at the horizon, and the quiescence search beyond it, as SVG."""
        return horizon_svg(self.board, self.comparison, language or reader_language())

    def plot(self) -> Plot:
        """Plot material over plies, for the line that stops at the horizon and the engine's.

        :raises ImportError: if matplotlib is missing.
        """
        load_matplotlib()
        from .plot import draw_horizon

        title = self.example.title if self.example else self.board.fen()
        return draw_horizon(self.board, self.comparison, title)

    def __str__(self) -> str:
        table = horizon_table(self.board, self.comparison).text()
        return _text(report.heading(self.board, self.depth), self.story, table, *self._remarks())

    def __repr__(self) -> str:
        moves = [line.moves[0] for line in (self.without, self.full)]
        return f"<Horizon depth={self.depth}: {moves[0]} without, {moves[1]} with>"

    _repr_pretty_ = show_text

    def _repr_svg_(self) -> str:
        return _board(self.board, (self.without, self.full))

    def _repr_html_(self) -> str:
        title = self.example and example_text(self.example, "title")
        title = f"<b>{escape(title)}</b>" if title else ""
        story = _paragraphs([self.story]) if self.story else ""
        table = horizon_table(self.board, self.comparison).html()
        return beside(self._repr_svg_(), f"{title}{story}{table}{_paragraphs(self._remarks())}")

    def _remarks(self) -> list[str]:
        remarks = report.horizon_remarks(self.board, self.comparison, self.is_searched)
        return [remark.text for remark in remarks if remark.text]


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
        """A page with the board as a heat map beside the terms, first shown in `en` or `de`.

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

    def __str__(self) -> str:
        heading = report.heading(self.board) + say("; all numbers are centipawns")
        return _text(heading, self._table().text(), *self._notes)

    def __repr__(self) -> str:
        return f"<Terms {self.white:+d} centipawns for White, {counted(len(self), 'term')}>"

    _repr_pretty_ = show_text

    def _repr_html_(self) -> str:
        return beside(self._repr_svg_(), self._table().html() + _paragraphs(self._notes))

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

    def __str__(self) -> str:
        heading = f"{self.reason.board.fen()}\n{report.move_name(self.reason)}"
        notes = report.move_notes(self.reason)
        return _text(heading, *notes, changes_table(self.reason).text())

    def __repr__(self) -> str:
        return f"<Mistake {report.move_name(self.reason)}: {self.text or 'nothing is certain'}>"

    _repr_pretty_ = show_text

    def _repr_html_(self) -> str:
        reason = self.reason
        moves = [each for each in (reason.best, reason.move) if each]
        notes = _paragraphs(report.move_notes(reason))
        board = board_svg(reason.board, moves[:1] if reason.best == reason.move else moves)
        return beside(board, notes + changes_table(reason).html())


#: What can be rendered as a page and as a drawing.
Drawn = Drawing | Horizon | Terms | Transpositions


# -- words and pictures -------------------------------------------------------------------------


def _text(*parts: str) -> str:
    """The parts that are not empty, wrapped to the terminal's width, separated by blank lines."""
    return "\n\n".join(
        part if "\n" in part else textwrap.fill(part, _WIDTH) for part in parts if part
    )


def _paragraphs(texts: Iterable[str]) -> str:
    style = "margin:.6em 0;max-width:48em"
    return "".join(f'<p style="{style}">{escape(text)}</p>' for text in texts)


def _board(board: chess.Board, lines: Iterable[HorizonLine]) -> str:
    """The board, with the engine's move and the alternative as arrows."""
    without, full = (chess.Move.from_uci(line.moves[0]) for line in lines)
    return board_svg(board, [full] if full == without else [full, without])

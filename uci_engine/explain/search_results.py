"""Results of `halbzug.explain` calls that search a position: with each technique, or two ways.

They display themselves in a notebook. Elsewhere they are text: `print` shows the same as the
commands.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

import chess

from ..api.result_display import board_svg
from ..base.language import reader_language, say
from ..base.text import counted
from ..board.movegen import BUILD
from ..display.document import Glossary, Part, Remark
from ..display.page import Page
from ..display.progress import Report, progress_shown
from ..display.sheet import beside, paragraphs, show_text, wrapped
from ..teaching.branching import exponent, least_leaves
from ..teaching.examples import EXAMPLES, Example
from ..teaching.horizon_effect import Comparison, HorizonLine
from . import ablation
from . import experiment_report as report
from .ablation import MINIMAX, ORDERED, Measurement
from .experiment_tables import horizon_table, tree_table
from .horizon_page import example_text, horizon_page, horizon_svg
from .plotting import load_matplotlib

if TYPE_CHECKING:
    from .plot import Plot


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

    def document(self) -> Iterator[Part]:
        """A table, with conclusions."""
        build = say("compiled build" if BUILD == "compiled" else "pure build")
        yield f"{report.heading(self.board, self.depth)}, {build}\n"
        yield tree_table(self.board, self.measurements)
        yield say(report.LEGEND)
        yield ""
        techniques = [one.technique for one in self.measurements]
        yield Glossary([(say(technique.name), say(technique.idea)) for technique in techniques])
        for remark in report.tree_remarks(self.measurements):
            yield ""
            yield remark

    def as_json(self) -> dict[str, Any]:
        """The results as data, at several depths; the deepest is the requested one."""
        measurements, depth = self.measurements, self.depth
        whole, ordered = ablation.of(MINIMAX, measurements), ablation.of(ORDERED, measurements)
        data: dict[str, Any] = {
            "fen": self.board.fen(),
            "depth": depth,
            "build": BUILD,
            "rows": [_measurement_as_json(one) for one in measurements],
            "agree": ablation.agree(measurements),
            "excused": not ablation.agree(measurements) and ablation.is_excused(measurements),
            "rises": {
                one.technique.name: round(factor, 3) for one, factor in ablation.rises(measurements)
            },
        }
        if whole and ordered:
            data["leaf_ratio"] = round(whole.leaves / ordered.leaves, 2)
            data["best_ratio"] = round(whole.leaves / least_leaves(whole.leaves, depth), 2)
            data["exponent"] = round(exponent(ordered.leaves, whole.leaves), 3)
        if len(self.by_depth) > 1:
            data["by_depth"] = [
                {"depth": plies, "nodes": {one.technique.name: one.nodes for one in found}}
                for plies, found in sorted(self.by_depth.items())
            ]
        return data

    def __str__(self) -> str:
        table = tree_table(self.board, self.measurements).text()
        head = report.heading(self.board, self.depth)
        return wrapped(head, table, say(report.LEGEND), *self._remarks())

    def __repr__(self) -> str:
        return f"<Tree depth={self.depth}: {counted(len(self.measurements), 'search', 'searches')}>"

    _repr_pretty_ = show_text

    def _repr_html_(self) -> str:
        table = tree_table(self.board, self.measurements).html()
        notes = paragraphs([*self._remarks(), say(report.LEGEND)])
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


def _measurement_as_json(one: Measurement) -> dict[str, Any]:
    share = one.first_share
    return {
        "name": one.technique.name,
        "exact": one.technique.is_exact,
        "finished": one.is_finished,
        "nodes": one.nodes,
        "leaves": one.leaves,
        "seconds": round(one.seconds, 4),
        "branching": round(one.branching, 2),
        "first_move_cutoffs": None if share is None else round(share, 4),
        "value": one.value,
        "move": one.move,
        "pv": list(one.pv),
    }


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

    def document(self) -> Iterator[Part]:
        """Two lines side by side, with the material after each ply."""
        if self.example:
            yield Remark(example_text(self.example, "title"), "strong")
        yield report.heading(self.board, self.depth) + "\n"
        yield self.board
        yield ""
        if self.story:
            yield self.story
        yield horizon_table(self.board, self.comparison)
        yield from report.horizon_remarks(self.board, self.comparison, self.is_searched)

    def as_json(self) -> dict[str, Any]:
        """The comparison as data."""
        comparison, example = self.comparison, self.example
        return {
            "name": example.name if example else None,
            "fen": self.board.fen(),
            "depth": self.depth,
            "material": comparison.material,
            "without": _line_as_json(self.without),
            "with": _line_as_json(self.full),
            "cost": comparison.cost,
            "mistake": self.is_mistake,
        }

    def __str__(self) -> str:
        table = horizon_table(self.board, self.comparison).text()
        return wrapped(report.heading(self.board, self.depth), self.story, table, *self._remarks())

    def __repr__(self) -> str:
        moves = [line.moves[0] for line in (self.without, self.full)]
        return f"<Horizon depth={self.depth}: {moves[0]} without, {moves[1]} with>"

    _repr_pretty_ = show_text

    def _repr_svg_(self) -> str:
        return _board(self.board, (self.without, self.full))

    def _repr_html_(self) -> str:
        title = self.example and example_text(self.example, "title")
        title = f"<b>{escape(title)}</b>" if title else ""
        story = paragraphs([self.story]) if self.story else ""
        table = horizon_table(self.board, self.comparison).html()
        return beside(self._repr_svg_(), f"{title}{story}{table}{paragraphs(self._remarks())}")

    def _remarks(self) -> list[str]:
        remarks = report.horizon_remarks(self.board, self.comparison, self.is_searched)
        return [remark.text for remark in remarks if remark.text]


def _line_as_json(line: HorizonLine) -> dict[str, Any]:
    return {
        "value": line.value,
        "pv": list(line.moves),
        "beyond": list(line.beyond),
        "materials": list(line.materials),
        "judged": line.judged,
    }


def _board(board: chess.Board, lines: Iterable[HorizonLine]) -> str:
    """The board, with the engine's move and the alternative as arrows."""
    without, full = (chess.Move.from_uci(line.moves[0]) for line in lines)
    return board_svg(board, [full] if full == without else [full, without])


def examples_document() -> Iterator[Part]:
    """The positions that come with Halbzug."""
    for example in EXAMPLES:
        title, depth = example_text(example, "title"), say(", depth {n}", n=example.depth)
        yield f"{example.name:10} {title}{depth}\n{'':10} {example.fen}"


def examples_as_json() -> list[dict[str, str]]:
    """The positions that come with Halbzug, as data."""
    return [{"name": one.name, "title": one.title, "fen": one.fen} for one in EXAMPLES]

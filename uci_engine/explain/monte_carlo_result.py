"""Monte Carlo tree search beside alpha-beta: where the visits go, and which search sees a trap."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import chess

from ..api.arguments import check_count
from ..api.result_display import board_svg
from ..base.language import local, reader_language, say, spelled
from ..board.notation import score_text
from ..display.document import Part, Remark
from ..display.page import Page
from ..display.sheet import Column, Sheet, beside, paragraphs, show_text, wrapped
from ..teaching.growth_drawing import draw_growths
from ..teaching.tree_growth import Growth, Method
from ..teaching.tree_texts import grouped
from .experiment_report import heading
from .monte_carlo_page import monte_carlo_page
from .monte_carlo_searches import MonteCarloSearches
from .monte_carlo_texts import text
from .plotting import load_matplotlib

if TYPE_CHECKING:
    from .plot import Plot

#: Number of nodes in a drawn tree.
DRAWN_NODES = 16


class MonteCarlo(MonteCarloSearches):
    """Three Monte Carlo tree searches and alpha-beta's verdict, as pages, drawings and tables."""

    def html(self, language: str = "") -> Page:
        """A page with the growing trees, first shown in `en` or `de`; by default the reader's.

        It needs no server or network.
        """
        return monte_carlo_page(self, language or reader_language())

    def svg(
        self,
        method: Method | None = None,
        language: str = "",
        *,
        simulations: int | None = None,
        nodes: int = DRAWN_NODES,
    ) -> str:
        """The tree of a search as SVG; `None` draws all three, one below the other.

        :param simulations: the number of simulations shown; by default all.
        :param nodes: the number of nodes drawn, most visited first.
        :raises ValueError: if there are fewer simulations, or no nodes to draw.
        """
        language = language or reader_language()
        number = self.simulations if simulations is None else simulations
        if not 1 <= number <= self.simulations:
            raise ValueError(f"from 1 to {self.simulations:,} simulations, not {number:,}")
        check_count("nodes", nodes, "nodes")
        count = f"{grouped(number, language)} {text('simulations', language)}"
        growths = [
            (f"{text(name, language)}: {count}", growth)
            for name, growth in self.growths.items()
            if method in (None, name)
        ]
        return draw_growths(growths, nodes, number, language)

    def plot(self) -> Plot:
        """Plot the visits to each move over the simulations.

        :raises ImportError: if matplotlib is missing.
        """
        load_matplotlib()
        from .monte_carlo_plot import draw_visits

        return draw_visits(self)

    def document(self) -> Iterator[Part]:
        """The tables, and which searches fell into a trap."""
        yield Remark(text(f"title_{self.name}" if self.name else "title"), "strong")
        yield heading(self.board) + say(", seed {n}", n=self.seed)
        yield text(f"note_{self.name}")
        yield visits_table(self)
        yield text("legend")
        yield choices_table(self)
        verdict = self.verdict
        moves = {name: growth.move for name, growth in self.growths.items()}
        fallen = {name: move for name, move in moves.items() if verdict.is_mistake(move)}
        if not fallen:
            yield Remark(text("agreed").format(depth=verdict.depth))
            return
        sans = ", ".join(sorted(spelled(self.san(move)) for move in set(fallen.values())))
        nodes = local(f"{verdict.nodes:,}")
        words = text("fallen").format(depth=verdict.depth, nodes=nodes, moves=sans)
        yield Remark(f"{words} {', '.join(map(text, fallen))}.", "strong")

    def as_json(self) -> dict[str, Any]:
        """The searches as data; points are from 0 to 1, values in centipawns."""
        verdict = self.verdict
        return {
            "name": self.name or None,
            "fen": self.board.fen(),
            "simulations": self.simulations,
            "seed": self.seed,
            "searches": {
                method: {
                    "move": growth.move,
                    "nodes": len(growth.nodes),
                    "moves": root_moves(growth),
                    "leaders": _leaders(growth),
                    "mistake": verdict.is_mistake(growth.move),
                }
                for method, growth in self.growths.items()
            },
            "alpha_beta": {
                "depth": verdict.depth,
                "move": verdict.move,
                "value": verdict.value,
                "nodes": verdict.nodes,
                "judged": dict(verdict.judged),
            },
        }

    def __str__(self) -> str:
        return wrapped(
            *(part.text() if isinstance(part, Sheet) else _plain(part) for part in self.document())
        )

    def __repr__(self) -> str:
        moves = ", ".join(f"{name}: {self.san(one.move)}" for name, one in self.growths.items())
        return f"<MonteCarlo {moves}; alpha-beta: {self.san(self.verdict.move)}>"

    _repr_pretty_ = show_text

    def _repr_html_(self) -> str:
        chosen = [chess.Move.from_uci(growth.move) for growth in self.growths.values()]
        best = chess.Move.from_uci(self.verdict.move)
        board = board_svg(self.board, list(dict.fromkeys([best, *chosen])))
        parts = (
            part.html() if isinstance(part, Sheet) else paragraphs([_plain(part)])
            for part in self.document()
        )
        return beside(board, "".join(parts))


def _plain(part: Part) -> str:
    return part.text if isinstance(part, Remark) else str(part)


# -- output -------------------------------------------------------------------------------------


def checkpoints(simulations: int) -> list[int]:
    """The numbers of simulations to show: 10, 20, 50, 100 and so on, and the last one."""
    steps = [digit * 10**power for power in range(1, 5) for digit in (1, 2, 5)]
    return [step for step in steps if step < simulations] + [simulations]


def visits_table(found: MonteCarlo) -> Sheet:
    """The leading move after each number of simulations, with its share of the visits."""
    columns = [Column(text("simulations"), True)]
    columns += [Column(text(method)) for method in found.growths]
    sheet = Sheet(columns)
    for number in checkpoints(found.simulations):
        cells = [_leader(found, growth, number) for growth in found.growths.values()]
        sheet.add(local(f"{number:,}"), *cells)
    return sheet


def _leader(found: MonteCarlo, growth: Growth, number: int) -> str:
    """The leading move after `number` simulations, and its share."""
    leader = growth.simulations[number - 1].leader
    if not leader:
        return "-"
    visits, _ = growth.at(number)
    place = next(
        i for i, node in enumerate(growth.nodes) if not node.parent and node.move == leader
    )
    return f"{spelled(found.san(leader)):7} {local(f'{visits[place] / number:4.0%}')}"


def choices_table(found: MonteCarlo) -> Sheet:
    """What each search plays and expects, and alpha-beta's opinion of it."""
    titles = (text("visits"), text("points"), text("says"))
    sheet = Sheet(
        (Column(text("search")), Column(text("plays")), *(Column(t, True) for t in titles))
    )
    for method, growth in found.growths.items():
        leader = max(root_moves(growth), key=lambda one: one["visits"])
        value = found.verdict.judged[growth.move]
        share = local(f"{leader['visits']:,}/{found.simulations:,}")
        points = local(f"{leader['points']:.2f}")
        cells = (spelled(found.san(growth.move)), share, points, score_text(value))
        sheet.add(text(method), *cells)
    verdict = found.verdict
    name = text("alpha_beta").format(depth=verdict.depth)
    cells = (spelled(found.san(verdict.move)), "", "", score_text(verdict.value))
    sheet.add(name, *cells, tone="strong")
    return sheet


def root_moves(growth: Growth) -> list[dict[str, Any]]:
    """The visited root moves, most visited first."""
    visits, totals = growth.at(len(growth.simulations))
    found = [
        {
            "move": node.move,
            "visits": visits[number],
            "points": round(growth.expectation(visits[number], totals[number]), 4),
        }
        for number, node in enumerate(growth.nodes)
        if not node.parent
    ]
    return sorted(found, key=lambda one: -one["visits"])


def _leaders(growth: Growth) -> list[list[Any]]:
    """Each new leader: the simulations after which it leads, and the move."""
    found: list[list[Any]] = []
    for number, one in enumerate(growth.simulations, start=1):
        if one.leader and (not found or found[-1][1] != one.leader):
            found.append([number, one.leader])
    return found

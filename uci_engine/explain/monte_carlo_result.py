"""Monte Carlo tree search beside alpha-beta: which moves the visits go to, and who sees a trap."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

import chess

from ..api.arguments import check_count
from ..api.result_display import board_svg
from ..base.scores import MATE, is_mate
from ..board.notation import pawns_text
from ..display.document import Part, Remark
from ..display.page import Page
from ..display.progress import Report, progress_shown
from ..display.sheet import Column, Sheet, beside, show_text
from ..teaching.growth_drawing import draw_growths
from ..teaching.tree_growth import MODULES, Growth, Method, grow, load_engine
from ..teaching.tree_texts import grouped
from . import ablation
from .monte_carlo_texts import text
from .plotting import load_plot

if TYPE_CHECKING:
    from .plot import Plot

#: Positions that show something, by name; `html/monte-carlo-texts.json` says what.
POSITIONS = {
    "trap": "K1k5/8/5Rr1/2r2P2/8/8/8/8 w - - 0 1",
    "promotion": "5K1k/8/6P1/8/1r1P4/P6q/8/8 w - - 0 1",
    "legal": "rn1qkbnr/ppp2p1p/3p2p1/4N3/2B1P1b1/2N5/PPPP1PPP/R1BQK2R b KQkq - 0 5",
}

#: More would make a page that is slow to load.
MAX_SIMULATIONS = 10_000

#: Nodes of a drawn tree.
DRAWN_NODES = 16

#: A move that is worth so much less than the best one, in centipawns, is a mistake.
MISTAKE = 200

_QUIESCENCE = next(one for one in ablation.TECHNIQUES if one.name == "+ quiescence")
_NODE_LIMIT = 2_000_000

_WIDTH = 80


@dataclass(frozen=True)
class AlphaBetaVerdict:
    """What alpha-beta says of the position, and of the moves that the others chose.

    :ivar value: of its own move, in centipawns from the side to move, as all values here.
    :ivar judged: the values of other moves, by their UCI.
    """

    depth: int
    move: str
    value: int
    nodes: int
    judged: Mapping[str, int]

    def is_mistake(self, move: str) -> bool:
        """Whether it sees that a move is bad."""
        return self.judged[move] <= self.value - MISTAKE


def ask_alpha_beta(board: chess.Board, depth: int, moves: set[str]) -> AlphaBetaVerdict:
    """Search a position with alpha-beta and quiescence search, without pruning.

    :param depth: plies, at least 2.
    :param moves: to be judged, UCI.
    """
    found = ablation.run(_QUIESCENCE, board, depth, _NODE_LIMIT)
    judged = {found.move: found.value}
    for move in moves - {found.move}:
        after = board.copy(stack=False)
        after.push_uci(move)
        if any(after.legal_moves):
            value = -ablation.run(_QUIESCENCE, after, depth - 1, _NODE_LIMIT).value
            # A mate is a ply further from here.
            judged[move] = value - (1 if value > 0 else -1) * is_mate(value)
        else:
            judged[move] = MATE - 1 if after.is_check() else 0
    return AlphaBetaVerdict(depth, found.move, found.value, found.nodes, judged)


class MonteCarlo:
    """Three Monte Carlo tree searches of one position, and what alpha-beta says of it.

    :param board: the position.
    :param name: of one of `POSITIONS`; empty: another one.
    :param simulations: of each search, from 2 to `MAX_SIMULATIONS`.
    :param depth: of alpha-beta, in plies, at least 2.
    :param seed: of the playouts.
    :ivar growths: the searches, from their first simulation to the last, by name.
    :ivar verdict: alpha-beta's.
    :raises ImportError: if numpy is missing.
    """

    def __init__(
        self,
        board: chess.Board,
        name: str = "",
        *,
        simulations: int,
        depth: int,
        seed: int,
        progress: bool | Report | None = None,
    ) -> None:
        self.board, self.name, self.seed = board, name, seed
        self.simulations = simulations
        self.growths: dict[Method, Growth] = {}
        for method in MODULES:
            load_engine(method)  # before any of them has worked in vain
        total = len(MODULES) * simulations
        with progress_shown(progress, text("title"), total) as tell:
            for place, method in enumerate(MODULES):

                def told(number: int, before: int = place * simulations) -> None:
                    tell(before + number, total)

                self.growths[method] = grow(method, board, simulations, seed, told)
        leaders = {one.leader for growth in self.growths.values() for one in growth.simulations}
        self.verdict = ask_alpha_beta(board, depth, leaders - {""})

    def san(self, move: str) -> str:
        """The name of a move of the position; a dash if there is none yet."""
        return self.board.san(chess.Move.from_uci(move)) if move else "-"

    def html(self, language: str = "en") -> Page:
        """A page with the growing trees, in `en` or `de` first.

        It needs no server and no network.
        """
        from .monte_carlo_page import monte_carlo_page

        return monte_carlo_page(self, language)

    def svg(
        self,
        method: Method | None = None,
        language: str = "en",
        *,
        simulations: int | None = None,
        nodes: int = DRAWN_NODES,
    ) -> str:
        """The tree of a search as SVG; `None`: all three, one below the other.

        :param simulations: after so many; without it after all.
        :param nodes: how many are drawn: those that were visited most.
        :raises ValueError: if there are not so many simulations, or none is drawn.
        """
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
        """The visits of the moves over the simulations.

        :raises ImportError: if matplotlib is missing.
        """
        load_plot()
        from .monte_carlo_plot import draw_visits

        return draw_visits(self)

    def __str__(self) -> str:
        return "\n\n".join(map(_as_text, document(self)))

    def __repr__(self) -> str:
        moves = ", ".join(f"{name}: {self.san(one.move)}" for name, one in self.growths.items())
        return f"<MonteCarlo {moves}; alpha-beta: {self.san(self.verdict.move)}>"

    _repr_pretty_ = show_text

    def _repr_html_(self) -> str:
        chosen = [chess.Move.from_uci(growth.move) for growth in self.growths.values()]
        best = chess.Move.from_uci(self.verdict.move)
        board = board_svg(self.board, list(dict.fromkeys([best, *chosen])))
        return beside(board, "".join(map(_as_html, document(self))))


def _as_text(part: Part) -> str:
    if isinstance(part, Sheet):
        return part.text()
    words = part.text if isinstance(part, Remark) else str(part)
    return "\n".join(textwrap.fill(line, _WIDTH) for line in words.splitlines())


def _as_html(part: Part) -> str:
    if isinstance(part, Sheet):
        return part.html()
    words = escape(part.text if isinstance(part, Remark) else str(part)).replace("\n", "<br>")
    return f'<p style="margin:.6em 0;max-width:48em">{words}</p>'


# -- what is shown ------------------------------------------------------------------------------


def checkpoints(simulations: int) -> list[int]:
    """Numbers of simulations that are shown: 10, 20, 50, 100 and so on, and the last one."""
    steps = [digit * 10**power for power in range(1, 5) for digit in (1, 2, 5)]
    return [step for step in steps if step < simulations] + [simulations]


def visits_table(found: MonteCarlo) -> Sheet:
    """Which move leads after how many simulations, with its share of the visits."""
    columns = [Column(text("simulations"), True)]
    columns += [Column(text(method)) for method in found.growths]
    sheet = Sheet(columns)
    for number in checkpoints(found.simulations):
        cells = [_leader(found, growth, number) for growth in found.growths.values()]
        sheet.add(f"{number:,}", *cells)
    return sheet


def _leader(found: MonteCarlo, growth: Growth, number: int) -> str:
    """The leading move after some simulations, and its share."""
    leader = growth.simulations[number - 1].leader
    if not leader:
        return "-"
    visits, _ = growth.at(number)
    place = next(
        i for i, node in enumerate(growth.nodes) if not node.parent and node.move == leader
    )
    return f"{found.san(leader):7} {visits[place] / number:4.0%}"


def choices_table(found: MonteCarlo) -> Sheet:
    """What each search plays, what it expects, and what alpha-beta says of that."""
    titles = (text("visits"), text("points"), text("says"))
    sheet = Sheet(
        (Column(text("search")), Column(text("plays")), *(Column(t, True) for t in titles))
    )
    for method, growth in found.growths.items():
        leader = max(root_moves(growth), key=lambda one: one["visits"])
        value = found.verdict.judged[growth.move]
        share = f"{leader['visits']:,}/{found.simulations:,}"
        cells = (found.san(growth.move), share, f"{leader['points']:.2f}", pawns_text(value))
        sheet.add(text(method), *cells)
    verdict = found.verdict
    name = text("alpha_beta").format(depth=verdict.depth)
    sheet.add(name, found.san(verdict.move), "", "", pawns_text(verdict.value), tone="strong")
    return sheet


def root_moves(growth: Growth) -> list[dict[str, Any]]:
    """The moves of the root that were visited, the most visited one first."""
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


def document(found: MonteCarlo) -> Iterator[Part]:
    """The tables, and who has fallen into a trap."""
    yield Remark(text(f"title_{found.name}" if found.name else "title"), "strong")
    side = "White" if found.board.turn else "Black"
    yield f"{found.board.fen()}\n{side} to move, seed {found.seed}"
    yield text(f"note_{found.name}")
    yield visits_table(found)
    yield text("legend")
    yield choices_table(found)
    verdict = found.verdict
    fallen = {name: one.move for name, one in found.growths.items() if verdict.is_mistake(one.move)}
    if not fallen:
        yield Remark(text("agreed").format(depth=verdict.depth))
        return
    moves = ", ".join(sorted(map(found.san, set(fallen.values()))))
    words = text("fallen").format(depth=verdict.depth, nodes=f"{verdict.nodes:,}", moves=moves)
    yield Remark(f"{words} {', '.join(map(text, fallen))}.", "strong")


def monte_carlo_as_json(found: MonteCarlo) -> dict[str, Any]:
    """The searches for programs; points are from 0 to 1, values in centipawns."""
    verdict = found.verdict
    return {
        "name": found.name or None,
        "fen": found.board.fen(),
        "simulations": found.simulations,
        "seed": found.seed,
        "searches": {
            method: {
                "move": growth.move,
                "nodes": len(growth.nodes),
                "moves": root_moves(growth),
                "leaders": _leaders(growth),
                "mistake": verdict.is_mistake(growth.move),
            }
            for method, growth in found.growths.items()
        },
        "alpha_beta": {
            "depth": verdict.depth,
            "move": verdict.move,
            "value": verdict.value,
            "nodes": verdict.nodes,
            "judged": dict(verdict.judged),
        },
    }


def _leaders(growth: Growth) -> list[list[Any]]:
    """The simulations after which another move leads, each with this move."""
    found: list[list[Any]] = []
    for number, one in enumerate(growth.simulations, start=1):
        if one.leader and (not found or found[-1][1] != one.leader):
            found.append([number, one.leader])
    return found

"""Plots the experiments. Requires matplotlib, but no backend: no window is opened.

The ablation is nodes over depth, with theoretical curves; the horizon effect is material over
plies; the evaluation is a sum that grows group by group.
"""

from __future__ import annotations

import io
import os
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import chess
import matplotlib
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from ..api.breakdown import Breakdown
from ..base.language import local, say, spelled
from ..base.whole_file import WholeFile
from ..board.notation import pawns_text, san_line
from ..teaching.branching import fit
from ..teaching.horizon_effect import Comparison, HorizonLine
from .ablation import MINIMAX, TECHNIQUES, Measurement
from .experiment_report import side_to_move
from .experiment_tables import in_groups
from .plotting import PICTURES

#: The theoretical exponents of b: minimax, and alpha-beta with random and with perfect move
#: ordering.
CURVES = (("$b^d$", 1.0), ("$b^{3d/4}$", 0.75), ("$b^{d/2}$", 0.5))

# Okabe and Ito's colours, which colour-blind people can distinguish, with a marker for each.
COLOURS = (
    "#000000", "#d55e00", "#e69f00", "#b8a800", "#009e73", "#56b4e9", "#0072b2", "#cc79a7",
)  # fmt: skip
MARKS = "os^Dv<>*"

_WITHOUT, _WITH = "#d55e00", "#0072b2"
_FOR_WHITE, _FOR_BLACK, _SUM = "#56b4e9", "#d55e00", "#777777"
GRID: dict[str, Any] = {"visible": True, "which": "major", "color": "#dddddd", "linewidth": 0.6}


class Plot:
    """A plot that displays itself in a notebook.

    :param figure: matplotlib's figure.
    :param title: what is plotted, in words.
    """

    def __init__(self, figure: Figure, title: str) -> None:
        # Only one layout: each further one would shift it slightly, and change the file.
        figure.draw_without_rendering()
        figure.set_layout_engine("none")
        self.figure = figure
        self.title = title

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the plot to a file; the extension sets the format, `.svg` or `.png`.

        :raises ValueError: if the name has another extension.
        :raises OSError: if the file cannot be written.
        """
        path = Path(path)
        if path.suffix.lower() not in PICTURES:
            raise ValueError(f"a plot is a file in {' or '.join(PICTURES)}, not {path.name}")
        with WholeFile(path) as file:
            file.write(self._drawn(path.suffix.lower().removeprefix(".")))

    def __repr__(self) -> str:
        return f"<Plot: {self.title}; save(path) writes it to a file>"

    def _repr_svg_(self) -> str:
        return self._drawn("svg").decode()

    def _drawn(self, kind: str) -> bytes:
        picture = io.BytesIO()
        # Equal numbers must give equal files.
        metadata = {"Date": None} if kind == "svg" else {}
        with matplotlib.rc_context({"svg.hashsalt": "halbzug"}):
            self.figure.savefig(picture, format=kind, dpi=150, metadata=metadata)
        return picture.getvalue()


def draw_tree(measurements: Sequence[Measurement], title: str) -> Plot:
    """Plot nodes over depth.

    :param measurements: for several techniques and depths, in any order.
    """
    figure = Figure(figsize=(8, 5.5), layout="constrained")
    axes = figure.add_subplot()
    for technique, colour, mark in zip(TECHNIQUES, COLOURS, MARKS, strict=True):
        points = sorted(
            (one.depth, one.nodes)
            for one in measurements
            if one.technique is technique and one.is_finished
        )
        if points:
            depths, nodes = zip(*points, strict=True)
            name = say(technique.name)
            axes.plot(depths, nodes, color=colour, marker=mark, markersize=6, label=name)
    _draw_theory(axes, measurements)
    axes.set_yscale("log")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel(say("depth in plies"))
    axes.set_ylabel(say("nodes"))
    axes.set_title(title, fontsize=9)
    axes.grid(**GRID)
    axes.legend(loc="upper left", fontsize=8, framealpha=0.9)
    return Plot(figure, "nodes over depth")


def _draw_theory(axes: matplotlib.axes.Axes, measurements: Sequence[Measurement]) -> None:
    """Draw the theoretical curves, with b fitted to minimax."""
    measured = [
        (one.depth, one.nodes)
        for one in measurements
        if one.technique is MINIMAX and one.is_finished
    ]
    if not measured:
        return
    branching = fit(measured)
    deepest = max(one.depth for one in measurements)
    depths = [1 + (deepest - 1) * step / 50 for step in range(51)]
    for (name, power), style in zip(CURVES, ("--", "-.", ":"), strict=True):
        nodes = [branching ** (power * depth) for depth in depths]
        label = f"{name}, b = {local(f'{branching:.1f}')}" if power == 1 else name
        axes.plot(depths, nodes, color="#777777", linestyle=style, linewidth=1.2, label=label)


def draw_horizon(board: chess.Board, comparison: Comparison, title: str) -> Plot:
    """Plot material over plies, for the line that stops at the horizon and its continuation."""
    figure = Figure(figsize=(8, 4.2), layout="constrained")
    axes = figure.add_subplot()
    lines = (
        (comparison.without, _WITHOUT, "s", say("without quiescence, extensions")),
        (comparison.full, _WITH, "o", say("with them")),
    )
    heights = [(comparison.material, *line.materials) for line, *_ in lines]
    for (line, colour, mark, name), own, others in zip(lines, heights, heights[::-1], strict=True):
        seen = len(line.moves)
        style: dict[str, Any] = {"color": colour, "marker": mark}
        axes.plot(
            range(seen + 1),
            own[: seen + 1],
            **style,
            label=say("{name}: seen", name=name),
            zorder=3,
        )
        if line.beyond:
            axes.plot(
                range(seen, len(own)),
                own[seen:],
                **style,
                markerfacecolor="white",
                linestyle="--",
                label=say("{name}: how it goes on", name=name),
            )
        for ply, san in enumerate(_moves(board, line), start=1):
            # Label the upper line above, and the lower one below.
            gap = own[ply] - others[ply] if ply < len(others) else 0
            is_above = gap > 0 or (gap == 0 and line is comparison.full)
            axes.annotate(
                san,
                (ply, own[ply]),
                xytext=(0, 7 if is_above else -7),
                textcoords="offset points",
                ha="center",
                va="bottom" if is_above else "top",
                fontsize=8,
                color=colour,
                bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.7, "pad": 0.5},
                zorder=2.5,
            )
    axes.axvline(comparison.depth + 0.5, color="#777777", linestyle=":", label=say("horizon"))
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.margins(y=0.15)
    axes.set_xlabel(say("plies"))
    axes.set_ylabel(say("{side}'s material minus the opponent's", side=side_to_move(board)))
    axes.set_title(title, fontsize=9)
    axes.grid(**GRID)
    axes.legend(loc="best", fontsize=8, framealpha=0.9)
    return Plot(figure, "material over plies, without and with quiescence")


def _moves(board: chess.Board, line: HorizonLine) -> list[str]:
    """The moves of the line and its continuation, without numbers."""
    words = spelled(san_line(board, line.moves + line.beyond)).split()
    return [word.rpartition(".")[2] for word in words]


def draw_terms(board: chess.Board, breakdown: Breakdown, title: str) -> Plot:
    """Plot the evaluation as a sum: a bar per group of terms, each starting where the last ends."""
    steps = [
        (group, sum((term.contribution for term in members), Fraction()))
        for group, members in in_groups(breakdown)
    ]
    steps = [(say(group), value) for group, value in steps if value]
    if breakdown.rounding:
        steps.append((say("Rounding"), breakdown.rounding))
    figure = Figure(figsize=(8, 0.34 * len(steps) + 1.6), layout="constrained")
    axes = figure.add_subplot()
    reached = Fraction()
    for place, (_, value) in enumerate(steps):
        colour = _FOR_WHITE if value > 0 else _FOR_BLACK
        axes.barh(place, float(value), left=float(reached), color=colour)
        _label(axes, place, reached, reached + value, local(f"{float(value):+.1f}"))
        reached += value
        axes.plot([float(reached)] * 2, [place - 0.4, place + 1.4], color=_SUM, linewidth=0.8)
    axes.barh(len(steps), float(reached), color=_SUM)
    pawns = local(pawns_text(breakdown.white_value))
    total = say("{value} ({pawns} pawns)", value=f"{breakdown.white_value:+}", pawns=pawns)
    _label(axes, len(steps), Fraction(), reached, total)
    axes.set_yticks(range(len(steps) + 1), [*(group for group, _ in steps), say("Evaluation")])
    axes.invert_yaxis()
    axes.use_sticky_edges = False  # otherwise the bars would touch the frame
    axes.axvline(0, color="#000000", linewidth=0.8)
    axes.margins(x=0.22)
    axes.set_xlabel(say("centipawns, for White"))
    axes.set_title(title, fontsize=9)
    axes.grid(**GRID, axis="x")
    axes.set_axisbelow(True)
    return Plot(figure, "the evaluation as a sum of its groups of terms")


def _label(
    axes: matplotlib.axes.Axes, place: int, begin: Fraction, end: Fraction, text: str
) -> None:
    """Label a bar with its number, after its right end."""
    axes.annotate(
        text,
        (float(max(begin, end)), place),
        xytext=(4, 0),
        textcoords="offset points",
        va="center",
        fontsize=8,
    )

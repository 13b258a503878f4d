"""Plots the ablation: nodes over depth, with the curves of the theory. Needs matplotlib."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

import matplotlib
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from halbzug.explain.ablation import MINIMAX, TECHNIQUES, Measurement
from halbzug.explain.branching import fit
from halbzug.whole_file import WholeFile

#: The exponents of b ** depth in theory: minimax, and alpha-beta with random and perfect move
#: order.
CURVES = (("$b^d$", 1.0), ("$b^{3d/4}$", 0.75), ("$b^{d/2}$", 0.5))

# The colours of Okabe and Ito, which colour-blind people can distinguish, and a marker each.
_COLOURS = (
    "#000000", "#d55e00", "#e69f00", "#b8a800", "#009e73", "#56b4e9", "#0072b2", "#cc79a7",
)  # fmt: skip
_MARKS = "os^Dv<>*"


def draw(measurements: Sequence[Measurement], title: str, path: Path) -> None:
    """Write a plot of these measurements; the suffix of the file determines the format.

    :param measurements: of several techniques and depths, in any order.
    :raises WriteError: if the file cannot be written.
    """
    # The same measurements give the same file.
    matplotlib.rcParams["svg.hashsalt"] = "halbzug"
    figure = Figure(figsize=(8, 5.5), layout="constrained")
    axes = figure.add_subplot()
    for technique, colour, mark in zip(TECHNIQUES, _COLOURS, _MARKS, strict=True):
        points = sorted(
            (one.depth, one.nodes)
            for one in measurements
            if one.technique is technique and one.is_finished
        )
        if points:
            depths, nodes = zip(*points, strict=True)
            axes.plot(depths, nodes, color=colour, marker=mark, markersize=6, label=technique.name)
    _draw_theory(axes, measurements)
    axes.set_yscale("log")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel("depth in plies")
    axes.set_ylabel("nodes")
    axes.set_title(title, fontsize=9)
    axes.grid(visible=True, which="major", color="#dddddd", linewidth=0.6)
    axes.legend(loc="upper left", fontsize=8, framealpha=0.9)
    metadata = {"Date": None} if path.suffix.lower() == ".svg" else {}
    with WholeFile(path) as file:
        picture = io.BytesIO()
        kind = path.suffix.lower().removeprefix(".")
        figure.savefig(picture, format=kind, dpi=150, metadata=metadata)
        file.write(picture.getvalue())


def _draw_theory(axes: matplotlib.axes.Axes, measurements: Sequence[Measurement]) -> None:
    """Draw the curves of the theory, with b fitted to minimax."""
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
        label = f"{name}, b = {branching:.1f}" if power == 1 else name
        axes.plot(depths, nodes, color="#777777", linestyle=style, linewidth=1.2, label=label)

"""Plots the visits to a position's moves over the simulations, one plot per search."""

from __future__ import annotations

from collections import Counter

from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from ..base.language import say, spelled
from .monte_carlo_searches import MonteCarloSearches
from .monte_carlo_texts import text
from .plot import COLOURS, GRID, MARKS, Plot

#: The most visited moves are drawn; more would clutter the plot.
MAX_MOVES = 5

#: Maximum number of points per curve.
_PLACES = 200

#: The first simulation drawn: earlier, a single visit is a large share.
_FIRST = 20


def draw_visits(found: MonteCarloSearches) -> Plot:
    """Plot each move's share of the visits so far."""
    figure = Figure(figsize=(8, 7), layout="constrained")
    rows = figure.subplots(len(found.growths), 1, sharex=True)
    step = max(found.simulations // _PLACES, 1)
    first = min(_FIRST, found.simulations)
    numbers = list(range(first, found.simulations + 1, step))
    for axes, (method, growth) in zip(rows, found.growths.items(), strict=True):
        through = growth.first_moves()
        moves = [number for number, _ in Counter(through).most_common() if number][:MAX_MOVES]
        for place, move in enumerate(moves):
            shares, visits, before = [], 0, 0
            for number in numbers:
                visits += through[before:number].count(move)
                before = number
                shares.append(visits / number)
            axes.plot(
                numbers,
                shares,
                color=COLOURS[place],
                marker=MARKS[place],
                markersize=5,
                markevery=0.1,
                label=spelled(growth.nodes[move].san),
            )
        axes.set_title(text(method), fontsize=9, loc="left")
        axes.set_ylabel(say("share of visits"))
        axes.set_ylim(bottom=0)
        axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
        axes.grid(**GRID)
        axes.legend(loc="center left", bbox_to_anchor=(1, 0.5), fontsize=8)
    rows[-1].set_xlabel(say("simulations"))
    figure.suptitle(found.board.fen(), fontsize=9)
    return Plot(figure, "visits of the moves over simulations")

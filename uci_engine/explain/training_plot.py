"""The errors of a network during training, as a picture. Needs matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from matplotlib.figure import Figure

from ..base.language import say
from .plot import COLOURS, GRID, Plot

if TYPE_CHECKING:
    from ..tuning.numpy_training import Look


def draw_training(looks: Sequence[Look]) -> Plot:
    """Draw the errors over the positions learnt; if those on held-out ones rise, it memorises."""
    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.add_subplot()
    for is_first, style in ((True, "--"), (False, "-")):
        some = [look for look in looks if look.is_first == is_first]
        millions = [look.positions / 1e6 for look in some]
        what = f", {say('static evaluations by terms')}" if is_first else ""
        for errors, label, colour in (
            ([look.learnt for look in some], say("positions that it learns"), COLOURS[5]),
            ([look.held_out for look in some], say("held-out positions"), COLOURS[1]),
        ):
            if some:
                axes.plot(millions, errors, style, marker=".", color=colour, label=label + what)
    axes.set_yscale("log")
    axes.set_xlabel(say("million positions learnt"))
    axes.set_ylabel(say("mean squared error of the expected result"))
    axes.grid(**GRID)
    axes.legend()
    return Plot(figure, "errors while a network is trained")

"""The curve of learning from self-play: how often a best move is chosen, over the minutes."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from ..base.language import local, say
from ..teaching.self_play.learner import Learner
from ..teaching.self_play.line_game import game_title
from .plot import COLOURS, GRID, Plot


def draw_learning(learners: Sequence[Learner]) -> Plot:
    """Draw PUCT and the policy alone, a line for each run, beside the players without a network."""
    figure = Figure(figsize=(8, 4.8), layout="constrained")
    axes = figure.add_subplot()
    first = learners[0]
    simulations = first.settings.simulations
    for number, learner in enumerate(learners):
        minutes = [row["seconds"] / 60 for row in learner.log]
        for name, style in (
            (say("PUCT, {n} simulations", n=simulations), "-"),
            (say("policy alone"), "--"),
        ):
            key = "puct" if style == "-" else "policy"
            seed = say(", seed {n}", n=learner.settings.seed) if len(learners) > 1 else ""
            shares = [row[key] for row in learner.log]
            colour = COLOURS[(number * 2 + 6) % len(COLOURS)]
            axes.plot(minutes, shares, style, color=colour, linewidth=1.4, label=name + seed)
    if first.baselines:
        names = {"uct": say("UCT, {n} playouts", n=simulations), "chance": say("a random mover")}
        for key, name in names.items():
            axes.axhline(first.baselines[key], color="#777777", linewidth=1, linestyle=":")
            axes.annotate(
                f"{name}: {local(f'{first.baselines[key]:.1%}')}",
                (1, first.baselines[key]),
                xycoords=("axes fraction", "data"),
                xytext=(-4, 3),
                textcoords="offset points",
                ha="right",
                fontsize=8,
                color="#555555",
            )
    axes.axhline(0.99, color="#009e73", linewidth=0.8)
    axes.annotate("99 %", (1, 0.99), xycoords=("axes fraction", "data"), xytext=(-4, -11),
                  textcoords="offset points", ha="right", fontsize=8, color="#009e73")  # fmt: skip
    axes.set_xlabel(say("minutes of one processor"))
    axes.set_ylabel(say("a best move is chosen"))
    axes.set_ylim(0, 1.03)
    axes.set_xlim(left=0)
    axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    title = say("Learning from self-play: {game}", game=game_title(first.settings.game))
    axes.set_title(title, fontsize=9)
    axes.grid(**GRID)
    axes.legend(loc="lower right", fontsize=8, framealpha=0.9)
    return Plot(figure, "best moves over minutes of learning")

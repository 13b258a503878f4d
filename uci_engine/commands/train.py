"""`halbzug train`: trains a network from scratch, and rates it."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..display.errors import one_line_errors
from ..display.paths import PathName, output_option

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..tuning.numpy_training import Look

EXAMPLES = """\b
Examples:
  halbzug train my.nnue
  halbzug train my.nnue --hours 3 --plot errors.svg --then-rate
  halbzug train my.nnue --from games.pgn.zst
"""


@click.command(epilog=EXAMPLES)
@click.argument("file", type=PathName(dir_okay=False))
@click.option(
    "--hours",
    type=click.FloatRange(0, min_open=True),
    default=1.0,
    show_default=True,
    metavar="N",
    help="How long to record positions and train, over all runs.",
)
@click.option(
    "--neurons",
    type=click.IntRange(32, 1024),
    default=256,
    show_default=True,
    metavar="N",
    help="Neurons of each side's view, a multiple of 32.",
)
@click.option(
    "--from",
    "games",
    type=PathName(dir_okay=False),
    metavar="FILE",
    help="Learn the positions and results of these games (PGN, compressed or not).",
)
@click.option(
    "--teacher",
    metavar="ENGINE",
    help="Learn the static evaluations of this Stockfish.  [default: Halbzug's own searches]",
)
@click.option(
    "--seed",
    type=click.IntRange(0),
    default=1,
    show_default=True,
    metavar="N",
    help="Seed of all random numbers.",
)
@click.option(
    "-c",
    "--cores",
    type=click.IntRange(1),
    metavar="N",
    help="Number of cores to use.  [default: all]",
)
@output_option("--plot", help="Draw the errors, as .svg or .png.")
@click.option(
    "--then-rate",
    is_flag=True,
    help="Then play 200 games against Halbzug's terms, and 200 against its network.",
)
def train(
    file: Path,
    hours: float,
    neurons: int,
    games: Path | None,
    teacher: str | None,
    seed: int,
    cores: int | None,
    plot: Path | None,
    then_rate: bool,
) -> int:
    """Train a network for the option EvalFile, and write it to FILE.

    Halbzug plays against itself, and records positions from its searches. The network learns the
    evaluations of the terms first, then the scores of further small searches (with --teacher, the
    teacher's evaluations only). Everything is kept in the folder FILE.training, so that the same
    command continues after an interruption. With more --hours, a finished network is trained
    further.

    This command needs numpy and scipy: pip install "halbzug[lab]".
    """
    import os

    from ..tuning.own_network import NetworkPlan, make_network
    from ..tuning.searcher import LabError
    from .explain import check_plot

    if then_rate and ";" in str(file.resolve()):
        raise click.UsageError(f"--then-rate does not work with a semicolon in {file}")
    if neurons % 32:
        raise click.UsageError("--neurons must be a multiple of 32")
    if games and teacher:
        raise click.UsageError("--from and --teacher cannot be combined")
    if games and not games.is_file():
        raise click.ClickException(f"there is no file {games}")
    try:
        import numpy  # noqa: F401
        import scipy  # noqa: F401
    except ImportError:
        raise click.ClickException(
            'train needs numpy and scipy: pip install "halbzug[lab]"'
        ) from None
    check_plot(plot)
    cores = cores or os.cpu_count() or 1
    plan = NetworkPlan(
        seconds=3600 * hours,
        neurons=neurons,
        teacher=teacher or "",
        games=str(games.resolve()) if games else "",
        seed=seed,
        cores=cores,
    )
    folder = file.with_name(file.name + ".training")
    with one_line_errors(LabError, OSError, ValueError):
        looks = make_network(plan, file, folder, click.echo)
    last = looks[-1]
    click.echo(
        f"{file}: {neurons} neurons, {last.positions:,} positions learnt, error on held-out"
        f" positions {last.held_out:.6f}"
    )
    if plot:
        _draw(looks, plot)
    if then_rate:
        _rate(file, folder / f"games-{last.positions}.pgn", cores)
    return 0


def _draw(looks: Sequence[Look], path: Path) -> None:
    from ..explain.training_plot import draw_training

    with one_line_errors(OSError):
        draw_training(looks).save(path)


def _rate(file: Path, games: Path, cores: int) -> None:
    """Play the network against both evaluations that come with Halbzug."""
    from .match import match

    engines = {"mine": file.resolve(), "terms": "terms", "network": "network"}
    arguments = [
        *(f"--engine={name}=halbzug; EvalFile={value}" for name, value in engines.items()),
        *("--gauntlet", "--games=200", "--tc=2+0.02", f"--concurrency={cores}", f"--pgn={games}"),
    ]
    click.echo(f"halbzug match {shlex.join(arguments)}")
    match.main(arguments, standalone_mode=False)

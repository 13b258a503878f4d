"""The options of commands that have engines play: `match`, `rate` and `tournament`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import wraps
from typing import Any

import click

Decorator = Callable[[Any], Any]

#: The time for a move of engine files, in seconds.
DEFAULT_SECONDS = 0.1

#: How far an engine may exceed its time, in ms: the system occasionally delays a move.
TIME_MARGIN_MS = 100


@dataclass(frozen=True)
class GameOptions:
    """How games are played.

    :ivar default_seconds: for each move, if nothing is given; None for the default clock of
        matches.
    """

    tc: str | None
    st: float | None
    nodes: int | None
    depth: int | None
    seed: int
    max_moves: int
    time_margin: int
    default_seconds: float | None

    @property
    def margin_seconds(self) -> float:
        """How far an engine may exceed its time, in seconds."""
        return self.time_margin / 1000

    def limits(self) -> dict[str, object]:
        """The limits of a move, named as for `halbzug.match.engines.read_control`."""
        limits = {name: getattr(self, name) for name in ("tc", "st", "nodes", "depth")}
        if all(limit is None for limit in limits.values()):
            limits["st"] = self.default_seconds
        return limits


def game_options(
    tc_help: str,
    st_help: str,
    *,
    max_moves: int,
    default_seconds: float | None = None,
) -> Decorator:
    """Options for games; the command receives them as `how`, a `GameOptions`."""
    number = click.IntRange(1)
    options = (
        click.option("--tc", metavar="CLOCK", help=tc_help),
        click.option("--st", type=click.FloatRange(0.001, 86400), metavar="SECONDS", help=st_help),
        click.option("--nodes", type=number, metavar="N", help="Nodes for each move."),
        click.option("--depth", type=number, metavar="PLIES", help="Depth of each move."),
        click.option(
            "--seed",
            default=1,
            show_default=True,
            metavar="N",
            help="Determines the order of the openings.",
        ),
        click.option(
            "--max-moves",
            type=number,
            default=max_moves,
            show_default=True,
            metavar="N",
            help="Declare a draw after this many moves by each side.",
        ),
        click.option(
            "--time-margin",
            type=click.IntRange(0),
            default=TIME_MARGIN_MS,
            show_default=True,
            metavar="MS",
            help="Milliseconds by which an engine may exceed its time.",
        ),
    )

    def decorate(command: Callable[..., Any]) -> Any:
        @wraps(command)
        def with_how(**values: Any) -> Any:
            values["default_seconds"] = default_seconds
            taken = {field.name: values.pop(field.name) for field in fields(GameOptions)}
            return command(how=GameOptions(**taken), **values)

        decorated: Any = with_how
        for option in reversed(options):
            decorated = option(decorated)
        return decorated

    return decorate


def file_game_options() -> Decorator:
    """`game_options` for engine files."""
    return game_options(
        "[MOVES/]SECONDS[+INCREMENT], instead of --st.",
        f"Time for each move.  [default: {DEFAULT_SECONDS:g}]",
        max_moves=150,
        default_seconds=DEFAULT_SECONDS,
    )


def runner_options(command: Any) -> Any:
    """Where games are played: `jobs` and `dask`, for `game_runner`."""
    jobs = click.option(
        *("-j", "--jobs"),
        type=click.IntRange(1, 1024),
        metavar="N",
        help="Number of simultaneous games.  [default: the number of cores]",
    )
    dask = click.option(
        "--dask",
        metavar="ADDRESS",
        help="Play the games on this Dask cluster, where the files must have the same paths.",
    )
    return jobs(dask(command))

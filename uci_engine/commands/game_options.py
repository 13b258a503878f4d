"""The options of commands that let engines play: `match`, `rate` and `tournament`."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from halbzug.match.tournament import Venue
    from halbzug.time_control import TimeControl

Decorator = Callable[[Any], Any]

#: The time for a move where files play, in seconds.
DEFAULT_SECONDS = 0.1


@dataclass(frozen=True)
class GameOptions:
    """How games are played.

    :ivar default_seconds: for each move if nothing is given; None for the clock of matches.
    """

    tc: str | None
    st: float | None
    nodes: int | None
    depth: int | None
    seed: int
    max_moves: int
    time_margin: int
    default_seconds: float | None

    def control(self) -> TimeControl:
        """The time control.

        :raises ValueError: if it cannot be read or combined.
        """
        from halbzug.match.engines import read_control

        limits: dict[str, object] = {
            name: getattr(self, name) for name in ("tc", "st", "nodes", "depth")
        }
        if all(limit is None for limit in limits.values()):
            limits["st"] = self.default_seconds
        return read_control(limits)

    def of_files(self) -> dict[str, Any]:
        """What a `RatingPlan` and a `TournamentPlan` have of this, but the time control."""
        from halbzug.match.adjudication import Rules

        return {
            "openings": shipped_openings(),
            "seed": self.seed,
            "rules": Rules(longest_game=self.max_moves),
            "margin_seconds": self.margin_seconds,
        }

    @property
    def margin_seconds(self) -> float:
        """Seconds by which an engine may exceed its time."""
        return self.time_margin / 1000


def game_options(
    tc_help: str,
    st_help: str,
    *,
    max_moves: int,
    time_margin: int,
    default_seconds: float | None = None,
) -> Decorator:
    """Options for games; the command gets them as `how`, which are `GameOptions`."""
    number = click.IntRange(1)
    options = (
        click.option("--tc", metavar="CLOCK", help=tc_help),
        click.option("--st", type=click.FloatRange(0.001, 86400), metavar="SECONDS", help=st_help),
        click.option("--nodes", type=number, metavar="N", help="Nodes for each move."),
        click.option("--depth", type=number, metavar="PLIES", help="Depth of each move."),
        click.option(
            "--seed", default=1, show_default=True, metavar="N", help="Order of the openings."
        ),
        click.option(
            "--max-moves",
            type=number,
            default=max_moves,
            show_default=True,
            metavar="N",
            help="After this many moves of each side it is a draw.",
        ),
        click.option(
            "--time-margin",
            type=click.IntRange(0),
            default=time_margin,
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
    """`game_options` where files play."""
    return game_options(
        "[MOVES/]SECONDS[+INCREMENT], instead of --st.",
        f"Time for each move.  [default: {DEFAULT_SECONDS:g}]",
        max_moves=150,
        time_margin=100,
        default_seconds=DEFAULT_SECONDS,
    )


def venue_options(command: Any) -> Any:
    """Where games are played: `jobs` and `dask`, for `venue_of`."""
    jobs = click.option(
        *("-j", "--jobs"),
        type=click.IntRange(1, 1024),
        metavar="N",
        help="Games at a time.  [default: the number of cores]",
    )
    dask = click.option(
        "--dask",
        metavar="ADDRESS",
        help="Play them on this Dask cluster, where the files lie at the same paths.",
    )
    return jobs(dask(command))


def venue_of(jobs: int | None, dask: str | None) -> Venue:
    """Where games are played.

    :param jobs: games at a time on this machine; None: as many as it has cores.
    :param dask: the address of the Dask cluster that is used instead.
    """
    from halbzug.match.tournament import Here

    if dask:
        from halbzug.lab.cluster_games import ClusterVenue

        return ClusterVenue(dask)
    return Here(jobs or os.cpu_count() or 1)


def shipped_openings() -> Path:
    """The file of Halbzug's openings for matches."""
    from halbzug import books

    return Path(books.__file__).parent / "openings.epd"

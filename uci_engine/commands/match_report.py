"""Shows a match: a live table or plain lines while it runs, a crosstable or JSON at the end."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from rich import box
from rich.console import Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from halbzug.console.quantities import seconds_text
from halbzug.console.terminal import PlainConsole
from halbzug.match.elo import Sprt, judge
from halbzug.match.summary import (
    elo_text,
    forfeits_text,
    llr_text,
    result_json,
    summary,
    superiority_text,
)

if TYPE_CHECKING:
    from halbzug.match.record import GameRecord
    from halbzug.match.standings import Standings

#: Games between two plain lines.
EVERY = 20

_MAX_WIDTH = 1000  # characters of a table

_MEANINGS = {"H1": "H1 accepted: a gain", "H0": "H0 accepted: no gain", None: "undecided"}


def live_games(console: PlainConsole, draw: Callable[[], RenderableType]) -> Live:
    """A table of games that are played, redrawn each second and gone at the end."""
    return Live(
        get_renderable=draw,
        console=console,
        refresh_per_second=1,
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )


class MatchReport:
    """Shows the state of a match, at a terminal or in a log.

    :param planned: games of the whole schedule.
    :param sprt: the test that may end the match, if any.
    :param is_quiet: write only the result to standard output.
    """

    def __init__(
        self, standings: Standings, planned: int, sprt: Sprt | None, is_quiet: bool
    ) -> None:
        self._standings = standings
        self._planned = planned
        self._sprt = sprt
        self._console = PlainConsole(stderr=is_quiet, soft_wrap=True)
        self._began_at = time.monotonic()
        self._found = standings.games  # games of earlier runs

    # -- while it runs ----------------------------------------------------------------------------

    @contextmanager
    def watching(self) -> Iterator[None]:
        """A context in which the live table is shown, at a terminal."""
        if not self._console.is_terminal:
            yield
            return
        with live_games(self._console, self._live):
            yield

    def say(self, text: str) -> None:
        """Show a message."""
        self._console.print(Text(text))

    def note(self, record: GameRecord, reason: str) -> None:
        """Show a game that has just been counted."""
        if record.is_forfeit:
            self.say(f"Game {record.number}: {reason}")
        if not self._console.is_terminal and self._standings.games % EVERY == 0:
            self.say(f"{summary(self._standings, self._sprt)}, {self._progress()}")

    def _progress(self) -> str:
        """The number of games, and the time that is left."""
        text = f"{self._standings.games} of {self._planned} games"
        played = self._standings.games - self._found
        left = self._planned - self._standings.games
        if played and left > 0:
            elapsed = time.monotonic() - self._began_at
            qualifier = "at most " if self._sprt else ""
            text += f", {qualifier}{seconds_text(elapsed / played * left)} left"
        return text

    def _live(self) -> Group:
        titles = ("Engine", "Games", "+", "=", "-", "Score", "Elo", "LOS", "Forfeits")
        table = _new_table(*titles)
        standings = self._standings
        for engine in standings.ranking():
            score = standings.total(engine)
            verdict = judge(score.pentanomial)
            name = standings.names[engine]
            table.add_row(
                name,
                *map(str, (score.games, score.wins, score.draws, score.losses)),
                f"{100 * score.points / score.games:.1f} %" if score.games else "",
                elo_text(verdict),
                superiority_text(verdict),
                str(standings.forfeits[name].total()),
            )
        lines = [self._progress()]
        if self._sprt:
            lines.append(llr_text(self._sprt, standings.scores[0, 1]))
        return Group(table, Text("  " + ", ".join(lines)))

    # -- at the end -------------------------------------------------------------------------------

    def print_result(self) -> None:
        """Print the state in one line, the crosstable, and the result of the test."""
        console = PlainConsole(soft_wrap=True)
        console.print(Text(summary(self._standings, self._sprt)))
        if self._standings.games:
            # A table that is too wide is wrapped by the terminal, and not cut in a file.
            table = self._crosstable()
            room = console.options.update(width=_MAX_WIDTH)
            console.width = max(console.width, console.measure(table, options=room).maximum)
            console.print(table)
        if self._sprt:
            verdict = self._sprt.verdict(self._standings.scores[0, 1].pentanomial)
            meaning = _MEANINGS[verdict]
            console.print(Text(f"SPRT {self._sprt.elo0:g} .. {self._sprt.elo1:g}: {meaning}"))

    def _crosstable(self) -> Table:
        standings = self._standings
        ranking = standings.ranking()
        titles = ["Points", "Games", "Elo", "LOS", *map(str, range(1, len(ranking) + 1))]
        has_forfeits = any(count.total() for count in standings.forfeits.values())
        table = _new_table("", "Engine", *titles, *(["Forfeits"] if has_forfeits else []))
        for place, engine in enumerate(ranking, 1):
            score, name = standings.total(engine), standings.names[engine]
            verdict = judge(score.pentanomial)
            against = [standings.between(engine, opponent) for opponent in ranking]
            cells = [
                *(str(place), name, f"{score.points:g}", str(score.games)),
                *(elo_text(verdict), superiority_text(verdict)),
                *(f"{part.points:g}" if part else "" for part in against),
            ]
            table.add_row(*cells, *([forfeits_text(standings, name)] if has_forfeits else []))
        return table

    def print_json(self, pgn: Path | None) -> None:
        """Print the result as one JSON object."""
        result = result_json(self._standings, self._planned, self._sprt, pgn)
        print(json.dumps(result))


def _new_table(*titles: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for title in titles:
        is_text = title in ("Engine", "Forfeits")
        table.add_column(title, justify="left" if is_text else "right", no_wrap=True)
    return table

"""Shows a tournament: a live table or plain lines while it runs, a table or JSON at the end."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from rich import box
from rich.console import Group
from rich.table import Table
from rich.text import Text

from halbzug.commands.match_report import EVERY, live_games
from halbzug.console.quantities import seconds_text
from halbzug.console.terminal import PlainConsole
from halbzug.lab.rating import rating_text

if TYPE_CHECKING:
    from halbzug.lab.tournament import Tournament
    from halbzug.match.record import GameRecord


class TournamentReport:
    """Shows the state of a tournament, at a terminal or in a log.

    :param page: the file of the page.
    :param is_quiet: write only the result to standard output.
    """

    def __init__(self, tournament: Tournament, page: Path, is_quiet: bool) -> None:
        self._tournament = tournament
        self._page = page
        self._console = PlainConsole(stderr=is_quiet, soft_wrap=True)
        self._began_at = time.monotonic()
        self._found = tournament.standings.games  # games of earlier runs

    @contextmanager
    def watching(self) -> Iterator[None]:
        """A context in which the live table is shown, at a terminal."""
        for one in self._tournament.left_out:
            self.say(f"{one.spec.name} is left out: {one.trouble}")
        if not self._console.is_terminal:
            yield
            return
        with live_games(self._console, lambda: Group(self._table(), Text(f"  {self._progress()}"))):
            yield

    def say(self, text: str) -> None:
        """Show a message."""
        self._console.print(Text(text))

    def note(self, record: GameRecord, reason: str) -> None:
        """Show a game that has just been counted."""
        if record.is_forfeit:
            self.say(f"Game {record.number}: {reason}")
        if not self._console.is_terminal and self._tournament.standings.games % EVERY == 0:
            self.say(self._progress())

    def _progress(self) -> str:
        games, planned = self._tournament.standings.games, self._tournament.match.planned
        text = f"{games} of {planned} games"
        played = games - self._found
        if played and games < planned:
            seconds = (time.monotonic() - self._began_at) / played * (planned - games)
            text += f", {seconds_text(seconds)} left"
        return text

    def _table(self) -> Table:
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        for title in ("", "Engine", "Elo", "Points", "Games", "Faults"):
            table.add_column(title, justify="left" if title == "Engine" else "right", no_wrap=True)
        for number, place in enumerate(self._tournament.places(), start=1):
            known = place.entrant.known
            table.add_row(
                *(str(number), Text(place.entrant.spec.name)),
                rating_text(place.rating) if known is None else f"{known:.0f}",
                *(f"{place.score.points:g}", str(place.score.games)),
                str(place.forfeits or ""),
            )
        return table

    def print_result(self, *, as_json: bool) -> None:
        """Write the page, and print the result."""
        from halbzug.lab.tournament_page import render
        from halbzug.lab.tournament_result import result_json
        from halbzug.whole_file import write_whole

        games = self._tournament.games()
        write_whole(self._page, render(self._tournament, games))
        if as_json:
            print(json.dumps(result_json(self._tournament, games, self._page)))
            return
        console = PlainConsole(soft_wrap=True)
        console.print(self._table())
        console.print(
            Text(f"The page is {self._page}, the games are in {self._tournament.plan.pgn}")
        )

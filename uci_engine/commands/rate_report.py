"""Shows a rating: a live table or plain lines while it runs, a table or JSON at the end."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import combinations
from typing import TYPE_CHECKING

from rich import box
from rich.console import Group
from rich.table import Table
from rich.text import Text

from halbzug.commands.match_report import EVERY, live_games
from halbzug.console.quantities import seconds_text
from halbzug.console.terminal import PlainConsole
from halbzug.lab.rating import rating_json, rating_text

if TYPE_CHECKING:
    from halbzug.lab.rating_run import Candidate, RatingRun
    from halbzug.match.record import GameRecord


class RatingReport:
    """Shows the state of a rating, at a terminal or in a log.

    :param pace: the time control in words.
    :param is_quiet: write only the result to standard output.
    """

    def __init__(self, run: RatingRun, pace: str, is_quiet: bool) -> None:
        self._run = run
        self._pace = pace
        self._console = PlainConsole(stderr=is_quiet, soft_wrap=True)
        self._began_at = time.monotonic()
        self._found = run.games

    @contextmanager
    def watching(self) -> Iterator[None]:
        """A context in which the live table is shown, at a terminal."""
        if not self._console.is_terminal:
            self.say(f"Rating at {self._pace}")
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
        if not self._console.is_terminal and self._run.games % EVERY == 0:
            states = [f"{one.spec.name} {rating_text(one.rating)}" for one in self._run.candidates]
            self.say(f"{', '.join(states)}; {self._progress()}")

    def _progress(self) -> str:
        played = self._run.games - self._found
        seconds = time.monotonic() - self._began_at
        each = f", {seconds_text(seconds / played)} each" if played else ""
        return f"{self._run.games} games{each}, {self._pace}"

    def _ranking(self) -> list[Candidate]:
        return sorted(self._run.candidates, key=lambda one: one.rating.elo, reverse=True)

    def _table(self) -> Table:
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        for title in ("Engine", "Games", "Score", "Elo", "95 %", "Last loss"):
            is_text = title in ("Engine", "Last loss")
            table.add_column(title, justify="left" if is_text else "right", no_wrap=True)
        for one in self._ranking():
            table.add_row(
                *(Text(one.spec.name), str(len(one.games)), f"{100 * one.score:.0f} %"),
                *(f"{one.rating.elo:.0f}", f"{one.rating.low:.0f} .. {one.rating.high:.0f}"),
                Text(one.last_loss),
            )
        return table

    def print_result(self) -> None:
        """Print the ratings, and which differences are certain."""
        console = PlainConsole(soft_wrap=True)
        console.print(self._table())
        console.print(Text(f"Elo on the scale of UCI_Elo, at {self._pace}"))
        for one, other in combinations(self._ranking(), 2):
            difference = one.rating.difference(other.rating)
            word = "certain" if difference.is_certain else "not certain"
            names = f"{one.spec.name} - {other.spec.name}"
            console.print(Text(f"{names}: {rating_text(difference)}, {word}"))

    def print_json(self) -> None:
        """Print the ratings as one JSON object."""
        ranking = self._ranking()
        result = {
            "pace": self._pace,
            "engines": [
                {
                    "name": one.spec.name,
                    "games": len(one.games),
                    "score": round(one.score, 4),
                    **rating_json(one.rating),
                    "opponents": dict(one.played),
                    "last_loss": one.last_loss or None,
                }
                for one in ranking
            ],
            "differences": [
                {
                    "engines": [one.spec.name, other.spec.name],
                    **rating_json(one.rating.difference(other.rating)),
                    "certain": one.rating.difference(other.rating).is_certain,
                }
                for one, other in combinations(ranking, 2)
            ],
            "pgn": str(self._run.plan.pgn) if self._run.plan.pgn else None,
        }
        print(json.dumps(result))

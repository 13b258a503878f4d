"""Shows the progress of games, as a live table or as lines, and the result as tables or JSON."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Group
from rich.live import Live
from rich.text import Text

from ..base.language import say
from ..display.printing import listing, show
from ..display.terminal import PlainConsole
from ..match.games_display import NewFaults, fault_text

if TYPE_CHECKING:
    from ..match.games_display import GamesState
    from ..match.match_record import GameRecord

#: Games between two plain lines, and after which the first ones come.
EVERY = 20
FIRST = (1, 5, 10)


class GamesReport:
    """Shows the state of a match or of a rating; see `halbzug.match.games_display.GamesDisplay`.

    :param is_quiet: write only the result to standard output, as one JSON object.
    """

    def __init__(self, state: GamesState, is_quiet: bool) -> None:
        self._state = state
        self._is_quiet = is_quiet
        self._console = PlainConsole(stderr=is_quiet, soft_wrap=True)
        self._began_at = time.monotonic()
        self._found = state.games  # games of earlier runs
        self._faults = NewFaults()

    @contextmanager
    def watching(self) -> Iterator[None]:
        """A context in which a table is redrawn each second, at a terminal."""
        if not self._console.is_terminal:
            if self._state.heading:
                self.say(self._state.heading)
            yield
            return
        with Live(
            get_renderable=self._draw,
            console=self._console,
            refresh_per_second=1,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        ):
            yield

    def say(self, text: str) -> None:
        """Show a message."""
        self._console.print(Text(text))

    def note(self, record: GameRecord, reason: str) -> None:
        """Show a game that was just finished."""
        if record.is_forfeit and self._faults.add(record, reason):
            self.say(say("Game {number}: {why}", number=record.number, why=fault_text(reason)))
        games = self._state.games
        if not self._console.is_terminal and (games % EVERY == 0 or games - self._found in FIRST):
            self.say(f"{self._state.line()}; {self._progress()}")

    def _print_result(self) -> None:
        """Print the result."""
        if self._is_quiet:
            print(json.dumps(self._state.json()))
        else:
            show(self._state.result(), PlainConsole(soft_wrap=True))

    def finish(self, is_complete: bool, path: Path | None) -> None:
        """Print the result, and how to continue an interrupted run.

        :param path: the file of its games, if there is one.
        :raises KeyboardInterrupt: if it was interrupted.
        """
        self._print_result()
        if not is_complete:
            if path:
                self.say(say("Interrupted; the same command continues from {file}", file=path))
            raise KeyboardInterrupt

    def _progress(self) -> str:
        played = self._state.games - self._found
        return self._state.progress(played, time.monotonic() - self._began_at)

    def _draw(self) -> Group:
        notes = filter(None, (self._progress(), self._state.live_note()))
        return Group(listing(self._state.live_sheet()), Text("  " + ", ".join(notes)))

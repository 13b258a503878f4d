"""Displays a match on one of the lectures' games."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from inspect import signature
from typing import Any

from ..base.language import local, say
from ..display.document import Part, Remark
from ..display.progress import Report, progress_shown
from ..display.sheet import Column, Sheet, show_text
from ..teaching.game_match import Chooser, GameMatch, evaluating_player, named_player
from ..teaching.game_protocol import Game
from ..teaching.solved_games import read_game

#: A player: a name, a function `choose(game, state, moves)` or `evaluate(game, state)`.
GamePlayer = str | Callable[..., Any]


class MatchResult(GameMatch):
    """A match that has been played.

    Its parameters are those of `halbzug.explain.match`.
    """

    def __init__(
        self,
        name: str,
        players: Sequence[GamePlayer],
        games: int,
        seed: int,
        progress: bool | Report | None,
    ) -> None:
        self.name = name
        _, named, game = read_game(name)
        searches = () if type(game).sees is not Game.sees else named.searches
        found: list[tuple[str, Chooser]] = []
        for number, player in enumerate(players):
            if isinstance(player, str):
                choose = named_player(player, game, searches, seed + number)
            elif len(signature(player).parameters) == 2:
                choose = evaluating_player(player, game)
            else:
                choose = player
            found.append((getattr(player, "__name__", str(player)), choose))
        super().__init__(game, found)
        with progress_shown(progress, say("games"), games, may_be_short=True) as report:
            self.play(games, seed, report)

    def table(self) -> Sheet:
        """A table with one row per player."""
        titles = say("won"), say("drawn"), say("lost"), say("mean result")
        sheet = Sheet((Column(say("Player")), *(Column(title, True) for title in titles)))
        for number, (name, _) in enumerate(self.players):
            mean, error = self.mean(number)
            bar = "?" if error is None else local(f"{error:.2f}")
            counts = [local(f"{count:,}") for count in self.counts[number]]
            sheet.add(name, *counts, f"{local(f'{mean:+.2f}')} +/- {bar}")
        return sheet

    def verdict(self) -> str:
        """Who is better, as far as the games show it."""
        best = max(range(len(self.players)), key=lambda one: self.mean(one)[0])
        mean, error = self.mean(best)
        others = [self.mean(one) for one in range(len(self.players)) if one != best]
        if error is None:
            is_certain = mean > others[0][0] and len(self.means) >= 5
        else:
            is_certain = all(mean - error > other + (bar or 0) for other, bar in others)
        if is_certain:
            return say("{player} is better.", player=self.players[best][0])
        return say("These games do not show who is better.")

    def as_json(self) -> dict[str, object]:
        """The same as data."""
        rows = []
        for number, (name, _) in enumerate(self.players):
            (mean, error), counts = self.mean(number), self.counts[number]
            row = dict(zip(("won", "drawn", "lost"), counts, strict=True))
            rows.append({"player": name, **row, "mean": mean, "error": error})
        return {"game": self.name, "games": sum(self.counts[0]), "players": rows}

    def document(self) -> Iterator[Part]:
        """The output of the command."""
        games = say("{number:,} games", number=sum(self.counts[0]))
        yield Remark(f"{self.name}: {games}", "strong")
        yield self.table()
        yield self.verdict()

    def __str__(self) -> str:
        return f"{self.table().text()}\n{self.verdict()}"

    def __repr__(self) -> str:
        return f"<MatchResult {self.name}, {sum(self.counts[0])} games>"

    _repr_pretty_ = show_text

"""Displays a searched small game."""

from __future__ import annotations

from collections.abc import Iterator

from ..base.language import local, say
from ..base.text import counted
from ..display.document import Part, Remark
from ..display.sheet import Column, Sheet, show_text
from ..teaching.solved_games import GAMES, SolvedGame


class GameAnswer(SolvedGame):
    """A state of a game, what a search found in it, and how that is displayed.

    Its parameters are those of `SolvedGame`.
    """

    def table(self) -> Sheet:
        """A table with one row per move."""
        sheet = Sheet((Column(say("Move")), Column(self.search), Column(say("States"), True)))
        for line in self.lines:
            sheet.add(line.move, line.says, local(f"{line.nodes:,}"))
        return sheet

    def as_json(self) -> dict[str, object]:
        """The same as data."""
        return {
            "game": self.name,
            "state": self.game.text(self.state),
            "turn": self.turn,
            "search": self.search,
            "found": self.found.replace("\N{MINUS SIGN}", "-"),
            "moves": [
                {"move": line.move, "says": line.says.replace("\N{MINUS SIGN}", "-"),
                 "nodes": line.nodes}
                for line in self.lines
            ],
        }  # fmt: skip

    def document(self) -> Iterator[Part]:
        """The output of the command."""
        is_whole = self.depth < 0 or self.search == "regret"
        depth = "" if is_whole else say(", depth {n}", n=self.depth)
        yield Remark(f"{self.name}: {self.search}{depth}", "strong")
        if text := self.game.text(self.state):
            rows = text.split("/")
            is_board = len({len(row) for row in rows}) == 1  # rows of equal length, so not a FEN
            yield ("\n".join(rows) if is_board else text) + "\n"
        if self.lines:
            yield self.table()
        is_anybody = self.turn not in ("over", "")
        turn = say("{side} to move; ", side=say(self.turn)) if is_anybody else ""
        yield turn + self.found

    def __str__(self) -> str:
        return f"{self.game.text(self.state)}\n{self.table().text()}\n{self.found}"

    def __repr__(self) -> str:
        return f"<GameAnswer {self.name}, {counted(len(self.lines), 'move')}>"

    _repr_pretty_ = show_text


def games_document() -> Iterator[Part]:
    """The named games, with their numbers and searches."""
    sheet = Sheet(
        (Column(say("Game")), Column(say("Numbers")), Column(say("Searches"), is_wide=True))
    )
    for name, named in GAMES.items():
        sheet.add(name, named.numbers and say(named.numbers), ", ".join(named.searches))
    yield sheet

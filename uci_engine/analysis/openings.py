"""The opening of a game, by its tags."""

from __future__ import annotations

from typing import NamedTuple

from halbzug.analysis.annotation import AnnotatedGame
from halbzug.board.pgn import on_one_line


class GameOpening(NamedTuple):
    """The opening of a game; either text may be empty."""

    eco: str  # A00 to E99
    name: str


def opening_of_game(game: AnnotatedGame) -> GameOpening | None:
    """What the tags of a game say about its opening, None if they say nothing."""
    headers = game.record.game.headers
    eco, name = (on_one_line(headers.get(tag, "")).strip(" ?") for tag in ("ECO", "Opening"))
    return GameOpening(eco, name) if eco or name else None

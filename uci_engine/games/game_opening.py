"""Finds the opening of a game from its tags, or else from its moves."""

from __future__ import annotations

from typing import NamedTuple

import chess
import chess.pgn

from ..base.text import on_one_line
from ..books.opening_names import opening_of


class GameOpening(NamedTuple):
    """An opening; the name may be empty."""

    eco: str  # A00 to E99, or whatever the game's tag says
    name: str


def opening_of_game(game: chess.pgn.Game, end: chess.Board) -> GameOpening | None:
    """The opening of a game; None if unknown. The game's own tags take precedence.

    :param end: its last position, with the move stack.
    """
    eco, name = (on_one_line(game.headers.get(tag, "")).strip(" ?") for tag in ("ECO", "Opening"))
    if not (eco and name) and (found := opening_of(end)):
        eco, name = eco or found.eco, name or found.name
    return GameOpening(eco, name) if eco or name else None


def tag_opening(game: chess.pgn.Game, end: chess.Board) -> None:
    """Add the tags ECO and Opening to a game unless it has them."""
    opening = opening_of_game(game, end)
    for tag, value in zip(("ECO", "Opening"), opening or (), strict=False):
        if value and game.headers.get(tag, "?").strip(" ?") == "":
            game.headers[tag] = value

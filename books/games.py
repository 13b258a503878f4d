"""Reads PGN: a game without errors, or what is wrong with it."""

from __future__ import annotations

from typing import TextIO

import chess.pgn


def read_game(handle: TextIO) -> chess.pgn.Game | None:
    """The next game, None at the end.

    :raises ValueError: with the first error in it; the handle stands behind it all the same.
    """
    game = chess.pgn.read_game(handle, Visitor=_Builder)
    if game and game.errors:
        raise ValueError(str(game.errors[0]))
    return game


class _Builder(chess.pgn.GameBuilder[chess.pgn.Game]):
    """Collects the errors of a game instead of logging them.

    After an error in a variation python-chess closes that one without leaving its board, and would
    begin the next where nothing was moved: from then on variations are not told apart any more.
    """

    def handle_error(self, error: Exception) -> None:
        self.game.errors.append(error)

    def begin_variation(self) -> None:
        if not self.game.errors:
            super().begin_variation()

    def end_variation(self) -> None:
        if not self.game.errors:
            super().end_variation()

"""The door for games: PGN in, a game without errors out."""

from __future__ import annotations

from typing import TextIO

import chess.pgn

from uci_engine.fen import read_position


def read_game(handle: TextIO) -> chess.pgn.Game | None:
    """The next game of chess, None at the end; its mainline has no null moves.

    :raises ValueError: if it is broken, or no chess; the handle stands behind it all the same.
    """
    game = chess.pgn.read_game(handle, Visitor=_Builder)
    if game is None:
        return None
    if game.errors:
        raise ValueError(str(game.errors[0]))
    board = game.board()
    if board.uci_variant != "chess":
        raise ValueError(f"a game of {board.uci_variant}, which is another game")
    read_position(board.fen(shredder=board.chess960, en_passant="fen"), board.chess960)
    for node in game.mainline():
        if not node.move:
            raise ValueError(f"a null move after {node.parent.board().fullmove_number - 1} moves")
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

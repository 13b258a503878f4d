"""The door for games: PGN in, a game of chess that can be searched out."""

from __future__ import annotations

from typing import TextIO

import chess.pgn

from books import games
from uci_engine.fen import read_position


def read_game(handle: TextIO) -> chess.pgn.Game | None:
    """The next game of chess, None at the end; its mainline has no null moves.

    :raises ValueError: if it is broken, or no chess; the handle stands behind it all the same.
    """
    game = games.read_game(handle)
    if game is None:
        return None
    board = game.board()
    if board.uci_variant != "chess":
        raise ValueError(f"a game of {board.uci_variant}, which is another game")
    read_position(board.fen(shredder=board.chess960, en_passant="fen"), board.chess960)
    for node in game.mainline():
        if not node.move:
            raise ValueError(f"a null move after {node.parent.board().fullmove_number - 1} moves")
    return game

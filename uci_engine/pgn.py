"""The door for games: PGN in, a game of chess that can be searched out."""

from __future__ import annotations

import chess.pgn

from books import games
from books.games import GameLines
from uci_engine.fen import read_position


def read_game(lines: GameLines) -> chess.pgn.Game | None:
    """The next game of chess, None at the end; its mainline has no null moves.

    :raises ValueError: if it is empty, broken, or no chess; the lines stand behind it all the
        same.
    """
    game = games.read_game(lines)
    if game is None:
        return None
    if game.next() is None and dict(game.headers) == dict(chess.pgn.Game().headers):
        raise ValueError("neither tags nor moves")
    board = game.board()
    if board.uci_variant != "chess":
        raise ValueError(f"a game of {board.uci_variant}, which is another game")
    read_position(board.fen(shredder=board.chess960, en_passant="fen"), board.chess960)
    for node in game.mainline():
        if not node.move:
            raise ValueError(f"a null move after {node.parent.board().fullmove_number - 1} moves")
    return game

"""An evaluation that is looked up in a database of positions, here in tablebases of chess.

Where a position is in the database the search need not go on: its value is known. This one has the
endings of three pieces, which come with Halbzug, and says 1, 0 or -1: White wins, nobody, Black
wins. The other evaluation knows the material only. A state is a FEN and the plies that are left.
Source: https://www.chessprogramming.org/Endgame_Tablebases
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import chess
import chess.syzygy
from alpha_beta import alpha_beta
from game import Player

import halbzug

#: A FEN, and the plies that are still searched.
Position = tuple[str, int]

#: White for White, Black for Black: 1, 0 or -1 for a position.
Evaluate = Callable[[chess.Board], int]

FOLDER = Path(halbzug.__file__).parent / "tablebase" / "tables"

#: The pawn and the king can take on d4; only one of the captures wins.
ENDING = "8/2k5/8/2K5/3p4/2P5/8/8 w - - 0 1"


def by_material(board: chess.Board) -> int:
    """1 if White has more pieces, -1 if Black has."""
    white, black = (chess.popcount(board.occupied_co[color]) for color in (True, False))
    return (white > black) - (white < black)


class Database:
    """Positions with at most this many pieces, and what they are worth."""

    def __init__(self, pieces: int = 3) -> None:
        self.pieces = pieces
        self._tablebase = chess.syzygy.open_tablebase(str(FOLDER))

    def has(self, board: chess.Board) -> bool:
        """Whether the position can be looked up."""
        return chess.popcount(board.occupied) <= self.pieces

    def look_up(self, board: chess.Board) -> int:
        """1 if White wins, -1 if Black does."""
        wdl = self._tablebase.probe_wdl(board)
        sign = (wdl > 1) - (wdl < -1)  # with the fifty-move rule
        return sign if board.turn else -sign


class Ending:
    """Chess, a number of plies deep."""

    def __init__(self, database: Database | None, evaluate: Evaluate = by_material) -> None:
        self.database, self.evaluate = database, evaluate

    def player(self, state: Position) -> Player:
        """White is MAX."""
        return Player.MAX if chess.Board(state[0]).turn else Player.MIN

    def moves(self, state: Position) -> list[chess.Move]:
        """The legal moves; none where the search stops, or the database knows the answer."""
        board = chess.Board(state[0])
        is_known = self.database and self.database.has(board)
        return [] if is_known or not state[1] else list(board.legal_moves)

    def after(self, state: Position, move: chess.Move) -> Position:
        """Make a move."""
        board = chess.Board(state[0])
        board.push(move)
        return board.fen(), state[1] - 1

    def value(self, state: Position) -> int:
        """What is looked up, or else evaluated."""
        board = chess.Board(state[0])
        if board.is_checkmate():
            return -1 if board.turn else 1
        if self.database and self.database.has(board):
            return self.database.look_up(board)
        return self.evaluate(board)


if __name__ == "__main__":
    for name, database in (("by material", None), ("looked up", Database())):
        solution = alpha_beta(Ending(database), (ENDING, 2))
        assert solution.move is not None
        san = chess.Board(ENDING).san(solution.move)
        print(f"{name:11}: {san} is worth {solution.value}, {solution.nodes} nodes")

"""Chess on the game protocol; python-chess provides the rules. White is MAX."""

from __future__ import annotations

from collections.abc import Hashable

import chess

from ..game_protocol import MAX, MIN, Game

#: Piece values in pawns (Shannon, 1950).
POINTS = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9}


class ChessGame(Game[chess.Board, chess.Move]):
    """The rules; a state is a board, which must not be changed, and a move is python-chess's.

    :param fen: of the first position.
    :raises ValueError: if it cannot be read.
    """

    def __init__(self, fen: str = chess.STARTING_FEN) -> None:
        self._board = chess.Board(fen)

    def start(self) -> chess.Board:
        """The first position."""
        return self._board

    def player(self, state: chess.Board) -> int | None:
        """White and Black in turn; a draw that must be claimed does not end the game."""
        if state.is_game_over():
            return None
        return MAX if state.turn else MIN

    def moves(self, state: chess.Board) -> list[chess.Move]:
        """The legal moves."""
        return list(state.legal_moves)

    def apply(self, state: chess.Board, move: chess.Move) -> chess.Board:
        """The board after a move, without its move stack."""
        after = state.copy(stack=False)
        after.push(move)
        return after

    def result(self, state: chess.Board) -> tuple[int, int]:
        """1 for the side that has mated, 0 for a draw."""
        value = 0 if not state.is_checkmate() else -1 if state.turn else 1
        return value, -value

    def evaluate(self, state: chess.Board) -> tuple[float, float]:
        """The material balance as a share of a side's material at the start."""
        value = sum(
            points * (len(state.pieces(piece, True)) - len(state.pieces(piece, False)))
            for piece, points in POINTS.items()
        )
        return value / 40, -value / 40

    def key(self, state: chess.Board) -> Hashable:
        """Pieces, side to move, castling rights, and the square for an en passant capture."""
        return state.epd()

    def text(self, state: chess.Board) -> str:
        """The FEN."""
        return state.fen()

    def move_text(self, state: chess.Board, move: chess.Move) -> str:
        """Standard algebraic notation."""
        return state.san(move)

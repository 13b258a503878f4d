"""The position to search, with the moves leading to it."""

from __future__ import annotations

from collections.abc import Sequence

import chess

from ..board.constants import FIFTY_MOVES
from ..board.fen import read_position
from ..board.movegen import Board, code_from_uci, push


class GamePosition:
    """A FEN and the moves after it, as in UCI; initially the start position."""

    def __init__(self) -> None:
        self._fen = chess.STARTING_FEN
        self._moves: list[str] = []
        self._given: tuple[str, ...] = ()  # including the illegal move and those after it
        self.board: Board = read_position(self._fen)
        #: Why there is no position to search; empty if there is one.
        self.refusal = ""

    def read(self, fen: str | None, moves: Sequence[str], chess960: bool) -> str:
        """Set the position; an illegal move ends the list.

        :param fen: None means the start position.
        :returns: the first illegal move; empty if there is none.
        :raises ValueError: if the FEN cannot be read or searched; the old position stays.
        """
        fen = chess.STARTING_FEN if fen is None else fen
        known = len(self._moves)
        # Within a game, each list extends the last one, so only the new moves are played.
        extends = (
            fen == self._fen
            and self.board.chess960 == chess960
            and self._moves == list(moves[:known])
        )
        if not extends:
            self.board = read_position(fen, chess960)
            self._fen = fen
            self._moves = []
            known = 0
        self._given = tuple(moves)
        for text in moves[known:]:
            try:
                code = code_from_uci(self.board, text)
            except ValueError:
                return text
            push(self.board, code)
            self._moves.append(text)
        return ""

    def read_again(self, chess960: bool) -> str:
        """Set the same position again after UCI_Chess960 has changed; returns as `read`."""
        return self.read(self._fen, self._given, chess960)

    def public_board(self) -> chess.Board:
        """A copy as a python-chess board."""
        # From the board as it was read: the FEN's castling and en passant rights may be invalid.
        root = self.board.root().fen(shredder=self.board.chess960, en_passant="fen")
        board = chess.Board(root, chess960=self.board.chess960)
        for move in self.board.move_stack:
            board.push(move)
        return board

    def repeatable_part(self) -> tuple[str, tuple[str, ...]]:
        """A FEN and the moves after it, covering the part of the game that can be repeated.

        That is the part since the last irreversible move. Of a longer part only the end matters,
        because the fifty-move rule has made it a draw.
        """
        start = self.board.copy(stack=FIFTY_MOVES)
        moves: list[str] = []
        while start.move_stack and start.halfmove_clock:
            moves.append(start.pop().uci())
        return start.fen(shredder=start.chess960, en_passant="fen"), tuple(reversed(moves))

"""Prints the board for `d`, in Stockfish's format, which programs parse."""

from __future__ import annotations

from chess import Board, SquareSet, square_name
from chess.polyglot import zobrist_hash

_RULE = " +" + "---+" * 8


def diagram(board: Board | None) -> str:
    """The board, its FEN, its Polyglot key, and the pieces giving check.

    :param board: None prints an empty board if there is no position.
    """
    rows = [_RULE]
    # The lines of `str(board)` have a letter or a dot for each square.
    for rank, line in zip(range(8, 0, -1), str(board or Board(None)).splitlines(), strict=True):
        rows += [f" | {line.replace(' ', ' | ').replace('.', ' ')} | {rank}", _RULE]
    rows += ["   a   b   c   d   e   f   g   h", ""]
    if board is None:
        return "\n".join([*rows, "Fen: none", "Checkers: "])
    checkers = " ".join(square_name(square) for square in SquareSet(board.checkers_mask()))
    return "\n".join(
        [
            *rows,
            f"Fen: {board.fen(shredder=board.chess960)}",
            f"Key: {zobrist_hash(board):016X}",
            f"Checkers: {checkers}",
        ]
    )

"""Perft by root move, in parts, so that it can be interrupted or stopped between two of them.

Compiled code cannot be interrupted while it counts, and a deep count may take hours. Source:
https://www.chessprogramming.org/Perft#Divide
"""

from __future__ import annotations

from collections.abc import Iterator

from halbzug.board.movegen import Board, MoveCode, generate_all, perft, pop, push

#: Plies that are counted in one part; that takes a tenth of a second in compiled code.
PART = 4


def divide(board: Board, move: MoveCode, depth: int) -> Iterator[int]:
    """The leaves behind a move, `depth` plies below the board, as counts to be summed."""
    push(board, move)
    if depth - 1 <= PART:
        yield perft(board, depth - 1)
    else:
        for reply in generate_all(board):
            yield from divide(board, reply, depth - 1)
    pop(board)

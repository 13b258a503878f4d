"""Perft by root move, and in parts: between two of them an interrupt or a `stop` is heard.

Compiled code that counts is deaf until it is done, and in the deep that may take hours.
Source: https://www.chessprogramming.org/Perft#Divide
"""

from __future__ import annotations

from collections.abc import Iterator

from halbzug.board.rules import Board, MoveCode, generate_all, perft, pop, push

#: Plies that are counted in one part: compiled, a tenth of a second.
PART = 4


def divide(board: Board, move: MoveCode, depth: int) -> Iterator[int]:
    """The leaves behind a move, `depth` plies below the board, in parts that add up."""
    push(board, move)
    if depth - 1 <= PART:
        yield perft(board, depth - 1)
    else:
        for reply in generate_all(board):
            yield from divide(board, reply, depth - 1)
    pop(board)

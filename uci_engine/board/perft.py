"""Perft by root move, in parts between which it can be interrupted.

Compiled code cannot be interrupted while it counts, and a deep count may take hours.

Source: https://www.chessprogramming.org/Perft#Divide
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from .movegen import BUILD, Board, MoveCode, generate_all, perft, pop, push, uci

#: Plies counted in one part, which takes a tenth of a second at most.
PART = 4 if BUILD == "compiled" else 2


def divide(board: Board, move: MoveCode, depth: int) -> Iterator[int]:
    """The leaves after a move, `depth` plies below the board, as counts to be summed."""
    push(board, move)
    if depth - 1 <= PART:
        yield perft(board, depth - 1)
    else:
        for reply in generate_all(board):
            yield from divide(board, reply, depth - 1)
    pop(board)


def lines_of_two(board: Board, depth: int) -> int:
    """The number of two-ply lines that `divide_all` goes through; 0 if it takes no time."""
    return perft(board, 2) if depth > PART else 0


def divide_all(
    board: Board, depth: int, tell: Callable[[int], None]
) -> Iterator[tuple[MoveCode, int]]:
    """Each move, sorted by name, with the leaves after it.

    :param tell: called after each part with the number of two-ply lines done.
    """
    done = 0
    for move in sorted(generate_all(board), key=uci):
        if depth <= PART:
            yield move, sum(divide(board, move, depth))
            continue
        leaves = 0
        push(board, move)
        for reply in generate_all(board):
            for part in divide(board, reply, depth - 1):
                leaves += part
                tell(done)
            done += 1
            tell(done)
        pop(board)
        yield move, leaves

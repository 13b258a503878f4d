"""Shared by the lectures' searches: the end of a game, and of the time for a move."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import chess

if TYPE_CHECKING:
    from halbzug.teaching.clock import Clock

#: The score of mate on the board, in centipawns; a mate in n plies scores n less.
MATE = 100_000

#: Above every score.
INFINITE = MATE + 1


class TimeUpError(Exception):
    """Ends a search whose time or nodes are used up."""


def check(clock: Clock, nodes: int) -> None:
    """Raise `TimeUpError` if the time is up, or more nodes were visited than allowed."""
    if clock.is_over() or (clock.nodes is not None and nodes > clock.nodes):
        raise TimeUpError


def value_of_end(board: chess.Board, ply: int) -> int | None:
    """The value of a finished game for the side to move; None while it continues.

    A repeated position counts as a draw: what did not help once will not help again.

    :param ply: the distance from the root in plies; a nearer mate is better.
    """
    if not any(board.legal_moves):
        return ply - MATE if board.is_check() else 0
    is_draw = board.is_fifty_moves() or board.is_insufficient_material() or board.is_repetition(2)
    return 0 if is_draw else None


def points_of_end(board: chess.Board) -> float | None:
    """The points of the side that has just moved; None while the game continues."""
    if any(board.legal_moves):
        is_draw = board.is_insufficient_material() or board.is_fifty_moves()
        return 0.5 if is_draw or board.is_repetition(3) else None
    return 1.0 if board.is_check() else 0.5


def until_time_is_up(
    board: chess.Board, moves: Iterator[tuple[chess.Move, int]]
) -> Iterator[chess.Move]:
    """Better and better moves from a search, without their values, while there is time.

    The first is any legal move, because a search may have no time at all.
    """
    yield random.choice(list(board.legal_moves))
    try:
        for move, _ in moves:
            yield move
    except TimeUpError:
        return


class Growing(Protocol):
    """The root of a tree that grows by visits."""

    @property
    def visits(self) -> int:
        """The number of visits."""


_Root = TypeVar("_Root", bound=Growing)


def most_visited(root: Any) -> chess.Move | None:
    """The move to the child with the most visits, if there is a child."""
    return max(root.children, key=lambda move: root.children[move].visits, default=None)


def leaders(
    root: _Root,
    visit: Callable[[_Root, chess.Board], object],
    board: chess.Board,
    clock: Clock,
    leader: Callable[[_Root], chess.Move | None] = most_visited,
) -> Iterator[chess.Move]:
    """The most visited move, each time it changes, while there is time.

    Without any time, it is any legal move.

    :param visit: lets the tree grow by one or more visits; the board is a copy.
    :param leader: the most visited move.
    """
    best = None
    while not clock.is_over() and (clock.nodes is None or root.visits < clock.nodes):
        visit(root, board.copy())
        move = leader(root)
        if move and move != best:
            best = move
            yield best
    if not best:
        yield next(iter(board.legal_moves))

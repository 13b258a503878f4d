"""Extends lines of moves until the position is at rest."""

from __future__ import annotations

from collections.abc import Callable

import chess

from ..base.scores import MATE, is_mate
from ..reasons.won_material import is_settled

#: Maximum number of searches from the end of a line that is not at rest.
_CONTINUATIONS = 4

#: Plies needed to show what a line is about; lines cut off by the hash table may be shorter.
_SHORTEST = 6

#: The rest of a line is ignored, in plies.
_LONGEST = 24

#: What a search finds: its best line, legal, and the score from the side to move.
Line = tuple[list[chess.Move], int]

#: Searches a position.
Look = Callable[[chess.Board], Line]


def line_to_rest(board: chess.Board, look: Look, go_on: Look) -> Line:
    """The best line up to a mate or a position at rest, and the score from the side to move.

    :param look: searches the position.
    :param go_on: searches the ends of the line.
    """
    if board.is_game_over():
        return [], -MATE if board.is_checkmate() else 0
    moves, score = look(board)
    return moves + _rest(board, moves, score, go_on), score


def _rest(board: chess.Board, moves: list[chess.Move], score: int, go_on: Look) -> list[chess.Move]:
    """The moves that continue a line until it is at rest."""
    added: list[chess.Move] = []
    end = board.copy()
    for move in moves:
        end.push(move)
    for _ in range(_CONTINUATIONS):
        length = len(moves) + len(added)
        if end.is_game_over() or length >= _LONGEST:
            break
        if length >= _SHORTEST and not is_mate(score) and is_settled(end):
            break
        for move in go_on(end)[0]:
            end.push(move)
            added.append(move)
    return added

"""Extends lines of moves until the position is at rest."""

from __future__ import annotations

from collections.abc import Callable

import chess

from ..base.events import Info
from ..base.scores import MATE, is_mate
from ..reasons.won_material import is_settled

#: Maximum number of searches from the end of a line that is not at rest.
_CONTINUATIONS = 4

#: Plies needed to show what a line is about; lines cut off by the hash table may be shorter.
_SHORTEST = 6

#: The rest of a line is ignored, in plies.
_LONGEST = 24

#: Searches a position: its best line, if there is one.
Look = Callable[[chess.Board], Info | None]


def line_to_rest(board: chess.Board, look: Look, go_on: Look) -> tuple[list[chess.Move], int]:
    """The best line up to a mate or a position at rest, and the score from the side to move.

    :param look: searches the position.
    :param go_on: searches the ends of the line.
    """
    if board.is_game_over():
        return [], -MATE if board.is_checkmate() else 0
    end, line = board.copy(), look(board)
    start = len(end.move_stack)
    _push(end, line)
    score = line.score if line else 0
    for _ in range(_CONTINUATIONS):
        length = len(end.move_stack) - start
        if end.is_game_over() or length >= _LONGEST:
            break
        if length >= _SHORTEST and not is_mate(score) and is_settled(end):
            break
        _push(end, go_on(end))
    return end.move_stack[start:], score


def _push(board: chess.Board, line: Info | None) -> None:
    for text in line.pv if line else ():
        board.push(board.parse_uci(text))

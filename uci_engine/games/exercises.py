"""Turns the mistakes of a game into exercises: "find the better move"."""

from __future__ import annotations

from typing import Any

from ..display.board_tree import legal_steps
from .annotation import AnnotatedMove
from .mistakes import is_mistake
from .states import state_behind


def exercise_of(move: AnnotatedMove) -> dict[str, Any] | None:
    """The exercise for a move; None if the move gives none.

    `legal` has all legal moves as steps; see `halbzug.display.board_tree`. `good` has the moves
    that solve it, in UCI, each with the `state` after it; see `states`. They are the engine's first
    choice, the requested lines that are not even an inaccuracy, and moves that mate.
    """
    before = move.before
    if before.best is None or not is_mistake(move):
        return None
    good = {before.best, *before.good} - {move.move}
    legal = legal_steps(before.board)
    good.update(one for one in before.board.legal_moves if before.board.san(one).endswith("#"))
    states = {before.board.uci(one): state_behind(before.board, one) for one in good}
    return {"legal": legal, "good": dict(sorted(states.items()))}

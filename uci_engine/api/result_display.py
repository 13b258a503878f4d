"""Scores as text and boards as pictures, for terminals and notebooks."""

from __future__ import annotations

from collections.abc import Iterable

import chess
import chess.engine

from ..board.notation import pawns_text

#: The width of a board in a notebook, in pixels.
BOARD_PIXELS = 320

#: The arrow of the best line, and those of the others.
_ARROWS = ("#15781be0", "#15781b80")


def score_text(score: chess.engine.PovScore) -> str:
    """White's score, see `pawns_text`; a mate on the board keeps its sign, `#-0`."""
    white = score.white()
    if white.is_mate():
        return f"#{'-' if white < chess.engine.Cp(0) else ''}{abs(white.mate() or 0)}"
    return pawns_text(white.score() or 0)


def board_svg(board: chess.Board, moves: Iterable[chess.Move]) -> str:
    """The board seen by the side to move, with an arrow for each of these moves."""
    import chess.svg

    arrows = [
        chess.svg.Arrow(move.from_square, move.to_square, color=_ARROWS[min(number, 1)])
        for number, move in enumerate(moves)
        if move
    ]
    last = board.peek() if board.move_stack and board.peek() else None
    check = board.king(board.turn) if board.is_check() else None
    return chess.svg.board(
        board,
        orientation=board.turn,
        arrows=arrows[::-1],  # the best one on top
        lastmove=last,
        check=check,
        size=BOARD_PIXELS,
    )

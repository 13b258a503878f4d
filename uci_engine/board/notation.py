"""Moves, lines and scores in human notation."""

from __future__ import annotations

from collections.abc import Iterable

import chess

from ..base.language import local, say
from ..base.scores import TB_BOUND, is_mate, mate_in_moves


def pawns_text(score: int) -> str:
    """A score in centipawns in human notation, from the same side.

    In pawns, `+0.34` or `0.00`; mates are `#3` or `#-2`, and tablebase results `TB win` or `TB
    loss`.

    >>> pawns_text(34), pawns_text(31_995), pawns_text(19_992), pawns_text(-20_000)
    ('+0.34', '#3', 'TB win', 'TB loss')
    """
    if is_mate(score):
        return f"#{mate_in_moves(score)}"
    if abs(score) >= TB_BOUND:
        return "TB win" if score > 0 else "TB loss"
    return f"{score / 100:+.2f}" if score else "0.00"


def score_text(score: int) -> str:
    """A score as `pawns_text`, in the reader's language."""
    return local(say(pawns_text(score)))


def numbered_san(board: chess.Board, move: chess.Move) -> str:
    """A move in this position with its number: `12.Nf3`, `12...d5`."""
    dots = "." if board.turn else "..."
    return f"{board.fullmove_number}{dots}{board.san(move)}"


def san_line(board: chess.Board, moves: Iterable[str]) -> str:
    """A variation in numbered algebraic notation, up to the first illegal move."""
    after = board.copy(stack=False)
    words: list[str] = []
    for text in moves:
        try:
            move = after.parse_uci(text)
        except ValueError:
            break
        # No space between a number and its move, so that no line breaks there.
        number = ""
        if after.turn or not words:
            number = f"{after.fullmove_number}{'.' if after.turn else '...'}"
        words.append(number + after.san_and_push(move))
    return " ".join(words)


def last_move_text(board: chess.Board) -> str:
    """The last move on the board's stack: `12...Nf6`."""
    before = board.copy()
    return san_line(before, [before.pop().uci()])

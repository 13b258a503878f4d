"""Results as text, as pictures and as tables of HTML, for terminals and notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import chess
import chess.engine

from ..base.text import counted
from ..board.notation import pawns_text
from ..display.sheet import Column, Sheet, beside

if TYPE_CHECKING:
    from .shown_results import Evaluation, Line, Played

#: The width of a board in a notebook, in pixels.
BOARD_PIXELS = 320

#: The arrow of the best line, and those of the others.
_ARROWS = ("#15781be0", "#15781b80")

#: No table of terms in a terminal is longer; the smallest are left out.
_MAX_TERMS = 30


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


def analysis_html(board: chess.Board, lines: Sequence[Line]) -> str:
    """The board with arrows, and the lines as a table beside it."""
    sheet = Sheet((Column("Score", True), Column("Depth", True), Column("Line")))
    for line in lines:
        sheet.add(line.score_text, str(line.depth), line.san)
    picture = board_svg(board, [line.move for line in lines if line.move])
    return beside(picture, sheet.html())


def played_html(played: Played) -> str:
    """The board with the move as an arrow, and what is known of it beside it."""
    sheet = Sheet((Column("Move"), Column("Score", True), Column("Depth", True)))
    depth = played.info.get("depth")
    sheet.add(
        played.san or "no move",
        score_text(played.score) if played.score else "",
        str(depth) if depth else "",
    )
    return beside(board_svg(played.board, [played.move] if played.move else []), sheet.html())


def terms_text(evaluation: Evaluation) -> str:
    """The terms that do not cancel, the largest first, and their sum, one a line."""
    terms = [(name, value) for name, value in _largest_first(evaluation) if value]
    rows = [(name, f"{value:+8.1f}") for name, value in terms[:_MAX_TERMS]]
    rest = terms[_MAX_TERMS:]
    if rest:
        rows.append(
            (counted(len(rest), "smaller term"), f"{sum(value for _, value in rest):+8.1f}")
        )
    rows.append(("rounding", f"{evaluation.rounding:+8.1f}"))
    rows.append(("evaluation, White's view", f"{evaluation.white:+6d}  "))
    width = max(len(name) for name, _ in rows)
    return "\n".join(f"{name:{width}}  {value}" for name, value in rows)


def terms_html(evaluation: Evaluation) -> str:
    """The board, and beside it the terms that do not cancel, with their counts and weights."""
    order = {name: place for place, (name, _) in enumerate(_largest_first(evaluation))}
    terms = sorted(
        (term for term in evaluation.breakdown.terms if not term.cancels),
        key=lambda term: order[term.name],
    )
    numbers = ("White", "Black", "Middlegame", "Endgame", "Centipawns")
    sheet = Sheet((Column("Term"), *(Column(title, True) for title in numbers)))
    for term in terms:
        sheet.add(
            term.name,
            str(term.white),
            str(term.black),
            f"{term.middlegame:+}",
            f"{term.endgame:+}",
            f"{float(term.contribution):+.1f}",
        )
    sheet.add("rounding", "", "", "", "", f"{evaluation.rounding:+.1f}")
    total = f"{evaluation.white:+d}"
    sheet.add("evaluation, White's view", "", "", "", "", total, tone="strong")
    return beside(board_svg(evaluation.board, ()), sheet.html())


def _largest_first(evaluation: Evaluation) -> list[tuple[str, float]]:
    return sorted(evaluation.items(), key=lambda term: -abs(term[1]))

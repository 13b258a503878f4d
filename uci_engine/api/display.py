"""Results as text, as pictures and as tables of HTML, for terminals and notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

import chess
import chess.engine

if TYPE_CHECKING:
    from halbzug.api.results import Evaluation, Line

#: The width of a board in a notebook, in pixels.
BOARD_PIXELS = 320

#: The arrow of the best line, and those of the others.
_ARROWS = ("#15781bc0", "#15781b60")

#: No table of terms in a terminal is longer; the smallest are left out.
_MAX_TERMS = 30

_CELL = "text-align:left;vertical-align:top;padding:2px 8px"
_NUMBER = "text-align:right;vertical-align:top;padding:2px 8px;font-variant-numeric:tabular-nums"


def score_text(score: chess.engine.PovScore) -> str:
    """A score in pawns, White's: `+0.34`, `#3`, `#-2`, and `0.00` without a sign."""
    white = score.white()
    if white.is_mate():
        return f"#{'-' if white < chess.engine.Cp(0) else ''}{abs(white.mate() or 0)}"
    pawns = (white.score() or 0) / 100
    return f"{pawns:+.2f}" if pawns else "0.00"


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
    rows = "".join(
        f'<tr><td style="{_NUMBER}">{escape(line.score_text)}</td>'
        f'<td style="{_NUMBER}">{line.depth}</td>'
        f'<td style="{_CELL}">{escape(line.san)}</td></tr>'
        for line in lines
    )
    picture = board_svg(board, [line.move for line in lines if line.move])
    return (
        '<div style="display:flex;flex-wrap:wrap;gap:16px;align-items:flex-start">'
        f"<div>{picture}</div>"
        f'<table style="flex:1;min-width:240px"><thead><tr><th style="{_NUMBER}">Score</th>'
        f'<th style="{_NUMBER}">Depth</th><th style="{_CELL}">Line</th></tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )


def terms_text(evaluation: Evaluation) -> str:
    """The terms that do not cancel, the largest first, and their sum, one a line."""
    terms = [(name, value) for name, value in _largest_first(evaluation) if value]
    rows = [(name, f"{value:+8.1f}") for name, value in terms[:_MAX_TERMS]]
    rest = terms[_MAX_TERMS:]
    if rest:
        rows.append((f"{len(rest)} smaller terms", f"{sum(value for _, value in rest):+8.1f}"))
    rows.append(("rounding", f"{evaluation.rounding:+8.1f}"))
    rows.append(("evaluation, White's view", f"{evaluation.white:+6d}  "))
    width = max(len(name) for name, _ in rows)
    return "\n".join(f"{name:{width}}  {value}" for name, value in rows)


def terms_html(evaluation: Evaluation) -> str:
    """The terms that do not cancel, with their counts and weights, as a table."""
    order = {name: place for place, (name, _) in enumerate(_largest_first(evaluation))}
    terms = sorted(
        (term for term in evaluation.breakdown.terms if not term.cancels),
        key=lambda term: order[term.name],
    )
    rows = "".join(
        f'<tr><td style="{_CELL}">{escape(term.name)}</td>'
        f'<td style="{_NUMBER}">{term.white}</td><td style="{_NUMBER}">{term.black}</td>'
        f'<td style="{_NUMBER}">{term.middlegame}</td><td style="{_NUMBER}">{term.endgame}</td>'
        f'<td style="{_NUMBER}">{float(term.contribution):+.1f}</td></tr>'
        for term in terms
    )
    heads = (("Term", _CELL), *((head, _NUMBER) for head in ("White", "Black", "Middlegame")))
    heads = (*heads, ("Endgame", _NUMBER), ("Centipawns", _NUMBER))
    head = "".join(f'<th style="{style}">{text}</th>' for text, style in heads)
    foot = (
        f'<tr><td colspan="5" style="{_CELL}">rounding</td>'
        f'<td style="{_NUMBER}">{evaluation.rounding:+.1f}</td></tr>'
        f'<tr><th colspan="5" style="{_CELL}">evaluation, White\'s view</th>'
        f'<th style="{_NUMBER}">{evaluation.white:+d}</th></tr>'
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}{foot}</tbody></table>"


def _largest_first(evaluation: Evaluation) -> list[tuple[str, float]]:
    return sorted(evaluation.items(), key=lambda term: -abs(term[1]))

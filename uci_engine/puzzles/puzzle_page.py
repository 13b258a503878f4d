"""A self-contained page for solving exercises.

It uses the board of `halbzug.display`; the page's data says which moves are legal and which solve
the exercise. Without scripts, the page shows the positions as text, with hints and solutions to
unfold.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

import chess.svg

from ..base.text import counted
from ..board.fen import exact_fen
from ..display import assets
from ..display.board_tree import legal_steps, line_steps
from ..display.page import fill, page, read_part
from .puzzle_files import (
    continuation_text,
    level_text,
    line_text,
    source_text,
)
from .puzzles import Puzzle

_ROOM = "halbzug.puzzles"

_HINTS = {
    "loose": "something stands where nothing defends it",
    "cheap attacker": "a cheap piece takes a dear one",
    "outnumbered": "something is attacked more often than it is defended",
    "fork": "a fork",
    "skewer": "one piece stands behind another",
    "discovered attack": "a piece opens the line of another",
    "pin": "a pin",
    "pinned": "a piece is pinned already",
    "trapped": "a piece has no square to go to",
    "deflection": "draw the defender away",
    "overloaded": "a defender has two things to defend",
    "promotion": "a pawn goes through",
    "back rank": "a king behind its own pieces",
}


def render(puzzles: Sequence[Puzzle]) -> str:
    """The exercises as an HTML page."""
    title = counted(len(puzzles), "exercise")
    content = fill(
        _ROOM,
        "puzzles.html",
        title=title,
        pieces=assets.pieces(),
        plain="\n".join(_plain(number, each) for number, each in enumerate(puzzles, start=1)),
        data=assets.embedded_json([_data(puzzle) for puzzle in puzzles]),
    )
    return page(
        title,
        style=f"{assets.style()}\n{read_part(_ROOM, 'puzzles.css')}",
        script=f"{assets.script()}\n{read_part(_ROOM, 'puzzles.js')}",
        content=content,
    )


def hint_text(puzzle: Puzzle) -> str:
    """The theme as a hint; without a theme, the piece that moves first."""
    if puzzle.theme.startswith("mate"):
        return puzzle.theme
    kind = puzzle.board.piece_type_at(puzzle.solution[0].from_square)
    assert kind
    article = "the" if len(puzzle.board.pieces(kind, puzzle.board.turn)) == 1 else "a"
    return _HINTS.get(puzzle.theme, f"{article} {chess.piece_name(kind)} moves")


def _data(puzzle: Puzzle) -> dict[str, Any]:
    """An exercise for the script; legal steps are listed where the solver is to move."""
    board = puzzle.board.copy(stack=False)
    legal = []
    for ply, move in enumerate(puzzle.solution):
        if ply % 2 == 0:
            legal.append(legal_steps(board))
        board.push(move)
    return {
        "fen": exact_fen(puzzle.board),
        "check": puzzle.board.is_check(),
        "white": puzzle.board.turn,
        "steps": line_steps(puzzle.board, puzzle.solution),
        "legal": legal,
        "level": level_text(puzzle),
        "hint": hint_text(puzzle),
        "line": _answer(puzzle),
        "source": source_text(puzzle),
    }


def _answer(puzzle: Puzzle) -> str:
    """The solution, and what it achieves."""
    rest = continuation_text(puzzle)
    return f"{line_text(puzzle)}, then {rest}" if rest else line_text(puzzle)


def _plain(number: int, puzzle: Puzzle) -> str:
    """An exercise for a browser without scripts."""
    turn = "White" if puzzle.board.turn else "Black"
    return (
        f"<article><h2>{number}. {turn} to move and win</h2>"
        f"<p><code>{escape(exact_fen(puzzle.board))}</code><br>"
        f"{escape(source_text(puzzle))}, Elo {level_text(puzzle)}</p>"
        f"<details><summary>Hint</summary>{escape(hint_text(puzzle))}</details>"
        f"<details><summary>Solution</summary>{escape(_answer(puzzle))}</details></article>"
    )

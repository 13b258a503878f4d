"""Questions on paper: a worksheet with space for answers, and its key, as printable pages.

The worksheet contains no solutions. The key names nodes as the worksheet's trees do.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import chess.svg

from ..display.page import Page, page, read_part
from .game_trees import GameTree
from .quiz_solutions import QuizQuestion
from .recorded import SearchedTree
from .search_drawing import draw_search
from .tree_drawing import draw_tree
from .tree_search import search
from .tree_texts import page_texts, phrase, title_of

_BOARD_PIXELS = 300

#: Larger trees are not repeated in the key.
_MAX_IN_KEY = 60

#: Number of lines to write on, below a question.
_LINES = 3

#: Trees of these kinds need no explanation.
_PLAIN = ("own", "two-plies", "uniform")


def worksheet(
    questions: Sequence[QuizQuestion], language: str = "en", title: str | None = None
) -> Page:
    """The questions with their trees and space for answers, as HTML.

    :param language: `en` or `de`.
    :param title: replaces the usual title.
    """
    words = page_texts()[language]
    parts = [
        f'<p class="name">{escape(words["sheet_name"])} <span class="rule"></span></p>',
        *(_asked(question, number, language) for number, question in enumerate(questions, 1)),
    ]
    return _page(title or words["title_quiz"], parts, language)


def key(questions: Sequence[QuizQuestion], language: str = "en", title: str | None = None) -> Page:
    """The solutions with explanations, as HTML; see `worksheet`."""
    words = page_texts()[language]
    title = f"{title or words['title_quiz']}: {words['sheet_key']}"
    parts = [_solved(question, number, language) for number, question in enumerate(questions, 1)]
    return _page(title, parts, language)


def _page(title: str, parts: Sequence[str], language: str) -> Page:
    content = "\n".join([f"<h1>{escape(title)}</h1>", *parts])
    style = read_part("halbzug.teaching", "worksheet.css")
    return page(escape(title), style, "", content, language)


def _asked(question: QuizQuestion, number: int, language: str) -> str:
    words = page_texts()[language]
    choices = "".join(f"<li>{escape(choice)}</li>" for choice in question.choice_texts(words))
    lines = '<div class="rule"></div>' * _LINES
    return (
        f"<section>{_text(question, number, language)}{_picture(question, language)}"
        + (f'<ul class="choices">{choices}</ul>' if choices else "")
        + f'<p class="answer">{escape(words["your_answer"])}</p>{lines}</section>'
    )


def _text(question: QuizQuestion, number: int, language: str) -> str:
    words = page_texts()[language]
    text = question.text(words)
    if question.at and isinstance(question.asked.tree, GameTree):
        text += " " + words["how_marked_paper"]
    return f'<p class="question"><b>{number}.</b> {escape(text)}</p>'


def _picture(question: QuizQuestion, language: str) -> str:
    """The tree without its search, or the position."""
    asked = question.asked
    if asked.board:
        board, _ = asked.board
        return chess.svg.board(board, orientation=board.turn, size=_BOARD_PIXELS)
    if asked.tree is None:
        return ""
    note = ""
    if asked.tree.kind not in _PLAIN:
        words = page_texts()[language]
        text = phrase(words, f"note_{asked.tree.kind}", asked.tree.values)
        note = f'<p class="note">{escape(text)}</p>'
    if isinstance(asked.tree, SearchedTree):
        return note + draw_search(
            asked.tree, None, language, is_solved=False, hidden=question.hidden
        )
    marks = {question.at: "?"} if question.at else None
    return note + draw_tree(asked.tree, None, language, marks, hidden=question.hidden)


def _solved(question: QuizQuestion, number: int, language: str) -> str:
    words = page_texts()[language]
    reason = phrase(words, f"why_{question.reason or question.key}", question.told(words))
    solution = question.named_solution(words)
    return (
        f"<section>{_text(question, number, language)}"
        f'<p class="solution">{escape(solution)}</p>'
        f"<p>{escape(reason[0].upper() + reason[1:])}</p>{_search(question, language)}</section>"
    )


def _search(question: QuizQuestion, language: str) -> str:
    """The tree with the search that gives the solution, unless it is too large."""
    asked = question.asked
    if asked.tree is None or asked.tree.root.size > _MAX_IN_KEY:
        return ""
    title = title_of(asked.tree, language)
    if isinstance(asked.tree, SearchedTree):
        return draw_search(asked.tree, asked.search or None, language, title=title)
    usual = "minimax" if asked.ask in ("value", "move", "different") else "alpha-beta"
    run = search(asked.tree.root, "fail-hard" if asked.search == "fail-hard" else usual)
    return draw_tree(asked.tree, run, language)

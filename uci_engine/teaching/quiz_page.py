"""A page that asks questions about trees and positions, checks the answers and shows the search."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import chess.svg

from ..display.page import Page
from .quiz_solutions import QuizQuestion, question_data
from .recorded import SearchedTree
from .search_page import search_data
from .tree_page import page_of, tree_data
from .tree_texts import page_texts

_BOARD_PIXELS = 360


def quiz_page(
    questions: Sequence[QuizQuestion], language: str = "en", title: str | None = None
) -> Page:
    """Render the page as HTML.

    :param language: `en` or `de`, shown first.
    :param title: replaces the usual title.
    """
    data = {
        "language": language,
        "title": title,
        "questions": [_question_data(question) for question in questions],
    }
    boards = [_board(question, number) for number, question in enumerate(questions)]
    return page_of(data, title or page_texts()[language]["title_quiz"], "".join(boards))


def _question_data(question: QuizQuestion) -> dict[str, Any]:
    """A question as data, including its tree if it has one."""
    tree = question.asked.tree
    if tree is None:
        return question_data(question)
    data = search_data(tree) if isinstance(tree, SearchedTree) else tree_data(tree)
    if question.asked.search:
        data["algorithm"] = question.asked.search
    return {**question_data(question), "tree": data}


def _board(question: QuizQuestion, number: int) -> str:
    """The board of a question about a position, which the script fills."""
    if not question.asked.board:
        return ""
    board, _ = question.asked.board
    drawn = chess.svg.board(board, orientation=board.turn, size=_BOARD_PIXELS)
    return f'<template id="board-{number}">{drawn}</template>\n'

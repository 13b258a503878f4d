"""Takes a second look at doubtful game moves before they are judged and explained."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

import chess

from ..base.limits import Limits
from ..board.fen import exact_fen
from ..reasons.accuracy import may_be_judged
from .findings import Finding, SecondLook
from .questions import Later, Question
from .rest_lines import Look, line_to_rest
from .search_analyst import SearchAnalyst

#: The share of a game position's limit given to the end of each line.
REST_PART = 0.25


def answer_of(analyst: SearchAnalyst, question: Question, later: Later) -> Finding:
    """Answer a question after its predecessor, as in a game searched from its end.

    :param later: the previous question with its answer, if any.
    :raises AnalystError: if the search fails.
    """
    finding = analyst.answer(question)
    if not later or not _follows(question, later[0]):
        return finding
    if is_doubtful(question.played, finding, later[1], is_own=True):
        finding = replace(finding, again=_second_look(analyst, question))
    return finding


def _follows(question: Question, later: Question) -> bool:
    """Whether `later` is about the position after the question's move."""
    if not question.played:
        return False
    return later.fen == question.fen and later.moves == (*question.moves, question.played)


def is_doubtful(played: str, before: Finding, after: Finding, *, is_own: bool) -> bool:
    """Whether the scores around a move suggest that it is bad.

    :param is_own: whether they are scores of Halbzug's own search.
    """
    if before.best.move == played or not before.first or not after.first:
        return False
    return may_be_judged(before.first.score, -after.first.score, is_own=is_own)


def second_look(board: chess.Board, move: chess.Move, look: Look, go_on: Look) -> SecondLook:
    """Search a move again.

    :param board: the position before it.
    :param look: searches a position.
    :param go_on: searches the end of a line.
    """
    after = board.copy()
    after.push(move)
    # The later position first, so that the engine knows the move's consequences.
    refutation, score_after = line_to_rest(after, look, go_on)
    best_line, score_before = line_to_rest(board, look, go_on)
    if best_line[:1] == [move]:
        score_before = -score_after
    return SecondLook(_texts(refutation), _texts(best_line), score_before, -score_after)


def _texts(line: Iterable[chess.Move]) -> tuple[str, ...]:
    return tuple(move.uci() for move in line)


def _second_look(analyst: SearchAnalyst, question: Question) -> SecondLook:
    limits = analyst.limits
    board = question.subject().board
    look, go_on = (
        _look(analyst, each) for each in (_scaled(limits, 2), _scaled(limits, REST_PART))
    )
    return second_look(board, board.parse_uci(question.played), look, go_on)


def _look(analyst: SearchAnalyst, limits: Limits) -> Look:
    """The search of an analyst with other limits than its own."""

    def look(board: chess.Board) -> tuple[list[chess.Move], int]:
        line = analyst.answer(Question(exact_fen(board), (), board.chess960), limits).first
        if line is None:
            return [], 0
        after, moves = board.copy(stack=False), []
        for text in line.pv:
            moves.append(after.parse_uci(text))
            after.push(moves[-1])
        return moves, line.score

    return look


def _scaled(limits: Limits, factor: float) -> Limits:
    """The limits with `factor` times the nodes and time; a mere depth limit changes its depth."""
    nodes, time = limits.nodes, limits.move_time_ms
    if nodes or time:
        return replace(
            limits,
            nodes=max(int(nodes * factor), 1) if nodes else None,
            move_time_ms=max(int(time * factor), 1) if time else None,
        )
    if limits.depth:
        return replace(limits, depth=max(limits.depth + round(math.log2(factor)), 1))
    return limits

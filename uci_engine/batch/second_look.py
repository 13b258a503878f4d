"""Takes a second look at doubtful game moves before they are judged and explained."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import chess
import chess.engine

from ..base.events import Info
from ..base.limits import Limits
from ..board.fen import exact_fen
from ..reasons.accuracy import may_be_judged
from .findings import Finding, SecondLook
from .questions import Later, Question
from .rest_lines import line_to_rest
from .search_analyst import SearchAnalyst

#: The share of a game position's limit given to the end of each line, and to a second look.
REST_PART, SECOND_PART = 0.25, 2.0

#: The share of a search's limit after which it ends if it has found the expected move.
FIRST_PART = 1 / 3

_T = TypeVar("_T")
_Limits = TypeVar("_Limits", Limits, chess.engine.Limit)


def answer_of(analyst: SearchAnalyst, question: Question, later: Later) -> Finding:
    """Answer a question after its predecessor, as in a game searched from its end.

    :param later: the previous question with its answer, if any.
    :raises AnalystError: if the search fails.
    """
    if not later or not _follows(question, later[0]):
        return analyst.answer(question)
    limits = analyst.setup.limits
    finding = in_parts(
        limits,
        lambda part: analyst.answer(question, scaled(limits, part)),
        lambda found: found.best.move,
        question.played if analyst.setup.multi_pv == 1 else None,
    )
    if is_doubtful(question.played, finding, later[1], is_own=True):
        finding = replace(finding, again=_second_look(analyst, question, finding, later[1]))
    return finding


def in_parts(
    limits: Limits | chess.engine.Limit,
    search: Callable[[float], _T],
    best: Callable[[_T], str | None],
    expected: str | None,
) -> _T:
    """Search with the first part of a limit, and with the rest if that finds another move.

    The hash table keeps what the first part has found. A mere depth limit is not divided.

    :param search: takes the share of the limit.
    :param best: the best move that a search has found.
    :param expected: the move that is enough; None searches with the whole limit.
    """
    time = limits.move_time_ms if isinstance(limits, Limits) else limits.time
    if expected is None or not (limits.nodes or time):
        return search(1)
    found = search(FIRST_PART)
    return found if best(found) == expected else search(1 - FIRST_PART)


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


def second_look(
    board: chess.Board,
    move: chess.Move,
    limits: _Limits,
    look: Callable[[chess.Board, _Limits], Info | None],
    share: float = SECOND_PART,
    expected: Sequence[str | None] = (None, None),
) -> SecondLook:
    """Search a move again.

    :param board: the position before it.
    :param limits: of a position of the game.
    :param look: searches a position: its best line, if there is one.
    :param share: of the limits, for each of the two positions.
    :param expected: the best move in this position, and after the move, by earlier searches; a
        search that soon agrees with it is not continued.
    """
    best, reply = expected

    def found(position: chess.Board, move: str | None) -> tuple[list[chess.Move], int]:
        return line_to_rest(
            position,
            lambda each: in_parts(
                limits,
                lambda part: look(each, scaled(limits, share * part)),
                lambda line: line.pv[0] if line and line.pv else None,
                move,
            ),
            lambda each: look(each, scaled(limits, REST_PART)),
        )

    after = board.copy()
    after.push(move)
    # The later position first, so that the engine knows the move's consequences.
    refutation, score_after = found(after, reply)
    best_line, score_before = found(board, best)
    if best_line[:1] == [move]:
        score_before = -score_after
    return SecondLook(_texts(refutation), _texts(best_line), score_before, -score_after)


def _texts(line: Iterable[chess.Move]) -> tuple[str, ...]:
    return tuple(move.uci() for move in line)


def _second_look(
    analyst: SearchAnalyst, question: Question, before: Finding, after: Finding
) -> SecondLook:
    board = question.subject().board

    def look(position: chess.Board, limits: Limits) -> Info | None:
        return analyst.answer(Question(exact_fen(position), (), position.chess960), limits).first

    move, expected = board.parse_uci(question.played), (before.best.move, after.best.move)
    return second_look(board, move, analyst.setup.limits, look, expected=expected)


def scaled(limits: _Limits, factor: float) -> _Limits:
    """The limits with `factor` times the nodes and time; a mere depth limit changes its depth."""
    changes: dict[str, Any] = {}
    for name in ("nodes", "move_time_ms"):
        if number := getattr(limits, name, None):
            changes[name] = max(int(number * factor), 1)
    if seconds := getattr(limits, "time", None):
        changes["time"] = seconds * factor
    if not changes and limits.depth:
        changes["depth"] = max(limits.depth + round(math.log2(factor)), 1)
    if isinstance(limits, Limits):
        return limits._replace(**changes)
    return replace(limits, **changes)

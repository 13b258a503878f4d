"""`halbzug.explain.move`: searches for the reason why a move is bad.

Two searches look for the reason, and a third if they disagree; a reason that only one of them finds
is not given.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import chess
from chess.engine import Limit, SimpleEngine

from ..api.arguments import check_board, check_chess
from ..api.one_liners import engine_for, limit_of
from ..base.scores import EXACT_BOUND, UPPER_BOUND
from ..batch.analysts import info_of
from ..batch.findings import SecondLook
from ..batch.rest_lines import Line
from ..batch.second_look import second_look
from ..reasons.claims import Evidence
from ..reasons.move_reason import MoveReason, explain_move

#: Maximum number of searches for a move, each twice as long as the one before.
_SEARCHES = 3


def reason_of(
    board: chess.Board,
    move: chess.Move,
    limit: Limit | None = None,
    *,
    time: float | None = None,
    depth: int | None = None,
    nodes: int | None = None,
    engine: SimpleEngine | None = None,
) -> MoveReason:
    """Search for the reason why a move is bad.

    :param board: the position before it.
    :param move: a legal move.
    :param limit: the first limit for each of the two positions, doubled for each further search;
        instead of the following ones.
    :param time: in seconds; 1 by default.
    :param depth: in plies.
    :param nodes: number of nodes.
    :param engine: the engine to use, which may be another program, instead of the shared one.
    :raises TypeError: if something has the wrong type.
    :raises ValueError: if the position is impossible, the move is not legal, or a number is out of
        range.
    """
    check_board(board)
    check_chess(board)
    if not isinstance(move, chess.Move):
        raise TypeError(f"the move must be a chess.Move, not {type(move).__name__}")
    if not board.is_legal(move):
        raise ValueError(f"{move.uci()} is not legal in this position")
    limit = limit_of(limit, time, depth, nodes)
    with engine_for(engine) as asked:
        found: list[Evidence] = []
        for number in range(_SEARCHES):
            said = look_again(asked, limit, board, move, 2**number)
            found.append(evidence_of(board, move, said))
            reason = explain_move(found)
            if not reason.is_bad or (number and reason.claim):
                break
    return reason


def evidence_of(board: chess.Board, move: chess.Move, said: SecondLook) -> Evidence:
    """The result of a second look, with moves as objects."""
    refutation, best_line = (
        tuple(map(chess.Move.from_uci, line)) for line in (said.refutation, said.best_line)
    )
    return Evidence(board, move, refutation, best_line, said.score_before, said.score_after)


def scaled(limit: Limit, factor: float) -> Limit:
    """The limit with `factor` times the nodes and time; a mere depth limit changes its depth."""
    if limit.nodes or limit.time:
        nodes = max(int(limit.nodes * factor), 1) if limit.nodes else None
        return Limit(nodes=nodes, time=limit.time and limit.time * factor, depth=limit.depth)
    if limit.depth:
        return Limit(depth=max(limit.depth + round(math.log2(factor)), 1))
    return limit


def look_again(
    engine: SimpleEngine,
    limit: Limit,
    board: chess.Board,
    move: chess.Move,
    share: float,
    expected: Sequence[str | None] = (),
    game: object | None = None,
) -> SecondLook:
    """Search a move again; parameters as in `second_look`.

    :param game: what the engine knows of this game is used; by default nothing.
    """
    token = game or object()

    def look(position: chess.Board, part: float) -> Line:
        return _look(engine, position, scaled(limit, part), token)

    return second_look(board, move, look, share, expected)


def _look(engine: SimpleEngine, board: chess.Board, limit: Limit, game: object) -> Line:
    """The best line, and the score from the side to move."""
    exact = last = None
    with engine.analysis(board, limit, game=game) as analysis:
        for said in analysis:
            line = info_of(said)
            if line and line.pv and line.bound != UPPER_BOUND:
                last = line
                exact = line if line.bound == EXACT_BOUND else exact
    if last is None:
        return [], 0
    # A score outside the window comes with a single move.
    is_longer = exact and exact.pv[0] == last.pv[0] and len(exact.pv) > len(last.pv)
    after, best = board.copy(stack=False), []
    for text in exact.pv if exact and is_longer else last.pv:
        best.append(after.parse_uci(text))
        after.push(best[-1])
    return best, last.score

"""`halbzug.explain.move`: searches for the reason why a move is bad.

Two searches look for the reason, and a third if they disagree; a reason that only one of them finds
is not given.
"""

from __future__ import annotations

from collections.abc import Sequence

import chess
from chess.engine import Limit, SimpleEngine

from ..api.arguments import check_board, check_chess
from ..api.one_liners import engine_for, limit_of
from ..base.events import Info
from ..base.scores import EXACT_BOUND, UPPER_BOUND
from ..batch.analysts import info_of
from ..batch.findings import SecondLook
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


def look_again(
    engine: SimpleEngine,
    limit: Limit,
    board: chess.Board,
    move: chess.Move,
    share: float,
    expected: Sequence[str | None] = (None, None),
) -> SecondLook:
    """Search a move again; parameters as in `second_look`."""
    game = object()

    def look(position: chess.Board, part: Limit) -> Info | None:
        return _look(engine, position, part, game)

    return second_look(board, move, limit, look, share, expected)


def _look(engine: SimpleEngine, board: chess.Board, limit: Limit, game: object) -> Info | None:
    """The best line, with the score of the last one."""
    exact = last = None
    with engine.analysis(board, limit, game=game) as analysis:
        for said in analysis:
            line = info_of(said)
            if line and line.pv and line.bound != UPPER_BOUND:
                last = line
                exact = line if line.bound == EXACT_BOUND else exact
    if last and exact and exact.pv[0] == last.pv[0] and len(exact.pv) > len(last.pv):
        return last._replace(pv=exact.pv)  # a score outside the window comes with a single move
    return last

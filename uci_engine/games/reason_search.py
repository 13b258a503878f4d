"""Why a move is bad, with a search for the lines: `halbzug.explain.move`.

The reason is looked for in two searches, in a third if they disagree, and what only one of them
finds is not said.
"""

from __future__ import annotations

import math

import chess
from chess.engine import Limit, SimpleEngine

from ..api.arguments import check_board, check_chess
from ..api.one_liners import engine_for, limit_of
from ..base.scores import EXACT_BOUND, UPPER_BOUND
from ..batch.analysts import info_of
from ..batch.findings import SecondLook
from ..batch.second_look import REST_PART, second_look
from ..reasons.claims import Evidence
from ..reasons.move_reason import MoveReason, explain_move

#: A move is searched so often at most, each time twice as long.
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
    :param limit: what each of the two positions is given at first, and then twice and four times as
        much; otherwise the following.
    :param time: in seconds; 1 if nothing is said.
    :param depth: in plies.
    :param nodes: how many nodes.
    :param engine: ask this one, which may be another program, instead of the shared one.
    :raises TypeError: if something has the wrong type.
    :raises ValueError: if the position is impossible, the move not legal in it, or a number out of
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
            said = look_again(
                asked, scaled(limit, 2**number), board, move, scaled(limit, REST_PART)
            )
            found.append(evidence_of(board, move, said))
            reason = explain_move(found)
            if not reason.is_bad or (number and reason.claim):
                break
    return reason


def evidence_of(board: chess.Board, move: chess.Move, said: SecondLook) -> Evidence:
    """What a second look says, as moves."""
    refutation, best_line = (
        tuple(map(chess.Move.from_uci, line)) for line in (said.refutation, said.best_line)
    )
    return Evidence(board, move, refutation, best_line, said.score_before, said.score_after)


def scaled(limit: Limit, factor: float) -> Limit:
    """That many times the nodes and the time; another depth where nothing else is limited."""
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
    rest: Limit,
) -> SecondLook:
    """What a new search says of a move.

    :param rest: for the ends of its lines.
    """
    game = object()

    def look(position: chess.Board) -> tuple[list[chess.Move], int]:
        return _look(engine, position, limit, game)

    def go_on(position: chess.Board) -> tuple[list[chess.Move], int]:
        return _look(engine, position, rest, game)

    return second_look(board, move, look, go_on)


def _look(
    engine: SimpleEngine, board: chess.Board, limit: Limit, game: object
) -> tuple[list[chess.Move], int]:
    """The best line, and the score of the side to move."""
    exact = last = None
    with engine.analysis(board, limit, game=game) as analysis:
        for said in analysis:
            line = info_of(said)
            if line and line.pv and line.bound != UPPER_BOUND:
                last = line
                exact = line if line.bound == EXACT_BOUND else exact
    if last is None:
        return [], 0
    # A score outside the window comes with one move only.
    is_longer = exact and exact.pv[0] == last.pv[0] and len(exact.pv) > len(last.pv)
    after, best = board.copy(stack=False), []
    for text in exact.pv if exact and is_longer else last.pv:
        best.append(after.parse_uci(text))
        after.push(best[-1])
    return best, last.score

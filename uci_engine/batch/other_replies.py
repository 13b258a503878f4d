"""What else the side that is said to lose something can do: what it can avoid is not claimed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import chess

from ..reasons.motifs import PlayedLine
from ..reasons.move_reason import (
    CONFIRMED,
    MoveReason,
    Outcome,
    explain_move,
    gain_on_one_line,
    loss_on_one_line,
    most_won,
)
from .findings import OtherReply

#: So many replies of a line are looked at, those before the piece is taken.
_REPLIES = 3

#: A reply is as good as the one of the line up to this difference, in centipawns.
_AS_GOOD = 100

#: One that is worse by so much may lose the same later, in centipawns.
_WORSE = 50

#: Of more points than this one may be given back.
_SMALL = 2

#: Searches the moves of a position beside one: the best line, and the score of the side to move.
Beside = Callable[[chess.Board, chess.Move], tuple[list[chess.Move], int]]


def other_replies(reason: MoveReason, beside: Beside) -> Iterator[OtherReply]:
    """Search what else can be played on the lines that win something.

    :param reason: its lines and scores are taken; what is certain is found anew.
    """
    asked = set()
    for is_missed, outcome in _outcomes(reason):
        if outcome.mate or outcome.is_stalemate:
            continue
        for ply, board in _choices(reason, outcome, is_missed):
            if (is_missed, ply) in asked:
                continue
            asked.add((is_missed, ply))
            moves, score = beside(board, outcome.moves[ply])
            score = -score if board.turn != reason.board.turn else score
            lead = tuple(each.uci() for each in outcome.moves[:ply])
            yield OtherReply(is_missed, lead, tuple(each.uci() for each in moves), score)


def _outcomes(reason: MoveReason) -> Iterator[tuple[bool, Outcome]]:
    """What may be said of its lines, and whether it is what was missed."""
    far = CONFIRMED.horizon
    plies = range(1, far + 1)
    every = dict.fromkeys(
        limit(each) for limit in (CONFIRMED.widened, CONFIRMED.with_better) for each in plies
    )
    for limits in every:
        found = explain_move(
            reason.board,
            reason.move,
            reason.refutation,
            reason.best_line,
            reason.score_before,
            reason.score_after,
            limits,
        )
        if found.lost:
            yield False, found.lost
        if found.missed:
            yield True, found.missed
    loss, gain = loss_on_one_line([reason], far), gain_on_one_line([reason], far)
    if loss and loss.lost:
        yield False, loss.lost
    if gain and gain.missed:
        yield True, gain.missed


def is_avoidable(
    reason: MoveReason, outcome: Outcome, is_missed: bool, replies: Sequence[OtherReply]
) -> bool:
    """Whether a reply that is as good as the one of the line loses less."""
    if outcome.mate or outcome.is_stalemate:
        return False
    texts = tuple(move.uci() for move in outcome.moves)
    start = _start(reason, is_missed)
    points = outcome.swap.points
    for reply in replies:
        if reply.is_missed != is_missed or texts[: len(reply.lead)] != reply.lead:
            continue
        if is_missed and reply.score > reason.score_before + _AS_GOOD:
            continue
        if not is_missed and reply.score < reason.score_after - _AS_GOOD:
            continue
        moves = [chess.Move.from_uci(text) for text in (*reply.lead, *reply.line)]
        is_worse = not is_missed and reply.score <= reason.score_after - _WORSE
        won = most_won(reason.board, PlayedLine(start, moves), len(reply.lead), to_end=is_worse)
        if won < points - (points > _SMALL):
            return True
    return False


def is_looked_at(
    reason: MoveReason, outcome: Outcome, is_missed: bool, replies: Sequence[OtherReply]
) -> bool:
    """Whether the other replies of this very line were searched, and not those of another one."""
    if outcome.mate or outcome.is_stalemate:
        return True
    texts = tuple(move.uci() for move in outcome.moves)
    leads = {reply.lead for reply in replies if reply.is_missed == is_missed}
    return all(texts[:ply] in leads for ply, _ in _choices(reason, outcome, is_missed))


def _choices(
    reason: MoveReason, outcome: Outcome, is_missed: bool
) -> Iterator[tuple[int, chess.Board]]:
    """The plies at which who loses something could play another move, with their positions."""
    line = PlayedLine(_start(reason, is_missed), outcome.moves)
    last = outcome.motif.capture if outcome.motif else len(outcome.moves)
    for ply in range(1, min(last, 2 * _REPLIES), 2):
        if line.boards[ply].legal_moves.count() > 1:
            yield ply, line.boards[ply]


def _start(reason: MoveReason, is_missed: bool) -> chess.Board:
    board = reason.board.copy(stack=False)
    if not is_missed:
        board.push(reason.move)
    return board

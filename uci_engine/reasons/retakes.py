"""Captures of a protected piece: what becomes of the side that takes back.

Source: https://www.chessprogramming.org/Sacrifice
"""

from __future__ import annotations

import chess

from .facts import Fact
from .motifs import PlayedLine, gains, gains_more
from .threat_facts import wins_always
from .won_material import POINTS, balance

#: A mate after taking back comes in so many moves, each a check.
_MATE = 3

#: What a sacrifice takes is kept for so many plies.
_KEPT = 8


def retakes(board: chess.Board, square: chess.Square) -> list[chess.Move]:
    """How what has just taken something on a square can be taken."""
    return list(board.generate_legal_captures(to_mask=chess.BB_SQUARES[square]))


def punished_retake(
    board: chess.Board, square: chess.Square, *, by_mate: bool = False
) -> tuple[chess.Move, ...]:
    """A way to take back on a square and what it loses to; nothing unless each of them loses.

    :param board: after the capture.
    :param by_mate: only a mate counts, and no capture that gains as much as was taken back.
    """
    found = []
    for retake in retakes(board, square):
        lost = POINTS[board.piece_type_at(square) or chess.KING]
        after = board.copy(stack=False)
        after.push(retake)
        line = mate_by_checks(after, _MATE)
        if not line and not by_mate:
            line = _gain(after, lost) or _winning_check(after, lost)
        if not line:
            return ()
        found.append((retake, *line))
    return max(found, key=len, default=())


def _gain(board: chess.Board, lost: int) -> tuple[chess.Move, ...]:
    """A capture that gains as much as was lost."""
    captures = (
        move for move in board.generate_legal_captures() if gains_more(board, move, lost - 1)
    )
    return tuple(list(captures)[:1])


def _winning_check(board: chess.Board, lost: int) -> tuple[chess.Move, ...]:
    """A check that wins as much as was lost, with what it takes, whatever the answer is."""
    for move in board.legal_moves:
        if move.promotion or board.is_en_passant(move) or not board.gives_check(move):
            continue
        taken = POINTS[board.piece_type_at(move.to_square) or chess.KING]
        after = board.copy(stack=False)
        after.push(move)
        if wins_always(after, lost - taken - 1, checks=0):
            return (move,)
    return ()


def mate_by_checks(board: chess.Board, moves: int) -> tuple[chess.Move, ...]:
    """A mate in so many moves at most, each of them a check, with the longest defence."""
    checks = [move for move in board.legal_moves if board.gives_check(move)]
    longer = []
    for check in checks:
        after = board.copy(stack=False)
        after.push(check)
        if after.is_checkmate():
            return (check,)
        longer.append((check, after))
    if moves <= 1:
        return ()
    for check, after in longer:
        defences = []
        for reply in after.legal_moves:
            then = after.copy(stack=False)
            then.push(reply)
            mate = mate_by_checks(then, moves - 1)
            if not mate:
                break
            defences.append((check, reply, *mate))
        else:
            return max(defences, key=len)
    return ()


def sacrifice_fact(reply: PlayedLine, better: PlayedLine) -> Fact | None:
    """The first move of the refutation takes something protected, and taking back allows mate.

    It is not played for what it takes, and after the better move it would not do so.
    """
    if not reply.moves or len(better.boards) < 2:
        return None
    move, color = reply.moves[0], reply.attacker
    if reply.captured(0) is None or gains(reply.boards[0], move):
        return None
    later = reply.balances[1 : _KEPT + 2]
    if len(later) <= _KEPT or min(later) <= reply.balances[0]:
        return None
    line = _mated(reply.boards[0], move)
    if not line or _mated(better.boards[1], move):
        return None
    if balance(better.boards[0], color) != balance(reply.boards[0], color):
        return None
    return Fact("sacrifice", (move, *line), move.to_square)


def _mated(board: chess.Board, move: chess.Move) -> tuple[chess.Move, ...]:
    """A mate after each way to take back what has just taken something."""
    if not board.is_legal(move) or move.promotion:
        return ()
    after = board.copy(stack=False)
    after.push(move)
    return punished_retake(after, move.to_square, by_mate=True)

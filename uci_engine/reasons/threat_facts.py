"""Moves that threaten more than one reply can meet: double attacks, forks, caught pieces.

What is named is proved on the board: after each legal reply a capture gains more by static exchange
evaluation than the reply has taken.
Source: https://www.chessprogramming.org/Double_Attack
"""

from __future__ import annotations

import chess

from .facts import Fact, Kind
from .motifs import (
    PlacedPiece,
    PlayedLine,
    can_win,
    gains_more,
    is_trapped,
    passed_on,
    pinned_to_queen,
    stand,
)
from .won_material import POINTS

#: A double attack is on a piece of so many points, and on something else.
_PIECE = POINTS[chess.KNIGHT]

#: A fork that is threatened wins at least so many points.
_FORK = 2


def double_attack_fact(kind: Kind, line: PlayedLine, other: PlayedLine) -> Fact | None:
    """The first move of a line attacks two things, and would not do so in the other line.

    :param other: the other side begins it; after its first move the attacker is to move as well.
    """
    if not line.moves or len(other.boards) < 2:
        return None
    move = line.moves[0]
    targets = _double_attack(line.boards[0], move)
    if not targets or _double_attack(other.boards[1], move):
        return None
    return Fact(kind, (move,), line.mover(0).square, targets=targets)


def _double_attack(board: chess.Board, move: chess.Move) -> tuple[chess.Square, ...]:
    """What a move attacks that cannot all be saved; nothing if it is not two things."""
    if not board.is_legal(move) or board.is_castling(move) or move.promotion:
        return ()
    after = board.copy(stack=False)
    after.push(move)
    if after.is_check() or can_win(after, move.to_square):
        return ()
    passed = passed_on(after)
    by = stand(after, move.to_square)
    found = [
        stand(after, square)
        for square in after.attacks(by.square) & after.occupied_co[after.turn]
        if gains_more(passed, chess.Move(by.square, square), 0)
    ]
    found.sort(key=lambda each: (-POINTS[each.kind], each.square))
    if not found or not _is_new_target(board, by, found[0]):
        return ()
    if len(found) == 1:
        found += _behind(after, by, found[0].square)
    if len(found) < 2 or not wins_always(after, 0):
        return ()
    return tuple(each.square for each in found)


def _is_new_target(board: chess.Board, by: PlacedPiece, prey: PlacedPiece) -> bool:
    """Whether a piece is dearer than its attacker and could not be taken before."""
    is_dearer = POINTS[prey.kind] > POINTS[by.kind] and POINTS[prey.kind] >= _PIECE
    return is_dearer and not can_win(board, prey.square)


def _behind(after: chess.Board, by: PlacedPiece, front: chess.Square) -> list[PlacedPiece]:
    """What the piece that has just moved could take if the piece before it went away."""
    without = passed_on(after)
    without.remove_piece_at(front)
    return [
        stand(after, square)
        for square in chess.SquareSet(chess.ray(by.square, front)) & without.attacks(by.square)
        if square not in after.attacks(by.square)
        and after.color_at(square) == after.turn
        and gains_more(without, chess.Move(by.square, square), 0)
    ]


def attack_fact(kind: Kind, line: PlayedLine, other: PlayedLine) -> Fact | None:
    """The first move of a line attacks a dearer piece that is pinned or has no way out.

    :param other: the other side begins it, and there the move does not do so.
    """
    if not line.moves or len(other.boards) < 2:
        return None
    move = line.moves[0]
    found = _caught(line.boards[0], move)
    if not found or _caught(other.boards[1], move):
        return None
    square, behind = found
    return Fact(kind, (move,), square, king=behind)


def _caught(
    board: chess.Board, move: chess.Move
) -> tuple[chess.Square, chess.Square | None] | None:
    """The piece that a move attacks for good, and the king or queen that it is pinned to."""
    if not board.is_legal(move) or board.is_castling(move) or move.promotion:
        return None
    after = board.copy(stack=False)
    after.push(move)
    if after.is_check() or can_win(after, move.to_square):
        return None
    by, passed = stand(after, move.to_square), passed_on(after)
    for square in after.attacks(by.square) & after.occupied_co[after.turn]:
        prey = stand(after, square)
        is_gain = gains_more(passed, chess.Move(by.square, square), 1)
        if not is_gain or not _is_new_target(board, by, prey):
            continue
        behind = pinned_to_queen(after, after.turn, square)
        if after.is_pinned(after.turn, square):
            behind = after.king(after.turn)
        if (behind is not None or is_trapped(after, square)) and wins_always(after, 1):
            return square, behind
    return None


def fork_threat_fact(reply: PlayedLine, better: PlayedLine) -> Fact | None:
    """The first move of the refutation threatens a check that forks the king and a dear piece."""
    if not reply.moves or len(better.boards) < 2 or reply.boards[1].is_check():
        return None
    move, after = reply.moves[0], reply.boards[1]
    found = _forking_check(passed_on(after))
    if not found or _forking_check(reply.boards[0]) or not _is_safe(after, move.to_square):
        return None
    if better.boards[1].is_legal(move):
        other = better.boards[1].copy(stack=False)
        other.push(move)
        if other.is_check() or _forking_check(passed_on(other)):
            return None
    check, prey = found
    return Fact("fork threat", (move,), prey.square, capture=check)


def _is_safe(after: chess.Board, square: chess.Square) -> bool:
    """Whether the piece that has just moved cannot be taken, or the fork comes then as well."""
    if not can_win(after, square):
        return True
    for capture in after.generate_legal_captures(to_mask=chess.BB_SQUARES[square]):
        then = after.copy(stack=False)
        then.push(capture)
        if not _forking_check(then):
            return False
    return True


def _forking_check(board: chess.Board) -> tuple[chess.Move, PlacedPiece] | None:
    """A check that forks the king and a dearer piece and wins something, and that piece."""
    for move in board.legal_moves:
        if move.promotion or not board.gives_check(move) or board.is_castling(move):
            continue
        then = board.copy(stack=False)
        then.push(move)
        by, king = stand(then, move.to_square), then.king(then.turn)
        attacked = then.attacks(by.square)
        if king is None or king not in attacked or can_win(then, by.square):
            continue
        least = max(POINTS[by.kind] + _FORK, POINTS[chess.ROOK])
        found = [stand(then, each) for each in attacked & then.occupied_co[then.turn]]
        prey = [each for each in found if POINTS[each.kind] >= least]
        if prey and wins_always(then, _FORK):
            return move, max(prey, key=lambda each: POINTS[each.kind])
    return None


def wins_always(after: chess.Board, points: int, checks: int = 1) -> bool:
    """Whether each legal reply leaves a capture that gains more than what it takes and points.

    :param checks: after so many checks in a row the answer to a check may be any move.
    """
    for reply in after.legal_moves:
        taken = POINTS[after.piece_type_at(reply.to_square) or chess.KING]
        taken = POINTS[chess.PAWN] if after.is_en_passant(reply) else taken
        taken = 0 if after.is_castling(reply) else taken
        taken += POINTS[reply.promotion] - 1 if reply.promotion else 0
        then = after.copy(stack=False)
        then.push(reply)
        captures = then.generate_legal_captures()
        if any(gains_more(then, capture, taken + points) for capture in captures):
            continue
        if not (then.is_check() and checks and _evades(then, taken + points, checks - 1)):
            return False
    return any(after.legal_moves)


def _evades(board: chess.Board, points: int, checks: int) -> bool:
    """Whether an answer to a check keeps what is threatened."""
    for move in board.legal_moves:
        after = board.copy(stack=False)
        after.push(move)
        if not after.is_check() and wins_always(after, points, checks):
            return True
    return False

"""Material as players count it: what a line of moves wins once the position is quiet.

Source: https://www.chessprogramming.org/Point_Value
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import chess

from ..board.public_board import Board
from ..search.quiet import is_quiet

#: Piece values in points; the king has none.
POINTS = {
    chess.PAWN: 1,
    chess.KNIGHT: 3,
    chess.BISHOP: 3,
    chess.ROOK: 5,
    chess.QUEEN: 9,
    chess.KING: 0,
}

#: The points of a mate, and how many captures in a row are searched.
_DECIDED, _CAPTURES = 99, 8

_MINOR = (chess.KNIGHT, chess.BISHOP)


@dataclass(frozen=True)
class Swap:
    """What one side wins and gives in a line; pieces of the same kind on both sides cancel out.

    A bishop and a knight also cancel out. Each tuple begins with the most valuable piece.
    """

    won: tuple[chess.PieceType, ...] = ()
    given: tuple[chess.PieceType, ...] = ()
    promoted: tuple[chess.PieceType, ...] = ()  # own pawns became these; not in `given`
    conceded: tuple[chess.PieceType, ...] = ()  # pieces that the other side's pawns became

    @property
    def points(self) -> int:
        """The value for the side that wins, in points.

        Two minor pieces are worth a point more than a rook and what comes with it.
        """
        gain = _sum(self.won) - _sum(self.given)
        gain += _is_pair_for_rook(self.won, self.given) - _is_pair_for_rook(self.given, self.won)
        return gain + _grown(self.promoted) - _grown(self.conceded)


def swap_between(before: chess.Board, after: chess.Board, color: chess.Color) -> Swap:
    """What a side has won and given between two positions of a game."""
    own_lost, promoted = _changes(before, after, color)
    won, conceded = _changes(before, after, not color)
    common = won & own_lost
    won, given = won - common, own_lost - common
    for one, other in (_MINOR, _MINOR[::-1]):
        pairs = min(won[one], given[other])
        won[one] -= pairs
        given[other] -= pairs
    return Swap(*(_sorted(each.elements()) for each in (won, given, promoted, conceded)))


def _changes(
    before: chess.Board, after: chess.Board, color: chess.Color
) -> tuple[Counter[chess.PieceType], Counter[chess.PieceType]]:
    """The pieces that a side has lost, and the surviving pieces that its pawns became."""
    was, now = (
        Counter({kind: len(board.pieces(kind, color)) for kind in POINTS})
        for board in (before, after)
    )
    promoted = Counter({kind: now[kind] - was[kind] for kind in POINTS if now[kind] > was[kind]})
    lost = was - now
    lost[chess.PAWN] -= promoted.total()
    return +lost, promoted


def _is_pair_for_rook(won: Sequence[chess.PieceType], given: Sequence[chess.PieceType]) -> bool:
    minors = sum(kind in _MINOR for kind in won)
    return minors == len(won) == 2 and given[:1] == (chess.ROOK,) and given.count(chess.ROOK) == 1


def _sorted(kinds: Iterable[chess.PieceType]) -> tuple[chess.PieceType, ...]:
    return tuple(sorted(kinds, reverse=True))


def _sum(kinds: Iterable[chess.PieceType]) -> int:
    return sum(POINTS[kind] for kind in kinds)


def _grown(kinds: Sequence[chess.PieceType]) -> int:
    """What pawns gain by becoming these pieces."""
    return _sum(kinds) - len(kinds) * POINTS[chess.PAWN]


def balance(board: chess.Board, color: chess.Color) -> int:
    """A side's points minus the other side's."""
    return sum(
        points * (len(board.pieces(kind, color)) - len(board.pieces(kind, not color)))
        for kind, points in POINTS.items()
    )


def resolved_balance(board: chess.Board, color: chess.Color) -> int:
    """A side's points less the other side's, once no capture gains anything more."""
    value = _resolved(Board.from_board(board, stack=False), -_DECIDED, _DECIDED, _CAPTURES)
    return value if board.turn == color else -value


def _resolved(board: chess.Board, alpha: int, beta: int, depth: int) -> int:
    """The points of the side to move, less the other side's, by a search of captures."""
    if board.is_checkmate():
        return -_DECIDED
    best = balance(board, board.turn)
    moves: list[chess.Move] = []
    if depth and board.is_check():
        best, moves = -_DECIDED, list(board.legal_moves)
    elif depth:
        moves = list(board.generate_legal_captures())
    moves.sort(key=lambda move: -POINTS[board.piece_type_at(move.to_square) or chess.KING])
    for move in moves:
        if best >= beta:
            break
        board.push(move)
        best = max(best, -_resolved(board, -beta, -max(alpha, best), depth - 1))
        board.pop()
    return best


def is_held(board: chess.Board, color: chess.Color) -> bool:
    """Whether a side keeps what it has: the other side could win nothing if it were to move.

    Neither is in check, and no capture or promotion gains material by static exchange evaluation.
    """
    here = Board.from_board(board, stack=False)
    if here.is_check():
        return False
    if here.turn == color:
        here.push(chess.Move.null())
    return is_quiet(here)


def is_settled(board: chess.Board) -> bool:
    """Whether both sides keep what they have."""
    return all(is_held(board, color) for color in chess.COLORS)

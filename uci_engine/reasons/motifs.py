"""Why a line wins material: a fork, a pin, a trapped piece and so on, each visible on the board.

A motif is only named if the line itself carries it out: the forking piece captures one of the
forked pieces, the trapped piece is captured where it stands.

Source: https://www.chessprogramming.org/Tactics
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import chess

from ..board.movegen import encode
from ..board.public_board import Board
from ..search.see import see_ge
from .won_material import POINTS, balance

#: The names of the motifs; `Motif` explains its fields for each.
Kind = Literal[
    "loose",
    "cheap attacker",
    "outnumbered",
    "fork",
    "skewer",
    "discovered attack",
    "pin",
    "pinned",
    "trapped",
    "deflection",
    "overloaded",
    "promotion",
    "back rank",
]

#: Minimum gain by static exchange evaluation, in centipawns.
_GAIN = 50

#: Minimum value of pieces worth forking or trapping, in points.
_PIECE = POINTS[chess.KNIGHT]


class PlacedPiece(NamedTuple):
    """A piece on its square."""

    kind: chess.PieceType
    square: chess.Square


@dataclass(frozen=True)
class Motif:
    """How a line wins something.

    - loose: nothing defends the prize.
    - cheap attacker: `by` is worth less than the prize.
    - outnumbered: it is attacked more often than defended.
    - fork: `by` attacks all targets; the prize may have moved meanwhile.
    - skewer: `by` attacks the first target, and behind it the second.
    - discovered attack: the move of `by` opens the line of the first target's attacker, `behind`.
    - pin, pinned: `by` pins the prize to its king, or attacks it when it is already pinned; a
      second target is the queen that it is pinned to.
    - trapped: no move of the prize saves it.
    - deflection: `targets[0]`, the only defender, has to capture `by` elsewhere.
    - overloaded: `targets[0]` also defends what is captured at `ply`, and captures `by` there.
    - promotion: `by` is the pawn that promotes.
    - back rank: `by` mates the king, `targets[0]`, on its own rank, behind its own pieces.
    """

    kind: Kind
    ply: int  # index in the line, from 0, of the move that shows it
    capture: int  # the ply at which the prize is captured, or the pawn promotes
    by: PlacedPiece  # after the move at `ply`
    targets: tuple[PlacedPiece, ...] = ()
    behind: PlacedPiece | None = None

    @property
    def is_at_once(self) -> bool:
        """Whether the first move of the line captures the prize."""
        return self.capture == 0


class PlayedLine:
    """A line of moves with its positions.

    :param board: where it begins; the attacker is to move.
    :param moves: legal moves from there.
    """

    def __init__(self, board: chess.Board, moves: Sequence[chess.Move]) -> None:
        self.attacker = board.turn
        self.moves = tuple(moves)
        self.boards = [Board.from_board(board, stack=False)]
        for move in moves:
            after = self.boards[-1].copy(stack=False)
            after.push(move)
            self.boards.append(after)
        self.balances = [balance(each, self.attacker) for each in self.boards]

    def captured(self, ply: int) -> PlacedPiece | None:
        """The piece captured by the move at a ply."""
        board, move = self.boards[ply], self.moves[ply]
        if not board.is_capture(move):
            return None
        square = move.to_square
        if board.is_en_passant(move):
            square += -8 if board.turn else 8
        kind = board.piece_type_at(square)
        return PlacedPiece(kind, square) if kind else None

    def mover(self, ply: int) -> PlacedPiece:
        """The piece that moved at a ply, on its new square."""
        board, after, move = self.boards[ply], self.boards[ply + 1], self.moves[ply]
        square = move.to_square
        if board.is_castling(move):  # in Chess960, it is written with the rook's square
            square = after.king(board.turn) or square
        return stand(after, square)

    def winning_plies(self) -> list[int]:
        """The attacker's plies that win at least half of the line's gain, for good.

        The first of them may be the recapture at the end of an exchange; then the move that began
        the exchange follows. A piece that is compensated before something else is captured is not
        won.
        """
        start, gain = self.balances[0], self.balances[-1] - self.balances[0]
        if gain < 1:
            return []
        every = range(len(self.balances))
        # What the other side captures is recaptured by the next move.
        own = [
            ply
            for ply in every[1:]
            if ply % 2 or ply == len(self.moves) or self._is_made_good(ply, start)
        ]
        found = [
            next(
                ply
                for ply in range(0, len(self.moves), 2)
                if all(2 * (self.balances[each] - start) >= gain for each in plies if each > ply)
            )
            for plies in (every, own)
        ]
        return list(dict.fromkeys(found))

    def _is_made_good(self, ply: int, start: int) -> bool:
        """Whether the other side has just regained what it lost, without being recaptured."""
        if self.captured(ply - 1) is None or self.balances[ply] > start:
            return False
        return self.moves[ply].to_square != self.moves[ply - 1].to_square


def motif_of(line: PlayedLine) -> Motif | None:
    """The motif of a line that wins material; None if none is certain."""
    return next(motifs_of(line), None)


def motifs_of(line: PlayedLine) -> Iterator[Motif]:
    """The motif at each of the plies by which a line wins material, where one is certain."""
    for capture in line.winning_plies():
        motif = _motif_at(line, capture)
        if motif:
            yield motif


def _motif_at(line: PlayedLine, capture: int) -> Motif | None:
    """The motif of a line in which the move at ply `capture` captures the prize."""
    prize = line.captured(capture)
    promotion = _promotion(line)
    if promotion and promotion.capture == capture:
        return promotion
    if prize is None:
        return None
    finders = _FINDERS if capture else ()
    found = next(filter(None, (find(line, capture, prize) for find in finders)), None)
    return found or _taken(line, capture, prize) or promotion


def stand(board: chess.Board, square: chess.Square) -> PlacedPiece:
    """The piece on a square, which must not be empty."""
    kind = board.piece_type_at(square)
    assert kind
    return PlacedPiece(kind, square)


def _points(board: chess.Board, square: chess.Square) -> int:
    return POINTS[board.piece_type_at(square) or chess.KING]


def gains(board: chess.Board, move: chess.Move) -> bool:
    """Whether a capture gains material by static exchange evaluation."""
    return bool(see_ge(board, encode(move), _GAIN))


def passed_on(board: chess.Board) -> chess.Board:
    """The position with the other side to move."""
    board = board.copy(stack=False)
    board.push(chess.Move.null())
    return board


# -- captured at once -----------------------------------------------------------------------------


def _taken(line: PlayedLine, capture: int, prize: PlacedPiece) -> Motif | None:
    """Why a piece can be captured where it stands."""
    board, after, move = line.boards[capture], line.boards[capture + 1], line.moves[capture]
    attacker, defender = line.attacker, not line.attacker
    by = stand(board, move.from_square)
    if move.promotion or prize.square != move.to_square:
        return None

    def motif(kind: Kind) -> Motif:
        return Motif(kind, capture, capture, by, (prize,))

    guards = chess.SquareSet(after.attackers_mask(defender, prize.square))
    if not guards:
        return motif("loose")
    if not gains(board, move):
        return None
    if POINTS[by.kind] < POINTS[prize.kind] and by.kind != chess.KING:
        return motif("cheap attacker")
    # Pieces behind the capturing piece count as well.
    if 1 + len(after.attackers(attacker, prize.square)) > len(guards):
        return motif("outnumbered")
    return None


# -- captured later -------------------------------------------------------------------------------


def _stays(line: PlayedLine, square: chess.Square, first: int, last: int) -> bool:
    """Whether nothing moves from or to a square at the plies from `first` to before `last`."""
    return not any(square in (move.from_square, move.to_square) for move in line.moves[first:last])


def _fork(line: PlayedLine, capture: int, prize: PlacedPiece) -> Motif | None:
    """One piece attacks two, and captures one of them with its next move.

    The captured one may have captured something else in between.
    """
    move = line.moves[capture]
    arrivals = [
        ply for ply in range(0, capture, 2) if line.moves[ply].to_square == move.from_square
    ]
    if not arrivals or prize.square != move.to_square:
        return None
    ply = arrivals[-1]
    by, after = line.mover(ply), line.boards[ply + 1]
    if line.moves[capture - 1].to_square == prize.square and ply == capture - 2:
        target = PlacedPiece(prize.kind, line.moves[capture - 1].from_square)
    elif _stays(line, prize.square, ply, capture):
        target = prize
    else:
        return None
    if by.kind == chess.KING or not _stays(line, by.square, ply + 1, capture):
        return None
    if after.piece_type_at(target.square) != target.kind:
        return None
    targets = _targets(after, by, line.attacker, target)
    if len(targets) < 2 or target not in targets:
        return None
    return Motif("fork", ply, capture, by, tuple(targets))


def _targets(
    board: chess.Board, by: PlacedPiece, attacker: chess.Color, prize: PlacedPiece
) -> list[PlacedPiece]:
    """The pieces that a piece attacks and would gain by capturing; kings first, then by value.

    The prize is one of them, because the line captures it.
    """
    found = []
    for square in board.attacks(by.square):
        if board.color_at(square) != (not attacker):
            continue
        kind = board.piece_type_at(square)
        assert kind
        is_dearer = POINTS[kind] > POINTS[by.kind]
        is_loose = not board.attackers_mask(not attacker, square)
        is_loose = (is_loose and POINTS[kind] >= _PIECE) or square == prize.square
        if kind != chess.KING and by.square in board.attacks(square):
            continue  # it can capture the attacker, or trade itself for it
        if kind == chess.KING or is_dearer or is_loose:
            found.append(PlacedPiece(kind, square))
    return sorted(found, key=lambda each: -(POINTS[each.kind] or 100))


def _skewer(line: PlayedLine, capture: int, prize: PlacedPiece) -> Motif | None:
    """A slider attacks a piece, and the one behind it on the same line once the first has moved."""
    ply = capture - 2
    by, move = line.mover(ply), line.moves[capture]
    after = line.boards[ply + 1]
    if by.kind not in (chess.BISHOP, chess.ROOK, chess.QUEEN) or move.from_square != by.square:
        return None
    between = chess.SquareSet(chess.between(by.square, prize.square)) & after.occupied
    left = line.moves[ply + 1].from_square
    if len(between) != 1 or left not in between or after.color_at(left) == line.attacker:
        return None
    first = stand(after, left)
    if first.kind != chess.KING and POINTS[first.kind] < max(POINTS[by.kind], _PIECE):
        return None
    if left not in after.attacks(by.square):
        return None
    if line.moves[ply + 1].to_square == prize.square:
        # It was not behind that piece: the piece itself moved there along the pin.
        pinned = (each.is_pinned(not line.attacker, left) for each in (after, line.boards[ply]))
        return Motif("pin", ply, capture, by, (first,)) if [*pinned] == [True, False] else None
    return Motif("skewer", ply, capture, by, (first, prize))


def _discovered(line: PlayedLine, capture: int, prize: PlacedPiece) -> Motif | None:
    """A piece moves away, and the slider behind it captures something."""
    ply = capture - 2
    moved, slider = line.moves[ply], line.moves[capture].from_square
    before, after = line.boards[ply], line.boards[ply + 1]
    if slider in (moved.to_square, moved.from_square) or not _stays(line, slider, ply, capture):
        return None
    if moved.from_square not in chess.SquareSet(chess.between(slider, prize.square)):
        return None
    if (
        not _stays(line, prize.square, ply, capture)
        or prize.square != line.moves[capture].to_square
    ):
        return None
    if prize.square in before.attacks(slider) or prize.square not in after.attacks(slider):
        return None
    behind = stand(after, slider)
    return Motif("discovered attack", ply, capture, line.mover(ply), (prize,), behind)


def _pin(line: PlayedLine, capture: int, prize: PlacedPiece) -> Motif | None:
    """A piece that is pinned to its king is attacked, and captured where it stands."""
    ply, defender = capture - 2, not line.attacker
    before, after = line.boards[ply], line.boards[ply + 1]
    if not _stays(line, prize.square, ply, capture) or POINTS[prize.kind] < _PIECE:
        return None
    if not after.is_pinned(defender, prize.square):
        return None
    by = line.mover(ply)
    if not before.is_pinned(defender, prize.square):
        pinners = (
            chess.SquareSet(after.pin_mask(defender, prize.square))
            & after.occupied_co[line.attacker]
        )
        return Motif("pin", ply, capture, by, (prize,)) if by.square in pinners else None
    if prize.square not in after.attacks(by.square):
        return None
    return Motif("pinned", ply, capture, by, (prize,))


def _relative_pin(line: PlayedLine, capture: int, prize: PlacedPiece) -> Motif | None:
    """A cheaper piece attacks one that is pinned to its queen, and captures it where it stands."""
    square, taker = prize.square, line.moves[capture].from_square
    arrivals = [ply for ply in range(0, capture, 2) if line.moves[ply].to_square == taker]
    if not arrivals or square != line.moves[capture].to_square:
        return None
    ply = arrivals[-1]
    before, after, by = line.boards[ply], line.boards[ply + 1], line.mover(ply)
    if not _stays(line, square, ply, capture) or not _stays(line, taker, ply + 1, capture):
        return None
    if POINTS[by.kind] >= POINTS[prize.kind] or square not in after.attacks(taker):
        return None
    queen = pinned_to_queen(after, not line.attacker, square)
    if queen is None or before.piece_type_at(queen) != chess.QUEEN:
        return None
    return Motif("pinned", ply, capture, by, (prize, PlacedPiece(chess.QUEEN, queen)))


def pinned_to_queen(
    board: chess.Board, color: chess.Color, square: chess.Square
) -> chess.Square | None:
    """The queen behind a piece on the line of a bishop or rook, if there is one."""
    for queen in board.pieces(chess.QUEEN, color):
        if chess.SquareSet(chess.between(queen, square)) & board.occupied:
            continue
        for pinner in board.attackers(not color, square):
            is_cheap = board.piece_type_at(pinner) in (chess.BISHOP, chess.ROOK)
            if is_cheap and square in chess.SquareSet(chess.between(pinner, queen)):
                return queen
    return None


def _trapped(line: PlayedLine, capture: int, prize: PlacedPiece) -> Motif | None:
    """A piece is attacked, and from then on no move saves it."""
    square = prize.square
    if POINTS[prize.kind] < _PIECE or prize.square != line.moves[capture].to_square:
        return None
    found = None
    for ply in range(capture - 2, -1, -2):
        if not _stays(line, square, ply, capture) or not is_trapped(line.boards[ply + 1], square):
            break
        found = Motif("trapped", ply, capture, line.mover(ply), (prize,))
    return found


def is_trapped(after: chess.Board, square: chess.Square) -> bool:
    """Whether a piece of the side to move can be captured wherever it goes."""
    if after.is_check() or not _can_be_taken(after, square):
        return False
    for move in after.generate_legal_moves(from_mask=chess.BB_SQUARES[square]):
        # What the piece captures before it is lost itself compensates for part of its value.
        then = after.copy(stack=False)
        then.push(move)
        earned = _points(after, move.to_square) if after.is_capture(move) else 0
        if not _can_be_taken(then, move.to_square, earned):
            return False
    return True


def _can_be_taken(board: chess.Board, square: chess.Square, earned: int = 0) -> bool:
    """Whether capturing a piece gains more than `earned` points, whoever is to move."""
    if board.color_at(square) != (not board.turn):
        board = passed_on(board)
    threshold = _GAIN + 100 * earned
    moves = board.generate_legal_moves(to_mask=chess.BB_SQUARES[square])
    return any(see_ge(board, encode(move), threshold) for move in moves)


def _deflection(line: PlayedLine, capture: int, prize: PlacedPiece) -> Motif | None:
    """A piece is lured away by a sacrifice or exchange from what it defends."""
    ply, reply = capture - 2, line.moves[capture - 1]
    before, after = line.boards[ply + 1], line.boards[capture]
    if reply.to_square != line.moves[ply].to_square or prize.square == reply.to_square:
        return None
    if not _stays(line, prize.square, ply, capture) or POINTS[prize.kind] < _PIECE:
        return None
    drawn = stand(before, reply.from_square)
    if prize.square not in before.attacks(drawn.square):
        return None
    if after.attackers_mask(not line.attacker, prize.square):
        return None
    kind: Kind = "overloaded" if line.captured(ply) else "deflection"
    return Motif(kind, ply, capture, line.mover(ply), (drawn, prize))


def back_rank_mate(line: PlayedLine) -> Motif | None:
    """A rook or queen mates a king that its own pieces keep on the back rank."""
    board, last = line.boards[-1], len(line.moves) - 1
    king, by = board.king(not line.attacker), line.mover(last)
    if king is None or by.kind not in (chess.ROOK, chess.QUEEN):
        return None
    rank, ahead = (0, 1) if board.turn else (7, 6)
    before = chess.SquareSet(chess.BB_KING_ATTACKS[king] & chess.BB_RANKS[ahead])
    if {chess.square_rank(king), chess.square_rank(by.square)} != {rank}:
        return None
    if before & ~board.occupied_co[board.turn]:
        return None
    return Motif("back rank", last, last, by, (PlacedPiece(chess.KING, king),))


def _promotion(line: PlayedLine) -> Motif | None:
    """A pawn promotes, and the new piece survives to the end of the line."""
    for ply in range(0, len(line.moves), 2):
        move = line.moves[ply]
        if move.promotion and _stays(line, move.to_square, ply + 1, len(line.moves)):
            return Motif("promotion", ply, ply, PlacedPiece(chess.PAWN, move.from_square))
    return None


_FINDERS: tuple[Callable[[PlayedLine, int, PlacedPiece], Motif | None], ...] = (
    _discovered,
    _fork,
    _skewer,
    _pin,
    _relative_pin,
    _trapped,
    _deflection,
)

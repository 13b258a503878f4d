"""Static exchange evaluation: the material result of captures on one square.

Source: https://www.chessprogramming.org/Static_Exchange_Evaluation
"""

from __future__ import annotations

from ..board.constants import (
    BISHOP_VALUE,
    KNIGHT_VALUE,
    PAWN_VALUE,
    QUEEN_VALUE,
    ROOK_VALUE,
)
from ..board.movegen import (
    Bitboard,
    Board,
    Color,
    Flag,
    MoveCode,
    PieceType,
    Score,
    Square,
    attackers_to,
    bishop_attacks,
    from_square,
    lsb,
    piece_on,
    pieces_of,
    promotion,
    rook_attacks,
    to_square,
)

_PAWN, _KNIGHT, _BISHOP, _ROOK, _QUEEN = 1, 2, 3, 4, 5


def see_ge(board: Board, move: MoveCode, threshold: Score) -> Flag:
    """Whether the exchange that `move` begins on its target square gains at least `threshold`.

    Both sides capture with their least valuable piece as long as it pays. Pins and promotions in
    later captures are ignored.

    :param move: a legal move, quiet or not.
    :param threshold: in centipawns.
    """
    origin: Square = from_square(move)
    target: Square = to_square(move)
    promoted: PieceType = promotion(move)
    one: Bitboard = 1
    color: Color = board.turn
    own: Bitboard = pieces_of(board, color)
    if own >> target & 1:
        return threshold <= 0  # castling, coded as king takes rook
    piece: PieceType = piece_on(board, origin)
    victim: PieceType = piece_on(board, target)
    occupied: Bitboard = (board.occupied | one << target) ^ one << origin
    if piece == _PAWN and victim == 0 and (origin ^ target) & 7:
        victim = _PAWN  # en passant
        occupied ^= one << (target - 8 if color else target + 8)

    # `balance`: what the side that just captured has gained if nobody continues, less `threshold`.
    balance: Score = piece_value(victim) - threshold
    if promoted:
        balance += piece_value(promoted) - piece_value(_PAWN)
        piece = promoted
    if balance < 0:
        return False
    balance -= piece_value(piece)
    if balance >= 0:
        return True  # sufficient even if the piece is lost

    diagonal: Bitboard = board.bishops | board.queens
    straight: Bitboard = board.rooks | board.queens
    attackers: Bitboard = attackers_to(board, target, occupied) & occupied
    wins: Flag = True
    while True:
        color = not color
        attackers &= occupied
        own_attackers: Bitboard = attackers & pieces_of(board, color)
        if own_attackers == 0:
            return wins
        wins = not wins
        least: Bitboard = own_attackers & board.pawns
        piece = _PAWN
        if least == 0:
            least = own_attackers & board.knights
            piece = _KNIGHT
        if least == 0:
            least = own_attackers & board.bishops
            piece = _BISHOP
        if least == 0:
            least = own_attackers & board.rooks
            piece = _ROOK
        if least == 0:
            least = own_attackers & board.queens
            piece = _QUEEN
        if least == 0:
            # The king cannot capture a defended piece.
            if attackers & pieces_of(board, not color):
                wins = not wins
            return wins
        balance = -balance - 1 - piece_value(piece)
        if balance >= 0:
            return wins
        occupied ^= one << lsb(least)
        # A slider behind the capturing piece now attacks the square.
        if piece in (_PAWN, _BISHOP, _QUEEN):
            attackers |= bishop_attacks(target, occupied) & diagonal
        if piece in (_ROOK, _QUEEN):
            attackers |= rook_attacks(target, occupied) & straight


def piece_value(piece: PieceType) -> Score:
    """The exchange value of a piece, in centipawns; 0 for the king and for no piece."""
    if piece == _PAWN:
        return PAWN_VALUE
    if piece == _KNIGHT:
        return KNIGHT_VALUE
    if piece == _BISHOP:
        return BISHOP_VALUE
    if piece == _ROOK:
        return ROOK_VALUE
    if piece == _QUEEN:
        return QUEEN_VALUE
    return 0


def capture_value(board: Board, move: MoveCode) -> Score:
    """The immediate gain of a capture or promotion, in centipawns."""
    victim: PieceType = piece_on(board, to_square(move))
    promoted: PieceType = promotion(move)
    if promoted:
        return piece_value(victim) + piece_value(promoted) - piece_value(_PAWN)
    return piece_value(victim) if victim else piece_value(_PAWN)

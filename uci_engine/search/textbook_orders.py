"""Textbook move orders, which `halbzug explain` compares with the engine's own.

They are compiled like the rest of the search, for a fair comparison. They rate all moves at once;
the engine's own order, in stages, is in `MovePicker`.
"""

from __future__ import annotations

from array import array

from ..board.movegen import (
    MAX_MOVES,
    Bitboard,
    Board,
    Flag,
    MoveCode,
    Number,
    PieceType,
    Ply,
    Rating,
    Square,
    bishop_attacks,
    from_square,
    generate_all,
    is_noisy,
    king_attacks,
    knight_attacks,
    pawn_attacks,
    piece_on,
    pieces_of,
    rook_attacks,
    to_square,
)
from .history import History
from .see import capture_value
from .settings import KILLER_ORDER, TEXTBOOK_ORDER

_PAWN, _KNIGHT, _BISHOP, _ROOK, _QUEEN, _KING = 1, 2, 3, 4, 5, 6

# Kinds of moves, highest first; the gap above captures leaves room for the victim's value.
_TT_MOVE, _CAPTURE, _KILLER, _THREAT, _FORWARD, _OTHER = 8192, 4096, 3, 2, 1, 0


def rate_all_moves(
    board: Board,
    ratings: array[int],
    order: Number,
    wants_quiets: Flag,
    tt_move: MoveCode,
    history: History,
    ply: Ply,
) -> Ply:
    """Write all legal moves into `ratings`, each with its rating << 16; return their number.

    Moves of the same kind stay in the order in which python-chess generates them.
    """
    end: Ply = 0
    place: Rating = MAX_MOVES
    move: MoveCode
    for move in generate_all(board):
        if not wants_quiets and not is_noisy(board, move):
            continue
        place -= 1
        rating: Rating = place
        if order >= TEXTBOOK_ORDER:
            is_first: Flag = order == KILLER_ORDER and move == tt_move
            is_killer: Flag = order == KILLER_ORDER and history.is_killer(move, ply)
            rating += _kind(board, move, is_first, is_killer) * MAX_MOVES
        ratings[end] = rating << 16 | move
        end += 1
    return end


def _kind(board: Board, move: MoveCode, is_first: Flag, is_killer: Flag) -> Rating:
    """The rating: captures and promotions, threats, forward moves, others.

    The most valuable victim comes first among captures. A threat is a move after which the piece
    gives check or attacks a more valuable one.

    Source: Russell and Norvig, Artificial Intelligence, on move ordering in alpha-beta.
    """
    if is_first:
        return _TT_MOVE
    if is_noisy(board, move):
        return _CAPTURE + capture_value(board, move)
    if is_killer:
        return _KILLER
    if _threatens(board, move):
        return _THREAT
    step: Number = (to_square(move) >> 3) - (from_square(move) >> 3)
    return _FORWARD if (step > 0 if board.turn else step < 0) else _OTHER


def _threatens(board: Board, move: MoveCode) -> Flag:
    """Whether the moved piece gives check or attacks an enemy piece worth more than itself."""
    origin: Square = from_square(move)
    target: Square = to_square(move)
    one: Bitboard = 1
    piece: PieceType = piece_on(board, origin)
    victims: Bitboard = board.kings
    if piece < _QUEEN:
        victims |= board.queens
    if piece < _ROOK:
        victims |= board.rooks
    if piece == _PAWN:
        victims |= board.knights | board.bishops
    attacks: Bitboard = 0
    if piece == _PAWN:
        attacks = pawn_attacks(board.turn, target)
    elif piece == _KNIGHT:
        attacks = knight_attacks(target)
    elif piece == _KING:
        attacks = king_attacks(target)
    else:
        occupied: Bitboard = board.occupied & ~(one << origin) | one << target
        if piece != _ROOK:
            attacks |= bishop_attacks(target, occupied)
        if piece != _BISHOP:
            attacks |= rook_attacks(target, occupied)
    return attacks & victims & pieces_of(board, not board.turn) != 0

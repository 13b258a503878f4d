"""Reads a move in algebraic notation; in the pure build, most of them quickly.

python-chess generates all legal moves that a text may mean. But most texts fit only one piece, and
then it is enough that no other piece attacks the king after the move. Anything less simple,
including castling, is left to python-chess.

Source: https://www.chessprogramming.org/Algebraic_Chess_Notation
"""

from __future__ import annotations

import re

import chess

from .movegen import BUILD
from .public_board import Board

_UCI = re.compile("(?:[a-h][1-8]){2}[nbrq]?")
_SQUARES = {name: square for square, name in enumerate(chess.SQUARE_NAMES)}
_FILES = dict(zip("abcdefgh", chess.BB_FILES, strict=True))
_PARTS = _FILES | dict(zip("12345678", chess.BB_RANKS, strict=True)) | {"": chess.BB_ALL}
_LAST_RANKS = chess.BB_RANK_1 | chess.BB_RANK_8
_PIECES = {"N", "B", "R", "Q", "K"}


def parse_move(board: chess.Board, san: str) -> chess.Move:
    """Read a move in SAN or UCI notation.

    :raises ValueError: if it is not legal, or is ambiguous.
    """
    if BUILD == "pure" and type(board) in (chess.Board, Board):
        move = quick_move(board, san)
        if move:
            return move
    try:
        return board.parse_san(san)
    except ValueError:
        if not _UCI.fullmatch(san):
            raise
        return board.parse_uci(san)


def quick_move(board: chess.Board, san: str) -> chess.Move | None:
    """The move that a text means; None if it needs a closer look, or means none.

    :param board: a python-chess board.
    """
    if san[-1:] in ("+", "#"):
        san = san[:-1]
    target = _SQUARES.get(san[-2:])
    if target is None:
        return None
    us = board.turn
    ours = board.occupied_co[us]
    target_bb = 1 << target
    if ours & target_bb:
        return None
    letter = san[0]
    if letter in _PIECES:
        part = _PARTS.get(san[1:-2].removesuffix("x"))
        if part is None:
            return None
        froms = _pieces_that_reach(board, letter, target) & ours & part
    elif target_bb & _LAST_RANKS:
        return None
    elif len(san) == 2:
        froms = _pawns_that_step(board, target, us) & ours
    elif len(san) == 4 and san[1] == "x" and board.occupied & target_bb:
        froms = chess.BB_PAWN_ATTACKS[not us][target] & board.pawns & ours & _FILES.get(letter, 0)
    else:
        return None
    if not froms or froms & (froms - 1):
        return None
    square = target if letter == "K" else (board.kings & ours).bit_length() - 1
    if square < 0 or _is_attacked(board, square, board.occupied ^ froms, us):
        return None
    return chess.Move(froms.bit_length() - 1, target)


def _pieces_that_reach(board: chess.Board, letter: str, target: chess.Square) -> chess.Bitboard:
    """The pieces of one kind, of both sides, that attack a square."""
    if letter == "N":
        return board.knights & chess.BB_KNIGHT_ATTACKS[target]
    if letter == "K":
        return board.kings & chess.BB_KING_ATTACKS[target]
    occupied = board.occupied
    pieces = board.queens if letter == "Q" else board.bishops if letter == "B" else board.rooks
    reached = 0
    if letter != "R":
        reached = chess.BB_DIAG_ATTACKS[target][chess.BB_DIAG_MASKS[target] & occupied]
    if letter != "B":
        reached |= chess.BB_RANK_ATTACKS[target][chess.BB_RANK_MASKS[target] & occupied]
        reached |= chess.BB_FILE_ATTACKS[target][chess.BB_FILE_MASKS[target] & occupied]
    return pieces & reached


def _pawns_that_step(board: chess.Board, target: chess.Square, us: chess.Color) -> chess.Bitboard:
    """The pawn, of either side, that reaches a square by one step or two."""
    occupied = board.occupied
    if occupied & 1 << target:
        return 0
    step = -8 if us else 8
    one = 1 << target + step
    if occupied & one:
        return one & board.pawns
    return 1 << target + 2 * step & board.pawns if target >> 3 == (3 if us else 4) else 0


def _is_attacked(
    board: chess.Board, square: chess.Square, occupied: chess.Bitboard, us: chess.Color
) -> bool:
    """Whether the other side attacks a square, with only these squares occupied."""
    lines = chess.BB_RANK_ATTACKS[square][chess.BB_RANK_MASKS[square] & occupied]
    lines |= chess.BB_FILE_ATTACKS[square][chess.BB_FILE_MASKS[square] & occupied]
    diagonals = chess.BB_DIAG_ATTACKS[square][chess.BB_DIAG_MASKS[square] & occupied]
    queens = board.queens
    attackers = lines & (board.rooks | queens) | diagonals & (board.bishops | queens)
    attackers |= chess.BB_KNIGHT_ATTACKS[square] & board.knights
    attackers |= chess.BB_PAWN_ATTACKS[us][square] & board.pawns
    attackers |= chess.BB_KING_ATTACKS[square] & board.kings
    return bool(attackers & board.occupied_co[not us])

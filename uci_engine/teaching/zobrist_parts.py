"""The parts of a Zobrist key, and how a move changes them.

A key is the exclusive or of a random number for each piece on its square, each castling right, the
file of a legal en passant capture, and White to move. The numbers are Polyglot's, and the keys are
those of the engine's transposition table (`halbzug.search.position`).

Source: https://www.chessprogramming.org/Zobrist_Hashing
"""

from __future__ import annotations

import functools
from typing import Literal, NamedTuple

import chess
from chess.polyglot import POLYGLOT_RANDOM_ARRAY

from ..api.one_liners import own_board
from ..search.position import Position

#: Offsets in Polyglot's array.
_CASTLING, _EN_PASSANT, _TURN = 768, 772, 780


class KeyPart(NamedTuple):
    """A part of a position with a number of its own.

    :ivar name: of a piece or castling right as in a FEN, for en passant the file.
    :ivar square: of a piece.
    :ivar number: 64 bits.
    """

    kind: Literal["piece", "castling", "en_passant", "turn"]
    name: str
    square: str
    number: int


class Change(NamedTuple):
    """A number added to a key or removed from it: both are an exclusive or."""

    part: KeyPart
    is_new: bool


def parts(board: chess.Board) -> list[KeyPart]:
    """The parts of a position; the exclusive or of their numbers is its key."""
    random = POLYGLOT_RANDOM_ARRAY
    found = []
    for square, piece in board.piece_map().items():
        number = random[((piece.piece_type - 1) * 2 + piece.color) * 64 + square]
        found.append(KeyPart("piece", piece.symbol(), chess.square_name(square), number))
    rights = (
        board.has_kingside_castling_rights(chess.WHITE),
        board.has_queenside_castling_rights(chess.WHITE),
        board.has_kingside_castling_rights(chess.BLACK),
        board.has_queenside_castling_rights(chess.BLACK),
    )
    for number, has_right in enumerate(rights):
        if has_right:
            found.append(KeyPart("castling", "KQkq"[number], "", random[_CASTLING + number]))
    if board.ep_square is not None and board.has_legal_en_passant():
        file = chess.square_file(board.ep_square)
        found.append(KeyPart("en_passant", chess.FILE_NAMES[file], "", random[_EN_PASSANT + file]))
    if board.turn:
        found.append(KeyPart("turn", "", "", random[_TURN]))
    return found


def key_of(board: chess.Board) -> int:
    """The key of a position, as in the engine's search."""
    return Position(own_board(board)).key


class Keyed:
    """A position with its key and parts, each computed once."""

    def __init__(self, board: chess.Board) -> None:
        self._board = board

    @functools.cached_property
    def key(self) -> int:
        """See `key_of`."""
        return key_of(self._board)

    @functools.cached_property
    def parts(self) -> list[KeyPart]:
        """See `parts`."""
        return parts(self._board)


def changes(before: Keyed, after: Keyed) -> list[Change]:
    """The changes from one position's key to the other's: first what leaves, then what arrives."""
    old, new = before.parts, after.parts
    gone = [Change(part, False) for part in old if part not in new]
    return gone + [Change(part, True) for part in new if part not in old]

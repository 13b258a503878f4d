"""Reads a move from bytes; in the compiled build this is C, in `san_reading.pxd`."""

from __future__ import annotations

from .movegen import Board, MoveCode, Number, encode
from .san import parse_move


def read_san(board: Board, text: bytes, begin: Number, end: Number) -> MoveCode:
    """The code of the legal move in `text[begin:end]`, in SAN without a check mark.

    :returns: -1 if it is not legal, is ambiguous, or is written differently.
    """
    try:
        return encode(parse_move(board, text[begin:end].decode("ascii")))
    except ValueError:
        return -1

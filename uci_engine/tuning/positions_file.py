"""Positions from games and searches in 32 bytes each: the format of recorded files.

A file consists only of records, so any part of it is also a file, and files can be joined with
`cat`. A record, in little-endian bytes:

    8   which squares are occupied, a1 in the lowest bit
    16  the pieces there, from a1 on, in half bytes, the lower half first: the type as in
        python-chess (pawn 1 to king 6), and 8 more if it is black
    2   the score of the search in centipawns, for White, signed
    1   White's result in half points: 0, 1 or 2
    1   bit 0: White is to move; bits 1 to 4: the rights to castle, K Q k q
    4   the number of the game: positions of one game are similar, and are held out together

Rights to castle are those of orthodox chess; en passant and the clocks are not kept.
"""

from __future__ import annotations

import struct
import sys
from array import array
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .descent import Vector

#: Size of a record in bytes.
SIZE = 32

#: Maximum absolute score stored, in centipawns; a greater one is reduced to this.
MAX_SCORE = 32_000

_RECORD = struct.Struct("<Q16shBBI")
_SHORT, _GAME = struct.Struct("<h"), struct.Struct("<I")
_SCORE = 24  # offset of the score
_LETTERS = " PNBRQK  pnbrqk"
_CODES = {letter: code for code, letter in enumerate(_LETTERS) if letter != " "}

#: The columns of a record for numpy; `halves` has two squares in a byte.
COLUMNS = (
    ("occupied", "<u8"),
    ("halves", "u1", (16,)),
    ("score", "<i2"),
    ("result", "u1"),
    ("flags", "u1"),
    ("game", "<u4"),
)


def codes_of(placement: str) -> list[int]:
    """The content of each square, from a1 on: a record's half bytes, and 0 for empty squares.

    :param placement: the first field of a FEN.
    """
    codes: list[int] = []
    for rank in reversed(placement.split("/")):
        for letter in rank:
            if letter in _CODES:
                codes.append(_CODES[letter])
            else:
                codes += [0] * int(letter)
    return codes


def pack(codes: Sequence[int], flags: int, score: int, result: float, game: int) -> bytes:
    """Pack a record.

    :param codes: see `codes_of`.
    :param flags: the side to move and castling rights, in the record's bits.
    :param score: in centipawns, for White.
    """
    occupied = halves = place = 0
    for square, code in enumerate(codes):
        if code:
            occupied |= 1 << square
            halves |= code << place
            place += 4
    points = round(2 * result)
    return _RECORD.pack(
        occupied, halves.to_bytes(16, "little"), _within(score), points, flags, game
    )


def with_score(record: bytes, score: int, game: int) -> bytes:
    """The same record with another score, in centipawns for White, and another game number."""
    ending = record[_SCORE + 2 : -_GAME.size] + _GAME.pack(game)
    return record[:_SCORE] + _SHORT.pack(_within(score)) + ending


def words_of(records: bytes) -> array[int]:
    """Records as native 64-bit words, four per record.

    :raises ValueError: if a record is cut off.
    """
    if len(records) % SIZE:
        raise ValueError(f"a record has {SIZE} bytes")
    return little_endian(array("Q", records))


def little_endian(numbers: array[int]) -> array[int]:
    """Swap the bytes of file content if the processor's byte order differs."""
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


def _within(score: int) -> int:
    return min(max(score, -MAX_SCORE), MAX_SCORE)


def read_columns(path: Path) -> Vector:
    """All records of a file as a memory-mapped numpy array with the fields of `COLUMNS`.

    :raises OSError: if it cannot be read.
    :raises ValueError: if it contains something else.
    """
    import numpy as np

    return np.memmap(path, dtype=np.dtype(list(COLUMNS)), mode="r")


def pieces_of(columns: Vector) -> tuple[Vector, Vector, Vector]:
    """All pieces, in the order of the records and, within each, of the squares.

    :param columns: see `read_columns`.
    :returns: for each piece its square, 64 more for each record before, and its half byte; for each
        record the number of its pieces.
    """
    import numpy as np

    occupied = np.ascontiguousarray(columns["occupied"]).view(np.uint8).reshape(-1, 8)
    is_occupied = np.unpackbits(occupied, axis=1, bitorder="little").view(bool)
    counts = is_occupied.sum(1)
    halves = columns["halves"]
    pieces = np.stack([halves & 15, halves >> 4], axis=2).reshape(-1, 32)
    return np.flatnonzero(is_occupied), pieces[np.arange(32) < counts[:, None]], counts

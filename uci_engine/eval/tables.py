"""The weights in the form the terms use: packed, in flat arrays.

`uci_engine/eval/weights.py` is data that the tuner writes; all other modules use this one.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..board.constants import BB_FILE_A
from .tapered import pack
from .weights import WEIGHTS

#: Each piece's contribution to the game phase; 24 is a full board.
PHASE = (0, 0, 1, 1, 2, 4, 0)
FULL_PHASE = 24

#: Piece names in python-chess's numbering.
PIECES = ("", "pawn", "knight", "bishop", "rook", "queen", "king")

#: Size of a mobility table for each piece type; no piece can reach this many squares.
MAX_MOBILITY = 32

#: King attack: the units of each attacker and each safe check, by piece type. The tuned table
#: `king_danger` converts units into centipawns, so these are not tuned.
ATTACKER_UNITS = (0, 0, 3, 3, 4, 5, 0)
CHECK_UNITS = (0, 0, 4, 3, 5, 5, 0)
WEAK_SQUARE_UNITS = 2


#: Pairs of piece types in the order of the weights `own_pair` (one side) and `enemy_pair`.
OWN_PAIRS = tuple((piece, partner) for piece in range(1, 6) for partner in range(1, piece + 1))
ENEMY_PAIRS = tuple((piece, partner) for piece in range(2, 6) for partner in range(1, piece))

#: The files around a king, by its file.
FLANKS = tuple(BB_FILE_A * files for files in (0x07, 0x0F, 0x0F, 0x3C, 0x3C, 0xF0, 0xF0, 0xE0))


def packed(name: str) -> list[int]:
    """All weights of a table, packed."""
    return [pack(middlegame, endgame) for middlegame, endgame in WEIGHTS[name]]


def single(name: str) -> int:
    """The weight of a table that has only one."""
    (weight,) = packed(name)
    return weight


def piece_square() -> list[int]:
    """Material plus square, indexed by piece << 6 | square, for White (a1 = 0)."""
    table = [0] * 64
    for number, piece in enumerate(PIECES[1:]):
        material = packed("material")[number]
        squares = packed(f"{piece}_square")
        table += [material + squares[square ^ 56] for square in range(64)]
    return table


def own_pairs() -> list[int]:
    """The score of two pieces of one side, at piece << 3 | partner, the higher type first."""
    return _pairs("own_pair", OWN_PAIRS)


def enemy_pairs() -> list[int]:
    """The score of a piece beside an enemy piece, at piece << 3 | partner."""
    return _pairs("enemy_pair", ENEMY_PAIRS)


def _pairs(name: str, pairs: Sequence[tuple[int, int]]) -> list[int]:
    table = [0] * 64
    for (piece, partner), weight in zip(pairs, packed(name), strict=True):
        table[piece << 3 | partner] = weight
    return table


def mobility() -> list[int]:
    """The score of a number of squares, indexed by piece << 5 | number."""
    table = [0] * (MAX_MOBILITY * len(PIECES))
    for piece in (2, 3, 4, 5):
        for number, weight in enumerate(packed(f"{PIECES[piece]}_mobility")):
            table[piece * MAX_MOBILITY + number] = weight
    return table

"""Tapered scores: a middlegame and an endgame value packed into one int.

Positions change gradually from middlegame to endgame, so each weight has two values, which the
evaluation blends by the remaining material. Packing both into one int lets every term be a single
sum: packed scores add, subtract and multiply by a count like plain ints. Source of the technique:
https://www.chessprogramming.org/Tapered_Eval
"""

from __future__ import annotations

from ..board.movegen import Score, Tapered


def pack(middlegame: int, endgame: int) -> int:
    """Pack two values in -20000 .. 20000 (centipawns) into one."""
    return (endgame << 16) + middlegame


def middlegame_of(score: Tapered) -> Score:
    """The middlegame half of a packed score."""
    return ((score + 0x8000) & 0xFFFF) - 0x8000


def endgame_of(score: Tapered) -> Score:
    """The endgame half of a packed score."""
    return (score + 0x8000) >> 16

"""Pawn structure: doubled, isolated and passed pawns, remembered from node to node.

Pawns move seldom, so most nodes of a search meet a structure that was evaluated before: a small
cache keyed by both sides' pawns answers nine in ten look-ups.
Source of the technique: https://www.chessprogramming.org/Pawn_Hash_Table
"""

from __future__ import annotations

from array import array

from eval import weights
from uci_engine.rules import Bitboard, Color, Key, Square, Tapered, lsb, popcount

_CACHE = 1 << 12
_FILE_A: Bitboard = 0x0101010101010101
_ALL: Bitboard = 0xFFFFFFFFFFFFFFFF
_SPREAD: Bitboard = 0x9E3779B97F4A7C15  # odd, bits well mixed: Fibonacci hashing

_DOUBLED = weights.DOUBLED_PAWN
_ISOLATED = weights.ISOLATED_PAWN
_NOT_FILE_A: Bitboard = _ALL ^ _FILE_A
_NOT_FILE_H: Bitboard = _ALL ^ _FILE_A << 7


def fill_ahead(squares: Bitboard, color: Color) -> Bitboard:
    """All squares in front of `squares`, as their side sees it, they themselves left out."""
    if color:
        squares = squares << 8 & _ALL
        squares |= squares << 8 & _ALL
        squares |= squares << 16 & _ALL
        return squares | squares << 32 & _ALL
    squares = squares >> 8
    squares |= squares >> 8
    squares |= squares >> 16
    return squares | squares >> 32


def beside(squares: Bitboard) -> Bitboard:
    """The squares next to `squares` on the same rank."""
    return (squares & _NOT_FILE_A) >> 1 | (squares & _NOT_FILE_H) << 1


class PawnStructure:
    """Scores pawn structures, with a cache of its own."""

    def __init__(self) -> None:
        self.passed_bonus = array("i", weights.PASSED_PAWN)
        self.known = array("Q", bytes(8 * 2 * _CACHE))
        self.scores = array("i", bytes(4 * _CACHE))

    def score(self, white: Bitboard, black: Bitboard) -> Tapered:
        """The structure's worth, White minus Black, packed."""
        mixed: Key = (white ^ (black << 1 & _ALL)) * _SPREAD & _ALL
        slot: Key = mixed >> 52
        if self.known[2 * slot] == white and self.known[2 * slot + 1] == black:
            return self.scores[slot]
        value: Tapered = self.side(white, black, True) - self.side(black, white, False)
        self.known[2 * slot] = white
        self.known[2 * slot + 1] = black
        self.scores[slot] = value
        return value

    def side(self, own: Bitboard, enemy: Bitboard, color: Color) -> Tapered:
        """One side's worth, packed."""
        total: Tapered = 0
        stopped: Bitboard = fill_ahead(enemy | beside(enemy), not color)
        files: Bitboard = own | fill_ahead(own, True) | fill_ahead(own, False)
        alone: Bitboard = own & ~beside(files)
        behind: Bitboard = own & fill_ahead(own, not color)
        total += _DOUBLED * popcount(behind)
        total += _ISOLATED * popcount(alone)
        passed: Bitboard = own & ~stopped & ~behind
        while passed:
            square: Square = lsb(passed)
            total += self.passed_bonus[square >> 3 if color else 7 - (square >> 3)]
            passed &= passed - 1
        return total

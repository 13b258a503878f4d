"""Correction history: what the search has learnt about the evaluation's errors.

Where the search at some depth finds another value than the static evaluation, the difference is
remembered by pawn structure, which outlives most moves, and added to later evaluations there.
Source: https://www.chessprogramming.org/Static_Evaluation_Correction_History
"""

from __future__ import annotations

from array import array

from uci_engine.rules import Bitboard, Board, Depth, Key, Score, pieces_of

_SLOTS = 1 << 14  # a side
_GRAIN = 256  # entries are kept in 1/256 centipawns
_LIMIT = 96 * _GRAIN  # no correction is larger
_LARGEST_STEP = 128  # of 1024 parts: how fast an entry may move
_ALL: Bitboard = 0xFFFFFFFFFFFFFFFF
_SPREAD: Bitboard = 0x9E3779B97F4A7C15  # Fibonacci hashing, as in the pawn cache


class CorrectionHistory:
    """Average differences of search and evaluation, by side to move and pawn structure."""

    def __init__(self) -> None:
        self.entries = array("i", bytes(4 * 2 * _SLOTS))

    def correct(self, board: Board, evaluation: Score) -> Score:
        """The evaluation as experience would have it, in centipawns."""
        return evaluation + (self.entries[self._slot(board)] // _GRAIN)

    def learn(self, board: Board, depth: Depth, difference: Score) -> None:
        """A search of `depth` found the position worth `difference` more than evaluated."""
        slot: Key = self._slot(board)
        step: Score = depth * 8 + 8
        if step > _LARGEST_STEP:
            step = _LARGEST_STEP
        if difference > 256:
            difference = 256
        elif difference < -256:
            difference = -256
        entry: Score = self.entries[slot]
        entry = (entry * (1024 - step) + difference * _GRAIN * step) >> 10
        if entry > _LIMIT:
            entry = _LIMIT
        elif entry < -_LIMIT:
            entry = -_LIMIT
        self.entries[slot] = entry

    def _slot(self, board: Board) -> Key:
        white: Bitboard = board.pawns & pieces_of(board, True)
        black: Bitboard = board.pawns & pieces_of(board, False)
        mixed: Key = (white ^ (black << 1 & _ALL)) * _SPREAD & _ALL
        slot: Key = mixed >> 50
        return slot + (_SLOTS if board.turn else 0)

"""Correction history: what the search has learnt about errors of the evaluation.

When a search finds another value than the static evaluation, the difference is stored under
features that outlast most moves (the pawn structure, and the placement of each side's pieces), and
later evaluations with the same features are corrected by it.

Source: https://www.chessprogramming.org/Static_Evaluation_Correction_History
"""

from __future__ import annotations

from array import array

from ..board.movegen import Bitboard, Board, Color, Depth, Key, Number, Score, pieces_of
from .parameters import (
    CORRECTION_BONUS_DIVISOR,
    CORRECTION_BONUS_MAX,
    CORRECTION_GRAIN,
    CORRECTION_LIMIT,
)
from .settings import Settings

_SLOTS = 1 << 14  # per side
_ALL: Bitboard = 0xFFFFFFFFFFFFFFFF
# Odd numbers with well-mixed bits, one per kind of piece: Fibonacci hashing.
_PAWNS: Bitboard = 0x9E3779B97F4A7C15
_KNIGHTS: Bitboard = 0xBF58476D1CE4E5B9
_BISHOPS: Bitboard = 0x94D049BB133111EB
_ROOKS: Bitboard = 0xD6E8FEB86659FD93
_QUEENS: Bitboard = 0xFF51AFD7ED558CCD
_KINGS: Bitboard = 0xC4CEB9FE1A85EC53

# Up to this many changes are undone one by one; beyond it, the whole table is cleared.
_MAX_CHANGES = 1 << 12


class CorrectionHistory:
    """Average differences between search and evaluation, by side to move and piece placement."""

    def __init__(self) -> None:
        self.settings = Settings()  # those of the current search
        # By side to move: pawns, White's pieces, Black's pieces.
        self.entries = array("h", [0]) * (2 * 3 * _SLOTS)
        # The slots changed since the last `clear`, unless there are too many.
        self.changed = array("I", bytes(4 * _MAX_CHANGES))
        self.changed_end = 0

    def clear(self) -> None:
        """Forget everything, for a new game."""
        number: Number
        if self.changed_end < _MAX_CHANGES:
            for number in range(self.changed_end):
                self.entries[self.changed[number]] = 0
        else:
            for number in range(len(self.entries)):
                self.entries[number] = 0
        self.changed_end = 0

    def correct(self, board: Board, evaluation: Score) -> Score:
        """The corrected evaluation, in centipawns."""
        total: Score = self.entries[self._pawn_slot(board)]
        if self.settings.piece_correction:
            total += self.entries[self._piece_slot(board, True)]
            total += self.entries[self._piece_slot(board, False)]
        return evaluation + (total // CORRECTION_GRAIN)

    def learn(self, board: Board, depth: Depth, error: Score) -> None:
        """Learn that a search of `depth` found a score `error` above the corrected evaluation."""
        bonus: Score = error * depth // CORRECTION_BONUS_DIVISOR
        if bonus > CORRECTION_BONUS_MAX:
            bonus = CORRECTION_BONUS_MAX
        elif bonus < -CORRECTION_BONUS_MAX:
            bonus = -CORRECTION_BONUS_MAX
        self._gravity_update(self._pawn_slot(board), bonus)
        self._gravity_update(self._piece_slot(board, True), bonus)
        self._gravity_update(self._piece_slot(board, False), bonus)

    def _gravity_update(self, slot: Key, bonus: Score) -> None:
        """Add a bonus with gravity: the nearer to the limit, the smaller the step."""
        size: Score = bonus if bonus >= 0 else -bonus
        entry: Score = self.entries[slot]
        self.entries[slot] = entry + bonus - entry * size // CORRECTION_LIMIT
        if self.changed_end < _MAX_CHANGES:
            self.changed[self.changed_end] = slot
            self.changed_end += 1

    def _pawn_slot(self, board: Board) -> Key:
        white: Bitboard = board.pawns & pieces_of(board, True)
        black: Bitboard = board.pawns & pieces_of(board, False)
        mixed: Key = (white ^ (black << 1 & _ALL)) * _PAWNS & _ALL
        slot: Key = mixed >> 50
        return slot + (_SLOTS if board.turn else 0)

    def _piece_slot(self, board: Board, color: Color) -> Key:
        own: Bitboard = pieces_of(board, color)
        mixed: Key = (
            (own & board.knights) * _KNIGHTS
            ^ (own & board.bishops) * _BISHOPS
            ^ (own & board.rooks) * _ROOKS
            ^ (own & board.queens) * _QUEENS
            ^ (own & board.kings) * _KINGS
        ) & _ALL
        slot: Key = mixed >> 50
        slot += 2 * _SLOTS if color else 4 * _SLOTS
        return slot + (_SLOTS if board.turn else 0)

"""The evaluation: all terms, blended by game phase, from the side to move."""

from __future__ import annotations

from typing import NamedTuple

from eval import weights
from eval.accumulator import Accumulator
from eval.king import shelter
from eval.pawns import PawnStructure
from eval.pieces import PieceActivity
from eval.tapered import endgame_of, middlegame_of
from uci_engine.rules import Board, Score, Tapered, king_square, pieces_of

_FULL_PHASE = weights.FULL_PHASE
_TEMPO = weights.TEMPO


class Term(NamedTuple):
    """One row of the evaluation table: packed scores of White and Black (their own view)."""

    name: str
    white: int
    black: int


class Evaluator:
    """Evaluates boards; one per search, because the pawn cache is its own."""

    def __init__(self) -> None:
        self.pawns = PawnStructure()
        self.activity = PieceActivity()

    def evaluate(self, board: Board, accumulator: Accumulator) -> Score:
        """The static evaluation in centipawns from the side to move.

        :param accumulator: the sums for this very board.
        """
        white_pawns = board.pawns & pieces_of(board, True)
        black_pawns = board.pawns & pieces_of(board, False)
        total: Tapered = accumulator.score
        total += self.pawns.score(white_pawns, black_pawns)
        total += self.activity.survey(board, True) - self.activity.survey(board, False)
        total += shelter(king_square(board, True), white_pawns, True)
        total -= shelter(king_square(board, False), black_pawns, False)
        if not board.turn:
            total = -total
        return self.blend(total, accumulator.phase) + _TEMPO

    def blend(self, total: Tapered, phase: Score) -> Score:
        """Weigh the halves of a packed score by the game phase (0 endgame .. 24 full board)."""
        if phase > _FULL_PHASE:
            phase = _FULL_PHASE
        return (middlegame_of(total) * phase + endgame_of(total) * (_FULL_PHASE - phase)) // 24

    def terms(self, board: Board, accumulator: Accumulator) -> list[Term]:
        """Every term by itself, for people; their sum, blended, is `evaluate` without tempo.

        The accumulator holds one sum for both sides, so the first row shows it as White's.
        """
        white = pieces_of(board, True) & board.pawns
        black = pieces_of(board, False) & board.pawns
        rows = [Term("Material and squares", accumulator.score, 0)]
        pawns = self.pawns
        rows.append(
            Term("Pawn structure", pawns.side(white, black, True), pawns.side(black, white, False))
        )
        sides = []
        for color in (True, False):
            self.activity.survey(board, color)
            sides.append(
                (
                    self.activity.mobility,
                    self.activity.rook_files,
                    self.activity.bishop_pair,
                    self.activity.king_attack,
                )
            )
        names = ("Mobility", "Rooks on files", "Bishop pair", "King attack")
        for name, white_score, black_score in zip(names, *sides, strict=True):
            rows.append(Term(name, white_score, black_score))
        rows.append(
            Term(
                "King shelter",
                shelter(king_square(board, True), white, True),
                shelter(king_square(board, False), black, False),
            )
        )
        return rows

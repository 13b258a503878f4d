"""Why a move is bad, in words: a claim confirmed by two searches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import chess

from ..board.public_board import Board
from .claims import ENOUGH_COST, Cause, Evidence, ReasonClaim, claims_of, is_costly
from .motifs import gains, passed_on
from .reason_wording import better_text, why_text
from .term_groups import TermChange, term_changes

#: Minimum advantage of a better move, in centipawns.
LEAST_LOSS = 50

#: Number of equal moves at the start of a line for another search to confirm a gain.
SHARED = 1


@dataclass(frozen=True)
class MoveReason:
    """Why a move is bad. Scores are in centipawns from the side that made it."""

    board: chess.Board = field(repr=False)  # before the move
    move: chess.Move
    best: chess.Move | None
    score_before: int  # with the best move
    score_after: int
    refutation: tuple[chess.Move, ...]  # from the position after the move
    best_line: tuple[chess.Move, ...]
    claim: ReasonClaim | None = None  # None if nothing is certain

    @property
    def loss(self) -> int:
        """The cost of the move in centipawns; mates count as in `scores`."""
        return self.score_before - self.score_after

    @property
    def is_bad(self) -> bool:
        """Whether there is a sufficiently better move."""
        return self.best not in (None, self.move) and self.loss >= LEAST_LOSS

    @cached_property
    def cause(self) -> Cause | None:
        """How the move exposed a piece that is captured at once."""
        motif = self.claim.motif if self.claim else None
        if not self.claim or self.claim.kind != "material" or not motif or not motif.is_at_once:
            return None
        if not motif.targets or self.board.is_castling(self.move) or self.board.is_check():
            return None
        square, by, capture = motif.targets[0].square, motif.by, self.claim.moves[0]
        if square == self.move.to_square:
            return "moved"
        before = Board.from_board(passed_on(self.board), stack=False)
        if before.piece_type_at(by.square) != by.kind:
            return None
        if not before.is_legal(capture):
            line = chess.SquareSet(chess.between(by.square, square))
            return "opened" if self.move.from_square in line else None
        did_defend = square in self.board.attacks(self.move.from_square)
        if did_defend and square not in self._after.attacks(self.move.to_square):
            return "undefended"
        return "left" if gains(before, capture) else None

    @property
    def why(self) -> str:
        """The reason in a sentence; empty if none is certain."""
        if self.claim is None:
            return ""
        return why_text(self.board, self.move, self.claim, self.cause, self.score_after)

    @property
    def better(self) -> str:
        """The better move and what it keeps, in a sentence; empty if the move is good."""
        if not self.is_bad or self.best is None:
            return ""
        scores = self.score_before, self.score_after
        return better_text(self.board, self.best, self.claim, *scores)

    @property
    def text(self) -> str:
        """Both sentences; empty if no reason is certain."""
        return f"{self.why} {self.better}".strip() if self.why else ""

    @cached_property
    def terms(self) -> tuple[TermChange, ...]:
        """The evaluation at the end of both lines by groups of terms, greatest loss first."""
        kept, left = _end(self.board, self.best_line), _end(self._after, self.refutation)
        return term_changes(kept, left, self.board.turn)

    @cached_property
    def _after(self) -> chess.Board:
        after = self.board.copy(stack=False)
        after.push(self.move)
        return after


def explain_move(searches: Sequence[Evidence]) -> MoveReason:
    """Explain why a move is bad, from existing searches.

    :param searches: of the same move, deepest last. The last one counts, and an earlier one must
        confirm it.
    """
    last = searches[-1]
    reason = MoveReason(
        last.board,
        last.move,
        last.best_line[0] if last.best_line else None,
        last.score_before,
        last.score_after,
        last.refutation,
        last.best_line,
    )
    if not reason.is_bad:
        return reason
    return replace(reason, claim=_agreed(searches))


def _agreed(searches: Sequence[Evidence]) -> ReasonClaim | None:
    """The last search's first claim that an earlier one confirms; a single search is believed.

    If two claims differ in the size of the gain, the smaller one is given.
    """
    *earlier, last = searches
    for claim in claims_of(last):
        if not earlier:
            return claim
        for other in reversed(earlier):
            found = borne_out(claim, other)
            if found:
                return found
    return None


def borne_out(claim: ReasonClaim, other: Evidence) -> ReasonClaim | None:
    """A claim, or a smaller one of the same kind, if another search confirms it."""
    for found in claims_of(other):
        if found.kind == claim.kind:
            return claim if found.points >= claim.points else found
    if claim.kind in ("material", "missed material"):
        line = other.best_line if claim.is_missed else other.refutation
        is_same = line[:SHARED] == claim.moves[:SHARED]
        return claim if is_same and is_costly(claim.points, other.cost) else None
    is_enough = claim.mate or claim.kind == "pawn ending"
    return claim if is_enough and other.cost >= ENOUGH_COST else None


def _end(board: chess.Board, moves: Sequence[chess.Move]) -> chess.Board:
    end = board.copy(stack=False)
    for move in moves:
        end.push(move)
    return end

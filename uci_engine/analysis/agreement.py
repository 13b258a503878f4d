"""What several searches say about a move: what only one of them finds is not said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from itertools import takewhile

import chess

from halbzug.analysis.facts import Fact
from halbzug.analysis.findings import SecondLook
from halbzug.analysis.move_reason import CONFIRMED, Limits, MoveReason, explain_move
from halbzug.analysis.reason_facts import fact_of

#: What one search alone finds is taken in so many plies; in the other line it may be later.
_NEAR_CAPTURE = 4


class Found:
    """What one search finds out about a move; parameters as in `explain_move`."""

    def __init__(
        self,
        board: chess.Board,
        move: chess.Move,
        refutation: Sequence[chess.Move],
        best_line: Sequence[chess.Move],
        score_before: int,
        score_after: int,
    ) -> None:
        self.refutation = tuple(refutation)
        self._said = (board, move, self.refutation, best_line, score_before, score_after)
        self.strict = explain_move(*self._said)

    @property
    def plain(self) -> MoveReason:
        """The lines and the scores without a reason."""
        board, move, refutation, best_line, before, after = self._said
        best = best_line[0] if best_line else None
        return MoveReason(board, move, best, before, after, tuple(refutation), tuple(best_line))

    def within(self, limits: Limits) -> MoveReason:
        """With reasons further away."""
        return explain_move(*self._said, limits)

    @cached_property
    def wide(self) -> MoveReason:
        """With reasons as far away as two searches may find them."""
        return self.within(CONFIRMED)

    def supports(self, reason: MoveReason) -> bool:
        """Whether the refutation begins as that of another search, and takes the same piece."""
        lost, refutation = reason.lost, self.refutation
        if lost is None or reason.missed or lost.motif is None or not refutation:
            return False
        if lost.motif.capture > _NEAR_CAPTURE:
            return False
        takes = (move.to_square for move in refutation[: CONFIRMED.horizon : 2])
        is_bad = self.strict.is_bad and self.strict.missed is None
        return (
            is_bad and lost.moves[0] == refutation[0] and any(lost.prize == each for each in takes)
        )

    @cached_property
    def fact(self) -> Fact | None:
        """What else the refutation brings about."""
        return fact_of(*self._said)


def found_again(board: chess.Board, move: chess.Move, said: SecondLook) -> Found:
    """What a second search finds out about a move."""
    refutation, best_line = _moves(said.refutation), _moves(said.best_line)
    return Found(board, move, refutation, best_line, said.score_before, said.score_after)


def _moves(texts: Sequence[str]) -> tuple[chess.Move, ...]:
    return tuple(map(chess.Move.from_uci, texts))


def agreed(found: Sequence[Found]) -> MoveReason:
    """What the last search and an earlier one both say; the deeper ones come later."""
    last = found[-1]
    if last.strict.is_bad:
        for earlier in reversed(found[:-1]):
            reason = _agreed(earlier, last)
            if reason.is_certain:
                return reason
    return last.plain


def _agreed(first: Found, second: Found) -> MoveReason:
    """What two searches both say, in the words of the second, deeper one, or the plainer words."""
    plain = second.plain
    shared = _shared(first.refutation, second.refutation)
    pairs = [(first.strict, second.strict), (first.wide, second.wide)]
    if shared > CONFIRMED.very_near:
        far = CONFIRMED.widened(shared)
        pairs.append((first.within(far), second.within(far)))
    for one, other in pairs:
        if other.is_certain and other.agrees(one):
            is_plainer = one.is_plain and not other.is_plain
            is_less = one.is_plain == other.is_plain and one.points < other.points
            return one if is_plainer or is_less else other
    for found, checked in ((second, first), (first, second)):
        if checked.supports(found.wide):
            return found.wide
    if first.strict.is_certain or second.strict.is_certain:
        return plain
    if first.fact and second.fact and second.fact.agrees(first.fact):
        return replace(plain, fact=second.fact)
    return plain


def _shared(one: Sequence[chess.Move], other: Sequence[chess.Move]) -> int:
    """How many moves two lines begin with that are the same."""
    return len(list(takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))))

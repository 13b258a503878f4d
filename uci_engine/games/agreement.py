"""What several searches say about a move: what only one of them finds is not said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from itertools import takewhile

import chess

from ..batch.findings import OtherReply, SecondLook
from ..batch.other_replies import is_avoidable, is_looked_at
from ..reasons.facts import Fact
from ..reasons.motifs import PlayedLine
from ..reasons.move_reason import (
    CONFIRMED,
    MoveReason,
    Outcome,
    ReasonLimits,
    explain_move,
    gain_on_one_line,
    loss_on_one_line,
    wins_as_much,
)
from ..reasons.reason_facts import fact_of
from ..reasons.won_material import balance

#: What one search alone finds is taken in so many plies; in the other line it may be later.
_NEAR_CAPTURE = 4

#: Above this a side is ahead, in centipawns.
_AHEAD = 30


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
        replies: Sequence[OtherReply] | None = None,
    ) -> None:
        self.replies = replies  # None if they were not searched
        self.refutation, self.best_line = tuple(refutation), tuple(best_line)
        self._said = (board, move, self.refutation, self.best_line, score_before, score_after)
        self.strict = explain_move(*self._said)

    @property
    def plain(self) -> MoveReason:
        """The lines and the scores without a reason."""
        board, move, refutation, best_line, before, after = self._said
        best = best_line[0] if best_line else None
        return MoveReason(board, move, best, before, after, tuple(refutation), tuple(best_line))

    def within(self, limits: ReasonLimits) -> MoveReason:
        """With reasons further away."""
        return explain_move(*self._said, limits)

    @cached_property
    def wide(self) -> MoveReason:
        """With reasons as far away as two searches may find them."""
        return self.within(CONFIRMED)

    def supports(self, reason: MoveReason) -> MoveReason | None:
        """The part of another search's reason whose line begins here as well, to the same prize."""
        if not self.strict.is_bad:
            return None
        if reason.lost and self._takes(self.refutation, reason.lost) and not self.wide.missed:
            return _only(reason, lost=reason.lost)
        if reason.missed and self._takes(self.best_line, reason.missed) and not self.wide.lost:
            return _only(reason, missed=reason.missed)
        return None

    def _takes(self, line: Sequence[chess.Move], outcome: Outcome) -> bool:
        """Whether a line begins with the same move and takes the same piece soon."""
        if outcome.motif is None or not line or outcome.motif.capture > _NEAR_CAPTURE:
            return False
        takes = (move.to_square for move in line[: CONFIRMED.horizon : 2])
        return outcome.moves[0] == line[0] and any(outcome.prize == each for each in takes)

    @property
    def won(self) -> list[int]:
        """What the refutation has won after each of its moves, in points."""
        board, move, *_ = self._said
        after = board.copy(stack=False)
        after.push(move)
        line = PlayedLine(after, self.refutation)
        return [each - balance(board, not board.turn) for each in line.balances]

    @cached_property
    def fact(self) -> Fact | None:
        """What else the refutation brings about."""
        return fact_of(*self._said)


def found_again(board: chess.Board, move: chess.Move, said: SecondLook) -> Found:
    """What a second search finds out about a move."""
    refutation, best_line = _moves(said.refutation), _moves(said.best_line)
    return Found(
        board, move, refutation, best_line, said.score_before, said.score_after, said.replies
    )


def _moves(texts: Sequence[str]) -> tuple[chess.Move, ...]:
    return tuple(map(chess.Move.from_uci, texts))


def agreed(found: Sequence[Found]) -> MoveReason:
    """What the last search and an earlier one both say; the deeper ones come later."""
    last = found[-1]
    if last.strict.is_bad:
        for earlier in reversed(found[:-1]):
            reason = _agreed(earlier, last).shortest()
            if reason.is_certain:
                return reason
    return last.plain


def _agreed(first: Found, second: Found) -> MoveReason:
    """What two searches both say, in the words of the second, deeper one, or the plainer words."""
    plain, replies, both = second.plain, _replies(first, second), (first, second)
    shared = min(_shared(first.refutation, second.refutation), CONFIRMED.horizon)
    pairs = [(first.strict, second.strict), (first.wide, second.wide)]
    if shared > CONFIRMED.unshown:
        far = CONFIRMED.widened(shared)
        pairs.append((first.within(far), second.within(far)))
    better = min(_shared(first.best_line, second.best_line), CONFIRMED.horizon)
    if better > CONFIRMED.missed_small:
        far = CONFIRMED.with_better(better)
        pair = first.within(far), second.within(far)
        if not any(each.lost for each in pair):
            pairs.append(pair)
    for one, other in pairs:
        reason = _forced(_common(one, other), replies, both)
        if reason:
            return reason
    for found, checked in ((second, first), (first, second)):
        reason = _forced(checked.supports(found.wide), replies, both)
        if reason:
            return reason
    pair = first.plain, second.plain
    for whole in (loss_on_one_line(pair, shared), gain_on_one_line(pair, better)):
        reason = _forced(whole, replies, both)
        if reason:
            return reason
    if not first.fact or not second.fact or not second.fact.agrees(first.fact):
        return plain
    if any(each.strict.is_certain for each in (first, second)) and not second.fact.is_proved:
        return plain  # material is won or lost, but not for certain
    return replace(plain, fact=second.fact)


def _common(one: MoveReason, other: MoveReason) -> MoveReason | None:
    """What both reasons say, in the plainer words or those that claim less."""
    if not one.is_certain or not other.is_certain:
        return None
    is_plainer = one.is_plain and not other.is_plain
    is_less = one.is_plain == other.is_plain and one.points < other.points
    said, checked = (one, other) if is_plainer or is_less else (other, one)
    if said.agrees(checked):
        return said
    for part in ("lost", "missed"):
        pair = getattr(said, part), getattr(checked, part)
        if all(pair) and pair[0].agrees(pair[1]):
            found = _only(said, **{part: pair[0]})
            if found and _only(checked, **{part: pair[1]}):
                return found
    return None


def _replies(first: Found, second: Found) -> tuple[OtherReply, ...] | None:
    """The other replies that either search has looked at; None if neither was to look."""
    if first.replies is None and second.replies is None:
        return None
    return (*(first.replies or ()), *(second.replies or ()))


def _forced(
    reason: MoveReason | None, replies: Sequence[OtherReply] | None, both: Sequence[Found]
) -> MoveReason | None:
    """What of a reason no other reply avoids.

    :param both: the searches that agree on it.
    """
    if reason is None:
        return None
    lost, missed = (
        outcome if outcome and _holds(reason, outcome, is_missed, replies, both) else None
        for is_missed, outcome in ((False, reason.lost), (True, reason.missed))
    )
    if (lost, missed) == (reason.lost, reason.missed):
        return reason
    return _only(reason, lost=lost, missed=missed) if lost or missed else None


def _holds(
    reason: MoveReason,
    outcome: Outcome,
    is_missed: bool,
    replies: Sequence[OtherReply] | None,
    both: Sequence[Found],
) -> bool:
    """Whether a part of a reason holds against the other replies, if they were searched."""
    is_gain = is_missed and not (reason.lost or outcome.mate)
    if is_gain and any(wins_as_much(found.plain, outcome.swap.points) for found in both):
        return False
    if replies is not None:
        if is_avoidable(reason, outcome, is_missed, replies):
            return False
        if not is_looked_at(reason, outcome, is_missed, replies):
            return False
        if not is_missed and _is_seen_twice(outcome, both):
            return True
    return is_missed or not _is_given_back(reason, outcome)


def _is_seen_twice(lost: Outcome, both: Sequence[Found]) -> bool:
    """Whether two refutations are the same beyond what is taken, and keep it to their ends."""
    if lost.motif is None:
        return False
    end = lost.motif.capture + 1
    if _shared(*(found.refutation for found in both)) <= end:
        return False
    return all(min(found.won[end::2]) >= lost.swap.points for found in both)


def _is_given_back(reason: MoveReason, lost: Outcome) -> bool:
    """Whether it is a pawn that falls later, and who made the move is ahead all the same.

    Such a side often has a better answer, after which taking the pawn is a mistake.
    """
    is_at_once = lost.motif is not None and lost.motif.is_at_once
    is_pawn = lost.swap.points == 1 and not lost.mate and not lost.is_stalemate
    return is_pawn and not is_at_once and reason.score_after > _AHEAD


def _only(
    reason: MoveReason, *, lost: Outcome | None = None, missed: Outcome | None = None
) -> MoveReason | None:
    """One part of a reason, if that is enough to explain what the move costs."""
    part = lost or missed
    assert part
    is_part = part.swap.points < reason.points
    if is_part and not part.mate and not part.explains(reason.cost(part.swap.points)):
        return None
    cause = reason.cause if lost else None
    still = reason.still if lost else None
    return replace(reason, lost=lost, missed=missed, cause=cause, still=still)


def _shared(one: Sequence[chess.Move], other: Sequence[chess.Move]) -> int:
    """How many moves two lines begin with that are the same."""
    return len(list(takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))))

"""Why a move is bad: what its refutation wins, and what the better move would have won or kept.

Everything is read off the lines of a search and checked on the board. Where the lines and the
scores do not agree, or a line does not come to rest, nothing is said.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from operator import attrgetter
from typing import Literal, NamedTuple

import chess

from ..base.scores import MATE, is_mate
from ..board.public_board import Board
from .facts import Fact
from .motifs import (
    Motif,
    PlacedPiece,
    PlayedLine,
    can_win,
    gains,
    is_given_up,
    loses_nothing,
    motifs_of,
    passed_on,
)
from .pawn_facts import origin_of
from .retakes import punished_retake, retakes
from .term_groups import TermChange, term_changes
from .won_material import POINTS, Swap, balance, is_held, swap_between

#: A loss of material explains a loss of score between these shares of it.
_LEAST_SHARE, _GREATEST_SHARE = 0.65, 2.0

#: The greatest for a single pawn, if a single search finds it.
_PAWN_SHARE = 1.75

#: In endgames a pawn costs more: both sides together have pieces for at most so many points.
_ENDGAME, _ENDGAME_SHARE = 12, 2.5

#: A queen for several pieces, which often attack nothing any more.
_QUEEN_SHARE = 3.0

#: What is taken at once, and more than a pawn, is the plain reason of a greater loss as well.
_PLAIN_SHARE = 3.0

#: A pawn that was only missed does not explain a greater loss than this, in centipawns.
_MAX_PAWN_LOSS, _MAX_SIMPLE_PAWN_LOSS = 225, 200

#: Motifs that are a mere capture.
_SIMPLE = ("loose", "outnumbered", "cheap attacker", "pinned defender")

#: What a point of material is worth, in centipawns, and what else a line may change.
_POINT, _REST = 100, 50

#: A loss that is as many times what is shown has other reasons, too.
_MUCH_MORE = 4.0

#: Who has so much more has at least this share of its worth as the score.
_LEAST_WORTH = 0.3

#: What the exchange is worth at least, in centipawns.
_EXCHANGE = 150

#: So many points decide a game, whatever the score is.
_DECISIVE = 5

#: Beyond this score, in centipawns, a game is won, and what is added to it costs nothing.
_WON = 900

#: Searches that differ in where something is taken agree from so many points on.
_AGREEING_POINTS = 4

#: What is won must not be lost again in so many plies; the ends of long lines are guesses.
_WINDOW = 5

#: Longer exchanges of the better line than of so many pieces are not said.
_SIMPLE_SWAP = 2

#: What is won at once is there after so many plies.
_AT_ONCE = 4

#: A piece that is taken at once is kept for so many plies.
_KEPT = 6

#: A gain of so many points is small: without a motif it may be the search's whim.
_SMALL = 2

#: From so many centipawns on a game is lost.
_LOST = 250

#: What two searches win with the same moves comes in so many plies, ...
_SHARED = 8

#: ... is kept in so many, ...
_WHOLE_LINE = 20

#: ... and explains so much a point and so much more, in centipawns.
_SHARED_POINT, _SHARED_REST = 150, 200

#: A mate in more moves than this is explained by the piece that is taken at once or with the next
#: move, if there is one.
_LONG_MATE = 4

#: The search has not looked at every move of a longer mate.
_CERTAIN_MATE = 5

#: A better move is a mate, or better by this many centipawns.
LEAST_LOSS = 50

_TWO_PAWNS = Swap((chess.PAWN, chess.PAWN))

#: How a move came to leave a piece to be taken.
Cause = Literal["moved", "undefended", "opened", "left"]


class ReasonLimits(NamedTuple):
    """In how many plies something must show itself to be named."""

    near: int  # what the better line wins
    unshown: int  # a loss without a motif
    unshown_small: int  # a small one
    lead: int  # the first move of a motif
    short_lead: int  # of one with a small gain
    horizon: int  # the ends of lines
    missed_small: int  # the capture of a small thing in the better line

    def widened(self, plies: int) -> ReasonLimits:
        """For refutations that two searches agree on for so many plies."""
        lead = min(max(plies - 2, 0), _FURTHEST_LEAD)
        return ReasonLimits(*map(max, self, ReasonLimits(plies, 0, 0, lead, lead, plies, 0)))

    def with_better(self, plies: int) -> ReasonLimits:
        """For better lines that two searches agree on for so many plies."""
        lead = min(max(plies - 1, 0), _FURTHEST_LEAD)
        return ReasonLimits(*map(max, self, ReasonLimits(plies, 0, 0, lead, lead, 0, lead)))


#: A motif begins at the latest with this ply, however certain a line is.
_FURTHEST_LEAD = 6

#: The next move of the side that begins a line.
_NEXT = 2

#: What a single search may say, and what two may that agree.
SINGLE, CONFIRMED = ReasonLimits(8, 5, 3, 4, 2, 11, _NEXT), ReasonLimits(11, 7, 4, 6, 4, 13, 4)


class Rest(NamedTuple):
    """A position of a line in which the side whose line it is loses nothing again at once."""

    ply: int
    swap: Swap  # for that side


@dataclass(frozen=True)
class Outcome:
    """What the side that begins a line has at its end."""

    moves: tuple[chess.Move, ...]  # up to the end
    swap: Swap
    motif: Motif | None = None
    mate: int | None = None  # full moves to mate, which is on the board at the end
    is_back_rank: bool = False
    retake: tuple[chess.Move, ...] = ()  # how its only capture is taken back, and what that loses
    is_stalemate: bool = False
    is_least: bool = False  # the move costs more than that

    def agrees(self, other: Outcome) -> bool:
        """Whether both are mates, or stalemates, or win much the same.

        A search that wins a piece and a deeper one that mates agree, too.
        """
        if self.is_stalemate or other.is_stalemate:
            return self.is_stalemate == other.is_stalemate
        one, two = self.swap.points, other.swap.points
        if self.mate or other.mate:
            return all(each.mate or each.swap.points >= _DECISIVE for each in (self, other))
        if not self.moves or not other.moves:
            return False
        if self.moves[0].to_square != other.moves[0].to_square:
            # Two ways to the same piece are as good as one.
            is_piece = min(one, two) >= _SMALL and self.swap == other.swap
            return is_piece and self.prize is not None and self.prize == other.prize
        if self.prize is not None and self.prize == other.prize:
            return True
        is_same = None in (self.prize, other.prize) or min(one, two) >= _AGREEING_POINTS
        is_same = is_same or (self.moves[0] == other.moves[0] and min(one, two) >= _SMALL)
        return is_same and (abs(one - two) <= 1 or min(one, two) >= _DECISIVE)

    def explains(self, cost: int) -> bool:
        """Whether this is enough to explain a loss, in centipawns, if there is more."""
        is_plain = self.motif is not None and self.motif.is_at_once and self.swap.points > 1
        return explains(self.swap.points, cost, _PLAIN_SHARE if is_plain else _GREATEST_SHARE)

    @property
    def is_short_mate(self) -> bool:
        """Whether it is a mate whose length is certain."""
        return 0 < (self.mate or 0) <= _CERTAIN_MATE

    @property
    def prize(self) -> chess.Square | None:
        """Where the motif takes something."""
        return self.moves[self.motif.capture].to_square if self.motif else None


@dataclass(frozen=True)
class MoveReason:
    """Why a move is bad. Scores are in centipawns from the side that made it.

    What could not be made certain is None, and `text` then leaves it out.
    """

    board: chess.Board = field(repr=False)  # before the move
    move: chess.Move
    best: chess.Move | None
    score_before: int  # with the best move
    score_after: int
    refutation: tuple[chess.Move, ...]  # from the position after the move
    best_line: tuple[chess.Move, ...]
    lost: Outcome | None = None  # what the refutation wins, for the other side
    missed: Outcome | None = None  # what the better move would have won
    cause: Cause | None = None  # how the move let a piece be taken at once
    fact: Fact | None = None  # what else the refutation brings about
    still: Swap | None = None  # what the other side wins after the better move, if that is less

    @property
    def loss(self) -> int:
        """What the move costs, in centipawns; mates count as in `scores`."""
        return self.score_before - self.score_after

    def cost(self, points: int) -> int:
        """The loss that so many points are to explain: beyond a won game scores say no more."""
        if points < POINTS[chess.KNIGHT] or any(
            map(is_mate, (self.score_before, self.score_after))
        ):
            return self.loss
        before, after = (
            min(max(score, -_WON), _WON) for score in (self.score_before, self.score_after)
        )
        return before - after

    @property
    def is_bad(self) -> bool:
        """Whether there is a better move by far enough."""
        return self.best not in (None, self.move) and self.loss >= LEAST_LOSS

    @property
    def is_certain(self) -> bool:
        """Whether there is something to say."""
        return any((self.lost, self.missed, self.fact))

    @property
    def is_plain(self) -> bool:
        """Whether it is said why the line wins something, or a short mate."""
        outcome = self.lost or self.missed
        if outcome is None:
            return False
        return bool(outcome.motif or outcome.is_stalemate or outcome.is_short_mate)

    @property
    def points(self) -> int:
        """What the lines win, in points; mates do not count."""
        outcomes = [each for each in (self.lost, self.missed) if each and not each.mate]
        return sum(each.swap.points for each in outcomes)

    def agrees(self, other: MoveReason) -> bool:
        """Whether another search gives the same reason, small things aside."""
        pairs = ((self.lost, other.lost), (self.missed, other.missed))
        return all(one.agrees(two) if one and two else one is two for one, two in pairs)

    def shortest(self) -> MoveReason:
        """The same without what falls later than the piece that is named.

        Nor is a bare capture said that can be taken back, unless the board shows what that loses.
        """
        if self.lost and not self.lost.mate:
            after = self.board.copy(stack=False)
            after.push(self.move)
            lost = _with_retake(_shortened(self.lost, self.board, after), after)
            moves = lost.moves if lost else self.refutation
            return replace(self, lost=lost, refutation=moves)._with_short_gain()
        return self._with_short_gain()

    def _with_short_gain(self) -> MoveReason:
        if self.missed is None or self.missed.mate:
            return self
        missed = _with_retake(_shortened(self.missed, self.board, self.board), self.board)
        return replace(self, missed=missed, best_line=missed.moves if missed else self.best_line)

    @property
    def why(self) -> str:
        """The reason in a sentence or more; empty if none is certain."""
        from .reason_wording import why_text

        return why_text(self)

    @property
    def better(self) -> str:
        """The better move and what it keeps, in a sentence; empty if the move is good."""
        from .reason_wording import better_text

        return better_text(self)

    @property
    def text(self) -> str:
        """Both sentences; empty if no reason is certain."""
        return f"{self.why} {self.better}".strip() if self.why else ""

    @cached_property
    def terms(self) -> tuple[TermChange, ...]:
        """The evaluation at the end of both lines by groups of terms, the greatest loss first."""
        after = self.board.copy(stack=False)
        after.push(self.move)
        kept, left = _end(self.board, self.best_line), _end(after, self.refutation)
        return term_changes(kept, left, self.board.turn)


def explain_move(
    board: chess.Board,
    move: chess.Move,
    refutation: Sequence[chess.Move],
    best_line: Sequence[chess.Move],
    score_before: int,
    score_after: int,
    limits: ReasonLimits = SINGLE,
) -> MoveReason:
    """Find out why a move is bad, from lines that have been searched already.

    :param board: the position before the move.
    :param move: a legal move.
    :param refutation: the best line from the position after the move; legal.
    :param best_line: the best line from `board`; legal.
    :param score_before: in centipawns from the side that moves, with the best line.
    :param score_after: the same after the move, still from the side that made it.
    :param limits: how far away a reason may be; `CONFIRMED` is for those that find it twice.
    """
    best = best_line[0] if best_line else None
    reason = MoveReason(
        board,
        move,
        best,
        score_before,
        score_after,
        tuple(refutation),
        tuple(best_line),
    )
    if not reason.is_bad:
        return reason
    return _Search(reason, limits).explained()


def _whole_lines(reasons: Sequence[MoveReason], plies: int) -> list[_Search]:
    """The reasons, to be looked at to the ends of their lines, which share so many moves."""
    limits = CONFIRMED._replace(
        unshown=_WHOLE_LINE,
        unshown_small=_WHOLE_LINE,
        lead=plies,
        short_lead=plies,
        horizon=_WHOLE_LINE,
    )
    return [_Search(reason, limits) for reason in reasons]


def loss_on_one_line(reasons: Sequence[MoveReason], shared: int) -> MoveReason | None:
    """What several refutations win with the same moves and keep to their ends; None if nothing.

    The better lines must lose nothing, unless it is a piece that is taken at once.

    :param reasons: of one move; the words are those of the last.
    :param shared: with so many moves all refutations begin.
    """
    plies = min(shared, _SHARED)
    searches = _whole_lines(reasons, plies)
    kept = [rest for each in searches for rest in each.rests_of_better() if rest.ply > 1]
    is_kept = bool(kept) and all(rest.swap.points >= 0 for rest in kept)
    lines = [each.rests_of_reply() for each in searches]
    for rest in lines[-1]:
        points = rest.swap.points
        if points < 1 or searches[-1].reply.last_take(rest.ply) > plies:
            continue
        costs = [reason.cost(points) for reason in reasons]
        least = _LEAST_SHARE * points * _POINT
        limit = points * _SHARED_POINT + _SHARED_REST
        is_piece_at_once = rest.ply == 1 and points >= POINTS[chess.KNIGHT]
        if min(costs) < least or not _is_kept_on_all(rest, lines):
            continue
        if is_kept and max(costs) <= limit:
            return searches[-1].with_loss(rest)
        if is_piece_at_once and not searches[-1].hangs_anyway(rest):
            return searches[-1].with_loss(rest)
    return None


def gain_on_one_line(reasons: Sequence[MoveReason], shared: int) -> MoveReason | None:
    """What several better lines win with the same moves and keep to their ends; None if nothing.

    The refutations must lose nothing.

    :param reasons: of one move; the words are those of the last.
    :param shared: with so many moves all better lines begin.
    """
    plies = min(shared, _SHARED)
    searches = _whole_lines(reasons, plies)
    for each in searches:
        others = [rest.swap.points for rest in each.rests_of_reply() if rest.ply > 1]
        if not others or others[-1] or max(others) > 0:
            return None
    lines = [each.rests_of_better() for each in searches]
    for rest in lines[-1]:
        points = rest.swap.points
        if points < 1 or searches[-1].better.last_take(rest.ply) > plies:
            continue
        if not _is_kept_on_all(rest, lines):
            continue
        costs = [reason.cost(points) for reason in reasons]
        is_explained = max(costs) <= points * _SHARED_POINT + _REST
        if min(costs) >= _LEAST_SHARE * points * _POINT and is_explained:
            return searches[-1].with_gain(rest)
    return None


def wins_as_much(reason: MoveReason, points: int) -> bool:
    """Whether the player wins and keeps so many points after the bad move, too."""
    return _Search(reason, CONFIRMED).wins_as_much(points)


def _is_kept_on_all(rest: Rest, lines: Sequence[list[Rest]]) -> bool:
    """Whether all lines come to this end, and what they win there stays to their last."""
    points = rest.swap.points
    ends = [[each for each in rests if each.ply >= rest.ply] for rests in lines]
    if not all(each and each[0] == rest and each[-1].ply > rest.ply for each in ends):
        return False
    later = [each.swap.points for rests in ends for each in rests]
    return min(later) == points and max(later) <= points + 1


class _Search:
    """The search for the reason of one bad move."""

    def __init__(self, reason: MoveReason, limits: ReasonLimits) -> None:
        self.reason, self.limits = reason, limits
        self.still: Swap | None = None
        self.board = Board.from_board(reason.board, stack=False)
        self.player = reason.board.turn
        self.after = self.board.copy(stack=False)
        self.after.push(reason.move)
        self.reply = PlayedLine(self.after, reason.refutation)
        self.better = PlayedLine(self.board, reason.best_line)

    def explained(self) -> MoveReason:
        """The reason with what was found."""
        lost = self._mate(self.reply, -self.reason.score_after)
        missed = self._mate(self.better, self.reason.score_before)
        if lost is None:
            stalemate = self._stalemate()
            if stalemate:
                return self._with(stalemate, missed)
        if (lost is None and missed is None) or (lost and lost.mate and lost.mate > _LONG_MATE):
            losing, winning = self._material()
            if lost and not (losing and losing.motif and losing.motif.capture <= _NEXT):
                losing = None
            was_lost = self.reason.score_before <= -_DECISIVE * _POINT
            if lost and was_lost and not lost.is_short_mate:
                lost = None
            return self._with(losing or lost, winning or missed)
        return self._with(lost, missed)

    def _with(self, lost: Outcome | None, missed: Outcome | None) -> MoveReason:
        reason = self.reason
        lost = self._or_more(lost, self.rests_of_reply)
        missed = self._or_more(missed, self.rests_of_better)
        return MoveReason(
            reason.board,
            reason.move,
            reason.best,
            reason.score_before,
            reason.score_after,
            lost.moves if lost else reason.refutation,
            missed.moves if missed else reason.best_line,
            lost,
            missed,
            self._cause(lost),
            still=self.still if lost and not lost.mate else None,
        )

    def _or_more(self, outcome: Outcome | None, rests: Callable[[], list[Rest]]) -> Outcome | None:
        """An outcome, as the least that is won if its line soon wins a piece more."""
        if outcome is None or outcome.mate or outcome.is_stalemate:
            return outcome
        end = len(outcome.moves)
        later = [rest.swap.points for rest in rests() if end < rest.ply <= end + _KEPT]
        is_least = max(later, default=0) >= outcome.swap.points + _SMALL
        return replace(outcome, is_least=True) if is_least else outcome

    def rests_of_reply(self) -> list[Rest]:
        """Where the other side keeps for a while what the refutation has won."""
        return _lasting(self._rests(self.reply, not self.player))

    def rests_of_better(self) -> list[Rest]:
        """The same for the player and the better line."""
        return _lasting(self._rests(self.better, self.player))

    def with_loss(self, rest: Rest) -> MoveReason | None:
        """The reason with what the refutation wins up to an end."""
        lost = self._loss(rest)
        return self._with(lost, None) if lost else None

    def with_gain(self, rest: Rest) -> MoveReason | None:
        """The reason with what the better line wins up to an end."""
        missed = self._outcome(self.board, self.better, rest)
        if missed is None or self._is_taken_later(missed):
            return None
        return self._with(None, missed)

    def hangs_anyway(self, rest: Rest) -> bool:
        """Whether what is taken up to an end could be taken after the better move as well."""
        lost = self._outcome(self.after, self.reply, rest)
        return lost is not None and self._hangs_anyway(lost)

    # -- mates ------------------------------------------------------------------------------------

    def _mate(self, line: PlayedLine, score: int) -> Outcome | None:
        """The mate at the end of a line, if the score says that it is forced."""
        plies = len(line.moves)
        end = line.boards[-1]
        if not plies % 2 or not end.is_checkmate() or score != MATE - plies:
            return None
        return Outcome(
            line.moves,
            swap_between(line.boards[0], end, line.attacker),
            mate=(plies + 1) // 2,
            is_back_rank=_is_back_rank_mate(end),
        )

    def _stalemate(self) -> Outcome | None:
        """The stalemate that saves the other side."""
        if self.reason.score_before < 2 * _POINT or not self.reply.boards[-1].is_stalemate():
            return None
        return Outcome(self.reply.moves, Swap(), is_stalemate=True)

    # -- material ---------------------------------------------------------------------------------

    def _material(self) -> tuple[Outcome | None, Outcome | None]:
        """What the refutation wins, and what the better line would have won."""
        losses, profits = self.rests_of_reply(), self.rests_of_better()
        profits = [rest for rest in profits if rest.ply <= self.limits.near] or [Rest(0, Swap())]
        pairs = [(loss, profit) for loss in losses for profit in profits]
        difference = sum(rests[-1].swap.points for rests in (losses, profits) if rests)
        pairs = [pair for pair in pairs if self._agrees(*pair) and _remains(*pair, difference)]
        if not pairs:
            return self._plain(losses, profits)
        # What comes first on the lines is said: the later, the more of it is a guess.
        pairs.sort(key=lambda pair: (pair[0].ply + pair[1].ply, pair[0].ply))
        said = [each for each in (self._outcomes(*pair) for pair in pairs) if any(each)]
        shown = (each for each in said if any(outcome and outcome.motif for outcome in each))
        lost, missed = next(shown, said[0] if said else (None, None))
        if lost and not missed:
            self.still = self._still(profits)
        return (lost, missed) if said else self._plain(losses, profits)

    def _still(self, profits: list[Rest]) -> Swap | None:
        """What the other side wins after the better move; what that wins back later is no loss."""
        kept = max(
            (rest.swap for rest in profits if rest.ply), key=attrgetter("points"), default=None
        )
        if kept is None or kept.points >= -1 or kept.promoted or kept.conceded:
            return None
        is_simple = len(kept.given) + len(kept.won) <= _SIMPLE_SWAP
        return Swap(kept.given, kept.won) if is_simple else None

    def _outcomes(self, loss: Rest, profit: Rest) -> tuple[Outcome | None, Outcome | None]:
        """What is said of two ends, if something shows why."""
        if profit.swap.points < -1 and loss.swap.points + profit.swap.points <= _SMALL:
            return None, None  # both lines lose something, and it is not clear what the move adds
        lost = self._loss(loss)
        missed = self._outcome(self.board, self.better, profit)
        if missed and missed.swap.points <= _SMALL and not self._is_near(missed):
            missed = None
        if -2 * loss.swap.points > profit.swap.points:
            missed = None  # the move wins much of that, too
        if lost and lost.swap.points <= _SMALL and self._hangs_anyway(lost):
            lost = None
        is_minor = lost is not None and lost.swap.points <= _SMALL
        if missed and is_minor and missed.swap.points >= _DECISIVE:
            lost = None  # what was missed decides the game
        if missed and not lost and missed.swap.points == 1 and self._is_more(missed):
            missed = None
        is_pawns = missed is not None and {*missed.swap.won} == {chess.PAWN}
        if missed and not lost and is_pawns and self._is_lost():
            missed = None  # the score falls for what the move loses
        if missed and self._is_taken_later(missed):
            missed = None  # the player takes the same piece
        if missed and not lost and self.wins_as_much(missed.swap.points):
            missed = None
        said = sum(each.swap.points for each in (lost, missed) if each)
        is_part = said < loss.swap.points + profit.swap.points
        if is_part and not explains(said, self.reason.cost(said)):
            return None, None  # too much is not shown
        return lost, missed

    def _plain(
        self, losses: list[Rest], profits: list[Rest]
    ) -> tuple[Outcome | None, Outcome | None]:
        """What one line wins at once; the scores say what the other one is worth."""
        nothing = Rest(0, Swap())
        for rests, is_loss in ((losses, True), (profits, False)):
            taken = None if is_loss else self._taken_at_once()
            if taken:
                return taken, None
            first = next((rest for rest in rests if rest.swap.points > 0), nothing)
            if not 0 < first.ply <= _AT_ONCE:
                continue
            if not self._agrees(first, nothing, _PLAIN_SHARE if first.swap.points > 1 else 0):
                continue
            if not _remains(first, nothing, rests[-1].swap.points):
                continue
            if is_loss:
                lost = self._loss(first)
                if lost and lost.motif and lost.motif.is_at_once and not self._hangs_anyway(lost):
                    return lost, None
            else:
                missed = self._outcome(self.board, self.better, first)
                if missed is None or self.wins_as_much(missed.swap.points):
                    continue
                if not self._is_taken_later(missed):
                    return None, missed
        return self._least(losses, profits)

    def _least(
        self, losses: list[Rest], profits: list[Rest]
    ) -> tuple[Outcome | None, Outcome | None]:
        """What a line wins soon and keeps, where the score says that the move costs more."""
        for rests, others, is_loss in ((losses, profits, True), (profits, losses, False)):
            first = next((rest for rest in rests if rest.swap.points > 0), None)
            if first is None or first.ply > _AT_ONCE:
                continue
            points = first.swap.points
            maximum = max(rest.swap.points for rest in rests)
            is_all = is_loss and explains(maximum, self.reason.cost(maximum))
            is_much = points >= _SMALL or is_all
            kept = min(rest.swap.points for rest in rests if rest.ply >= first.ply)
            if not is_much or kept < points:
                continue
            share = self.reason.cost(points) / (points * _POINT)
            if not _LEAST_SHARE <= share <= _MUCH_MORE:
                continue
            lowest = min((rest.swap.points for rest in others if rest.ply > 1), default=0)
            highest = max((rest.swap.points for rest in others), default=0)
            if (lowest < 0) if is_loss else (highest > 0):
                continue  # and what the other line loses is not shown
            found = self._loss(first) if is_loss else self._outcome(self.board, self.better, first)
            if found is None or found.motif is None or found.motif.capture > _NEXT:
                continue
            if is_loss and not self._hangs_anyway(found):
                return replace(found, is_least=True), None
            is_gone = not self.wins_as_much(points) and not self._is_taken_later(found)
            if not is_loss and is_gone:
                return None, replace(found, is_least=True)
        return None, None

    def _taken_at_once(self) -> Outcome | None:
        """What the refutation takes at once and keeps, where its line has no rest."""
        prize = self.reply.captured(0) if self.reply.moves else None
        if prize is None or POINTS[prize.kind] < POINTS[chess.KNIGHT]:
            return None
        start, square = balance(self.board, not self.player), self.reply.moves[0].to_square
        won = [each - start for each in self.reply.balances]
        if len(won) <= _KEPT:
            return None
        ply = 2 if self.reply.moves[1].to_square == square else 1
        points = won[ply]
        takes = (move.to_square for move in self.reply.moves[ply : ply + _AT_ONCE])
        # After an exchange the other side may take a pawn that it takes anyway.
        is_sure = ply == 2 and self.reason.loss >= points * _POINT
        if points < _SMALL or square in takes or min(won[ply : _KEPT + 1]) < points - is_sure:
            return None
        swap = swap_between(self.board, self.reply.boards[ply], not self.player)
        if not self._agrees(Rest(ply, swap), Rest(0, Swap())):
            return None
        line = PlayedLine(self.after, self.reply.moves[:ply])
        lost = Outcome(line.moves, swap, next(motifs_of(line), None))
        if ply == 2 and not (lost.motif and lost.motif.is_at_once):
            return None
        better = self.better.boards[1]
        hangs_anyway = better.is_legal(lost.moves[0]) and gains(better, lost.moves[0])
        return None if hangs_anyway else lost

    def _is_near(self, missed: Outcome) -> bool:
        """Whether a small thing would have been taken at once, or with the next move."""
        motif = missed.motif
        if motif:
            soon = self.limits.missed_small if self.reason.loss >= _POINT else _NEXT
            is_soon = motif.capture <= soon
            return is_soon or (motif.ply == 0 and motif.kind not in _SIMPLE)
        line = PlayedLine(self.board, missed.moves)
        is_short = len(missed.moves) <= _AT_ONCE or _is_forcing(line)
        return line.captured(0) is not None and is_short

    def _is_lost(self) -> bool:
        """Whether the better move only holds the balance, and the bad one loses."""
        return self.reason.score_before < _POINT and self.reason.score_after <= -_LOST

    def wins_as_much(self, points: int) -> bool:
        """Whether the player wins and keeps so many points after the bad move, too."""
        start, balances = balance(self.board, not self.player), self.reply.balances
        return any(
            rest.swap.points <= -points
            and max(balances[rest.ply : rest.ply + _KEPT + 1]) <= start - points
            for rest in self.rests_of_reply()
        )

    def _is_taken_later(self, missed: Outcome) -> bool:
        """Whether the player takes the same piece after the bad move as well."""
        capture = missed.motif.capture if missed.motif else 0
        prize = self.better.captured(capture)
        if prize is None:
            return False
        takes = range(1, min(len(self.reply.moves), self.limits.horizon), 2)
        return self._taken_on() == prize.square or any(
            self.reply.captured(ply) == prize for ply in takes
        )

    def _rests(self, line: PlayedLine, color: chess.Color) -> list[Rest]:
        """Where a side keeps what it has, with what it has won since before the move."""
        return _rests(self.board, line, color, self.limits.horizon)

    def _loss(self, rest: Rest) -> Outcome | None:
        """What the refutation wins at an end, if the better line does not lose the same pawn."""
        lost = self._outcome(self.after, self.reply, rest)
        return None if lost and lost.swap.points == 1 and self._falls_anyway(lost) else lost

    def _falls_anyway(self, lost: Outcome) -> bool:
        """Whether what the refutation takes is taken in the better line as well."""
        line = PlayedLine(self.after, lost.moves)
        takes = [ply for ply in range(0, len(lost.moves), 2) if line.captured(ply)]
        if not takes:
            return False
        capture = lost.motif.capture if lost.motif else takes[-1]
        prize = line.captured(capture)
        if prize is None:
            return False
        square = origin_of(line, prize.square, capture)
        square = self.reason.move.from_square if square == self.reason.move.to_square else square
        plies = range(min(len(self.better.moves), self.limits.horizon))
        for ply in plies:
            taken = self.better.captured(ply)
            if taken and taken.square == square and ply % 2:
                return True
            if self.better.moves[ply].from_square == square:
                square = self.better.moves[ply].to_square
        return False

    def _hangs_anyway(self, lost: Outcome) -> bool:
        """Whether the piece that is taken at once could be taken after the better move as well."""
        if lost.motif is None or not lost.motif.is_at_once:
            return False
        after = self.better.boards[1]
        return after.is_legal(lost.moves[0]) and gains(after, lost.moves[0])

    def _taken_on(self) -> chess.Square | None:
        """Where the move takes something."""
        move = self.reason.move
        return move.to_square if self.board.is_capture(move) else None

    def _is_more(self, missed: Outcome) -> bool:
        """Whether the move costs more than the pawn that was missed."""
        is_at_once = missed.motif is not None and missed.motif.is_at_once
        is_simple = missed.motif is None or missed.motif.kind in _SIMPLE
        is_simple = is_simple and not (is_at_once and self.limits is not SINGLE)
        return self.reason.loss > (_MAX_SIMPLE_PAWN_LOSS if is_simple else _MAX_PAWN_LOSS)

    def _agrees(self, loss: Rest, profit: Rest, least_share: float = 0) -> bool:
        """Whether what two ends differ by explains the loss of score.

        :param least_share: the greatest share of the material may be this at least.
        """
        points = loss.swap.points + profit.swap.points
        cost = self.reason.cost(points)
        worth = points * _POINT
        if points == 1 and any(rest.swap.given for rest in (loss, profit)):
            worth += _REST  # a piece is worth more than the pawns for it
        is_exchange = _is_exchange(loss.swap) and not profit.swap.points
        if points < 1 or cost < _LEAST_SHARE * (_EXCHANGE if is_exchange else worth):
            return False
        pieces = self.board.occupied & ~self.board.pawns
        kinds = (self.board.piece_type_at(square) for square in chess.SquareSet(pieces))
        is_endgame = sum(POINTS[kind or chess.KING] for kind in kinds) <= _ENDGAME
        share = _GREATEST_SHARE
        if points == 1 and self.limits is SINGLE:
            share = _PAWN_SHARE
        share = _ENDGAME_SHARE if is_endgame else share
        share = _QUEEN_SHARE if loss.swap.won[:1] == (chess.QUEEN,) else share
        return cost <= max(share, least_share) * worth + _REST or points >= _DECISIVE

    def _outcome(self, board: chess.Board, line: PlayedLine, rest: Rest) -> Outcome | None:
        """What a line wins at an end; None if it is nothing, or far away and nothing shows why."""
        points = rest.swap.points
        if points < 1 or rest.swap.conceded:
            return None
        line = PlayedLine(board, line.moves[: rest.ply])
        is_missed = line.attacker == self.player
        score = self.reason.score_before if is_missed else -self.reason.score_after
        ahead = line.balances[-1]
        is_much = ahead >= POINTS[chess.KNIGHT] or (
            is_missed and ahead > 0 and rest.swap.given != ()
        )
        if is_much and score < _LEAST_WORTH * ahead * _POINT:
            return None  # so much cannot be kept
        if any(is_given_up(line, ply) for ply in line.winning_plies()):
            return None
        limits, is_small = self.limits, points <= _SMALL
        unshown = limits.unshown_small if is_small else limits.unshown
        lead = limits.short_lead if is_small else limits.lead
        motifs = (
            motif
            for motif in motifs_of(line)
            if motif.ply <= lead and self._is_named(line, motif, rest.swap)
        )
        motif = next(motifs, None)
        if motif is None and rest.ply > (limits.unshown if _is_forcing(line) else unshown):
            return None
        return Outcome(line.moves, rest.swap, motif, is_least=sells_another(line))

    def _is_named(self, line: PlayedLine, motif: Motif, swap: Swap) -> bool:
        """Whether the piece that a motif takes is among what the line wins.

        If the move took something itself, also among what is won together with that.
        """
        prize = line.captured(motif.capture)
        if prize is None:
            return True
        start = balance(self.board, line.attacker)
        before, after, end = (
            line.balances[ply] - start for ply in (motif.capture, motif.capture + 1, -1)
        )
        if before >= end or after < end - (end > _SMALL or (end > 1 and motif.is_at_once)):
            return False  # what is taken there makes good a loss, or something else is won later
        if 2 * POINTS[prize.kind] < line.balances[-1] - line.balances[0]:
            return False  # it is not the main thing
        minor = {chess.KNIGHT, chess.BISHOP}
        kinds = minor if prize.kind in minor else {prize.kind}
        won = swap_between(line.boards[0], line.boards[-1], line.attacker).won
        if line.attacker != self.player and self.board.is_capture(self.reason.move):
            return bool(kinds & {*won} and kinds & {*swap.won})
        return bool(kinds & {*won})

    # -- how the move let it happen ---------------------------------------------------------------

    def _cause(self, lost: Outcome | None) -> Cause | None:
        """What the move has to do with a piece that is taken at once."""
        if lost is None or lost.motif is None or not lost.motif.is_at_once:
            return None
        move, prize, by = self.reason.move, lost.motif.targets, lost.motif.by
        if not prize or self.board.is_castling(move):
            return None
        square = prize[0].square
        if square == move.to_square:
            return "moved"
        capture = lost.moves[0]
        before = passed_on(self.board)
        if self.board.is_check() or before.piece_type_at(by.square) != by.kind:
            return None
        if not before.is_legal(capture):
            is_opened = move.from_square in chess.SquareSet(chess.between(by.square, square))
            return "opened" if is_opened else None
        did_defend = square in self.board.attacks(move.from_square)
        if did_defend and square not in self.after.attacks(move.to_square):
            return "undefended"
        return "left" if gains(before, capture) else None


def explains(points: int, cost: int, share: float = _GREATEST_SHARE) -> bool:
    """Whether a part of what two lines differ by is enough to explain a loss, in centipawns."""
    return points >= _DECISIVE or cost <= share * points * _POINT + _REST


def most_won(board: chess.Board, line: PlayedLine, ply: int, *, to_end: bool = False) -> int:
    """What the side that begins a line keeps after a ply at most, in points.

    :param board: the position from which on it counts.
    :param to_end: look at the whole line.
    """
    horizon = len(line.moves) if to_end else CONFIRMED.horizon
    rests = _lasting(_rests(board, line, line.attacker, horizon))
    won = [rest.swap.points for rest in rests if rest.ply > ply]
    if won:
        return max(won)
    # The line does not come to rest: what is taken last may be taken back.
    last = line.boards[: horizon + 1][-2:]
    return min(swap_between(board, end, line.attacker).points for end in last)


def _rests(board: chess.Board, line: PlayedLine, color: chess.Color, horizon: int) -> list[Rest]:
    """Where a side keeps what it has, with what it has won since a position."""
    return [
        Rest(ply, swap_between(board, after, color))
        for ply, after in enumerate(line.boards)
        if 0 < ply <= horizon and is_held(after, color) and not _takes_back(line, ply, color)
    ]


def _shortened(outcome: Outcome, before: chess.Board, board: chess.Board) -> Outcome:
    """An outcome at the first end after what its motif takes, if it wins but a pawn less there.

    Without a motif the quiet moves after the last one that takes something are left out.

    :param before: the position from which on it counts.
    :param board: where its line begins.
    """
    line, points = PlayedLine(board, outcome.moves), outcome.swap.points
    if outcome.motif is None:
        last = line.last_take(len(line.moves))
        swap = swap_between(before, line.boards[last], line.attacker)
        return replace(outcome, moves=line.moves[:last]) if swap == outcome.swap else outcome
    if second_pawn(line, outcome.motif, outcome.swap) is not None:
        return outcome
    first = outcome.motif.capture + 1
    for rest in _lasting(_rests(before, line, line.attacker, len(line.moves))):
        is_less = max(points - 1, 1) <= rest.swap.points <= points
        is_same = replace(rest.swap, won=outcome.swap.won) == outcome.swap
        if rest.ply >= first and is_less and is_same and rest.swap.won:
            line = PlayedLine(board, line.moves[: rest.ply])
            outcome = replace(outcome, moves=line.moves, swap=rest.swap)
            break
    return _without_last_pawn(outcome, before, line)


def _without_last_pawn(outcome: Outcome, before: chess.Board, line: PlayedLine) -> Outcome:
    """An outcome without a pawn that falls after the piece that its motif takes.

    The other side may find another one for it.
    """
    assert outcome.motif
    end, swap = outcome.motif.capture + 1, outcome.swap
    if end < len(line.moves) and line.moves[end].to_square == line.moves[end - 1].to_square:
        end += 1
    first = swap_between(before, line.boards[end], line.attacker)
    if end == len(line.moves) or replace(first, won=(*first.won, chess.PAWN)) != swap:
        return outcome
    if first.points < _SMALL:
        return outcome
    return replace(outcome, moves=line.moves[:end], swap=first, is_least=True)


def _with_retake(outcome: Outcome, board: chess.Board) -> Outcome | None:
    """An outcome with what becomes of taking back; None if that is not sure to lose anything.

    Only a bare capture needs it: a motif says why something is won, and a line shows it.
    """
    if outcome.motif or len(outcome.moves) != 1 or not board.is_capture(outcome.moves[0]):
        return outcome
    line = PlayedLine(board, outcome.moves)
    if not retakes(line.boards[1], outcome.moves[0].to_square):
        return outcome
    retake = punished_retake(line.boards[1], outcome.moves[0].to_square)
    return replace(outcome, retake=retake) if retake else None


def second_pawn(line: PlayedLine, motif: Motif, swap: Swap) -> int | None:
    """The ply that takes the other one of two pawns, if a line wins and takes just two for good."""
    pawns = [
        ply
        for ply in range(0, len(line.moves), 2)
        if (line.captured(ply) or PlacedPiece(chess.KING, 0)).kind == chess.PAWN
    ]
    if swap != _TWO_PAWNS or len(pawns) != 2 or pawns[0] != motif.capture:
        return None
    return None if _is_traded(line, *pawns) else pawns[1]


def _is_traded(line: PlayedLine, first: int, second: int) -> bool:
    """Whether the second of two pawns is no loss: it could take something, or be taken back."""
    if can_win(line.boards[second + 1], line.moves[second].to_square):
        return True
    prize = line.captured(second)
    square = prize.square if prize else line.moves[second].to_square
    for ply in range(second - 1, first, -1):
        if line.moves[ply].to_square == square:
            square = line.moves[ply].from_square
        board = line.boards[ply]
        takes = board.generate_legal_captures(chess.BB_SQUARES[square])
        if any(loses_nothing(board, move) for move in takes):
            return True
    return False


def _takes_back(line: PlayedLine, ply: int, color: chess.Color) -> bool:
    """Whether a side is about to take back what was taken by the move before a position."""
    board = line.boards[ply]
    if board.turn != color or line.captured(ply - 1) is None:
        return False
    return can_win(board, line.moves[ply - 1].to_square)


def _remains(loss: Rest, profit: Rest, difference: int) -> bool:
    """Whether the ends of both lines differ by as many points as are claimed, a pawn aside."""
    points = loss.swap.points + profit.swap.points
    return difference >= points - (points > _SMALL)


def _lasting(rests: list[Rest]) -> list[Rest]:
    """Those after which the side does not soon have less again."""
    return [
        rest
        for rest in rests
        if all(
            rest.swap.points <= later.swap.points
            for later in rests
            if rest.ply < later.ply <= rest.ply + _WINDOW
        )
    ]


def sells_another(line: PlayedLine) -> bool:
    """Whether the loser of a piece sells another one for it, which need not be the best reply."""
    if len(line.moves) != 3 or line.moves[1].to_square != line.moves[2].to_square:
        return False
    first, given, taken = (line.captured(ply) for ply in range(3))
    if not first or not given or not taken:
        return False
    return POINTS[first.kind] >= POINTS[given.kind] > POINTS[taken.kind]


def _is_forcing(line: PlayedLine) -> bool:
    """Whether the side that begins a line only takes and gives check."""
    return all(
        line.captured(ply) is not None or line.boards[ply + 1].is_check()
        for ply in range(0, len(line.moves), 2)
    )


def _is_exchange(swap: Swap) -> bool:
    """Whether a rook is won for a minor piece."""
    minor = ((chess.KNIGHT,), (chess.BISHOP,))
    return swap.won == (chess.ROOK,) and swap.given in minor and not swap.promoted


def _is_back_rank_mate(board: chess.Board) -> bool:
    """Whether a rook or queen on the king's first rank mates behind the king's own pawns."""
    loser = board.turn
    king = board.king(loser)
    if king is None or chess.square_rank(king) != (0 if loser else 7):
        return False
    checkers = list(board.checkers())
    if len(checkers) != 1 or chess.square_rank(checkers[0]) != chess.square_rank(king):
        return False
    front = [
        square
        for square in chess.SquareSet(chess.BB_KING_ATTACKS[king])
        if chess.square_rank(square) != chess.square_rank(king)
    ]
    pawns = [square for square in front if board.piece_at(square) == chess.Piece(1, loser)]
    return len(pawns) >= 2


def _end(board: chess.Board, moves: Sequence[chess.Move]) -> chess.Board:
    end = board.copy(stack=False)
    for move in moves:
        end.push(move)
    return end

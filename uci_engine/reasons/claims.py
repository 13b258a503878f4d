"""What makes a move bad: one claim, of a kind that another engine can check.

Each kind is one function, whose docstring defines it. It reads the lines and scores of one search;
`MoveReason` states a claim only if a second search confirms it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import chess

from ..base.scores import is_mate
from .motifs import Motif, PlayedLine, back_rank_mate, motifs_of
from .won_material import Swap, is_held, resolved_balance, swap_between

Kind = Literal[
    "mate",
    "missed mate",
    "draw",
    "pawn ending",
    "material",
    "missed material",
]

#: How a move left a piece to be captured.
Cause = Literal["moved", "undefended", "opened", "left"]

#: A gain must be made by the first ply, and kept until the second, as far as the line goes.
WON_BY, KEPT_UNTIL = 10, 12

#: The two lines' material is compared after this many plies, with captures resolved.
AT_REST = 12

#: The stated material may exceed that difference by this many points.
TOLERANCE = 1

#: For each kind, gains up to this many points must be made by this ply, or they are a guess.
SMALL = {"material": (1, 8), "missed material": (2, 7)}

#: By how much a gain is understated, by its size in points: the end of a line is a guess.
TRIFLES = {4: 1, 5: 1}
TRIFLE = 2  # for larger gains

#: The minimum drop in the score per point of material, and a sufficient drop, in centipawns.
LEAST_COST, ENOUGH_COST = 50, 300

#: The maximum drop in the score by the points lost; a larger drop has another reason.
GREATEST_COST = {1: 250, 2: 500}

#: Scores are limited to this many centipawns: beyond it, a game is decided.
CEILING = 1000

#: The minimum score of a win, and the maximum score of a draw, in centipawns.
WINNING, LEVEL = 150, 30

#: The minimum score of a won pawn ending, in centipawns, and the ply by which it begins.
DECIDED, SOON = 300, 4

#: A longer mate is forced, but its length in moves is uncertain.
CERTAIN_MATE = 4

NOTHING = Swap()


@dataclass(frozen=True)
class ReasonClaim:
    """The reason why a move is bad."""

    kind: Kind
    moves: tuple[chess.Move, ...]  # its line; if missed, from before the move
    won: Swap = NOTHING  # by the side that begins `moves`
    still: Swap = NOTHING  # what is lost or won even with the other move
    points: int = 0  # the difference in material that the move makes
    mate: int = 0  # number of moves
    motif: Motif | None = None  # how it is achieved
    is_least: bool = False  # whether the score drops by more

    @property
    def is_missed(self) -> bool:
        """Whether the better move would have achieved it."""
        return self.kind.startswith("missed")


@dataclass(frozen=True)
class Evidence:
    """The lines and scores of one search; see `halbzug.reasons.move_reason.MoveReason`."""

    board: chess.Board
    move: chess.Move
    refutation: tuple[chess.Move, ...]
    best_line: tuple[chess.Move, ...]
    score_before: int
    score_after: int

    @cached_property
    def reply(self) -> PlayedLine:
        """The refutation with its positions."""
        after = self.board.copy(stack=False)
        after.push(self.move)
        return PlayedLine(after, self.refutation)

    @cached_property
    def better(self) -> PlayedLine:
        """The better line with its positions."""
        return PlayedLine(self.board, self.best_line)

    @property
    def cost(self) -> int:
        """The cost of the move in centipawns, with scores limited."""
        before, after = (
            max(-CEILING, min(score, CEILING)) for score in (self.score_before, self.score_after)
        )
        return before - after

    @cached_property
    def difference(self) -> int:
        """The player's material in points after the better line less that after the reply."""
        kept, left = (line.boards[: AT_REST + 1][-1] for line in (self.better, self.reply))
        return resolved_balance(kept, self.board.turn) - resolved_balance(left, self.board.turn)

    @cached_property
    def taken(self) -> tuple[int, Swap]:
        """As `lost`, but without what the move itself captures."""
        return secured(self.reply.boards[0], self.reply)

    @cached_property
    def lost(self) -> tuple[int, Swap]:
        """The ply of the refutation by which the other side has won material, and which."""
        return secured(self.board, self.reply)

    @cached_property
    def kept(self) -> tuple[int, Swap]:
        """The ply of the better line by which the player has won material, and which."""
        return secured(self.board, self.better)


def secured(board: chess.Board, line: PlayedLine) -> tuple[int, Swap]:
    """The most that the side to move in a line wins and keeps, and the ply from which it has it.

    It is measured only at positions where the other side can win nothing at once.

    :param board: the position from which the gain is measured.
    """
    rests = [
        (ply, swap_between(board, after, line.attacker))
        for ply, after in enumerate(line.boards[: KEPT_UNTIL + 1])
        if ply and is_held(after, line.attacker)
    ]
    lasting = [
        (ply, swap)
        for ply, swap in rests
        if ply <= WON_BY and all(swap.points <= later.points for each, later in rests if each > ply)
    ]
    if not lasting:
        return 0, NOTHING
    maximum = max(swap.points for _, swap in lasting)
    trifle = TRIFLES.get(maximum, TRIFLE if maximum > max(TRIFLES) else 0)
    return next(each for each in lasting if each[1].points >= maximum - trifle)


def allowed_mate(evidence: Evidence) -> ReasonClaim | None:
    """The refutation mates by force, and no line does after the better move."""
    if not _is_mated(evidence.score_after) or _is_mated(evidence.score_before):
        return None
    return _mate("mate", evidence.reply)


def missed_mate(evidence: Evidence) -> ReasonClaim | None:
    """The better line mates by force, and no line does after the move."""
    if not _is_mated(-evidence.score_before) or _is_mated(-evidence.score_after):
        return None
    return _mate("missed mate", evidence.better)


def _is_mated(score: int) -> bool:
    return is_mate(score) and score < 0


def _mate(kind: Kind, line: PlayedLine) -> ReasonClaim | None:
    if not line.boards[-1].is_checkmate() or len(line.moves) % 2 == 0:
        return None
    mate = (len(line.moves) + 1) // 2
    return ReasonClaim(kind, line.moves, mate=mate, motif=back_rank_mate(line))


def thrown_away_win(evidence: Evidence) -> ReasonClaim | None:
    """The refutation ends in stalemate or a repetition, and the better move wins."""
    if evidence.score_before < WINNING or abs(evidence.score_after) > LEVEL:
        return None
    seen: set[str] = set()
    for ply, board in enumerate(evidence.reply.boards):
        if board.is_stalemate() or board.epd() in seen:
            return ReasonClaim("draw", evidence.refutation[:ply])
        seen.add(board.epd())
    return None


def pawn_ending(evidence: Evidence) -> ReasonClaim | None:
    """The last pieces are soon exchanged, and the pawn ending is worse than the game was before."""
    before, after = evidence.score_before, evidence.score_after
    if not (after <= -DECIDED and before > -WINNING) and not (before >= DECIDED and after <= LEVEL):
        return None
    for ply, board in enumerate(evidence.reply.boards[: SOON + 1]):
        if is_pawn_ending(board):
            return ReasonClaim("pawn ending", evidence.refutation[:ply])
    return None


def is_pawn_ending(board: chess.Board) -> bool:
    """Whether only kings and pawns are left."""
    return not board.occupied & ~board.pawns & ~board.kings


def lost_material(evidence: Evidence) -> ReasonClaim | None:
    """The refutation wins material for good, and the better line leaves that much more.

    What the move itself captures is deducted, unless the lines differ by the whole gain.
    """
    still = _turned(evidence.kept[1]) if evidence.kept[1].points < 0 else NOTHING
    found = [(evidence.lost, still)]
    if evidence.board.is_capture(evidence.move):
        found.append((evidence.taken, NOTHING))
    claims = (
        _explained(evidence, ReasonClaim("material", evidence.refutation[:ply], won, left))
        for (ply, won), left in found
    )
    return next(filter(None, claims), None)


def missed_material(evidence: Evidence) -> ReasonClaim | None:
    """The better line wins material for good, and the move leaves that much less."""
    (_, lost), (ply, won) = evidence.lost, evidence.kept
    still = _turned(lost) if lost.points < 0 else NOTHING
    return _explained(
        evidence, ReasonClaim("missed material", evidence.best_line[:ply], won, still)
    )


def _turned(swap: Swap) -> Swap:
    """The same from the other side."""
    return Swap(swap.given, swap.won, swap.conceded, swap.promoted)


def _explained(evidence: Evidence, claim: ReasonClaim) -> ReasonClaim | None:
    """A claim whose gain matches the drop in the score, with its motif."""
    points = min(claim.won.points, evidence.difference)
    more = TOLERANCE if claim.is_missed else max(claim.still.points, TOLERANCE)
    if not claim.won.won or points < max(claim.won.points - more, 1):
        return None
    if not is_costly(points, evidence.cost):
        return None
    small, by = SMALL[claim.kind]
    if points <= small and len(claim.moves) > by:
        return None
    is_least = evidence.cost > GREATEST_COST.get(claim.won.points, evidence.cost)
    start = evidence.better if claim.is_missed else evidence.reply
    line = PlayedLine(start.boards[0], claim.moves)
    motif = next(_named(line, claim.won), None)
    return replace(claim, points=points, motif=motif, is_least=is_least)


def is_costly(points: int, cost: int) -> bool:
    """Whether a score drops enough for this many points of material to be the reason."""
    return cost >= min(points * LEAST_COST, ENOUGH_COST)


def _named(line: PlayedLine, won: Swap) -> Iterator[Motif]:
    """The motifs of a line that capture what the claim says."""
    for motif in motifs_of(line):
        prize = line.captured(motif.capture)
        if prize is None or prize.kind in won.won:
            yield motif


#: The first one that applies is stated; of the claims about material, the greatest gain.
KINDS = (
    allowed_mate,
    missed_mate,
    thrown_away_win,
    pawn_ending,
    lost_material,
    missed_material,
)


def claims_of(evidence: Evidence) -> list[ReasonClaim]:
    """The claims of one search, most certain first."""
    found = filter(None, (find(evidence) for find in KINDS))
    return sorted(found, key=lambda claim: (claim.kind.endswith("material"), -claim.points))

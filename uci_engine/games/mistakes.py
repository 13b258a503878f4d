"""Classifies the mistakes of a game, for counting over many games."""

from __future__ import annotations

import chess.pgn

from ..base.scores import is_mate
from ..reasons.accuracy import BLUNDER, MISTAKE
from .annotation import AnnotatedMove

#: Kinds of mistakes in display order. A mistake may be of several kinds.
KINDS = (
    "allows a forced mate",
    "misses a forced mate",
    "lets a win slip",
    "turns a playable position into a lost one",
    "is made with less than 30 seconds left",
    "leaves a piece to be taken",
    "allows a fork",
    "allows a skewer",
    "allows a pin",
    "allows a discovered attack",
    "lets a piece be trapped",
)

#: The motifs for the last kinds, in the same order; see `halbzug.reasons.motifs`.
_MOTIFS = ("loose", "fork", "skewer", "pin", "discovered attack", "trapped")

#: Winning chances in per cent from which a position is won, and below which it no longer is.
_WON, _NOT_WON = 75.0, 60.0
_PLAYABLE, _LOST = 40.0, 25.0

_SHORT_OF_TIME_SECONDS = 30.0


def is_mistake(move: AnnotatedMove) -> bool:
    """Whether a move is a mistake or blunder; inaccuracies are too many and too small to count."""
    return move.judgement in (MISTAKE, BLUNDER)


def mistake_kinds(move: AnnotatedMove, node: chess.pgn.ChildNode) -> list[str]:
    """The kinds of a mistake or blunder, from `KINDS`.

    :param node: the same move in the game, for its clock time.
    """
    sign = 1 if move.color else -1
    before, after = sign * move.before.white_score, sign * move.after.white_score
    then, now = (
        position.chances if move.color else 100 - position.chances
        for position in (move.before, move.after)
    )
    clock = node.clock()
    claim = move.reason.claim if move.reason else None
    motif = claim.motif.kind if claim and claim.motif and not claim.is_missed else ""
    tests = (
        is_mate(after) and after < 0 and not (is_mate(before) and before < 0),
        is_mate(before) and before > 0 and not (is_mate(after) and after > 0),
        then >= _WON and now < _NOT_WON,
        then >= _PLAYABLE and now < _LOST,
        clock is not None and clock < _SHORT_OF_TIME_SECONDS,
        *(motif == one for one in _MOTIFS),
    )
    return [kind for kind, is_so in zip(KINDS, tests, strict=True) if is_so]

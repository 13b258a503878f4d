"""What else a refutation brings about, or the better line, than pieces: the record of one fact."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import chess

from .motifs import Motif

Kind = Literal[
    "runner",
    "promotion",
    "missed promotion",
    "mate threat",
    "fork",
    "missed fork",
    "castling",
    "passed pawn",
    "pin",
    "bishop for knight",
    "escape",
    "spared pawn",
    "second rank",
    "pawn ending",
    "tablebase",
    "perpetual",
    "missed perpetual",
    "double attack",
    "missed double attack",
    "fork threat",
    "attack",
    "missed attack",
    "pawn result",
    "sacrifice",
    "lost passed pawn",
    "queen for rooks",
]

#: The board alone shows that these win something.
_PROVED = ("fork threat", "attack", "missed attack", "sacrifice")

#: These are facts about their first move.
_ONE_MOVE = ("attack", "missed attack", "sacrifice", "lost passed pawn")


@dataclass(frozen=True)
class Fact:
    """What the refutation brings about; for what was missed the better line.

    - runner: the king on `king` cannot catch the pawn on `square`, which came from `origin`, any
    more.
    - promotion, missed promotion: the pawn from `origin` promotes with the last move, or two moves
    before, and the one who takes it is taken.
    - mate threat: the first move threatens `capture`, which mates.
    - fork, missed fork: `motif` says which.
    - castling: the right to castle is lost with the last move, or with the bad move itself.
    - passed pawn: it arrives on `square`, defended by the pawn on `support` if there is one.
    - pin: the first move attacks the piece on `square`, behind it is the one on `king`, and the
    last move, `capture`, takes that piece or what it defends.
    - bishop for knight: the last move takes back on `square`, or takes it there.
    - escape: the first move takes away the piece on `square`, which the better move `capture`
    takes.
    - spared pawn: the better move `capture` takes the passed pawn on `square`, and in the
    refutation it stays.
    - second rank: the first move brings a rook or queen to `square` on the player's second rank.
    - pawn ending: with the last move, or the bad move itself, the last piece goes.
    - tablebase: after the last move, or the bad move itself, the tablebases say `verdict`, and in
    the better line `kept`: 1, 0 or -1.
    - perpetual, missed perpetual: checks repeat a position with the last move.
    - double attack, missed double attack: the first move, to `square`, attacks `targets`, the
    dearest first, and no reply saves them all.
    - fork threat: the first move threatens `capture`, a check that forks the king and the piece on
    `square`.
    - attack, missed attack: the first move attacks the piece on `square`, which is pinned to what
    stands on `king`, or has no safe square.
    - pawn result: the pawn ending is `verdict`, and with the better move `kept`, by the scores.
    - sacrifice: the first move takes what stood on `square`, and to take back allows a mate, which
    the rest of the moves show.
    - lost passed pawn: the first move takes the passed pawn on `square` for good, and in the better
    line it stays.
    - queen for rooks: `capture` takes the queen on `square`, and the last move takes back.
    """

    kind: Kind
    moves: tuple[chess.Move, ...]
    square: chess.Square | None = None
    origin: chess.Square | None = None
    king: chess.Square | None = None
    capture: chess.Move | None = None
    support: chess.Square | None = None
    motif: Motif | None = None
    verdict: int | None = None
    kept: int | None = None
    targets: tuple[chess.Square, ...] = ()

    @property
    def is_proved(self) -> bool:
        """Whether the board alone shows that it wins something."""
        return bool(self.motif or self.targets or self.kind in _PROVED)

    @property
    def is_missed(self) -> bool:
        """Whether the better line brings it about."""
        return self.kind.startswith("missed")

    def agrees(self, other: Fact) -> bool:
        """Whether another search has found the same."""
        kinds = {self.kind, other.kind}
        if kinds == {"fork", "fork threat"}:
            return self.moves[0] == other.moves[0] and self.square == other.square
        if self.kind == "pawn result" and other.kind in ("runner", "promotion"):
            return self.verdict == -1  # the other one says how
        if len(kinds) > 1 and not kinds <= {"runner", "promotion"}:
            return False
        if self.origin is not None:
            return self.origin == other.origin
        if self.motif and other.motif:
            return self.moves[0] == other.moves[0] and self.square == other.square
        if self.kind in ("perpetual", "missed perpetual"):
            return self.moves[0] == other.moves[0]
        if self.kind in ("tablebase", "pawn result"):
            return (self.verdict, self.kept) == (other.verdict, other.kept)
        if self.capture and self.moves:
            return (self.moves[0], self.capture) == (other.moves[0], other.capture)
        is_same = not (self.kind in _ONE_MOVE or self.targets) or self.moves == other.moves
        return is_same and self.square == other.square

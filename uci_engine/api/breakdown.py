"""The evaluation as a sum: count times weight for each term, exact to the last centipawn.

What a term contributes follows from `halbzug.eval.features`: White's count less Black's, times the
weight of the middlegame and of the endgame, blended by the game phase. The engine rounds twice,
and the difference is shown, so that the terms, the rounding and the evaluation add up exactly.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import chess

from halbzug.board.movegen import Board
from halbzug.eval.endgame import FULL_SCALE, scale
from halbzug.eval.evaluation import Evaluator
from halbzug.eval.features import Feature, count, phase, weigh
from halbzug.eval.tables import ENEMY_PAIRS, FULL_PHASE, OWN_PAIRS, PIECES
from halbzug.eval.weights import GROUPS
from halbzug.search.position import Position

_RANKS = 8  # tables with two parts have this many entries in the first


@dataclass(frozen=True)
class Weighed:
    """One term of the sum."""

    group: str
    feature: Feature
    name: str  # for people
    white: int  # how often it occurs
    black: int
    middlegame: int  # the weight, in centipawns
    endgame: int
    contribution: Fraction  # centipawns, White's view

    @property
    def cancels(self) -> bool:
        """Whether both sides have it equally often."""
        return self.white == self.black


@dataclass(frozen=True)
class Breakdown:
    """All terms of an evaluation, and the numbers that combine them."""

    terms: tuple[Weighed, ...]
    middlegame: int  # sums of count times weight in centipawns, White's view
    endgame: int
    phase: int  # 24: all pieces on the board, 0: none
    scale: int  # 64ths of the endgame's advantage that can be won
    white_to_move: bool
    value: int  # the engine's evaluation in centipawns, from the side to move

    @property
    def white_value(self) -> int:
        """The evaluation from White's side."""
        return self.value if self.white_to_move else -self.value

    @property
    def rounding(self) -> Fraction:
        """What the engine's rounding adds to the terms, in centipawns, White's view."""
        return self.white_value - sum((term.contribution for term in self.terms), Fraction())


def break_down(position: Position) -> Breakdown:
    """Weigh every feature of a position."""
    board = position.board
    white, black = count(board)
    middlegame, endgame = (
        ours - theirs for ours, theirs in zip(weigh(white), weigh(black), strict=True)
    )
    early = phase(board)
    # As in the engine, the scale is applied before rounding down, from the side to move.
    part = scale(board, _strong_side(board, endgame))
    terms = []
    for group, names in GROUPS.items():
        for name, table in names.items():
            for index, (early_weight, late_weight) in enumerate(table):
                feature = (name, index)
                if not (white[feature] or black[feature]):
                    continue
                number = white[feature] - black[feature]
                late = Fraction(number * late_weight * part, FULL_SCALE)
                blended = number * early_weight * early + late * (FULL_PHASE - early)
                terms.append(
                    Weighed(
                        group,
                        feature,
                        _title(name, index),
                        white[feature],
                        black[feature],
                        early_weight,
                        late_weight,
                        blended / FULL_PHASE,
                    )
                )
    value = Evaluator().evaluate(board, position.accumulator)
    return Breakdown(tuple(terms), middlegame, endgame, early, part, board.turn, value)


def _strong_side(board: Board, endgame: int) -> bool:
    """The side that is better in the endgame; if equal, the side not to move."""
    own = endgame if board.turn else -endgame
    return board.turn if own > 0 else not board.turn


def _title(name: str, index: int) -> str:
    """A feature in words: `knight on f3`, `rook mobility 7`, `passed pawn, rank 6`."""
    if name == "material":
        return PIECES[index + 1]
    words = name.replace("_", " ")
    if name.endswith("_square"):
        return f"{words.removesuffix(' square')} on {chess.SQUARE_NAMES[index ^ 56]}"
    if name == "king_mobility":
        return f"king, {index} safe steps"
    if name.endswith("_mobility"):
        return f"{words.removesuffix(' mobility')}, {index} squares to go to"
    if name in ("own_pair", "enemy_pair"):
        one, other = (OWN_PAIRS if name == "own_pair" else ENEMY_PAIRS)[index]
        return f"{PIECES[one]} {'with' if name == 'own_pair' else 'against'} {PIECES[other]}"
    if name in ("phalanx_pawn", "supported_pawn"):
        opposed = ", opposed" if index >= _RANKS else ""
        return f"{words} on rank {index % _RANKS + 1}{opposed}"
    if name in ("passed_pawn", "lever"):
        return f"{words} on rank {index + 1}"
    if name == "passed_connected":
        return f"connected passed pawn on rank {index + 1}"
    if name == "shelter":
        file = "own file" if index >= _RANKS else "file beside"
        return f"shelter, {file}: {_rank(index % _RANKS)}"
    if name in ("storm", "blocked_storm"):
        return f"{words}: {_rank(index)}"
    if name == "king_danger":
        return f"attack on the king, {index} units"
    if name in ("safe_check", "other_check"):
        return f"{words} by a {PIECES[index]}"
    if name in ("minor_threat", "rook_threat"):
        attacker = "minor piece" if name == "minor_threat" else "rook"
        return f"{attacker} attacks a {PIECES[index]}"
    if name == "restricted":
        return "square that both sides attack"
    return words


def _rank(rank: int) -> str:
    return f"pawn on rank {rank + 1}" if rank else "no pawn"

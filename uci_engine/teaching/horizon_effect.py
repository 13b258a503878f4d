"""The horizon effect: losses that a search of fixed depth cannot see, or delays beyond its depth.

A search that stops in the middle of an exchange counts a piece that is about to be captured. It
also prefers moves that delay a loss beyond the last ply, where it cannot see it. Quiescence search
and extensions reduce this. This module searches a position to the same depth with and without them.

Source: https://www.chessprogramming.org/Horizon_Effect
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import chess

from ..base.events import Info
from ..base.limits import Limits
from ..board.constants import PAWN_VALUE, PIECE_VALUES
from ..search.settings import Settings
from .fresh_search import search_fresh

#: The settings of the full engine, and without quiescence search and extensions.
WITH = Settings()
WITHOUT = replace(WITH, quiescence=False, check_extension=False, singular_extension=False)

#: The depth in plies for judging the two moves, and for finding the moves beyond the horizon.
JUDGE_DEPTH = 8

#: Maximum number of plies shown beyond the horizon.
BEYOND_PLIES = 8

#: The minimum loss compared with the other move for a mistake, in centipawns.
MISTAKE = 100

#: The depths to search for the effect, in order.
DEPTHS = (1, 2, 3, 4, 5, 6)

_HASH_MB = 4


@dataclass(frozen=True)
class HorizonLine:
    """The line of one search."""

    value: int  # centipawns from the side to move
    moves: tuple[str, ...]  # the principal variation, UCI
    beyond: tuple[str, ...]  # the full engine's moves after its end
    materials: tuple[int, ...]  # after each of all these moves; see `material`
    judged: int  # the full engine's value of the first move, at `JUDGE_DEPTH`


@dataclass(frozen=True)
class Comparison:
    """The same position and depth, with and without quiescence and extensions."""

    depth: int  # plies
    material: int  # before the first move
    without: HorizonLine
    full: HorizonLine

    @property
    def cost(self) -> int:
        """How much the move chosen without them loses compared with the other, in centipawns."""
        return self.full.judged - self.without.judged

    @property
    def is_mistake(self) -> bool:
        """Whether the horizon led to a mistake."""
        return self.without.moves[0] != self.full.moves[0] and self.cost >= MISTAKE


def material(board: chess.Board, color: chess.Color) -> int:
    """A side's material minus the other's: pawn 1, knight and bishop 3, rook 5, queen 9."""
    return sum(
        PIECE_VALUES[piece]
        // PAWN_VALUE
        * (len(board.pieces(piece, color)) - len(board.pieces(piece, not color)))
        for piece in chess.PIECE_TYPES
    )


def compare(board: chess.Board, depth: int) -> Comparison:
    """Search a position to `depth` plies, with and without quiescence search and extensions.

    :raises ValueError: if the side to move has no move.
    """
    without, full = (_line(board, depth, settings) for settings in (WITHOUT, WITH))
    return Comparison(depth, material(board, board.turn), without, full)


def find(board: chess.Board) -> Comparison | None:
    """The lowest of `DEPTHS` at which the horizon causes a mistake; None if there is none."""
    comparisons = (compare(board, depth) for depth in DEPTHS)
    return next((one for one in comparisons if one.is_mistake), None)


def _line(board: chess.Board, depth: int, settings: Settings) -> HorizonLine:
    info = _search(board, depth, settings)
    judged = _search(board, max(depth, JUDGE_DEPTH), WITH, info.pv[:1])
    after = board.copy(stack=False)
    materials = []
    for move in info.pv:
        after.push_uci(move)
        materials.append(material(after, board.turn))
    beyond: tuple[str, ...] = ()
    if settings is WITHOUT and any(after.legal_moves):
        beyond = _search(after, JUDGE_DEPTH, WITH).pv[:BEYOND_PLIES]
    for move in beyond:
        after.push_uci(move)
        materials.append(material(after, board.turn))
    return HorizonLine(info.score, info.pv, beyond, tuple(materials), judged.score)


def _search(
    board: chess.Board, depth: int, settings: Settings, moves: tuple[str, ...] = ()
) -> Info:
    """Search with empty tables; only these moves, if given."""
    limits = Limits(depth=depth, search_moves=moves)
    return search_fresh(board, limits, settings, _HASH_MB).line

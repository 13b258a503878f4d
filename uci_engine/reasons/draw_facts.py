"""Draws that are certain: perpetual check, and what the tablebases say.

Sources: https://www.chessprogramming.org/Perpetual_Check,
https://www.chessprogramming.org/Syzygy_Bases
"""

from __future__ import annotations

from functools import cache

import chess

from ..board.fen import engine_board
from ..tablebase.probing import Tablebase
from ..tablebase.wdl import CURSED_WIN
from .facts import Fact, Kind
from .motifs import PlayedLine

#: Checks that repeat a position begin at the latest with this ply.
_FIRST_CHECK = 4

#: The tablebases are asked about so many plies of a line.
_PROBED = 10


def perpetual_fact(kind: Kind, line: PlayedLine) -> Fact | None:
    """The side that begins a line repeats a position by checks."""
    for first in range(0, _FIRST_CHECK + 1, 2):
        seen = {}
        for ply in range(first, len(line.moves), 2):
            after = line.boards[ply + 1]
            if not after.is_check():
                break
            key = after.epd()
            if key in seen:
                return Fact(kind, line.moves[: ply + 1])
            seen[key] = ply
    return None


def tablebase_fact(reply: PlayedLine, better: PlayedLine) -> Fact | None:
    """The tablebases say less of the refutation than of the better line, for the player."""
    left, kept = _first_verdict(reply, 0), _first_verdict(better, 1)
    if left is None or kept is None:
        return None
    (ply, verdict), (_, other) = left, kept
    if verdict >= other:
        return None
    return Fact("tablebase", reply.moves[:ply], verdict=verdict, kept=other)


def _first_verdict(line: PlayedLine, first: int) -> tuple[int, int] | None:
    """The first ply of a line that the tablebases know, and their verdict for the player."""
    # In the better line the player begins, in the refutation the other side.
    color = line.attacker if first else not line.attacker
    for ply, board in enumerate(line.boards[: _PROBED + 1]):
        verdict = verdict_of(board) if ply >= first else None
        if verdict is not None:
            return ply, verdict if board.turn == color else -verdict
    return None


def verdict_of(board: chess.Board) -> int | None:
    """Whether the side to move wins, 1, draws, 0, or loses, -1; None if the tables do not know."""
    tablebase = _tablebase()
    if chess.popcount(board.occupied) > tablebase.largest:
        return None
    ranking = tablebase.rank_root(engine_board(board))
    if not ranking:
        return None
    score = ranking[0].score
    return 0 if abs(score) <= CURSED_WIN else 1 if score > 0 else -1


@cache
def _tablebase() -> Tablebase:
    return Tablebase()

"""A search of the engine that starts with empty tables."""

from __future__ import annotations

import time
from dataclasses import dataclass

import chess

from ..base.events import Event, Info
from ..base.limits import Limits
from ..board.movegen import new_board
from ..search.position import Position
from ..search.search import Search
from ..search.settings import Settings
from ..search.transposition import TranspositionTable


@dataclass(frozen=True)
class FreshOutcome:
    """The result of a search, and the search with its counters."""

    search: Search
    line: Info  # the last line reported
    seconds: float


def search_fresh(
    board: chess.Board, limits: Limits, settings: Settings, hash_mb: int
) -> FreshOutcome:
    """Search a position.

    :param hash_mb: size of its transposition table, in MiB.
    :raises ValueError: if the side to move has no move.
    """
    if not any(board.legal_moves):
        raise ValueError("the game is over in this position: there is no move to search")
    lines: list[Info] = []

    def hear(event: Event) -> None:
        if isinstance(event, Info):
            lines.append(event)

    tt = TranspositionTable(hash_mb)
    try:
        search = Search(tt, settings)
        position = Position(new_board(board.fen(shredder=board.chess960), (), board.chess960))
        started = time.perf_counter()
        search.run(position, limits, report=hear)
        seconds = time.perf_counter() - started
    finally:
        tt.close()
    return FreshOutcome(search, lines[-1], seconds)

"""A search of the real engine that knows nothing from earlier ones."""

from __future__ import annotations

import time
from dataclasses import dataclass

import chess

from halbzug.board.rules import new_board
from halbzug.events import Event, Info
from halbzug.limits import Limits
from halbzug.search.position import Position
from halbzug.search.search import Search
from halbzug.search.settings import Settings
from halbzug.search.transposition import TranspositionTable


@dataclass(frozen=True)
class Outcome:
    """What a search found, and the search itself with its counters."""

    search: Search
    line: Info  # the last one it reported
    seconds: float


def search_fresh(board: chess.Board, limits: Limits, settings: Settings, table_mb: int) -> Outcome:
    """Search a position.

    :param table_mb: size of its transposition table, in MiB.
    :raises ValueError: if the side to move has no move.
    """
    if not any(board.legal_moves):
        raise ValueError("the game is over in this position: there is no move to search")
    lines: list[Info] = []

    def hear(event: Event) -> None:
        if isinstance(event, Info):
            lines.append(event)

    table = TranspositionTable(table_mb)
    try:
        search = Search(table, settings)
        position = Position(new_board(board.fen(shredder=board.chess960), (), board.chess960))
        started = time.perf_counter()
        search.run(position, limits, report=hear)
        seconds = time.perf_counter() - started
    finally:
        table.close()
    return Outcome(search, lines[-1], seconds)

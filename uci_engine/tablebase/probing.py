"""Endgame tablebases: perfect play with few pieces, at the root and in the tree.

There are two kinds of Syzygy tables: WDL gives the result of a position, DTZ the number of plies to
the next capture, pawn move or mate (*zeroing* the fifty-move clock). `chess.syzygy` reads them;
this module adds several folders, checks for damaged files, and the ranking of root moves.

Source of the technique: https://www.chessprogramming.org/Syzygy_Bases
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from chess import syzygy

from ..board.movegen import Board, popcount
from .cache import DamagedError, DtzTable, TableCache, WdlTable
from .files import default_folders, find_tablebase_files, short_path, split_paths
from .root_ranking import RootRank, RootRanking
from .wdl import DRAW, LOSS, WIN

#: The largest number of pieces, including kings, for which tables exist.
MAX_PIECES = 7


class Tablebase:
    """Syzygy tables in some folders. Probing never raises, and leaves the board unchanged.

    :param paths: folders, separated as in PATH.
    :param use_default: also use the tables of the package and of the user's data folder; the
        package's come first, because their contents are checked.
    :param fifty_move_rule: whether cursed wins and blessed losses are draws.
    :param probe_limit: do not probe with more pieces than this; 0 switches the tables off.
    """

    def __init__(
        self,
        paths: str = "",
        use_default: bool = True,
        fifty_move_rule: bool = True,
        probe_limit: int = MAX_PIECES,
    ) -> None:
        self.fifty_move_rule = fifty_move_rule
        self.hits = 0
        self._syzygy = syzygy.Tablebase()
        self._wdl = TableCache(WdlTable)
        self._dtz = TableCache(DtzTable)
        self._messages = self._dtz.messages = self._wdl.messages
        self._syzygy.wdl, self._syzygy.dtz = self._wdl, self._dtz
        for folder in (default_folders() if use_default else []) + split_paths(paths):
            self._add_folder(folder)
        found = max((len(name) - 1 for name in self._wdl.files), default=0)
        #: The largest number of pieces, including kings, that is probed; 0 for none.
        self.largest = min(found, probe_limit)

    def close(self) -> None:
        """Close the files."""
        self._syzygy.close()
        self.largest = 0

    def take_messages(self) -> list[str]:
        """Messages for the user, one line each; every message is returned once."""
        messages = self._messages[:]
        self._messages.clear()
        return messages

    def _add_folder(self, folder: Path) -> None:
        """Add a folder's tables; only the first of several bad files is described."""
        complaints = []
        is_empty = True
        for file in find_tablebase_files(folder):
            is_empty = False
            if isinstance(file, str):
                complaints.append(file)
            else:
                (self._wdl if file.suffix == ".rtbw" else self._dtz).add(file)
        if is_empty:
            complaints.append(f"no tablebases in {short_path(folder)}")
        if complaints:
            more = f" (and {len(complaints) - 1} more)" if len(complaints) > 1 else ""
            self._messages.append(complaints[0] + more)

    def can_probe(self, board: Board) -> bool:
        """Whether the tables may know a position: few pieces and no castling rights."""
        return popcount(board.occupied) <= self.largest and not board.castling_rights

    def probe_wdl(self, board: Board) -> int | None:
        """Win (2), cursed win (1), draw (0), blessed loss (-1) or loss (-2) for the side to move.

        The tables assume a fifty-move clock of zero, that is, that a capture or pawn move has just
        been made. So with the rule in force, the result is None for any other clock; a search first
        reaches the tables with a clock of zero. Without the rule the clock does not matter, and the
        result is -2, 0 or 2.

        There is no cache: the transposition table stores the results. A cache answered only 4 % of
        the probes in a set of endgames.

        :returns: None if the tables do not know.
        """
        if popcount(board.occupied) > self.largest or board.castling_rights:
            return None
        if self.fifty_move_rule and board.halfmove_clock:
            return None
        wdl = self._probe_wdl(board)
        if wdl is not None:
            self.hits += 1
        return wdl

    def probe_dtz(self, board: Board) -> int | None:
        """Plies to the next zeroing move with best play, positive for a win, 0 for a draw.

        The value may be one too small if that cannot change the result. Above 100, the win is
        cursed.

        :returns: None if the tables do not know.
        """
        if not self.can_probe(board):
            return None
        dtz = self._probe_dtz(board)
        self.hits += dtz is not None
        return dtz

    def _probe_wdl(self, board: Board) -> int | None:
        wdl = self._guard(self._syzygy.probe_wdl, board)
        if wdl is not None and not self.fifty_move_rule:
            return WIN if wdl > 0 else LOSS if wdl < 0 else DRAW
        return wdl

    def _probe_dtz(self, board: Board) -> int | None:
        return self._guard(self._syzygy.probe_dtz, board)

    def _guard(self, probe: Callable[[Board], int], board: Board) -> int | None:
        """Probe; return None if a table is missing or damaged, which is reported once."""
        try:
            return probe(board)
        except KeyError:
            return None
        except DamagedError as error:
            for cache in (self._wdl, self._dtz):
                cache.drop(error.table)
            return None

    def rank_root(
        self,
        board: Board,
        max_seconds: float | None = None,
        must_stop: Callable[[], bool] = lambda: False,
    ) -> list[RootRank] | None:
        """All legal moves, best first; None if the tables do not know the position.

        Moves with the same rank as the first one keep the result, respecting the fifty-move rule if
        it is in force; a search may choose among them. Usually all winning moves share a rank, and
        so do all losing moves. When time runs out, or a position was repeated since the last
        zeroing move, only the moves that make most progress have the best rank. Within a rank, the
        quickest win and the longest defence come first, so always playing the first move wins every
        won position. Without DTZ tables, the ranks separate wins, draws and losses, but ignore
        progress.

        :param board: with the moves that matter for repetition on its stack.
        :param max_seconds: time to rank all moves; None is no limit. After that, only a move that
            makes progress is still searched for, and the remaining moves rank below the examined
            ones.
        :param must_stop: whether to stop now; the result is None if moves are still unknown.
        """
        deadline = None if max_seconds is None else time.perf_counter() + max_seconds

        def is_late() -> bool:
            return must_stop() or (deadline is not None and time.perf_counter() >= deadline)

        if not self.can_probe(board):
            return None
        ranking = RootRanking(board, self._probe_wdl, self._probe_dtz, self.fifty_move_rule)
        if not ranking.find_values(must_stop):
            return None
        self.hits += len(ranking.moves)
        return ranking.by_dtz(is_late) or ranking.by_wdl()
